import { bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { ed25519PublicKey, signEd25519, verifyEd25519 } from './ed25519.js'
import * as web from './native/web/ed25519.js'

// RFC 8032, test 2.
const seed = hexToBytes('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb')
const publicKey = hexToBytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')
const message = Uint8Array.of(0x72)

describe('ed25519', () => {
  it('agrees with RFC 8032, natively and in the browser', () => {
    const signature = signEd25519(seed, message)
    expect(bytesToHex(signature)).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
        '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    )
    expect(ed25519PublicKey(seed)).toEqual(publicKey)
    expect(web.sign(seed, message)).toEqual(signature)
    expect(web.publicKey(seed)).toEqual(publicKey)
    expect(verifyEd25519(publicKey, message, signature)).toBe(true)
    expect(web.verifyStrict(publicKey, message, signature)).toBe(true)
  })

  it('takes private keys as Go stores them', () => {
    const go = new Uint8Array([...seed, ...publicKey])
    expect(signEd25519(go, message)).toEqual(signEd25519(seed, message))
    expect(() => signEd25519(go.slice(1), message)).toThrow('63 bytes, expected 32 or 64')
  })

  it('says no to another message and to anything malformed', () => {
    const signature = signEd25519(seed, message)
    expect(verifyEd25519(publicKey, utf8ToBytes('other'), signature)).toBe(false)
    expect(verifyEd25519(publicKey.slice(1), message, signature)).toBe(false)
    expect(verifyEd25519(publicKey, message, signature.slice(1))).toBe(false)
    expect(verifyEd25519(new Uint8Array(32).fill(255), message, signature)).toBe(false)
  })

  it('follows ZIP-215 where stricter rules refuse: a small-order key signs everything', () => {
    // The neutral element as key and as R with s = 0 satisfies the cofactored equation; CometBFT accepts it.
    const neutral = new Uint8Array(32)
    neutral[0] = 1
    const signature = new Uint8Array(64)
    signature[0] = 1
    expect(verifyEd25519(neutral, message, signature)).toBe(true)
    // A non-canonical encoding of the neutral element: y = p + 1.
    const nonCanonical = hexToBytes('eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f')
    expect(verifyEd25519(nonCanonical, message, signature)).toBe(true)
  })
})
