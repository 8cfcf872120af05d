import { bytesToUtf8 } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import {
  bytesToTagNumber,
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
}

/** What one block holds of one tag. */
interface TagPositions {
  readonly number: number
  readonly positions: number[]
  readonly values: Map<string, number[]>
}

/** Lists whose run goes on; others begin a new one. About 200 bytes each. */
const runsMaxDefault = 100_000

/** The last run of a list: where it began, and places in it. */
interface Run {
  readonly start: number
  count: number
}

/** `isIndexed` says which tags are: `transfer.recipient`. */
export function createPostingWriter(
  db: KvDatabase,
  tables: PostingTables,
  isIndexed: (tag: string) => boolean,
  runsMax = runsMaxDefault,
): PostingWriter {
  const numbers = new Map<string, number>()
  for (const [key, value] of db.iterate(Uint8Array.of(tables.tags), Uint8Array.of(tables.tags + 1)))
    numbers.set(bytesToUtf8(key.subarray(1)), bytesToTagNumber(value))
  /** By list; those used last are at the end. */
  const runs = new Map<string, Run>()
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
    const name = value === undefined ? `${tag}` : `${tag} ${value}`
    const run = runs.get(name) ?? { start: height, count: 0 }
    const row = { height, start: run.start, before: run.count, positions }
    operations.push([rowKey(listPrefix(tables, tag, value), height), encodeRow(row)])
    run.count += positions.length
    runs.delete(name)
    runs.set(name, run)
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
      for (const name of runs.keys()) {
        if (runs.size <= runsMax) break
        runs.delete(name)
      }
      return finished
    },
  }
}

function addOnce(positions: number[], position: number): void {
  if (positions.at(-1) !== position) positions.push(position)
}
