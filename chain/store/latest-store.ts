import type { Bytes } from '@coin/base/bytes'
import type { KvPair, KvRead } from './kv.js'
import { ChangeSet } from './overlay.js'
import { keyText } from './sorted-keys.js'

/** What a block, or several that follow each other, changed. */
interface Layer {
  /** Of the last of them. */
  readonly height: number
  readonly blocks: number
  readonly changes: ChangeSet
}

/** As many layers of the same number of blocks become one, so that a read looks into few even if the disk is far behind. */
const mergeAt = 8

/** What a generation of the cache holds at most, keys and values, and the largest value that is worth it. */
const generationEntriesMax = 32_768
const generationBytesMax = 8 * 1024 * 1024
const cachedBytesMax = 4096

/**
 * The latest values of one store: what the disk has, with the blocks on top that are still on their way to it.
 *
 * Values read from the disk are cached. An entry is as good as the disk: if a block on its way changed the key, that block is looked
 * at first, and once it has arrived its values are put into the cache. So entries may go at any time.
 */
export class LatestStore implements KvRead {
  readonly #disk: KvRead
  /** Oldest first; frozen. */
  readonly #layers: Layer[] = []
  /** Null: not there. Keys that are used move from the old generation to the young. */
  #young = new Map<string, Bytes | null>()
  #youngBytes = 0
  #old = new Map<string, Bytes | null>()

  constructor(disk: KvRead) {
    this.#disk = disk
  }

  get(key: Bytes): Bytes | undefined {
    const text = keyText(key)
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const change = this.#layers[i]!.changes.get(text)
      if (change !== undefined) return change.value
    }
    const young = this.#young.get(text)
    if (young !== undefined) return young ?? undefined
    const value = this.#old.get(text) ?? this.#disk.get(key) ?? null
    this.#cache(text, value)
    return value ?? undefined
  }

  has(key: Bytes): boolean {
    return this.get(key) !== undefined
  }

  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
    let entries = this.#disk.iterate(start, end, reverse)
    for (const { changes } of this.#layers) entries = changes.over(entries, start, end, reverse)
    return entries
  }

  /** A block is on its way to the disk. Its changes are not written any more. */
  push(height: number, changes: ChangeSet): void {
    if (changes.size === 0) return
    this.#layers.push({ height, blocks: 1, changes })
    for (;;) {
      const last = this.#layers.slice(-mergeAt)
      if (last.length < mergeAt || last.some(({ blocks }) => blocks !== last[0]!.blocks)) return
      this.#layers.splice(-mergeAt, mergeAt, merge(last))
    }
  }

  /** The disk has the blocks up to `height`, and shows them from now on. */
  arrived(height: number): void {
    while (this.#layers.length > 0 && this.#layers[0]!.height <= height) {
      for (const [text, { value }] of this.#layers.shift()!.changes.entries()) this.#refresh(text, value ?? null)
    }
  }

  #cache(text: string, value: Bytes | null): void {
    const bytes = value?.length ?? 0
    if (bytes > cachedBytesMax) return
    this.#youngBytes += text.length + bytes
    if (this.#young.size >= generationEntriesMax || this.#youngBytes > generationBytesMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = text.length + bytes
    }
    this.#young.set(text, value)
  }

  /** Both generations may know the key: neither may keep what was before. */
  #refresh(text: string, value: Bytes | null): void {
    const wasYoung = this.#young.delete(text)
    const wasOld = this.#old.delete(text)
    if (wasYoung || wasOld) this.#cache(text, value && withoutSurroundings(value))
  }
}

/** A value that is a part of something large, such as a file of the log, would keep all of it in memory. */
function withoutSurroundings(value: Bytes): Bytes {
  return value.buffer.byteLength > value.length + 65_536 ? value.slice() : value
}

function merge(layers: readonly Layer[]): Layer {
  const changes = new ChangeSet()
  for (const layer of layers) for (const [text, change] of layer.changes.entries()) changes.put(text, change)
  changes.freeze()
  const blocks = layers.reduce((sum, layer) => sum + layer.blocks, 0)
  return { height: layers.at(-1)!.height, blocks, changes }
}
