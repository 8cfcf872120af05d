import { assert } from '@coin/base/assert'
import { errors, excerpt } from './errors.js'
import { checkInt } from './int.js'

/** Decimal places of every `LegacyDec`. */
export const decimalPlaces = 18

const one = 10n ** 18n
const half = one / 2n
const atomicsMax = (1n << 256n) * one - 1n

/** How a result that does not fit 18 places is cut: to the nearest and ties to even, towards zero, or up. */
export type Rounding = 'nearest' | 'truncate' | 'up'

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/** `value / 10^18`, rounded. `up` goes towards positive infinity, as the Go function does. */
function chop(value: bigint, rounding: Rounding): bigint {
  const quotient = value / one
  const rest = value % one
  if (rest === 0n || rounding === 'truncate') return quotient
  if (rounding === 'up') return rest > 0n ? quotient + 1n : quotient
  const magnitude = absolute(rest)
  if (magnitude < half || (magnitude === half && quotient % 2n === 0n)) return quotient
  return rest > 0n ? quotient + 1n : quotient - 1n
}

/**
 * A decimal with 18 places on a bigint, with the figures and the rounding of cosmossdk.io/math's `LegacyDec`. Immutable.
 * Every operation throws `outOfRange` past 2^256, and division by zero throws `divideByZero`.
 *
 * @example
 * LegacyDec.parse('0.67').mulInt(3n).toString() // '2.010000000000000000'
 */
export class LegacyDec {
  /** The value times 10^18; this integer in decimal digits is the protobuf form. */
  readonly atomics: bigint

  private constructor(atomics: bigint) {
    this.atomics = atomics
  }

  static readonly zero = new LegacyDec(0n)
  static readonly one = new LegacyDec(one)
  /** 10^-18. */
  static readonly smallest = new LegacyDec(1n)

  static ofAtomics(atomics: bigint): LegacyDec {
    if (absolute(atomics) > atomicsMax) throw errors.outOfRange('decimal of more than 2^256')
    return new LegacyDec(atomics)
  }

  static ofInt(value: bigint): LegacyDec {
    return LegacyDec.ofAtomics(value * one)
  }

  /** `value * 10^-places`: `LegacyDec.ofPlaces(67n, 2)` is 0.67. */
  static ofPlaces(value: bigint, places: number): LegacyDec {
    assert(places >= 0 && places <= decimalPlaces, `${places} decimal places, at most ${decimalPlaces}`)
    return LegacyDec.ofAtomics(value * 10n ** BigInt(decimalPlaces - places))
  }

