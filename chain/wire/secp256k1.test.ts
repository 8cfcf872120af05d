import { bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nobleSecp256k1 } from './native/noble-secp256k1.js'
import { secp256k1Backend, secp256k1PublicKey, signSecp256k1, verifySecp256k1 } from './secp256k1.js'
import { sha256 } from './sha256.js'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const privateKey = hexToBytes('0000000000000000000000000000000000000000000000000000000000000001')
const digest = sha256(utf8ToBytes('Satoshi Nakamoto'))

describe('secp256k1', () => {
  it('runs on libsecp256k1 here', () => {
    expect(secp256k1Backend()).toEqual({ name: 'libsecp256k1' })
  })

  it('signs as the published RFC 6979 vector and verifies it', () => {
    const signature = signSecp256k1(privateKey, digest)
    expect(signature).toEqual(
      hexToBytes(
        '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
          '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
      ),
    )
    expect(verifySecp256k1(secp256k1PublicKey(privateKey), digest, signature)).toBe(true)
  })

  it('refuses the same signature with a high s', () => {
    const signature = signSecp256k1(privateKey, digest)
    const s = order - BigInt(`0x${bytesToHex(signature.slice(32))}`)
    const high = hexToBytes(bytesToHex(signature.slice(0, 32)) + s.toString(16).padStart(64, '0'))
    expect(verifySecp256k1(secp256k1PublicKey(privateKey), digest, high)).toBe(false)
  })

  it('agrees with CosmJS and with the pure implementation', async () => {
    const noble = nobleSecp256k1('test')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array(), async (key, message) => {
        fc.pre(key.some((byte) => byte !== 0))
        const hash = sha256(message)
        const signature = signSecp256k1(key, hash)
        const publicKey = secp256k1PublicKey(key)
        expect(noble.sign(hash, key)).toEqual(signature)
        expect(noble.publicKey(key)).toEqual(publicKey)
        expect(noble.verify(signature, hash, publicKey)).toBe(true)
        expect(Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), hash, publicKey)).toBe(true)
        const other = sha256(hash)
        expect(verifySecp256k1(publicKey, other, signature)).toBe(false)
      }),
      { numRuns: 10 },
    )
  })

  it('says no to anything malformed, without throwing', () => {
    const publicKey = secp256k1PublicKey(privateKey)
    const signature = signSecp256k1(privateKey, digest)
    const bad: readonly [Uint8Array, Uint8Array, Uint8Array][] = [
      [publicKey.slice(1), digest, signature],
      [new Uint8Array(33), digest, signature],
      [new Uint8Array(33).fill(255), digest, signature],
      [new Uint8Array([2, ...new Uint8Array(32).fill(255)]), digest, signature],
      [publicKey, digest.slice(1), signature],
      [publicKey, digest, signature.slice(1)],
      [publicKey, digest, new Uint8Array(64)],
      [publicKey, digest, new Uint8Array(64).fill(255)],
    ]
    for (const [key, hash, sig] of bad) expect(verifySecp256k1(key, hash, sig)).toBe(false)
  })

  it('refuses private keys outside the group', () => {
    expect(() => signSecp256k1(new Uint8Array(32), digest)).toThrow('invalid key')
    expect(() => signSecp256k1(new Uint8Array(32).fill(255), digest)).toThrow('invalid key')
    expect(() => secp256k1PublicKey(new Uint8Array(31))).toThrow('31 bytes, expected 32')
  })
})
