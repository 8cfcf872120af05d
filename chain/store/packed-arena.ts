import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { kernelWasmBase64 } from './hash/kernel.js'

/**
 * Words of a node record (64 bytes, one cache line); a node's number times 16 is the index of its first word.
 * A leaf has height 0; while its value waits to be hashed, `left` is its place in the list of waiting values.
 */
export const field = {
  left: 0,
  right: 1,
  size: 2,
  version: 3,
  key: 4,
  heightAndKeyLength: 5,
  prefix: 6,
  hash: 8,
} as const

/** `version` of a node that was changed and not hashed yet. */
export const unhashed = 0
/** `version` of a slot in the free list. */
const freed = 0xffffffff

/** Longest key in bytes: a contract's 64 KiB and its address fit. */
export const maxKeyLength = 128 * 1024

/** Longest key and longest value that the kernel hashes; longer ones go to node:crypto, which is faster there. */
export const kernelKeyLengthMax = 900
export const kernelValueLengthMax = 1024

// Scratch addresses; the kernel's own are below `list`. The space after `staging` is the heap.
const pageBytes = 65536
/** One below 4 GiB: the largest byte view that every supported runtime makes. */
const pagesMax = 65535
export const scratch = { list: 12288, listWords: 16384, staging: 2 * pageBytes, stagingBytes: 256 * 1024 } as const
const heapStart = 6 * pageBytes

interface KernelExports {
  hashInner(list: number, count: number): void
  hashLeaves(list: number, count: number): void
  hashMessages(list: number, count: number): void
}

/** The part of the WebAssembly API used here: its types come with the DOM's, which the chain does not see. */
interface WasmApi {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}
interface WasmMemory {
  readonly buffer: SharedArrayBuffer
  grow(pages: number): number
}

const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly

let kernelModule: object | undefined

function loadKernel(memory: WasmMemory): KernelExports {
  kernelModule ??= new wasm.Module(Buffer.from(kernelWasmBase64, 'base64'))
  return new wasm.Instance(kernelModule, { env: { memory } }).exports as KernelExports
}

/** Slot sizes of keys: every 16 bytes up to 512, then powers of two. */
function slotClass(length: number): number {
  return length <= 512 ? (length + 15) >>> 4 : 32 + (32 - Math.clz32(length - 1)) - 9
}

/** Bytes that a key of this length takes in memory. */
export function slotBytes(length: number): number {
  return length <= 512 ? ((length + 15) >>> 4) << 4 : 1 << (32 - Math.clz32(length - 1))
}

/**
 * Memory for the nodes and keys of any number of packed trees, shared with worker threads, and the hash kernel over it.
 * One arena holds about 20 million keys (4 GiB). Not growing while a tree changes is what `reserve` is for: growth replaces
 * the views.
 */
export class PackedArena {
  readonly #memory: WasmMemory
  readonly kernel: KernelExports
  words: Uint32Array
  bytes: Uint8Array
  /** First unused byte of the heap. */
  #top = heapStart
  #freeNode = 0
  #nodeNext = 0
  #nodeEnd = 0
  readonly #freeKeys = new Uint32Array(48)
  #keyNext = 0
  #keyEnd = 0

