import { type Bytes, equalBytes } from '@coin/base/bytes'
import { field, type PackedArena, slotBytes } from './packed-arena.js'
import { hashByHeight } from './packed-tree-hash.js'
import { type TreeSource, treeErrors } from './tree.js'

// A dump, little-endian:
//   header   32 bytes: 'CIAV', format 1, tree version, number of records; the rest zero
//   records  64 bytes each as in memory, children before parents, left part before right;
//            left and right are record numbers counted from 1, key is an offset into the keys
//   length   of the keys section, 8 bytes
//   keys     ascending, each in a slot of slotBytes(length)
const headerBytes = 32
const magic = 0x56414943
const format = 1
const chunkBytes = 1024 * 1024

/** Ways that subtrees come out of the walk: number of the subtree's record and offset of its smallest key. */
interface Done {
  readonly record: number
  readonly key: number
}

/** Writes a saved version as chunks of at most 1 MiB. Runs in any thread that has the source; keep the version pinned. */
export function* dumpSource(source: TreeSource): IterableIterator<Bytes> {
  const words = new Uint32Array(source.buffer)
  const { root } = source
  const count = root === 0 ? 0 : 2 * words[root * 16 + field.size]! - 1
  const header = new Uint32Array(headerBytes / 4)
  header.set([magic, format, source.version, count])
  yield new Uint8Array(header.buffer)
  const keyBytes = yield* dumpRecords(words, root)
  yield new Uint8Array(BigUint64Array.of(BigInt(keyBytes)).buffer)
  yield* dumpKeys(words, new Uint8Array(source.buffer), root)
}

/** Returns the length of the keys section. */
function* dumpRecords(words: Uint32Array, root: number): Generator<Bytes, number> {
  let chunk = new Uint32Array(chunkBytes / 4)
  let filled = 0
  let records = 0
  let keyBytes = 0
  const done: Done[] = []
  // A node is put on the stack twice: as itself, and negative once its children are done.
  const stack = root === 0 ? [] : [root]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const node = Math.abs(top)
    const at = node * 16
    const isLeaf = (words[at + field.heightAndKeyLength]! & 0xff) === 0
    if (!isLeaf && top > 0) {
      stack.push(-node, words[at + field.right]!, words[at + field.left]!)
      continue
    }
    chunk.set(words.subarray(at, at + 16), filled)
    if (isLeaf) {
      chunk[filled + field.key] = keyBytes
      done.push({ record: ++records, key: keyBytes })
      keyBytes += slotBytes(words[at + field.heightAndKeyLength]! >>> 8)
    } else {
      const right = done.pop()!
      const left = done.pop()!
      chunk[filled + field.left] = left.record
      chunk[filled + field.right] = right.record
      chunk[filled + field.key] = right.key
      done.push({ record: ++records, key: left.key })
    }
    filled += 16
    if (filled === chunk.length) {
      yield new Uint8Array(chunk.buffer)
      chunk = new Uint32Array(chunkBytes / 4)
      filled = 0
    }
  }
  if (filled > 0) yield new Uint8Array(chunk.buffer, 0, filled * 4)
  return keyBytes
}

