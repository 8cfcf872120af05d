import { defineErrors } from './errors.js'

const errors = defineErrors('bytes', {
  badHex: [1, 'not hexadecimal'],
  badBase64: [2, 'not base64'],
  badUtf8: [3, 'not UTF-8'],
})

export type Bytes = Uint8Array

export const emptyBytes: Bytes = new Uint8Array(0)

/** The given pieces in one new array. */
export function concatBytes(...parts: readonly Bytes[]): Bytes {
  let length = 0
  for (const part of parts) length += part.length
  const out = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Lexicographic order of unsigned bytes: negative, zero or positive. */
export function compareBytes(a: Bytes, b: Bytes): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export function equalBytes(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hexadecimal: `bytesToHex(Uint8Array.of(1, 255))` -> `'01ff'`. */
export function bytesToHex(bytes: Bytes): string {
  let out = ''
  for (const byte of bytes) out += hexDigits[byte]
  return out
}

/** Reads hexadecimal of either case, without prefix. Throws `badHex` for anything else. */
export function hexToBytes(hex: string): Bytes {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) throw errors.badHex(`"${hex.slice(0, 80)}"`)
  const out = new Uint8Array(hex.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return out
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const base64Values = new Map([...base64Digits].map((digit, value) => [digit, value]))

/** Standard alphabet, with padding. */
export function bytesToBase64(bytes: Bytes): string {
  let out = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    out += base64Digits[word >> 18]! + base64Digits[(word >> 12) & 63]!
    out += (left > 1 ? base64Digits[(word >> 6) & 63]! : '=') + (left > 2 ? base64Digits[word & 63]! : '=')
  }
  return out
}

/** Strict standard or URL-safe alphabet; padding may be left out. Throws `badBase64`. */
export function base64ToBytes(text: string): Bytes {
  const digits = text
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const padded = text.length !== digits.length
  if (digits.length % 4 === 1 || (padded && text.length % 4 !== 0)) throw errors.badBase64(`"${text.slice(0, 80)}"`)
  const out = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let word = 0
  let bits = 0
  let at = 0
  for (const digit of digits) {
    const value = base64Values.get(digit)
    if (value === undefined) throw errors.badBase64(`"${text.slice(0, 80)}" has "${digit}"`)
    word = ((word << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      out[at++] = (word >> bits) & 0xff
    }
  }
  return out
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function utf8ToBytes(text: string): Bytes {
  return encoder.encode(text)
}

/** Throws `badUtf8`. */
export function bytesToUtf8(bytes: Bytes): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw errors.badUtf8(`${bytes.length} bytes`)
  }
}
