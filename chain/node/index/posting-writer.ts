import { bytesToUtf8 } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { heightMax } from './places.js'
import {
  bytesToTagNumber,
  countBefore,
  encodeRow,
  everyTag,
  isTooLong,
  listPrefix,
  type PostingTables,
  rowKey,
  tagKey,
  tagNumberToBytes,
} from './posting-rows.js'

export interface PostingWriter {
  /** Takes up the events at one position of a block; positions ascending. */
  add(position: number, events: readonly Event[]): void
  /** The rows for what was taken up since the last call: one block, tags that are new in it included. */
  finish(height: number): KvOperation[]
  /** Everything that `finish` gave is in the database. */
  written(): void
}

/** What one block holds of one tag. */
interface TagPositions {
  readonly number: number
  readonly positions: number[]
  readonly values: Map<string, number[]>
}

/** Lists whose length is kept in memory; of others the last row is read. About 200 bytes each. */
const lengthsMax = 100_000

/** `isIndexed` says which tags are: `transfer.recipient`. */
export function createPostingWriter(
  db: KvDatabase,
  tables: PostingTables,
  isIndexed: (tag: string) => boolean,
): PostingWriter {
  const numbers = new Map<string, number>()
  for (const [key, value] of db.iterate(Uint8Array.of(tables.tags), Uint8Array.of(tables.tags + 1)))
    numbers.set(bytesToUtf8(key.subarray(1)), bytesToTagNumber(value))
  /** By list: how many places it has, with rows that are not written yet. Those used last are at the end. */
  const lengths = new Map<string, number>()
  let tags = new Map<string, TagPositions>()
  let every: number[] = []
  let operations: KvOperation[] = []

  function startTag(tag: string): TagPositions | undefined {
    if (!isIndexed(tag) || isTooLong(tag)) return undefined
    let number = numbers.get(tag)
    if (number === undefined) {
      number = numbers.size + 1
      numbers.set(tag, number)
      operations.push([tagKey(tables, tag), tagNumberToBytes(number)])
    }
    const started = { number, positions: [], values: new Map() }
    tags.set(tag, started)
    return started
  }

  function append(height: number, positions: readonly number[], tag: number, value?: string): void {
    const prefix = listPrefix(tables, tag, value)
    const name = value === undefined ? `${tag}` : `${tag} ${value}`
    const before = lengths.get(name) ?? countBefore(db, prefix, heightMax)
    lengths.delete(name)
    lengths.set(name, before + positions.length)
    operations.push([rowKey(prefix, height), encodeRow({ before, positions })])
  }

  return {
    add(position, events) {
      every.push(position)
      for (const { type, attributes } of events) {
        for (const { key, value, index } of attributes) {
          if (!index || type === '' || key === '') continue
          const tag = `${type}.${key}`
          const found = tags.get(tag) ?? startTag(tag)
          if (!found) continue
          addOnce(found.positions, position)
          const positions = found.values.get(value)
          if (positions) addOnce(positions, position)
          else found.values.set(value, [position])
        }
      }
    },
    finish(height) {
      if (every.length > 0) append(height, every, everyTag)
      for (const { number, positions, values } of tags.values()) {
        append(height, positions, number)
        for (const [value, where] of values) append(height, where, number, value)
      }
      const finished = operations
      tags = new Map()
      every = []
      operations = []
      return finished
    },
    written() {
      for (const name of lengths.keys()) {
        if (lengths.size <= lengthsMax) break
        lengths.delete(name)
      }
    },
  }
}

function addOnce(positions: number[], position: number): void {
  if (positions.at(-1) !== position) positions.push(position)
}