function* dumpKeys(words: Uint32Array, bytes: Uint8Array, root: number): IterableIterator<Bytes> {
  let chunk = new Uint8Array(chunkBytes)
  let filled = 0
  const stack = root === 0 ? [] : [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const at = node * 16
    if ((words[at + field.heightAndKeyLength]! & 0xff) !== 0) {
      stack.push(words[at + field.right]!, words[at + field.left]!)
      continue
    }
    const length = words[at + field.heightAndKeyLength]! >>> 8
    if (filled + slotBytes(length) > chunk.length) {
      yield chunk.subarray(0, filled)
      chunk = new Uint8Array(chunkBytes)
      filled = 0
    }
    const from = words[at + field.key]!
    chunk.set(bytes.subarray(from, from + length), filled)
    filled += slotBytes(length)
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

/** Takes exact numbers of bytes from a stream of chunks. */
class ChunkReader {
  readonly #chunks: Iterator<Bytes>
  #chunk: Bytes = new Uint8Array(0)
  #at = 0

  constructor(chunks: Iterable<Bytes>) {
    this.#chunks = chunks[Symbol.iterator]()
  }

  #fill(): boolean {
    while (this.#at === this.#chunk.length) {
      const next = this.#chunks.next()
      if (next.done) return false
      this.#chunk = next.value
      this.#at = 0
    }
    return true
  }

  readInto(target: Uint8Array): void {
    let filled = 0
    while (filled < target.length) {
      if (!this.#fill()) throw treeErrors.badDump(`ends ${target.length - filled} bytes early`)
      const part = this.#chunk.subarray(this.#at, this.#at + target.length - filled)
      target.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
  }

  expectEnd(): void {
    if (this.#fill()) throw treeErrors.badDump('bytes after its end')
  }
}

/** Puts a dump's nodes and keys into the arena. All sizes, links and inner hashes are checked. */
export function loadDump(arena: PackedArena, chunks: Iterable<Bytes>): { root: number; version: number } {
  const reader = new ChunkReader(chunks)
  const header = new Uint32Array(headerBytes / 4)
  reader.readInto(new Uint8Array(header.buffer))
  const [first, itsFormat, version, count] = header as unknown as [number, number, number, number]
  if (first !== magic || itsFormat !== format) throw treeErrors.badDump('unknown first bytes')
  if (version === 0 || version >= 2 ** 31) throw treeErrors.badDump(`version ${version}`)
  if (count !== 0 && count % 2 === 0) throw treeErrors.badDump(`${count} records`)
  if (count >= 2 ** 26) throw treeErrors.badDump(`${count} records, more than memory holds`)
  arena.reserve(count, 0)
  const nodesAt = arena.takeHeap(count * 64)
  reader.readInto(arena.bytes.subarray(nodesAt, nodesAt + count * 64))
  const lengthBytes = new BigUint64Array(1)
  reader.readInto(new Uint8Array(lengthBytes.buffer))
  const keyBytes = Number(lengthBytes[0])
  if (keyBytes >= 2 ** 32) throw treeErrors.badDump(`${keyBytes} bytes of keys`)
  arena.reserve(Math.ceil(keyBytes / 64), 0)
  const keysAt = arena.takeHeap(keyBytes)
  reader.readInto(arena.bytes.subarray(keysAt, keysAt + keyBytes))
  reader.expectEnd()
  if (count === 0) return { root: 0, version }
  const firstNode = nodesAt / 64
  for (let i = 0; i < count; i++) adoptRecord(arena, firstNode, i, { version, keysAt, keyBytes })
  const root = firstNode + count - 1
  if (arena.words[root * 16 + field.size] !== (count + 1) / 2) throw treeErrors.badDump('more than one tree')
  checkHashes(arena, firstNode, count)
  return { root, version }
}

interface Placement {
  readonly version: number
  readonly keysAt: number
  readonly keyBytes: number
}

/** Turns record numbers and key offsets of record `i` into places in memory. */
function adoptRecord(arena: PackedArena, firstNode: number, i: number, { version, keysAt, keyBytes }: Placement): void {
  const { words } = arena
  const at = (firstNode + i) * 16
  const check = (holds: boolean, what: string) => {
    if (!holds) throw treeErrors.badDump(`record ${i + 1}: ${what}`)
  }
  const height = words[at + field.heightAndKeyLength]! & 0xff
  const keyLength = words[at + field.heightAndKeyLength]! >>> 8
  const made = words[at + field.version]!
  check(made >= 1 && made <= version, `version ${made}`)
  check(keyLength >= 1 && words[at + field.key]! + keyLength <= keyBytes, 'key outside the keys')
  words[at + field.key] = words[at + field.key]! + keysAt
  if (height === 0) {
    check(words[at + field.left] === 0 && words[at + field.right] === 0, 'leaf with children')
    check(words[at + field.size] === 1, 'leaf of another size than 1')
    return
  }
  const left = words[at + field.left]!
  const right = words[at + field.right]!
  check(right === i && left >= 1 && left < right, 'children out of order')
  const a = (firstNode + left - 1) * 16
  const b = (firstNode + right - 1) * 16
  const heights = [words[a + field.heightAndKeyLength]! & 0xff, words[b + field.heightAndKeyLength]! & 0xff]
  check(height === 1 + Math.max(...heights), 'height')
  check(words[at + field.size] === words[a + field.size]! + words[b + field.size]!, 'size')
  words[at + field.left] = firstNode + left - 1
  words[at + field.right] = firstNode + right - 1
}

/** Hashes all inner nodes anew, from the leaves' hashes up: the root must come out as it was written. */
function checkHashes(arena: PackedArena, firstNode: number, count: number): void {
  const root = firstNode + count - 1
  const written = arena.hashOf(root)
  const inner = new Uint32Array((count - 1) / 2)
  let n = 0
  for (let node = firstNode; node <= root; node++) {
    if ((arena.words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) inner[n++] = node
  }
  hashByHeight(arena, inner)
  if (!equalBytes(arena.hashOf(root), written)) throw treeErrors.badDump('hashes do not fit the root')
}
