import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { errors } from './errors.js'

// What wasmd's types/validation.go and ValidateBasic check.

/** Largest code, also after unpacking, in bytes. */
export const codeBytesMax = 800 * 1024

const labelBytesMax = 128
const saltBytesMax = 64

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u
/** Go's unicode.IsSpace. */
const space = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const outerSpace = new RegExp(`^[${space}]+|[${space}]+$`, 'g')

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  return text.replace(outerSpace, '')
}

/** 1 to 128 bytes, printable, no space at the ends. Throws `empty`, `limit` or `invalid`. */
export function checkLabel(label: string): void {
  if (label === '') throw errors.empty('is required').wrap('label')
  if (utf8ToBytes(label).length > labelBytesMax) {
    throw errors.limit(`cannot be longer than ${labelBytesMax} characters`).wrap('label')
  }
  if (trimSpace(label) !== label) throw errors.invalid('label must not start/end with whitespaces').wrap('label')
  if (!printable.test(label)) throw errors.invalid('label must have printable characters only').wrap('label')
}

/** 1 to 64 bytes. */
export function checkSalt(salt: Bytes): void {
  if (salt.length === 0) throw errors.empty('is required').wrap('salt')
  if (salt.length > saltBytesMax) throw errors.limit(`cannot be longer than ${saltBytesMax} characters`).wrap('salt')
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A JSON value, or `undefined` for what is none. */
export function parsedJson(bytes: Bytes): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

export function isJson(bytes: Bytes): boolean {
  return parsedJson(bytes) !== undefined
}

/** Throws `invalid` unless `bytes` are one JSON value. */
export function checkJson(bytes: Bytes, what: string): void {
  if (!isJson(bytes)) throw errors.invalid().wrap(what)
}