  /** `-123.456`, `7`: digits, at most one point with digits on both sides, at most 18 places. Throws `badDecimal`. */
  static parse(text: string): LegacyDec {
    const match = text.length <= 128 ? /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text) : null
    if (match === null) throw errors.badDecimal(`${excerpt(text)}, expected digits with at most one point, like -12.5`)
    const places = match[3] ?? ''
    if (places.length > decimalPlaces) {
      throw errors.badDecimal(`${excerpt(text)} has ${places.length} decimal places, at most ${decimalPlaces}`)
    }
    const magnitude = BigInt(match[2]! + places.padEnd(decimalPlaces, '0'))
    return LegacyDec.ofAtomics(match[1] === '-' ? -magnitude : magnitude)
  }

  /** From the protobuf form, the integer value times 10^18; empty is zero. Throws `badDecimal`. */
  static fromProto(text: string): LegacyDec {
    if (text === '') return LegacyDec.zero
    if (text.length > 128 || !/^[+-]?[0-9]+$/.test(text)) {
      throw errors.badDecimal(`${excerpt(text)}, expected an integer of 10^-18 units`)
    }
    return LegacyDec.ofAtomics(BigInt(text.startsWith('+') ? text.slice(1) : text))
  }

  /** The protobuf form: `LegacyDec.parse('0.5').toProto()` is `'500000000000000000'`. */
  toProto(): string {
    return this.atomics.toString()
  }

  /** Always 18 places: `'0.500000000000000000'`. */
  toString(): string {
    const digits = absolute(this.atomics)
      .toString()
      .padStart(decimalPlaces + 1, '0')
    const point = digits.length - decimalPlaces
    return `${this.atomics < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
  }

  toJSON(): string {
    return this.toString()
  }

  add(other: LegacyDec): LegacyDec {
    return LegacyDec.ofAtomics(this.atomics + other.atomics)
  }

  sub(other: LegacyDec): LegacyDec {
    return LegacyDec.ofAtomics(this.atomics - other.atomics)
  }

  neg(): LegacyDec {
    return new LegacyDec(-this.atomics)
  }

  abs(): LegacyDec {
    return new LegacyDec(absolute(this.atomics))
  }

  mul(other: LegacyDec, rounding: Rounding = 'nearest'): LegacyDec {
    return LegacyDec.ofAtomics(chop(this.atomics * other.atomics, rounding))
  }

  mulTruncate(other: LegacyDec): LegacyDec {
    return this.mul(other, 'truncate')
  }

  mulRoundUp(other: LegacyDec): LegacyDec {
    return this.mul(other, 'up')
  }

  mulInt(factor: bigint): LegacyDec {
    return LegacyDec.ofAtomics(this.atomics * factor)
  }

  /** Rounded to nearest after a truncation at 36 places, as the Go function computes it. */
  quo(divisor: LegacyDec): LegacyDec {
    if (divisor.atomics === 0n) throw errors.divideByZero(`${this} / 0`)
    return LegacyDec.ofAtomics(chop((this.atomics * one * one) / divisor.atomics, 'nearest'))
  }

  quoTruncate(divisor: LegacyDec): LegacyDec {
    if (divisor.atomics === 0n) throw errors.divideByZero(`${this} / 0`)
    return LegacyDec.ofAtomics((this.atomics * one) / divisor.atomics)
  }

  /**
   * One unit above the truncated quotient unless the division is exact. Below zero that is one unit more than rounding up
   * would be (-1/3 gives -0.333333333333333332): the Go function does so, and figures must agree.
   */
  quoRoundUp(divisor: LegacyDec): LegacyDec {
    if (divisor.atomics === 0n) throw errors.divideByZero(`${this} / 0`)
    const scaled = this.atomics * one
    const quotient = scaled / divisor.atomics
    const rest = scaled % divisor.atomics
    const sameSign = quotient < 0n === divisor.atomics < 0n
    const up = (rest > 0n && sameSign) || (rest < 0n && !sameSign)
    return LegacyDec.ofAtomics(up ? quotient + 1n : quotient)
  }

  /** Truncates towards zero. */
  quoInt(divisor: bigint): LegacyDec {
    if (divisor === 0n) throw errors.divideByZero(`${this} / 0`)
    return new LegacyDec(this.atomics / divisor)
  }

  /** To the power of a non-negative integer, rounding to nearest at every step. */
  power(exponent: bigint): LegacyDec {
    if (exponent === 0n) return LegacyDec.one
    let square: LegacyDec = this
    let product = LegacyDec.one
    for (let left = exponent; left > 1n; left /= 2n) {
      if (left % 2n !== 0n) product = product.mul(square)
      square = square.mul(square)
    }
    return square.mul(product)
  }

  /** Nearest integer, ties to even. Throws `outOfRange` past 256 bits. */
  roundInt(): bigint {
    return checkInt(chop(this.atomics, 'nearest'))
  }

  /** Towards zero. Throws `outOfRange` past 256 bits. */
  truncateInt(): bigint {
    return checkInt(this.atomics / one)
  }

  /** Smallest integer that is not below. Throws `outOfRange` past 256 bits. */
  ceilInt(): bigint {
    return checkInt(chop(this.atomics, 'up'))
  }

  ceil(): LegacyDec {
    return LegacyDec.ofInt(chop(this.atomics, 'up'))
  }

  truncate(): LegacyDec {
    return LegacyDec.ofInt(this.atomics / one)
  }

  /** Negative, zero or positive. */
  compare(other: LegacyDec): number {
    return this.atomics < other.atomics ? -1 : this.atomics > other.atomics ? 1 : 0
  }

  equals(other: LegacyDec): boolean {
    return this.atomics === other.atomics
  }

  lt(other: LegacyDec): boolean {
    return this.atomics < other.atomics
  }

  lte(other: LegacyDec): boolean {
    return this.atomics <= other.atomics
  }

  gt(other: LegacyDec): boolean {
    return this.atomics > other.atomics
  }

  gte(other: LegacyDec): boolean {
    return this.atomics >= other.atomics
  }

  isZero(): boolean {
    return this.atomics === 0n
  }

  isNegative(): boolean {
    return this.atomics < 0n
  }

  isPositive(): boolean {
    return this.atomics > 0n
  }

  isInteger(): boolean {
    return this.atomics % one === 0n
  }
}
