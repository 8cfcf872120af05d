import { assert } from '@coin/base/assert'
import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import type { ChangeList } from './change-list.js'
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

/** The inverse of {@link encodeChanges}, as `decodeRecord`. */
export function decodeChanges(bytes: Bytes): readonly StoreChanges[] {
  return readChanges(new RecordReader(bytes))
}

/** What {@link encodeChanges} wrote, by store, without taking it apart: a few bytes an entry, and a tenth of the time. */
export function indexChanges(bytes: Bytes): ReadonlyMap<string, ChangeList> {
  const reader = new RecordReader(bytes)
  const stores = new Map<string, ChangeList>()
  for (let left = reader.uint16(); left > 0; left--) {
    const name = reader.text(reader.uint8())
    const offsets = new Uint32Array(reader.entryCount())
    for (let i = 0; i < offsets.length; i++) {
      offsets[i] = reader.at
      const keyLength = reader.uint32()
      const valueLength = reader.uint32()
      reader.pass(keyLength + (valueLength === deleted ? 0 : valueLength))
    }
    stores.set(name, new EncodedChanges(bytes, offsets))
  }
  reader.expectEnd()
  return stores
}

/** The entries of one store where they stand in a record. */
class EncodedChanges implements ChangeList {
  readonly #bytes: Bytes
  readonly #view: DataView
  /** Where each entry begins. */
  readonly #offsets: Uint32Array

  constructor(bytes: Bytes, offsets: Uint32Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#offsets = offsets
  }

  get size(): number {
    return this.#offsets.length
  }

  change(index: number): Change {
    const at = this.#offsets[index]!
    const keyEnd = at + 8 + this.#view.getUint32(at, true)
    const valueLength = this.#view.getUint32(at + 4, true)
    const value = valueLength === deleted ? undefined : this.#bytes.subarray(keyEnd, keyEnd + valueLength)
    return { key: this.#bytes.subarray(at + 8, keyEnd), value }
  }

  compare(index: number, key: Bytes): number {
    const bytes = this.#bytes
    const from = this.#offsets[index]! + 8
    const length = this.#view.getUint32(from - 8, true)
    const shared = Math.min(length, key.length)
    for (let i = 0; i < shared; i++) {
      const difference = bytes[from + i]! - key[i]!
      if (difference !== 0) return difference
    }
    return length - key.length
  }
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

function readChanges(reader: RecordReader): readonly StoreChanges[] {
  const changes: StoreChanges[] = []
  for (let stores = reader.uint16(); stores > 0; stores--) {
    const name = reader.text(reader.uint8())
    const entries: Change[] = []
    for (let left = reader.entryCount(); left > 0; left--) {
      const keyLength = reader.uint32()
      const valueLength = reader.uint32()
      const key = reader.take(keyLength)
      entries.push({ key, value: valueLength === deleted ? undefined : reader.take(valueLength) })
    }
    changes.push({ name, entries })
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

  /** Where the next read begins. */
  get at(): number {
    return this.#at
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

  /** Of entries that follow, each with at least its two lengths. */
  entryCount(): number {
    const count = this.uint32()
    if (count > (this.#bytes.length - this.#at) / 8)
      throw storeErrors.corruptLog(`a record says that ${count} entries follow`)
    return count
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
