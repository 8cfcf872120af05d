import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '@coin/base/assert'
import { utf8ToBytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import { replaceFile } from './files.js'
import { storesMax } from './flat-layout.js'

/** Names in the state's folder that reading threads need as well. */
export const storesFile = (path: string) => join(path, 'stores.json')
export const valuesFolder = (path: string) => join(path, 'values')

/** Each store's number in the files, for ever: known ones from `path`, new ones behind them. */
export function numberStores(path: string, stores: readonly string[]): ReadonlyMap<string, number> {
  const known = [...readStoreNumbers(path).keys()]
  const missing = known.filter((name) => !stores.includes(name))
  if (missing.length > 0)
    throw storeErrors.unknownStore(`${path} has ${missing.join(', ')}, which this program does not mount`)
  const all = [...new Set([...known, ...stores])]
  assert(all.length <= storesMax, `at most ${storesMax} stores`)
  if (all.length !== known.length) replaceFile(path, utf8ToBytes(JSON.stringify({ format: 1, stores: all })))
  return numbered(all)
}

/** Number of each store as `path` has it; empty when there is no such file. Throws `unknownFormat`. */
export function readStoreNumbers(path: string): ReadonlyMap<string, number> {
  if (!existsSync(path)) return new Map()
  let read: { readonly format?: unknown; readonly stores: readonly string[] }
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw storeErrors.unknownFormat(`${path}: ${(error as Error).message}`)
  }
  if (read.format !== 1) throw storeErrors.unknownFormat(`${path} has format ${read.format}, this program knows 1`)
  return numbered(read.stores)
}

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, number) => [name, number]))
}
