import {
  type Bytes,
  base64ToBytes,
  bytesToHex,
  compareBytes,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from '@coin/base/bytes'
import { CommitmentProof } from '@coin/wire/gen/cosmos/ics23/v1/proofs'
import { describe, expect, it } from 'vitest'
import { ObjectTree } from './object-tree.js'
import { createPackedTree } from './packed-tree.js'
import { proveKey } from './proof.js'
import { GoRandom, type RecordedTree, readVector, ValueLog } from './testing/tree-vectors.js'
import type { MerkleTree } from './tree.js'

const implementations: readonly (readonly [name: string, create: () => MerkleTree])[] = [
  ['PackedTree', () => createPackedTree()],
  ['ObjectTree', () => new ObjectTree()],
]

const text = utf8ToBytes
const emptyRootHex = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** iavl's TestTreeHash: 4 versions of 4,096 operations. */
function playTreeHash(tree: MerkleTree, random: GoRandom): string[] {
  const keys: Bytes[] = []
  const roots: string[] = []
  for (let version = 1; version <= 4; version++) {
    for (let i = 0; i < 4096; i++) {
      if (keys.length > 0 && random.float64() <= 0.2) {
        const [key] = keys.splice(random.intn(keys.length), 1)
        expect(tree.remove(key!)).toBe(true)
      } else if (keys.length > 0 && random.float64() <= 0.4) {
        const key = keys[random.intn(keys.length)]!
        expect(tree.set(key, random.bytes(16))).toBe(true)
      } else {
        const key = random.bytes(16)
        expect(tree.set(key, random.bytes(16))).toBe(false)
        keys.push(key)
      }
    }
    roots.push(bytesToHex(tree.saveVersion(version)))
  }
  return roots
}

describe.each(implementations)('%s', (_, create) => {
  it("gives the roots of iavl's own TestTreeHash", () => {
    const { stream, roots } = readVector<{ stream: string; roots: string[] }>('iavl/tree-hash.json')
    expect(playTreeHash(create(), new GoRandom(stream))).toEqual(roots)
  })

  it.each(readVector<RecordedTree[]>('iavl/trees.json'))(
    'gives the roots and proofs iavl gave for $name',
    (recorded) => {
      const tree = create()
      const values = new ValueLog()
      for (const [i, { ops, root, size }] of recorded.versions.entries()) {
        for (const op of ops) values.apply(tree, op)
        expect(bytesToHex(tree.workingHash(i + 1))).toBe(root)
        expect(bytesToHex(tree.saveVersion(i + 1))).toBe(root)
        expect(tree.size).toBe(size)
        values.save(i + 1)
      }
      for (const { version, key, proof } of recorded.proofs) {
        const path = tree.path(version, hexToBytes(key))
        const ours = CommitmentProof.encode(proveKey(path, hexToBytes(key), values.at(version))).finish()
        expect(bytesToHex(ours)).toBe(bytesToHex(base64ToBytes(proof)))
      }
      for (const [i, { root, size }] of recorded.versions.entries()) {
        expect(bytesToHex(tree.rootHash(i + 1))).toBe(root)
        expect(tree.sizeAt(i + 1)).toBe(size)
      }
    },
  )

  it('has the hash of nothing as root of the empty tree', () => {
    const tree = create()
    expect(bytesToHex(tree.workingHash(1))).toBe(emptyRootHex)
    expect(bytesToHex(tree.saveVersion(1))).toBe(emptyRootHex)
    expect(tree.path(1, text('a'))).toEqual({ found: false, left: undefined, right: undefined })
    expect([...tree.keys(1)]).toEqual([])
    expect([tree.size, tree.height, tree.version, tree.earliest]).toEqual([0, 0, 1, 1])
  })

  it('finds keys of the working state and changes nothing when an absent key is removed', () => {
    const tree = create()
    tree.set(text('a'), text('1'))
    tree.set(text('c'), text('3'))
    const root = tree.saveVersion(1)
    expect([tree.has(text('a')), tree.has(text('b')), tree.has(text('c'))]).toEqual([true, false, true])
    expect(tree.remove(text('b'))).toBe(false)
    expect(tree.saveVersion(2)).toEqual(root)
  })

  it('tells keys apart that end in zero bytes', () => {
    const tree = create()
    const keys = [[0], [0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [1], [1, 0]].map((k) =>
      Uint8Array.from(k),
    )
    for (const key of [...keys].reverse()) tree.set(key, key)
    tree.saveVersion(1)
    expect([...tree.keys(1)]).toEqual(keys)
  })

  it('lists the keys of a range in both directions', () => {
    const tree = create()
    const keys = Array.from({ length: 50 }, (_, i) => Uint8Array.of(2 * i))
    for (const key of keys) tree.set(key, key)
    tree.saveVersion(1)
    const start = Uint8Array.of(7)
    const end = Uint8Array.of(20)
    const within = keys.filter((key) => compareBytes(key, start) >= 0 && compareBytes(key, end) < 0)
    expect([...tree.keys(1)]).toEqual(keys)
    expect([...tree.keys(1, { start, end })]).toEqual(within)
    expect([...tree.keys(1, { start, end, reverse: true })]).toEqual([...within].reverse())
    expect([...tree.keys(1, { start: Uint8Array.of(8), end: Uint8Array.of(8) })]).toEqual([])
    expect([...tree.keys(1, { end: Uint8Array.of(4), reverse: true })]).toEqual([keys[1], keys[0]])
  })

  it('reads a saved version as it was while later ones change', () => {
    const tree = create()
    tree.set(text('a'), text('1'))
    tree.set(text('b'), text('2'))
    const first = tree.saveVersion(1)
    const path = tree.path(1, text('a'))
    tree.set(text('a'), text('9'))
    tree.remove(text('b'))
    tree.set(text('z'), text('26'))
    tree.saveVersion(2)
    expect(tree.rootHash(1)).toEqual(first)
    expect([...tree.keys(1)]).toEqual([text('a'), text('b')])
    expect([...tree.keys(2)]).toEqual([text('a'), text('z')])
    expect(tree.path(1, text('a'))).toEqual(path)
  })

  it('forgets released versions except the latest, and none that a pin holds', () => {
    const tree = create()
    for (let version = 1; version <= 9; version++) {
      tree.set(Uint8Array.of(version % 3), Uint8Array.of(version))
      tree.saveVersion(version)
    }
    const unpin = tree.pin(4)
    const unpinLater = tree.pin(6)
    tree.releaseBefore(3)
    expect([tree.isRetained(2), tree.isRetained(3)]).toEqual([false, true])
    tree.releaseBefore(100)
    expect([tree.isRetained(3), tree.isRetained(4), tree.earliest]).toEqual([false, true, 4])
    unpin()
    unpin()
    expect(tree.earliest).toBe(6)
    unpinLater()
    expect([tree.earliest, tree.version]).toEqual([9, 9])
    expect(() => tree.rootHash(8)).toThrow('version 8: from 9 to 9 is there: tree version is not retained')
    expect(() => tree.pin(3)).toThrow('not retained')
  })

  it('goes back to the last saved version', () => {
    const tree = create()
    tree.set(text('a'), text('1'))
    tree.rollback()
    expect([tree.size, tree.has(text('a'))]).toEqual([0, false])
    tree.set(text('a'), text('1'))
    tree.set(text('b'), text('1'))
    const root = tree.saveVersion(1)
    tree.set(text('b'), text('2'))
    tree.set(text('c'), text('2'))
    tree.remove(text('a'))
    tree.workingHash(2)
    tree.rollback()
    expect(tree.saveVersion(3)).toEqual(root)
    expect([...tree.keys(3)]).toEqual([text('a'), text('b')])
  })

  it('hashes the working state again when it changed after it was hashed', () => {
    const once = create()
    const twice = create()
    for (const tree of [once, twice]) for (let i = 0; i < 20; i++) tree.set(Uint8Array.of(i), text('old'))
    for (const tree of [once, twice]) tree.saveVersion(1)
    twice.set(Uint8Array.of(3), text('new'))
    twice.remove(Uint8Array.of(5))
    twice.workingHash(2)
    for (const tree of [once, twice]) {
      tree.set(Uint8Array.of(3), text('newer'))
      if (tree === once) tree.remove(Uint8Array.of(5))
      tree.set(Uint8Array.of(77), text('new'))
    }
    expect(bytesToHex(twice.saveVersion(2))).toBe(bytesToHex(once.saveVersion(2)))
  })

  it('takes leaves with keys and values of any length', () => {
    const tree = create()
    const oracle = new ObjectTree()
    for (const length of [1, 55, 56, 119, 300, 512, 513, 899, 900, 901, 5000, 65600, 131071]) {
      for (const one of [tree, oracle]) {
        one.set(new Uint8Array(length).fill(120), new Uint8Array(3 * length).fill(1))
        one.set(concatBytes(new Uint8Array(length).fill(120), Uint8Array.of(2)), new Uint8Array(length % 7))
      }
    }
    expect(bytesToHex(tree.saveVersion(1))).toBe(bytesToHex(oracle.saveVersion(1)))
    expect([...tree.keys(1)]).toEqual([...oracle.keys(1)])
  })

  it('gives the same tree after a dump and a load', () => {
    const tree = create()
    for (let i = 0; i < 300; i++) tree.set(text(`key ${(i * 7919) % 1000}`), text(`${i}`))
    tree.saveVersion(5)
    for (let i = 0; i < 100; i++) tree.remove(text(`key ${(i * 7919) % 1000}`))
    tree.set(new Uint8Array(5000).fill(255), text('long'))
    const root = tree.saveVersion(6)
    tree.set(text('later'), text('7'))
    tree.saveVersion(7)
    const bytes = concatBytes(...[...tree.dump(6)].map((chunk) => chunk.slice()))
    const loaded = create()
    const cut = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      bytes.subarray(1000 * i, 1000 * (i + 1)),
    )
    expect(loaded.load(cut)).toBe(6)
    expect([loaded.version, loaded.earliest, loaded.size]).toEqual([6, 6, 201])
    expect(loaded.rootHash(6)).toEqual(root)
    expect(loaded.path(6, text('key 999'))).toEqual(tree.path(6, text('key 999')))
    loaded.set(text('later'), text('7'))
    expect(loaded.saveVersion(7)).toEqual(tree.rootHash(7))
  })

  it('gives the empty tree after a dump and a load', () => {
    const tree = create()
    tree.saveVersion(3)
    const loaded = create()
    expect(loaded.load(tree.dump(3))).toBe(3)
    expect(bytesToHex(loaded.rootHash(3))).toBe(emptyRootHex)
  })

  it('refuses what is not a dump', () => {
    const tree = create()
    for (let i = 0; i < 20; i++) tree.set(Uint8Array.of(i), text('v'))
    tree.saveVersion(1)
    const bytes = concatBytes(...tree.dump(1))
    expect(() => create().load([bytes.subarray(0, bytes.length - 1)])).toThrow('not a tree dump')
    expect(() => create().load([bytes, Uint8Array.of(0)])).toThrow('not a tree dump')
    expect(() => create().load([])).toThrow('not a tree dump')
  })

  it('refuses an empty key and versions that do not ascend', () => {
    const tree = create()
    expect(() => tree.set(new Uint8Array(0), text('v'))).toThrow('tree key of 0 bytes')
    tree.saveVersion(2)
    expect(() => tree.saveVersion(2)).toThrow('tree version 2 after 2')
    tree.set(text('a'), text('1'))
    tree.workingHash(3)
    expect(() => tree.saveVersion(4)).toThrow('one version per working state')
  })
})
