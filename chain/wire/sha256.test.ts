import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64.js'
import * as nodeBase64 from './native/node/base64.js'
import * as nodeHash from './native/node/hash.js'
import * as webBase64 from './native/web/base64.js'
import * as webHash from './native/web/hash.js'
import { hash160, ripemd160, sha256, sha256Hex, sha512 } from './sha256.js'

describe('hashes', () => {
  it('agree with the published vectors of "abc"', () => {
    const abc = utf8ToBytes('abc')
    expect(bytesToHex(sha256(abc))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256Hex(abc)).toBe(bytesToHex(sha256(abc)))
    expect(bytesToHex(ripemd160(abc))).toBe('8eb208f7e05d987a9b044a8e98c6b087f15a0bfc')
    expect(bytesToHex(sha512(abc)).slice(0, 16)).toBe('ddaf35a193617aba')
    expect(bytesToHex(hash160(abc))).toBe(bytesToHex(ripemd160(sha256(abc))))
  })

  it('are the same natively and in the browser', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 80 }), (bytes, key) => {
        expect(nodeHash.sha256(bytes)).toEqual(webHash.sha256(bytes))
        expect(nodeHash.sha256Hex(bytes)).toBe(webHash.sha256Hex(bytes))
        expect(nodeHash.sha512(bytes)).toEqual(webHash.sha512(bytes))
        expect(nodeHash.ripemd160(bytes)).toEqual(webHash.ripemd160(bytes))
        expect(nodeHash.hmacSha256(key, bytes)).toEqual(webHash.hmacSha256(key, bytes))
        expect(nodeBase64.encodeBase64(bytes)).toBe(webBase64.encodeBase64(bytes))
      }),
      { numRuns: 50 },
    )
  })
})

describe('base64', () => {
  it('reads back what it writes, in either alphabet and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64(bytes)
        expect(decodeBase64(text)).toEqual(bytes)
        expect(decodeBase64(text.replaceAll('=', ''))).toEqual(bytes)
        expect(decodeBase64(text.replaceAll('+', '-').replaceAll('/', '_'))).toEqual(bytes)
      }),
      { numRuns: 100 },
    )
  })

  it.each(['A', 'AAAAA', 'AA=', 'A===', 'AA==A', 'A A=', '====', 'ä'])('refuses %j', (text) => {
    expect(() => decodeBase64(text)).toThrow('is not base64')
  })
})
