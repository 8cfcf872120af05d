import { bytesToHex, hexToBytes } from '@coin/base/bytes'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBech32, encodeBech32 } from './bech32.js'

describe('bech32', () => {
  it('reads the valid strings of BIP 173 that hold whole bytes', () => {
    expect(decodeBech32('A12UEL5L')).toEqual({ prefix: 'a', bytes: new Uint8Array(0) })
    const segwit = decodeBech32('abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw')
    expect(segwit.prefix).toBe('abcdef')
    expect(bytesToHex(segwit.bytes)).toBe('00443214c74254b635cf84653a56d7c675be77df')
    expect(decodeBech32(`?1ezyfcl`).prefix).toBe('?')
  })

  it.each([
    ['pzry9x0s0muk', 'separator'],
    ['1pzry9x0s0muk', 'separator'],
    ['x1b4n0q5v', 'does not use'],
    ['li1dgmt3', 'separator'],
    ['A1G7SGD8', 'checksum'],
    ['10a06t8', 'characters, expected 8'],
    ['1qzzfhee', 'separator'],
    ['a12UEL5L', 'mixes'],
    ['cosmos1€qqqqqqqqqqq', 'does not use'],
    ['a'.repeat(1100), '1100 characters, expected 8 to 1023'],
  ])('refuses %s', (text, reason) => {
    expect(() => decodeBech32(text)).toThrow(reason)
  })

  it('agrees with another implementation both ways', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('coin', 'cosmos', 'coinvaloper'),
        fc.uint8Array({ maxLength: 255 }),
        (prefix, bytes) => {
          const text = encodeBech32(prefix, bytes)
          expect(text).toBe(toBech32(prefix, bytes, 1023))
          expect(decodeBech32(text)).toEqual({ prefix, bytes })
          expect(decodeBech32(text.toUpperCase()).bytes).toEqual(fromBech32(text, 1023).data)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('notices every single mistyped character', () => {
    const text = encodeBech32('coin', hexToBytes('00112233445566778899aabbccddeeff00112233'))
    for (let i = 5; i < text.length; i++) {
      const wrong = text[i] === 'q' ? 'p' : 'q'
      expect(() => decodeBech32(text.slice(0, i) + wrong + text.slice(i + 1))).toThrow('checksum')
    }
  })

  it('refuses padding bits that are set', () => {
    // One byte in two digits leaves two bits; toBech32 cannot make them non-zero, so the words are built here.
    const digits = [0, 1]
    expect(() => decodeBech32(encodeWords('coin', digits))).toThrow('padding')
    expect(decodeBech32(encodeWords('coin', [0, 4])).bytes).toEqual(Uint8Array.of(1))
  })

  it('refuses prefixes that it could not read back', () => {
    for (const prefix of ['', 'Coin', 'co in', 'x'.repeat(84)]) {
      expect(() => encodeBech32(prefix, new Uint8Array(20))).toThrow('prefix')
    }
  })
})

/** A straightforward BIP 173 encoder of 5-bit words. */
function encodeWords(prefix: string, words: readonly number[]): string {
  const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
  const polymod = (values: readonly number[]): number => {
    const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
    let checksum = 1
    for (const value of values) {
      const top = checksum >> 25
      checksum = ((checksum & 0x1ffffff) << 5) ^ value
      generators.forEach((generator, i) => {
        if ((top >> i) & 1) checksum ^= generator
      })
    }
    return checksum
  }
  const codes = [...prefix].map((char) => char.charCodeAt(0))
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  const checksum = polymod([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  const tail = [0, 1, 2, 3, 4, 5].map((i) => (checksum >> (5 * (5 - i))) & 31)
  return `${prefix}1${[...words, ...tail].map((word) => alphabet[word]).join('')}`
}
