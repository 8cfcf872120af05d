import { describe, expect, it } from 'vitest'
import {
  base64ToBytes,
  bytesToBase64,
  bytesToHex,
  bytesToUtf8,
  compareBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
} from './bytes.js'
import { CodedError } from './errors.js'

describe('bytes', () => {
  it('base64 equals the platform for every length, both alphabets, padded or not', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length * 7) & 255)
      const text = Buffer.from(bytes).toString('base64')
      expect(bytesToBase64(bytes)).toBe(text)
      expect(base64ToBytes(text)).toEqual(bytes)
      expect(base64ToBytes(Buffer.from(bytes).toString('base64url'))).toEqual(bytes)
    }
  })

  it('refuses what is not base64, naming it', () => {
    for (const bad of ['a', 'a===', 'ab=', 'a*==', 'ab cd', 'abcde', 'YQ=a']) {
      expect(() => base64ToBytes(bad), bad).toThrow(bad)
    }
  })

  it('hex goes both ways and refuses odd lengths and other characters', () => {
    expect(bytesToHex(hexToBytes('00ff7Fa0'))).toBe('00ff7fa0')
    for (const bad of ['0', '0x00', 'zz', ' 0']) expect(() => hexToBytes(bad), bad).toThrow('not hexadecimal')
  })

  it('refuses what is not UTF-8 with an error of its own kind, which a transaction may cause', () => {
    expect(() => bytesToUtf8(Uint8Array.of(0x61, 0xff))).toThrow(CodedError)
    expect(() => bytesToUtf8(Uint8Array.of(0x61, 0xff))).toThrow('2 bytes: not UTF-8')
  })

  it('orders bytes unsigned, a prefix before its extension', () => {
    expect(compareBytes(Uint8Array.of(0x80), Uint8Array.of(0x7f))).toBeGreaterThan(0)
    expect(compareBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBeLessThan(0)
    expect(equalBytes(concatBytes(Uint8Array.of(1), Uint8Array.of(2)), Uint8Array.of(1, 2))).toBe(true)
  })
})
