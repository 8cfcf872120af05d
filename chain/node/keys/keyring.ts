import { existsSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Bytes, base64ToBytes, bytesToBase64, equalBytes } from '@coin/base/bytes'
import { secp256k1Address } from '@coin/wire/addresses'
import { nodeErrors } from '../errors.js'
import { formatJsonFile, writeFileWhole } from '../home/write-file.js'
import { type AccountKey, keyOf } from './mnemonic.js'
import { openKey, type SealedKey, sealKey } from './sealed-key.js'

/** A key as anybody may see it. */
export interface KeyInfo {
  readonly name: string
  /** 33 bytes, compressed secp256k1. */
  readonly publicKey: Bytes
  /** 20 bytes. */
  readonly address: Bytes
}

/** Account keys by name. */
export interface Keyring {
  readonly backend: KeyringBackend
  /** In the order of their names. */
  list(): readonly KeyInfo[]
  get(name: string): KeyInfo | undefined
  /** Throws `keyNotFound`, naming what there is. */
  require(name: string): KeyInfo
  /** Throws `keyExists` or `badKeyName`. */
  add(name: string, key: AccountKey): Promise<KeyInfo>
  delete(name: string): void
  /** Throws `keyNotFound` or `badPassphrase`. */
  open(name: string): Promise<AccountKey>
}

export type KeyringBackend = 'file' | 'test'

/** Asks for the passphrase; `isNew` when it is going to be used for the first time and should be typed twice. */
export type AskPassphrase = (isNew: boolean) => Promise<string>

/**
 * One file per key, `<dir>/keyring-<backend>/<name>.json`:
 * `{ "format": "coin-key-1", "name", "type": "secp256k1", "public_key": base64, "sealed": { ... } }` for the backend `file`, whose
 * keys are all under one passphrase, and `"plain": base64` instead of `sealed` for `test`, which is for throw-away keys only.
 */
interface KeyFile {
  readonly format: 'coin-key-1'
  readonly name: string
  readonly type: 'secp256k1'
  readonly public_key: string
  readonly sealed?: SealedKey
  readonly plain?: string
}

const passphraseLengthMin = 8
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export function openKeyring(dir: string, backend: KeyringBackend, askPassphrase: AskPassphrase): Keyring {
  const folder = join(dir, `keyring-${backend}`)
  const pathOf = (name: string) => join(folder, `${checkName(name)}.json`)
  let passphrase: string | undefined

  const list = () => listFolder(folder)

  function requireFile(name: string): KeyFile {
    const path = pathOf(name)
    if (existsSync(path)) return readKey(path)
    const names = list().map((key) => key.name)
    throw nodeErrors.keyNotFound(
      `"${name}" in ${folder}, which has ${names.length === 0 ? 'no keys' : names.join(', ')}; --keyring-backend and --home name another`,
    )
  }

  async function seal(name: string, key: AccountKey): Promise<SealedKey> {
    const first = list()[0]
    passphrase ??= await askPassphrase(first === undefined)
    if (passphrase.length < passphraseLengthMin) {
      passphrase = undefined
      throw nodeErrors.badPassphrase(`it is shorter than ${passphraseLengthMin} characters`)
    }
    // One passphrase for the whole keyring, so a mistyped one must not seal a key.
    if (first !== undefined) await open(first.name)
    return sealKey(key.privateKey, passphrase, contextOf(name, key.publicKey))
  }

  async function open(name: string): Promise<AccountKey> {
    const file = requireFile(name)
    if (file.plain !== undefined) return matching(file, base64ToBytes(file.plain))
    passphrase ??= await askPassphrase(false)
    try {
      return matching(file, openKey(file.sealed!, passphrase, contextOf(file.name, base64ToBytes(file.public_key))))
    } catch (error) {
      passphrase = undefined
      throw error
    }
  }

  return {
    backend,
    list,
    get: (name) => (existsSync(pathOf(name)) ? infoOf(readKey(pathOf(name))) : undefined),
    require: (name) => infoOf(requireFile(name)),
    open,
    async add(name, key) {
      const path = pathOf(name)
      if (existsSync(path)) throw nodeErrors.keyExists(`"${name}" in ${folder}`)
      const secret = backend === 'test' ? { plain: bytesToBase64(key.privateKey) } : { sealed: await seal(name, key) }
      const file: KeyFile = {
        format: 'coin-key-1',
        name,
        type: 'secp256k1',
        public_key: bytesToBase64(key.publicKey),
        ...secret,
      }
      writeFileWhole(path, formatJsonFile(file))
      return infoOf(file)
    },
    delete: (name) => {
      requireFile(name)
      unlinkSync(pathOf(name))
    },
  }
}

function listFolder(folder: string): readonly KeyInfo[] {
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files
    .filter((file) => file.endsWith('.json') && namePattern.test(file.slice(0, -5)))
    .sort()
    .map((file) => infoOf(readKey(join(folder, file))))
}

function checkName(name: string): string {
  if (!namePattern.test(name)) throw nodeErrors.badKeyName(`"${name}", expected 1 to 64 letters, digits or "._-"`)
  return name
}

const contextOf = (name: string, publicKey: Bytes): string => `coin-key-1 ${name} ${bytesToBase64(publicKey)}`

function infoOf({ name, public_key }: KeyFile): KeyInfo {
  const publicKey = base64ToBytes(public_key)
  return { name, publicKey, address: secp256k1Address(publicKey) }
}

function matching(file: KeyFile, privateKey: Bytes): AccountKey {
  const key = keyOf(privateKey)
  if (!equalBytes(key.publicKey, base64ToBytes(file.public_key)))
    throw nodeErrors.badFile(`key "${file.name}" does not match its public key`)
  return key
}

function readKey(path: string): KeyFile {
  let parsed: Partial<KeyFile> | null
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFile> | null
  } catch (error) {
    throw nodeErrors.badFile(`${path}: ${error instanceof SyntaxError ? 'not JSON' : String(error)}`)
  }
  const isKey = parsed?.format === 'coin-key-1' && parsed.type === 'secp256k1' && typeof parsed.name === 'string'
  const hasKey =
    typeof parsed?.public_key === 'string' && (typeof parsed.plain === 'string' || typeof parsed.sealed === 'object')
  if (!isKey || !hasKey) throw nodeErrors.badFile(`${path} is no key of format coin-key-1`)
  return parsed as KeyFile
}
