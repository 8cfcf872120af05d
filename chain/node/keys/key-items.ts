import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bytes, base64ToBytes, bytesToBase64 } from '@coin/base/bytes'
import { nodeErrors } from '../errors.js'
import { writeFileWhole } from '../home/write-file.js'
import { openItem, sealItem } from './sealed-item.js'

/** Named secrets: what a keyring keeps its keys in. */
export interface KeyItems {
  /** Where they are, for messages. */
  readonly place: string
  /** Sorted; asks for no passphrase. */
  names(): readonly string[]
  /** Throws `badPassphrase` or `badFile`. */
  get(name: string): Promise<Bytes | undefined>
  /** Throws `badPassphrase`. */
  set(name: string, data: Bytes): Promise<void>
  remove(name: string): void
}

/** Asks for the passphrase; `isNew` when it is going to be used for the first time and should be typed twice. */
export type AskPassphrase = (isNew: boolean) => Promise<string>

const passphraseBytesMin = 8
/** bcrypt looks at no more. */
const passphraseBytesMax = 72

/** The Go keyring writes the hash of its passphrase with this cost: about 60 ms. */
const bcryptCost = 10
const hashName = 'keyhash'

/** Rounds for a passphrase that everybody knows: those of the Go keyring. */
const testRounds = 8192

/** Folders as the Go keyring (99designs/keyring, backend "file") has them: a sealed file per item, all under one passphrase. */
export function sealedItems(folder: string, askPassphrase: AskPassphrase): KeyItems {
  let unlocked: Promise<string> | undefined
  const unlock = () => {
    unlocked ??= askChecked(folder, askPassphrase)
    unlocked.catch(() => {
      unlocked = undefined
    })
    return unlocked
  }
  return itemFiles(folder, unlock, undefined)
}

/** As above under the passphrase "test", as the Go SDK's backend of that name: for throw-away keys. */
export function testItems(folder: string): KeyItems {
  return itemFiles(folder, () => Promise.resolve('test'), testRounds)
}

/** Keys that end with the process. */
export function memoryItems(): KeyItems {
  const items = new Map<string, Bytes>()
  return {
    place: 'memory',
    names: () => [...items.keys()].sort(),
    get: (name) => Promise.resolve(items.get(name)),
    set: (name, data) => Promise.resolve(void items.set(name, data)),
    remove: (name) => void items.delete(name),
  }
}

function itemFiles(folder: string, passphrase: () => Promise<string>, rounds: number | undefined): KeyItems {
  const pathOf = (name: string) => join(folder, escapeName(name))
  return {
    place: folder,
    names: () => listFiles(folder).map(unescapeName).sort(),
    async get(name) {
      const path = pathOf(name)
      if (!existsSync(path)) return undefined
      const sealed = readFileSync(path, 'utf8')
      return dataOf(await openItem(sealed, await passphrase(), path), name, path)
    },
    async set(name, data) {
      const item = { Key: name, Data: bytesToBase64(data), Label: '', Description: '', ...keychainFlags }
      writeFileWhole(pathOf(name), await sealItem(JSON.stringify(item), await passphrase(), rounds))
    },
    remove: (name) => rmSync(pathOf(name), { force: true }),
  }
}

/** Of the Go keyring's item; they mean something on a Mac only. */
const keychainFlags = { KeychainNotTrustApplication: false, KeychainNotSynchronizable: false }

function dataOf(item: string, name: string, path: string): Bytes {
  try {
    const { Key: key, Data: data } = JSON.parse(item) as { readonly Key?: unknown; readonly Data?: unknown }
    if (key === name && typeof data === 'string') return base64ToBytes(data)
  } catch {
    // told below
  }
  throw nodeErrors.badFile(`${path} does not hold the item "${name}"`)
}

function listFiles(folder: string): readonly string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter((entry) => entry.isFile() && entry.name !== hashName).map(({ name }) => name)
}

const escapeName = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F')

function unescapeName(file: string): string {
  try {
    return decodeURIComponent(file)
  } catch {
    return file
  }
}

/** The passphrase of the folder. A wrong one is told before anything is opened or, worse, sealed with it. */
async function askChecked(folder: string, ask: AskPassphrase): Promise<string> {
  const hashPath = join(folder, hashName)
  const hash = existsSync(hashPath) ? readFileSync(hashPath, 'utf8').trim() : undefined
  const [first] = listFiles(folder)
  const passphrase = await ask(hash === undefined && first === undefined)
  if (hash !== undefined) {
    if (!(await matchesHash(passphrase, hash, hashPath))) throw nodeErrors.badPassphrase(`of the keyring in ${folder}`)
    return passphrase
  }
  if (first !== undefined) {
    const path = join(folder, first)
    await openItem(readFileSync(path, 'utf8'), passphrase, path)
    return passphrase
  }
  const { length } = Buffer.from(passphrase)
  if (length < passphraseBytesMin) throw nodeErrors.badPassphrase(`it is shorter than ${passphraseBytesMin} characters`)
  if (length > passphraseBytesMax) throw nodeErrors.badPassphrase(`it is longer than ${passphraseBytesMax} bytes`)
  const { bcrypt } = await import('hash-wasm')
  writeFileWhole(hashPath, await bcrypt({ password: passphrase, salt: randomBytes(16), costFactor: bcryptCost }))
  return passphrase
}

async function matchesHash(passphrase: string, hash: string, path: string): Promise<boolean> {
  const { length } = Buffer.from(passphrase)
  if (length === 0 || length > passphraseBytesMax) return false
  const { bcryptVerify } = await import('hash-wasm')
  try {
    return await bcryptVerify({ password: passphrase, hash })
  } catch {
    throw nodeErrors.badFile(`${path} is no bcrypt hash; without the file, the passphrase is checked against a key`)
  }
}
