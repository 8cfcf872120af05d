import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import { merkleLeafHash, merkleProofs, merkleRoot, rootOfProof } from './simple-merkle.js'

const leaves = (count: number) => Array.from({ length: count }, (_, i) => utf8ToBytes(`leaf ${i}`))

describe('simple merkle tree', () => {
  it('gives the roots of RFC 6962', () => {
    // Certificate Transparency's published test tree.
    const data = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
    const bytes = data.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    expect(bytesToHex(merkleRoot([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(bytesToHex(merkleRoot(bytes.slice(0, 1)))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    )
    expect(bytesToHex(merkleRoot(bytes.slice(0, 2)))).toBe(
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    )
    expect(bytesToHex(merkleRoot(bytes.slice(0, 5)))).toBe(
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    )
    expect(bytesToHex(merkleRoot(bytes))).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
  })

  it('proves every leaf of trees of every size', () => {
    for (let count = 1; count <= 33; count++) {
      const { root, proofs } = merkleProofs(leaves(count))
      expect(root).toEqual(merkleRoot(leaves(count)))
      for (const [i, proof] of proofs.entries()) {
        expect(proof.leafHash).toEqual(merkleLeafHash(leaves(count)[i]!))
        expect(rootOfProof(proof)).toEqual(root)
        expect(rootOfProof({ ...proof, leafHash: sha256(root) })).not.toEqual(root)
      }
    }
  })

  it('refuses a proof whose number of aunts does not fit its place', () => {
    const { proofs } = merkleProofs(leaves(5))
    expect(rootOfProof({ ...proofs[1]!, aunts: proofs[1]!.aunts.slice(1) })).toBeUndefined()
    expect(rootOfProof({ ...proofs[1]!, index: 5 })).toBeUndefined()
    expect(rootOfProof({ ...proofs[1]!, index: -1 })).toBeUndefined()
    expect(rootOfProof({ ...proofs[1]!, total: 0 })).toBeUndefined()
  })

  it('has no proofs without leaves', () => {
    expect(merkleProofs([])).toEqual({ root: sha256(new Uint8Array(0)), proofs: [] })
  })
})
