import { Worker } from 'node:worker_threads'
import { type Bytes, bytesToHex, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ObjectTree } from './object-tree.js'
import { PackedArena } from './packed-arena.js'
import { createPackedTree, type PackedTree } from './packed-tree.js'

type Step =
  | { readonly do: 'set'; readonly key: number; readonly value: Bytes }
  | { readonly do: 'remove'; readonly key: number }
  | { readonly do: 'hash' | 'save' | 'rollback' | 'release' | 'dump' }

/** Keys that agree in their first 8 bytes or are shorter, so that every branch of the comparison is used. */
function keyOf(n: number): Bytes {
  if (n < 40) return Uint8Array.of(n)
  if (n < 80) return concatBytes(utf8ToBytes('contract'), Uint8Array.of(n))
  return concatBytes(new Uint8Array(n * 13).fill(9), Uint8Array.of(n))
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        key: fc.nat(99),
        value: fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.constant(new Uint8Array(1500).fill(3))),
      }),
    },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('remove' as const), key: fc.nat(99) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom('hash', 'save', 'save', 'rollback', 'release', 'dump' as const) }),
    },
  ),
  { minLength: 20, maxLength: 160 },
)

/** Does the same to both and compares all that can be read after each save. */
function play(arena: PackedArena, sequence: readonly Step[]): void {
  let packed: PackedTree = createPackedTree(arena)
  const plain = new ObjectTree()
  for (const step of sequence) {
    const next = plain.version + 1
    if (step.do === 'set') {
      expect(packed.set(keyOf(step.key), step.value)).toBe(plain.set(keyOf(step.key), step.value))
    } else if (step.do === 'remove') {
      expect(packed.remove(keyOf(step.key))).toBe(plain.remove(keyOf(step.key)))
    } else if (step.do === 'hash') {
      expect(packed.workingHash(next)).toEqual(plain.workingHash(next))
    } else if (step.do === 'rollback') {
      packed.rollback()
      plain.rollback()
    } else if (step.do === 'release') {
      for (const tree of [packed, plain]) tree.releaseBefore(tree.version - 2)
    } else if (step.do === 'save') {
      expect(bytesToHex(packed.saveVersion(next))).toBe(bytesToHex(plain.saveVersion(next)))
      compareReads(packed, plain)
    } else if (plain.version > 0) {
      const copy = createPackedTree(arena)
      copy.load(packed.dump(packed.version))
      packed.rollback()
      plain.rollback()
      plain.releaseBefore(plain.version)
      packed = copy
    }
    expect([packed.size, packed.height]).toEqual([plain.size, plain.height])
  }
}

function compareReads(packed: PackedTree, plain: ObjectTree): void {
  expect(packed.earliest).toBe(plain.earliest)
  for (const version of new Set([plain.earliest, plain.version])) {
    expect(packed.rootHash(version)).toEqual(plain.rootHash(version))
    const keys = [...plain.keys(version)]
    expect([...packed.keys(version)]).toEqual(keys)
    expect([...packed.keys(version, { start: keyOf(20), end: keyOf(90), reverse: true })]).toEqual([
      ...plain.keys(version, { start: keyOf(20), end: keyOf(90), reverse: true }),
    ])
    for (const n of [0, 7, 39, 40, 60, 99]) {
      expect(packed.path(version, keyOf(n))).toEqual(plain.path(version, keyOf(n)))
    }
  }
}

describe('PackedTree against the plain tree', () => {
  it('does the same for any sequence of operations, versions, rollbacks, releases and reloads', () => {
    const arena = new PackedArena()
    fc.assert(
      fc.property(steps, (sequence) => play(arena, sequence)),
      { numRuns: 80 },
    )
  })

  it('agrees on thousands of keys flushed in ascending blocks', () => {
    const packed = createPackedTree()
    const plain = new ObjectTree()
    let seed = 1
    const draw = (n: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % n
    }
    for (let version = 1; version <= 12; version++) {
      const block = new Map(Array.from({ length: 600 }, () => [`balance/${draw(4000)}`, draw(4)]))
      for (const [key, kind] of [...block].sort(([a], [b]) => (a < b ? -1 : 1))) {
        for (const tree of [packed, plain]) {
          if (kind === 0) tree.remove(utf8ToBytes(key))
          else tree.set(utf8ToBytes(key), utf8ToBytes(`${version}`))
        }
      }
      expect(bytesToHex(packed.saveVersion(version))).toBe(bytesToHex(plain.saveVersion(version)))
    }
    expect(packed.size).toBe(plain.size)
  })
})

