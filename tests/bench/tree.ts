import { randomBytes } from 'node:crypto'
import { type Bytes, concatBytes } from '@coin/base/bytes'
import { PackedArena } from '@coin/store/packed-arena'
import { createPackedTree, type PackedTree } from '@coin/store/packed-tree'

// Random updates of a big tree in blocks of 4,000, keys ascending as a block flushes them: `node tests/dist/bench/tree.js [keys...]`.

const updatesPerBlock = 4000
const blocks = 25

const milliseconds = (from: bigint, to: bigint): number => Number(to - from) / 1e6

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Keys as bank keeps balances: prefix, length, address, denom. */
function balanceKey(): Bytes {
  return concatBytes(Uint8Array.of(2, 20), randomBytes(20), Uint8Array.of(117, 99, 111, 105, 110))
}

/** Byte order. Strings of one character per byte compare several times faster than byte arrays. */
function ascending(keys: readonly Bytes[]): Bytes[] {
  const named = keys.map((key) => ({
    key,
    name: Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1'),
  }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ key }) => key)
}

function timeBlock(tree: PackedTree, keys: readonly Bytes[]): { sort: number; set: number; hash: number } {
  const chosen = Array.from({ length: updatesPerBlock }, () => keys[Math.floor(Math.random() * keys.length)]!)
  const value = randomBytes(12)
  const start = process.hrtime.bigint()
  const sorted = ascending(chosen)
  const afterSort = process.hrtime.bigint()
  for (const key of sorted) tree.set(key, value)
  const afterSet = process.hrtime.bigint()
  tree.saveVersion(tree.version + 1)
  const end = process.hrtime.bigint()
  return {
    sort: milliseconds(start, afterSort),
    set: milliseconds(afterSort, afterSet),
    hash: milliseconds(afterSet, end),
  }
}

/** One line of the table: medians over the blocks, in milliseconds. */
export function benchTree(count: number): string {
  const arena = new PackedArena()
  const tree = createPackedTree(arena)
  const keys = Array.from({ length: count }, balanceKey)
  const start = process.hrtime.bigint()
  for (const key of keys) tree.set(key, key)
  const built = process.hrtime.bigint()
  tree.saveVersion(1)
  const hashed = process.hrtime.bigint()
  const times = Array.from({ length: blocks }, () => {
    const time = timeBlock(tree, keys)
    tree.releaseBefore(tree.version - 100)
    return time
  })
  const totals = times.map(({ sort, set, hash }) => sort + set + hash)
  const pick = (part: 'sort' | 'set' | 'hash') => median(times.map((time) => time[part])).toFixed(1)
  return (
    `${count} keys: block of ${updatesPerBlock} updates ${median(totals).toFixed(1)} ms (min ${Math.min(...totals).toFixed(1)}; ` +
    `sort ${pick('sort')}, set ${pick('set')}, hash ${pick('hash')}); built in ${milliseconds(start, built).toFixed(0)} ms, ` +
    `hashed in ${milliseconds(built, hashed).toFixed(0)} ms; ${(arena.usedBytes / count).toFixed(0)} B per key`
  )
}

const sizes = process.argv.slice(2).map(Number)
if (process.argv[1]?.endsWith('bench/tree.js')) {
  for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) console.log(benchTree(size))
}
