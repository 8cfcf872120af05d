import { assert } from '@coin/base/assert'
import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import type { StoreChanges } from './journal.js'
import type { Change } from './overlay.js'

/** One block as it goes into the log and on to the writer of the flat values. */
export interface BlockRecord {
  readonly height: number
  /** Height of the block before; 0 for the first. So the log shows that nothing is missing, wherever a chain begins. */
  readonly previous: number
  readonly appHash: Bytes
  readonly changes: readonly StoreChanges[]
}

const headBytes = 48
/** Length that says "deleted"; no value is that long. */
const deleted = 0xffffffff

/** Height and previous height (8 bytes each), app hash (32), then the changes as {@link encodeChanges}. Little-endian. */
export function encodeRecord({ height, previous, appHash, changes }: BlockRecord): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(headBytes + changesLength(changes))
  const view = new DataView(out.buffer)
  view.setBigUint64(0, BigInt(height), true)
  view.setBigUint64(8, BigInt(previous), true)
  assert(appHash.length === 32, `app hash of ${appHash.length} bytes`)
  out.set(appHash, 16)
  writeChanges(changes, out, headBytes)
  return out
}

/** Keys and values are views into `bytes`. Throws `corruptLog` for what `encodeRecord` does not write. */
export function decodeRecord(bytes: Bytes): BlockRecord {
  const reader = new RecordReader(bytes)
  const height = reader.uint64()
  const previous = reader.uint64()
  if (previous >= height) throw storeErrors.corruptLog(`a record of height ${height} follows ${previous}`)
  const appHash = reader.take(32)
  return { height, previous, appHash, changes: readChanges(reader) }
}

/**
 * Number of stores (2 bytes), then each store: length of its name (1), the name, number of entries (4), each entry: lengths of key
 * and value (4 and 4), key, value. Little-endian.
 */
export function encodeChanges(changes: readonly StoreChanges[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(changesLength(changes))
  writeChanges(changes, out, 0)
  return out
}

/** The inverse of {@link encodeChanges}, as `decodeRecord`; with `only`, entries of other stores are passed over. */
export function decodeChanges(bytes: Bytes, only?: string): readonly StoreChanges[] {
  return readChanges(new RecordReader(bytes), only)
}

function changesLength(changes: readonly StoreChanges[]): number {
  let length = 2
  for (const { name, entries } of changes) {
    length += 5 + utf8ToBytes(name).length
    for (const { key, value } of entries) length += 8 + key.length + (value?.length ?? 0)
  }
  return length
}

function writeChanges(changes: readonly StoreChanges[], out: Uint8Array<ArrayBuffer>, from: number): void {
  const view = new DataView(out.buffer)
  view.setUint16(from, changes.length, true)
  let at = from + 2
  for (const { name, entries } of changes) {
    const nameBytes = utf8ToBytes(name)
    assert(nameBytes.length < 256, `store name of ${nameBytes.length} bytes`)
    out[at] = nameBytes.length
    out.set(nameBytes, at + 1)
    at += 1 + nameBytes.length
    view.setUint32(at, entries.length, true)
    at += 4
    for (const { key, value } of entries) {
      view.setUint32(at, key.length, true)
      view.setUint32(at + 4, value?.length ?? deleted, true)
      out.set(key, at + 8)
      at += 8 + key.length
      if (value === undefined) continue
      out.set(value, at)
      at += value.length
    }
  }
}

function readChanges(reader: RecordReader, only?: string): readonly StoreChanges[] {
  const changes: StoreChanges[] = []
  for (let stores = reader.uint16(); stores > 0; stores--) {
    const name = reader.text(reader.uint8())
    const isWanted = only === undefined || only === name
    const entries: Change[] = []
    for (let left = reader.uint32(); left > 0; left--) {
      const keyLength = reader.uint32()
      const valueLength = reader.uint32()
      if (!isWanted) {
        reader.pass(keyLength + (valueLength === deleted ? 0 : valueLength))
        continue
      }
      const key = reader.take(keyLength)
      entries.push({ key, value: valueLength === deleted ? undefined : reader.take(valueLength) })
    }
    if (isWanted) changes.push({ name, entries })
  }
  reader.expectEnd()
  return changes
}

class RecordReader {
  readonly #bytes: Bytes
  readonly #view: DataView
  #at = 0

  constructor(bytes: Bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  take(length: number): Bytes {
    const at = this.#step(length)
    return this.#bytes.subarray(at, at + length)
  }

  pass(length: number): void {
    this.#step(length)
  }

  text(length: number): string {
    try {
      return bytesToUtf8(this.take(length))
    } catch {
      throw storeErrors.corruptLog('a store name is not UTF-8')
    }
  }

  uint8(): number {
    return this.#view.getUint8(this.#step(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#step(2), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#step(4), true)
  }

  uint64(): number {
    const value = Number(this.#view.getBigUint64(this.#step(8), true))
    if (!Number.isSafeInteger(value)) throw storeErrors.corruptLog(`a record holds the number ${value}`)
    return value
  }

  expectEnd(): void {
    if (this.#at !== this.#bytes.length)
      throw storeErrors.corruptLog(`record has ${this.#bytes.length - this.#at} bytes behind its end`)
  }

  #step(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length)
      throw storeErrors.corruptLog(`record of ${this.#bytes.length} bytes ends early`)
    this.#at += length
    return at
  }
}