  constructor() {
    this.#memory = new wasm.Memory({ initial: 16, maximum: pagesMax, shared: true })
    this.words = new Uint32Array(this.#memory.buffer)
    this.bytes = new Uint8Array(this.#memory.buffer)
    this.kernel = loadKernel(this.#memory)
  }

  /** All nodes and keys, for a thread that reads a retained version. */
  get buffer(): SharedArrayBuffer {
    return this.#memory.buffer
  }

  /** Bytes taken from the heap so far, free slots included. */
  get usedBytes(): number {
    return this.#top
  }

  /** Makes room so that `nodes` new nodes and one key of `keyLength` bytes do not grow the memory. */
  reserve(nodes: number, keyLength: number): void {
    const need = this.#top + nodes * 64 + slotBytes(keyLength) + 3 * pageBytes
    if (need <= this.bytes.length) return
    assert(need <= pagesMax * pageBytes, 'the tree arena is full: 4 GiB of nodes and keys')
    const doubled = Math.min(2 * this.bytes.length, this.bytes.length + 64 * 1024 * 1024)
    const pages = Math.min(pagesMax, Math.ceil(Math.max(need, doubled) / pageBytes))
    this.#memory.grow(pages - this.bytes.length / pageBytes)
    this.words = new Uint32Array(this.#memory.buffer)
    this.bytes = new Uint8Array(this.#memory.buffer)
  }

  /** Contiguous heap bytes, 64-byte aligned, below what was reserved. Returns the address. */
  takeHeap(length: number): number {
    const at = this.#top
    this.#top = Math.ceil((at + length) / 64) * 64
    assert(this.#top <= this.bytes.length, 'heap taken without reserving it')
    return at
  }

  /** Number of a record whose words are undefined. */
  takeNode(): number {
    const node = this.#freeNode
    if (node !== 0) {
      this.#freeNode = this.words[node * 16]!
      return node
    }
    if (this.#nodeNext === this.#nodeEnd) {
      this.#nodeNext = this.takeHeap(pageBytes) / 64
      this.#nodeEnd = this.#nodeNext + pageBytes / 64
    }
    return this.#nodeNext++
  }

  releaseNode(node: number): void {
    const at = node * 16
    assert(this.words[at + field.version] !== freed, 'tree node released twice')
    this.words[at] = this.#freeNode
    this.words[at + field.version] = freed
    this.#freeNode = node
  }

  /** Address of a copy of `key`. */
  takeKey(key: Bytes): number {
    const bytes = slotBytes(key.length)
    const kind = slotClass(key.length)
    let at = this.#freeKeys[kind]!
    if (at !== 0) {
      this.#freeKeys[kind] = this.words[at >>> 2]!
    } else if (bytes > 4096) {
      at = this.takeHeap(bytes)
    } else {
      if (this.#keyEnd - this.#keyNext < bytes) {
        this.#keyNext = this.takeHeap(pageBytes)
        this.#keyEnd = this.#keyNext + pageBytes
      }
      at = this.#keyNext
      this.#keyNext += bytes
    }
    this.bytes.set(key, at)
    return at
  }

  releaseKey(at: number, length: number): void {
    const kind = slotClass(length)
    this.words[at >>> 2] = this.#freeKeys[kind]!
    this.#freeKeys[kind] = at
  }

  /** A copy of a node's key. */
  keyOf(node: number): Bytes {
    const at = this.words[node * 16 + field.key]!
    return this.bytes.slice(at, at + (this.words[node * 16 + field.heightAndKeyLength]! >>> 8))
  }

  /** A copy of a node's hash. */
  hashOf(node: number): Bytes {
    return this.bytes.slice(node * 64 + 32, node * 64 + 64)
  }
}

/** First four of `key`'s bytes from `at` as a number that orders like them; missing bytes count as zero. */
export function prefixWord(key: Bytes, at: number): number {
  return (((key[at] ?? 0) << 24) | ((key[at + 1] ?? 0) << 16) | ((key[at + 2] ?? 0) << 8) | (key[at + 3] ?? 0)) >>> 0
}

/** Order of `key` (with its prefix words `p0`, `p1`) and a node's key: negative, zero or positive. */
export function compareToNode(
  words: Uint32Array,
  bytes: Uint8Array,
  key: Bytes,
  p0: number,
  p1: number,
  node: number,
): number {
  const at = node * 16
  const q0 = words[at + field.prefix]!
  if (p0 !== q0) return p0 < q0 ? -1 : 1
  const q1 = words[at + field.prefix + 1]!
  if (p1 !== q1) return p1 < q1 ? -1 : 1
  const length = words[at + field.heightAndKeyLength]! >>> 8
  const shared = key.length < length ? key.length : length
  const other = words[at + field.key]!
  for (let i = 8; i < shared; i++) {
    const difference = key[i]! - bytes[other + i]!
    if (difference !== 0) return difference
  }
  return key.length - length
}
