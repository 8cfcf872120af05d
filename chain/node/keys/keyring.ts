import { join } from 'node:path'
import { type Bytes, bytesToHex, bytesToUtf8, equalBytes, utf8ToBytes } from '@coin/base/bytes'
import { isMultiKey } from '@coin/runtime/multisig'
import { decodeBech32 } from '@coin/wire/bech32'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { nodeErrors } from '../errors.js'
import { type AskPassphrase, type KeyItems, memoryItems, sealedItems, testItems } from './key-items.js'
import { decodeKeyRecord, encodeKeyRecord, type KeyInfo, type KeyRecord, keyInfo, localInfo } from './key-record.js'
import type { AccountKey } from './mnemonic.js'

export type { AskPassphrase } from './key-items.js'
export type { KeyInfo } from './key-record.js'

/**
 * Account keys by name. Everything but the names is sealed, as in the Go keyring, so that most questions may ask for a passphrase
 * and throw `badPassphrase`; damaged files throw `badFile`.
 */
export interface Keyring {
  readonly backend: KeyringBackend
  /** Sorted; asks for nothing. */
  names(): readonly string[]
  /** In the order of their names. */
  list(): Promise<readonly KeyInfo[]>
  get(name: string): Promise<KeyInfo | undefined>
  /** Throws `keyNotFound`, naming what there is. */
  require(name: string): Promise<KeyInfo>
  /** By name, or by address of any prefix. Throws `keyNotFound`. */
  find(nameOrAddress: string): Promise<KeyInfo>
  /** Throws `keyExists` when name or address are taken, and `badKeyName`. */
  add(name: string, key: AccountKey): Promise<KeyInfo>
  /** A public key that others sign for: of one key or of several. Throws as `add`. */
  addPublic(name: string, pubKey: Any): Promise<KeyInfo>
  /** Throws `keyNotFound`, `keyExists` or `badKeyName`. */
  rename(from: string, to: string): Promise<void>
  /** Throws `keyNotFound`. */
  delete(name: string): Promise<void>
  /** The private key. Throws `keyNotFound`, and `keyNotLocal` when it is not in here. */
  open(name: string): Promise<AccountKey>
}

export const keyringBackends = ['file', 'test', 'memory'] as const

export type KeyringBackend = (typeof keyringBackends)[number]

/** Backends of the reference that would need something of the operating system. */
export const foreignBackends = ['os', 'kwallet', 'pass'] as const

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

// Items, as in the Go SDK: `<name>.info` is the record, `<address in hex>.address` the name of that item.
const infoSuffix = '.info'
const infoItem = (name: string) => `${name}${infoSuffix}`
const addressItem = (address: Bytes) => `${bytesToHex(address)}.address`

/**
 * The keyring in `<dir>/keyring-<backend>`. Its files are those of the Go SDK v0.53: an operator's keyring works here, and ours
 * there. Throws `badFlag` for a backend that is not there.
 */
export function openKeyring(dir: string, backend: string, askPassphrase: AskPassphrase): Keyring {
  switch (backend) {
    case 'file':
      return keyringOf(backend, sealedItems(join(dir, 'keyring-file'), askPassphrase))
    case 'test':
      return keyringOf(backend, testItems(join(dir, 'keyring-test')))
    case 'memory':
      return keyringOf(backend, memoryItems())
    default:
      throw nodeErrors.badFlag(
        `keyring backend "${backend}" is not available, expected ${keyringBackends.join(', ')}: "file" is encrypted and works ` +
          'everywhere; set it with --keyring-backend or "coind config set client keyring-backend file"',
      )
  }
}

function keyringOf(backend: KeyringBackend, items: KeyItems): Keyring {
  const records = keyRecords(items)
  const { names } = records

  async function add(info: KeyInfo, privateKey?: Bytes): Promise<KeyInfo> {
    checkName(info.name)
    if (names().includes(info.name)) throw nodeErrors.keyExists(`"${info.name}" in ${items.place}`)
    const holder = await records.holderOf(info.address)
    if (holder !== undefined && names().includes(holder))
      throw nodeErrors.keyExists(`the same key is "${holder}" in ${items.place}`)
    return records.write(info, privateKey)
  }

  return {
    backend,
    names,
    list: () => Promise.all(names().map(async (name) => (await records.require(name)).info)),
    get: async (name) => (names().includes(name) ? (await records.require(name)).info : undefined),
    require: async (name) => (await records.require(name)).info,
    async find(nameOrAddress) {
      const address = names().includes(nameOrAddress) ? undefined : addressOf(nameOrAddress)
      const name = address && (await records.holderOf(address))
      const { info } = await records.require(name ?? nameOrAddress)
      if (address !== undefined && !equalBytes(info.address, address)) throw records.notFound(nameOrAddress)
      return info
    },
    add: (name, key) => add(localInfo(name, key), key.privateKey),
    addPublic: (name, pubKey) => add(keyInfo(name, isMultiKey(pubKey) ? 'multi' : 'offline', pubKey)),
    async rename(from, to) {
      checkName(to)
      const { info, key } = await records.require(from)
      if (info.type === 'ledger') throw nodeErrors.keyNotLocal(`"${from}" is on a ledger device`)
      if (names().includes(to)) throw nodeErrors.keyExists(`"${to}" in ${items.place}`)
      await records.write({ ...info, name: to }, key?.privateKey)
      items.remove(infoItem(from))
    },
    async delete(name) {
      const { info } = await records.require(name)
      items.remove(addressItem(info.address))
      items.remove(infoItem(name))
    },
    async open(name) {
      const { info, key } = await records.require(name)
      if (key !== undefined) return key
      throw nodeErrors.keyNotLocal(`"${name}" is of type ${info.type}: its private key is not in ${items.place}`)
    },
  }
}

/** Keys as items, in the Go SDK's way. */
function keyRecords(items: KeyItems) {
  const names = () =>
    items
      .names()
      .filter((item) => item.endsWith(infoSuffix))
      .map((item) => item.slice(0, -infoSuffix.length))

  function notFound(what: string) {
    const there = names()
    return nodeErrors.keyNotFound(
      `"${what}" in ${items.place}, which has ${there.length === 0 ? 'no keys' : there.join(', ')}; --keyring-backend and --home name another`,
    )
  }

  return {
    names,
    notFound,
    async require(name: string): Promise<KeyRecord> {
      const item = infoItem(name)
      const bytes = names().includes(name) ? await items.get(item) : undefined
      if (bytes === undefined) throw notFound(name)
      return decodeKeyRecord(bytes, item)
    },
    /** The name that the address leads to, if any. */
    async holderOf(address: Bytes): Promise<string | undefined> {
      const item = await items.get(addressItem(address))
      return item && bytesToUtf8(item).replace(/\.info$/, '')
    },
    /** The record last: a name that is listed has everything. */
    async write(info: KeyInfo, privateKey: Bytes | undefined): Promise<KeyInfo> {
      await items.set(addressItem(info.address), utf8ToBytes(infoItem(info.name)))
      await items.set(infoItem(info.name), encodeKeyRecord(info, privateKey))
      return info
    },
  }
}

function checkName(name: string): string {
  if (!namePattern.test(name)) throw nodeErrors.badKeyName(`"${name}", expected 1 to 64 letters, digits or "._-"`)
  return name
}

function addressOf(text: string): Bytes | undefined {
  try {
    return decodeBech32(text).bytes
  } catch {
    return undefined
  }
}
