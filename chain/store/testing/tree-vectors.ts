import { readFileSync } from 'node:fs'
import { type Bytes, base64ToBytes, bytesToHex, hexToBytes } from '@coin/base/bytes'
import type { MerkleTree } from '../tree.js'

/** Reads a file of tests/vectors; for tests, which run from dist/. */
export function readVector<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../../tests/vectors/${name}`, import.meta.url), 'utf8')) as T
}

/** [key] removes, [key, value] writes; hexadecimal. */
export type RecordedOp = readonly [key: string] | readonly [key: string, value: string]

export interface RecordedTree {
  readonly name: string
  readonly versions: readonly { readonly ops: readonly RecordedOp[]; readonly root: string; readonly size: number }[]
  readonly proofs: readonly { readonly version: number; readonly key: string; readonly proof: string }[]
}

export interface RecordedMultiStore {
  readonly stores: readonly string[]
  readonly commits: readonly {
    readonly writes: Readonly<Record<string, readonly RecordedOp[]>>
    readonly app_hash: string
    readonly queries: readonly {
      readonly store: string
      readonly key: string
      readonly value: string | null
      readonly ops: readonly { readonly type: string; readonly key: string; readonly data: string }[]
    }[]
  }[]
}

/** Values of each version, for proofs. */
export class ValueLog {
  readonly #byVersion = new Map<number, ReadonlyMap<string, Bytes>>()
  readonly #now = new Map<string, Bytes>()

  apply(tree: MerkleTree, [key, value]: RecordedOp): void {
    if (value === undefined) {
      tree.remove(hexToBytes(key))
      this.#now.delete(key)
    } else {
      tree.set(hexToBytes(key), hexToBytes(value))
      this.#now.set(key, hexToBytes(value))
    }
  }

  save(version: number): void {
    this.#byVersion.set(version, new Map(this.#now))
  }

  get size(): number {
    return this.#now.size
  }

  at(version: number): (key: Bytes) => Bytes {
    return (key) => this.#byVersion.get(version)!.get(bytesToHex(key))!
  }
}

/** Go's math/rand as far as iavl's TestTreeHash uses it, from the first 607 outputs of its source. */
export class GoRandom {
  readonly #past: bigint[] = []
  #at = 0
  #bytesLeft = 0
  #word = 0n

  constructor(stream: string) {
    const bytes = base64ToBytes(stream)
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let i = 0; i < bytes.length; i += 8) this.#past.push(view.getBigUint64(i, true))
  }

  #uint64(): bigint {
    if (this.#at >= 607) {
      this.#past.push(BigInt.asUintN(64, this.#past[this.#at - 607]! + this.#past[this.#at - 273]!))
    }
    return this.#past[this.#at++]!
  }

  #int63(): bigint {
    return this.#uint64() & 0x7fffffffffffffffn
  }

  /** In [0, 1). */
  float64(): number {
    for (;;) {
      const drawn = Number(this.#int63()) / 2 ** 63
      if (drawn !== 1) return drawn
    }
  }

  /** In [0, n), n below 2^31. */
  intn(n: number): number {
    const max = 2 ** 31 - 1 - (2 ** 31 % n)
    for (;;) {
      const drawn = Number(this.#int63() >> 32n)
      if ((n & (n - 1)) === 0) return drawn & (n - 1)
      if (drawn <= max) return drawn % n
    }
  }

  bytes(length: number): Bytes {
    const out = new Uint8Array(length)
    for (let i = 0; i < length; i++) {
      if (this.#bytesLeft === 0) {
        this.#word = this.#int63()
        this.#bytesLeft = 7
      }
      out[i] = Number(this.#word & 0xffn)
      this.#word >>= 8n
      this.#bytesLeft--
    }
    return out
  }
}
