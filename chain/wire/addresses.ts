import { type Bytes, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { checkBech32Prefix, decodeBech32, encodeBech32 } from './bech32.js'
import { errors, excerpt } from './errors.js'
import { hash160, sha256 } from './sha256.js'

/** Between bytes and text of one kind of address. */
export interface AddressCodec {
  /** What stands before the separator, for example `coin`. */
  readonly prefix: string
  /** Throws `badAddress` unless there are 1 to 255 bytes. */
  encode(bytes: Bytes): string
  /** The bytes, not to be changed: they are shared. Throws `badAddress` for a bad text or another prefix. */
  decode(text: string): Bytes
}

/** Longest address that the Go SDK accepts; accounts have 20 bytes, contracts and module sub-accounts 32. */
export const addressLengthMax = 255

/** How many decoded texts a codec remembers; decoding costs about 1 us, and senders repeat. */
const rememberedMax = 4096

/** Throws `badAddress` unless there are 1 to 255 bytes. */
export function checkAddressBytes(bytes: Bytes): void {
  if (bytes.length === 0 || bytes.length > addressLengthMax) {
    throw errors.badAddress(`address of ${bytes.length} bytes, expected 1 to ${addressLengthMax}`)
  }
}

/**
 * @example
 * createAddressCodec('cosmos').decode('cosmos1...') // 20 bytes
 */
export function createAddressCodec(prefix: string): AddressCodec {
  checkBech32Prefix(prefix)
  const remembered = new Map<string, Bytes>()
  function decode(text: string): Bytes {
    const known = remembered.get(text)
    if (known !== undefined) return known
    if (text.trim() === '') throw errors.badAddress('address is empty')
    const { prefix: found, bytes } = decodeBech32(text)
    if (found !== prefix) throw errors.badAddress(`${excerpt(text)} has the prefix "${found}", expected "${prefix}"`)
    checkAddressBytes(bytes)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(text, bytes)
    return bytes
  }
  function encode(bytes: Bytes): string {
    checkAddressBytes(bytes)
    return encodeBech32(prefix, bytes)
  }
  return { prefix, encode, decode }
}

/** The three kinds of address that a chain has. */
export interface AddressCodecs {
  readonly account: AddressCodec
  /** Operator of a validator, `<prefix>valoper1...`. */
  readonly validator: AddressCodec
  /** Consensus key of a validator, `<prefix>valcons1...`. */
  readonly consensus: AddressCodec
}

/** All address codecs of a chain from its account prefix. */
export function createAddressCodecs(prefix: string): AddressCodecs {
  return {
    account: createAddressCodec(prefix),
    validator: createAddressCodec(`${prefix}valoper`),
    consensus: createAddressCodec(`${prefix}valcons`),
  }
}

/** 20 bytes: the account of a compressed secp256k1 public key. */
export function secp256k1Address(publicKey: Bytes): Bytes {
  return hash160(publicKey)
}

/** 20 bytes: the consensus address of an ed25519 public key, as CometBFT has it. */
export function ed25519Address(publicKey: Bytes): Bytes {
  return sha256(publicKey).slice(0, 20)
}

/** 32 bytes: sha256(sha256(type) | key), the SDK's ADR-028 rule for addresses that no key hashes to. */
export function hashedAddress(type: string, key: Bytes): Bytes {
  return sha256(concatBytes(sha256(utf8ToBytes(type)), key))
}

/** The account of a module, 20 bytes: `moduleAddress('mint')`. */
export function moduleAddress(name: string): Bytes {
  return sha256(utf8ToBytes(name)).slice(0, 20)
}

/** An account below a module, 32 bytes, derived step by step as the SDK's `address.Module` does. */
export function moduleSubAddress(name: string, ...keys: readonly Bytes[]): Bytes {
  const [first, ...rest] = keys
  if (first === undefined) return moduleAddress(name)
  const start = hashedAddress('module', concatBytes(utf8ToBytes(name), Uint8Array.of(0), first))
  return rest.reduce((parent, key) => derivedAddress(parent, key), start)
}

/** 32 bytes: the SDK's `address.Derive`, a child of any address. */
export function derivedAddress(parent: Bytes, key: Bytes): Bytes {
  return sha256(concatBytes(sha256(parent), key))
}
