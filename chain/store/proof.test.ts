import { type Bytes, base64ToBytes, bytesToHex, compareBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { CommitmentProof } from '@coin/wire/gen/cosmos/ics23/v1/proofs'
import { sha256 } from '@coin/wire/sha256'
import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23'
import { describe, expect, it } from 'vitest'
import { appHashOf, type StoreRoot } from './commit-info.js'
import { createPackedTree, type PackedTree } from './packed-tree.js'
import { finishProof, proveKey, proveStore } from './proof.js'
import { type RecordedMultiStore, type RecordedOp, readVector, ValueLog } from './testing/tree-vectors.js'

const text = utf8ToBytes

/** The same proof in the form that the verifier reads. */
function decoded(proof: CommitmentProof): ics23.CommitmentProof {
  return ics23.CommitmentProof.decode(CommitmentProof.encode(proof).finish())
}

/** The block's net change as the SDK flushes it: the last operation of each key, keys ascending. */
function flushOrder(ops: readonly RecordedOp[]): RecordedOp[] {
  const last = new Map(ops.map((op) => [op[0], op]))
  return [...last.values()].sort((a, b) => compareBytes(hexToBytes(a[0]), hexToBytes(b[0])))
}

describe('app hash and proofs of the multi-store', () => {
  it('are what the SDK gave, for present and absent keys, with a store that is always empty', () => {
    const { stores, commits } = readVector<RecordedMultiStore>('iavl/multi-store.json')
    const mounted = new Map(stores.map((name) => [name, { tree: createPackedTree(), values: new ValueLog() }]))
    for (const [i, { writes, app_hash, queries }] of commits.entries()) {
      const version = i + 1
      const roots: StoreRoot[] = []
      for (const [name, { tree, values }] of mounted) {
        for (const op of flushOrder(writes[name] ?? [])) values.apply(tree, op)
        roots.push({ name, root: tree.saveVersion(version) })
        values.save(version)
      }
      expect(bytesToHex(appHashOf(roots))).toBe(app_hash)
      for (const { store, key, ops } of queries) {
        const { tree, values } = mounted.get(store)!
        const path = { height: version, store, key: hexToBytes(key), path: tree.path(version, hexToBytes(key)), roots }
        const ours = finishProof(path, values.at(version))
        const hex = ours.ops.map((op) => ({ type: op.type, key: bytesToHex(op.key), data: bytesToHex(op.data) }))
        expect(hex).toEqual(ops.map((op) => ({ ...op, data: bytesToHex(base64ToBytes(op.data)) })))
      }
    }
  })

  it('is the hash of nothing without stores', () => {
    expect(appHashOf([])).toEqual(sha256(new Uint8Array(0)))
  })
})

describe('ICS-23 proofs, checked by the independent verifier', () => {
  const valueHeld = (key: Bytes) => sha256(key)
  const proveAt = (tree: PackedTree, version: number, key: Bytes) => proveKey(tree.path(version, key), key, valueHeld)
  const keys = Array.from({ length: 400 }, (_, i) => text(`denom/${(i * 7919) % 1009}`))

  function filledTree(): PackedTree {
    const tree = createPackedTree()
    for (const [i, key] of keys.entries()) {
      tree.set(key, valueHeld(key))
      if (i % 50 === 49) tree.saveVersion(tree.version + 1)
    }
    return tree
  }

  it('proves each value, and no other value', () => {
    const tree = filledTree()
    const root = tree.rootHash(tree.version)
    for (const key of keys) {
      const proof = decoded(proveAt(tree, tree.version, key))
      expect(verifyMembership(proof, iavlSpec, root, key, valueHeld(key))).toBe(true)
      expect(verifyMembership(proof, iavlSpec, root, key, valueHeld(root))).toBe(false)
    }
  })

  it('proves absence between neighbours and at both edges, and not of a present key', () => {
    const tree = filledTree()
    const root = tree.rootHash(tree.version)
    for (const key of ['a', 'denom', 'denom/5000', 'z', ...keys.slice(0, 40).map((k) => `${bytesToHex(k)}x`)].map(
      text,
    )) {
      const proof = decoded(proveAt(tree, tree.version, key))
      expect(verifyNonMembership(proof, iavlSpec, root, key)).toBe(true)
      expect(verifyNonMembership(proof, iavlSpec, root, keys[3]!)).toBe(false)
      expect(verifyNonMembership(proof, iavlSpec, sha256(root), key)).toBe(false)
    }
  })

  it('proves an older version against its own root', () => {
    const tree = filledTree()
    const added = keys[120]!
    expect(proveAt(tree, 2, added).exist).toBeUndefined()
    const proof = decoded(proveAt(tree, 2, added))
    expect(verifyNonMembership(proof, iavlSpec, tree.rootHash(2), added)).toBe(true)
    expect(verifyNonMembership(proof, iavlSpec, tree.rootHash(8), added)).toBe(false)
  })

  it('proves a store against the app hash, for any number of stores', () => {
    for (let count = 1; count <= 20; count++) {
      const stores = Array.from({ length: count }, (_, i) => ({ name: `store${i}`, root: sha256(Uint8Array.of(i)) }))
      for (const { name, root } of stores) {
        const proof = decoded(proveStore(stores, name))
        expect(verifyMembership(proof, tendermintSpec, appHashOf(stores), text(name), root)).toBe(true)
        expect(verifyMembership(proof, tendermintSpec, appHashOf(stores), text(name), sha256(root))).toBe(false)
      }
    }
  })

  it('refuses to prove a store that is not mounted', () => {
    expect(() => proveStore([], 'bank')).toThrow('store bank is not mounted')
  })
})
