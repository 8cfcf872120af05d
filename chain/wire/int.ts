import { errors, excerpt } from './errors.js'

/** Largest magnitude of an amount: 256 bits, sign apart, as cosmossdk.io/math's `Int`. */
export const intMax = (1n << 256n) - 1n

export const uint64Max = (1n << 64n) - 1n

/** Returns `value` when it fits 256 bits. Throws `outOfRange`. */
export function checkInt(value: bigint): bigint {
  if (value > intMax || value < -intMax) throw errors.outOfRange('integer of more than 256 bits')
  return value
}

/** Longest decimal text of a 256-bit integer with its sign, with room for some leading zeros. */
const textLengthMax = 128

/** Decimal digits with an optional sign; an empty text is 0, as in protobuf. Throws `badInteger` or `outOfRange`. */
export function parseInt256(text: string): bigint {
  if (text === '') return 0n
  if (text.length > textLengthMax || !/^[+-]?[0-9]+$/.test(text)) {
    throw errors.badInteger(`${excerpt(text)}, expected decimal digits`)
  }
  return checkInt(BigInt(text.startsWith('+') ? text.slice(1) : text))
}

/** A 64-bit value as a `number`. Throws `outOfRange` when it is negative or not a safe integer. */
export function safeNumber(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw errors.outOfRange(`${value}, expected 0 to ${Number.MAX_SAFE_INTEGER}`)
  }
  return Number(value)
}
