import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import type { StoreChanges } from './journal.js'
import type { Change } from './overlay.js'

/** One block as it goes into the log and on to the writer of the flat values. */
export interface BlockRecord {
  readonly height: number
  readonly appHash: Bytes
  readonly changes: readonly StoreChanges[]
}

/** Length that says "deleted"; no value is that long. */
const deleted = 0xffffffff

/**
 * Height (8 bytes), app hash (32), number of stores (2), then each store: length of its name (1), the name, number of entries (4),
 * each entry: lengths of key and value (4 and 4), key, value. Little-endian.
 */
export function encodeRecord({ height, appHash, changes }: BlockRecord): Uint8Array<ArrayBuffer> {
  let length = 42
  for (const { name, entries } of changes) {
    length += 5 + name.length
    for (const { key, value } of entries) length += 8 + key.length + (value?.length ?? 0)
  }
  const out = new Uint8Array(length)
  const view = new DataView(out.buffer)
  view.setBigUint64(0, BigInt(height), true)
  out.set(appHash, 8)
  view.setUint16(40, changes.length, true)
  let at = 42
  for (const { name, entries } of changes) {
    out[at] = name.length
    out.set(utf8ToBytes(name), at + 1)
    at += 1 + name.length
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
  return out
}

/** Keys and values are views into `bytes`. Throws `corruptLog` for anything `encodeRecord` does not write. */
export function decodeRecord(bytes: Bytes): BlockRecord {
  const reader = new RecordReader(bytes)
  const height = Number(reader.uint64())
  const appHash = reader.take(32)
  const changes = Array.from({ length: reader.uint16() }, (): StoreChanges => {
    const name = bytesToUtf8(reader.take(reader.uint8()))
    const entries = Array.from({ length: reader.uint32() }, (): Change => {
      const keyLength = reader.uint32()
      const valueLength = reader.uint32()
      const key = reader.take(keyLength)
      return { key, value: valueLength === deleted ? undefined : reader.take(valueLength) }
    })
    return { name, entries }
  })
  reader.expectEnd()
  return { height, appHash, changes }
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

  uint8(): number {
    return this.#view.getUint8(this.#step(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#step(2), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#step(4), true)
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#step(8), true)
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