describe('PackedTree memory', () => {
  /** Blocks of removals, updates and new keys over a changing set; at most `keep` versions stay. */
  function churn(tree: PackedTree, blocks: number, keep: number): void {
    for (let block = 0; block < blocks; block++) {
      const version = tree.version + 1
      for (let i = 0; i < 200; i++) tree.set(utf8ToBytes(`a key of some length ${version} ${i}`), utf8ToBytes('v'))
      for (let i = 0; i < 200; i++) tree.remove(utf8ToBytes(`a key of some length ${version - 3} ${i}`))
      tree.workingHash(version)
      if (block % 3 === 0) {
        tree.rollback()
        for (let i = 0; i < 200; i++) tree.set(utf8ToBytes(`a key of some length ${version} ${i}`), utf8ToBytes('w'))
        for (let i = 0; i < 200; i++) tree.remove(utf8ToBytes(`a key of some length ${version - 3} ${i}`))
      }
      tree.saveVersion(version)
      tree.releaseBefore(version - keep)
    }
  }

  it('uses the room of released versions and rolled back changes again', () => {
    const arena = new PackedArena()
    const tree = createPackedTree(arena)
    churn(tree, 30, 5)
    const used = arena.usedBytes
    churn(tree, 120, 5)
    expect(arena.usedBytes).toBe(used)
  })

  it('keeps several trees in one arena apart', () => {
    const arena = new PackedArena()
    const trees = [createPackedTree(arena), createPackedTree(arena)]
    const alone = createPackedTree()
    for (let i = 0; i < 500; i++) {
      trees[0]!.set(utf8ToBytes(`${i}`), utf8ToBytes('zero'))
      trees[1]!.set(utf8ToBytes(`${i}`), utf8ToBytes('one'))
      alone.set(utf8ToBytes(`${i}`), utf8ToBytes('one'))
    }
    trees[0]!.saveVersion(1)
    expect(trees[1]!.saveVersion(1)).toEqual(alone.saveVersion(1))
  })

  it('refuses a dump in which one hash was changed', () => {
    const tree = createPackedTree()
    for (let i = 0; i < 20; i++) tree.set(Uint8Array.of(i), Uint8Array.of(i))
    tree.saveVersion(1)
    const bytes = concatBytes(...tree.dump(1))
    bytes[32 + 40] = bytes[32 + 40]! ^ 1
    expect(() => createPackedTree().load([bytes])).toThrow('hashes do not fit the root: not a tree dump')
  })

  it('never crashes on a damaged dump', () => {
    const tree = createPackedTree()
    for (let i = 0; i < 20; i++) tree.set(Uint8Array.of(i), Uint8Array.of(i))
    tree.saveVersion(1)
    const bytes = concatBytes(...tree.dump(1))
    const arena = new PackedArena()
    for (let at = 0; at < bytes.length; at += 3) {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ 0x81
      try {
        createPackedTree(arena).load([damaged])
      } catch (error) {
        expect(String(error)).toContain('not a tree dump')
      }
    }
  })

  it('is dumped by another thread from the shared memory while it goes on changing', async () => {
    const tree = createPackedTree()
    for (let i = 0; i < 5000; i++) tree.set(utf8ToBytes(`key ${i}`), utf8ToBytes('one'))
    const root = tree.saveVersion(1)
    const unpin = tree.pin(1)
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       import(workerData.module).then(({ dumpSource }) =>
         parentPort.postMessage([...dumpSource(workerData.source)].map((chunk) => chunk.slice())))`,
      {
        eval: true,
        workerData: { module: new URL('./packed-tree-dump.js', import.meta.url).href, source: tree.source(1) },
      },
    )
    const dumped = new Promise<Uint8Array[]>((resolve, reject) => worker.once('message', resolve).once('error', reject))
    for (let version = 2; version < 12; version++) {
      for (let i = 0; i < 2000; i++) tree.set(utf8ToBytes(`key ${(i * version) % 5000}`), utf8ToBytes(`${version}`))
      tree.saveVersion(version)
      tree.releaseBefore(version)
    }
    const chunks = await dumped
    unpin()
    const copy = createPackedTree()
    copy.load(chunks)
    expect(copy.rootHash(1)).toEqual(root)
    expect(tree.earliest).toBe(11)
  })
})
