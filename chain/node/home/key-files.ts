import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type Bytes, bytesToBase64, bytesToHex, concatBytes, equalBytes } from '@coin/base/bytes'
import { formatSignState, parseSignState, type SignStatePort } from '@coin/engine/embedded/signer'
import { ed25519Address } from '@coin/wire/addresses'
import { decodeBase64 } from '@coin/wire/base64'
import { ed25519PublicKey } from '@coin/wire/ed25519'
import { fileReason, isSystemError, nodeErrors } from '../errors.js'
import { formatJsonFile, writeFileWhole } from './write-file.js'

/** An ed25519 key pair; `privateKey` in Go's 64 bytes, seed and then public key. */
export interface Ed25519Key {
  readonly privateKey: Bytes
  readonly publicKey: Bytes
  /** 20 bytes: the first of sha256 of the public key. */
  readonly address: Bytes
}

export function newEd25519Key(seed: Bytes = randomBytes(32)): Ed25519Key {
  const publicKey = ed25519PublicKey(seed)
  return { privateKey: concatBytes(seed, publicKey), publicKey, address: ed25519Address(publicKey) }
}

/** priv_validator_key.json as CometBFT v0.38 writes it: the key that signs blocks. */
export function formatPrivValidatorKey({ privateKey, publicKey, address }: Ed25519Key): string {
  return formatJsonFile({
    address: bytesToHex(address).toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: bytesToBase64(publicKey) },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value: bytesToBase64(privateKey) },
  })
}

/** node_key.json: the key that names the node to its peers. */
export function formatNodeKey({ privateKey }: Ed25519Key): string {
  return formatJsonFile({ priv_key: { type: 'tendermint/PrivKeyEd25519', value: bytesToBase64(privateKey) } })
}

/** What others call a node: 40 hexadecimal digits. */
export function nodeIdOf({ address }: Pick<Ed25519Key, 'address'>): string {
  return bytesToHex(address)
}

/** Reads priv_validator_key.json or node_key.json. Throws `badFile`, naming what is wrong but never the key. */
export function readKeyFile(path: string): Ed25519Key {
  const bad = (what: string) => nodeErrors.badFile(`${path}: ${what}`)
  let parsed: { readonly priv_key?: { readonly type?: unknown; readonly value?: unknown } } | null
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8')) as typeof parsed
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT')
      throw bad('it is not there; restore it from a copy ("coind doctor" says more)')
    throw bad(error instanceof SyntaxError ? 'not JSON' : fileReason(error))
  }
  const { type, value } = parsed?.priv_key ?? {}
  if (type !== 'tendermint/PrivKeyEd25519')
    throw bad(`priv_key.type is ${JSON.stringify(type)}, expected "tendermint/PrivKeyEd25519"`)
  const privateKey = typeof value === 'string' && /^[A-Za-z0-9+/]{86}==$/.test(value) ? decodeBase64(value) : undefined
  if (privateKey === undefined) throw bad('priv_key.value is not 64 bytes in base64')
  const key = newEd25519Key(privateKey.slice(0, 32))
  if (!equalBytes(key.privateKey, privateKey)) throw bad('priv_key.value does not end in its own public key')
  return key
}

/** What the validator signed last, in priv_validator_state.json; without it a restart could sign twice. */
export function signStateFile(path: string): SignStatePort {
  return {
    load: () => (existsSync(path) ? parseSignState(readFileSync(path, 'utf8')) : undefined),
    save: (state) => writeFileWhole(path, formatSignState(state)),
  }
}
