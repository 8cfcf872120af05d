import type { Bytes } from '@coin/base/bytes'
import { errors, excerpt } from './errors.js'

// BIP 173. Cosmos uses the original checksum (constant 1), not bech32m, and allows longer strings than 90 characters.

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const digitOf = new Int8Array(128).fill(-1)
for (let digit = 0; digit < 32; digit++) digitOf[alphabet.charCodeAt(digit)] = digit
const charOf = Uint8Array.from(alphabet, (char) => char.charCodeAt(0))

/** Longest text that the Go SDK decodes. */
const lengthMax = 1023
const checksumDigits = 6

/** What 32 possible top values of the checksum register do to it, so that one digit costs one lookup. */
const feedback = new Uint32Array(32)
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
for (let top = 0; top < 32; top++) {
  for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) feedback[top]! ^= generators[bit]!
}

const step = (register: number, digit: number): number =>
  ((register & 0x1ffffff) << 5) ^ digit ^ feedback[(register >>> 25) & 31]!

/** The checksum register after the prefix; the same for every address of a chain, so it is kept. */
const prefixRegisters = new Map<string, number>()

function prefixRegister(prefix: string): number {
  const known = prefixRegisters.get(prefix)
  if (known !== undefined) return known
  let register = 1
  for (let i = 0; i < prefix.length; i++) register = step(register, prefix.charCodeAt(i) >> 5)
  register = step(register, 0)
  for (let i = 0; i < prefix.length; i++) register = step(register, prefix.charCodeAt(i) & 31)
  if (prefixRegisters.size < 256) prefixRegisters.set(prefix, register)
  return register
}

/** Throws `badAddress` unless `prefix` is 1 to 83 printable ASCII characters without upper case. */
export function checkBech32Prefix(prefix: string): void {
  if (!/^[\x21-\x40\x5b-\x7e]{1,83}$/.test(prefix)) {
    throw errors.badAddress(
      `bech32 prefix ${excerpt(prefix)}, expected 1 to 83 printable characters without upper case`,
    )
  }
}

/** `encodeBech32('cosmos', bytes)` -> `cosmos1...`, lower case. Throws `badAddress` for a bad prefix or too many bytes. */
export function encodeBech32(prefix: string, bytes: Bytes): string {
  checkBech32Prefix(prefix)
  const dataDigits = Math.ceil((bytes.length * 8) / 5)
  const length = prefix.length + 1 + dataDigits + checksumDigits
  if (length > lengthMax) throw errors.badAddress(`${bytes.length} bytes are too many for bech32`)
  let register = prefixRegister(prefix)
  let text = `${prefix}1`
  let word = 0
  let bits = 0
  for (let i = 0; i < bytes.length; i++) {
    word = ((word << 8) | bytes[i]!) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      const digit = (word >> bits) & 31
      register = step(register, digit)
      text += alphabet[digit]
    }
  }
  if (bits > 0) {
    const digit = (word << (5 - bits)) & 31
    register = step(register, digit)
    text += alphabet[digit]
  }
  for (let i = 0; i < checksumDigits; i++) register = step(register, 0)
  register ^= 1
  for (let i = checksumDigits - 1; i >= 0; i--) text += String.fromCharCode(charOf[(register >>> (5 * i)) & 31]!)
  return text
}

function checkCase(text: string): string {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase())
    throw errors.badAddress(`${excerpt(text)} mixes upper and lower case`)
  return lower
}

/**
 * Prefix and bytes of a bech32 text of either case. Throws `badAddress` that says what is wrong: length, character, case,
 * missing separator, checksum, or padding.
 */
export function decodeBech32(given: string): { readonly prefix: string; readonly bytes: Bytes } {
  if (given.length < 8 || given.length > lengthMax) {
    throw errors.badAddress(`${excerpt(given)} has ${given.length} characters, expected 8 to ${lengthMax}`)
  }
  const text = checkCase(given)
  const separator = text.lastIndexOf('1')
  if (separator < 1 || separator + 1 + checksumDigits > text.length) {
    throw errors.badAddress(`${excerpt(given)} has no prefix, separator "1" and checksum in the right places`)
  }
  const prefix = text.slice(0, separator)
  checkBech32Prefix(prefix)
  const end = text.length - checksumDigits
  const bytes = new Uint8Array(((end - separator - 1) * 5) >> 3)
  let register = prefixRegister(prefix)
  let word = 0
  let bits = 0
  let at = 0
  for (let i = separator + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 128 ? digitOf[code]! : -1
    if (digit < 0)
      throw errors.badAddress(`${excerpt(given)} has the character "${text[i]}" at ${i}, which bech32 does not use`)
    register = step(register, digit)
    if (i >= end) continue
    word = ((word << 5) | digit) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (word >> bits) & 0xff
    }
  }
  if (register !== 1)
    throw errors.badAddress(`${excerpt(given)} has a wrong checksum: a character is mistyped or missing`)
  if (bits >= 5 || (word & ((1 << bits) - 1)) !== 0) throw errors.badAddress(`${excerpt(given)} has non-zero padding`)
  return { prefix, bytes }
}
