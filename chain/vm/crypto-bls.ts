import type { Bytes } from '@coin/base/bytes'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { cryptoCodes } from './crypto.js'

/** Sizes of compressed points. */
export const pointBytes = { g1: 48, g2: 96 } as const

export type BlsGroup = keyof typeof pointBytes

const groups = { g1: bls12_381.G1, g2: bls12_381.G2 } as const

type G1Point = ReturnType<typeof bls12_381.G1.Point.fromBytes>
type G2Point = ReturnType<typeof bls12_381.G2.Point.fromBytes>

/** Decodes compressed points, checking curve and subgroup; the point at infinity is one. `undefined` if any is not a point. */
function decodePoints<P>(decode: (bytes: Bytes) => P, size: number, bytes: Bytes): P[] | undefined {
  const points: P[] = []
  try {
    for (let at = 0; at < bytes.length; at += size) points.push(decode(bytes.slice(at, at + size)))
  } catch {
    return undefined
  }
  return points
}

const decodeG1 = (bytes: Bytes): G1Point => {
  const point = bls12_381.G1.Point.fromBytes(bytes)
  point.assertValidity()
  return point
}

const decodeG2 = (bytes: Bytes): G2Point => {
  const point = bls12_381.G2.Point.fromBytes(bytes)
  point.assertValidity()
  return point
}

/** The sum of a list of compressed points, compressed, or a code. */
export function aggregate(group: BlsGroup, bytes: Bytes): Bytes | number {
  if (bytes.length === 0) return cryptoCodes.aggregateEmpty
  if (bytes.length % pointBytes[group] !== 0) return cryptoCodes.aggregateMultiple
  if (group === 'g1') {
    const points = decodePoints(decodeG1, pointBytes.g1, bytes)
    return points?.reduce((sum, point) => sum.add(point)).toBytes(true) ?? cryptoCodes.point
  }
  const points = decodePoints(decodeG2, pointBytes.g2, bytes)
  return points?.reduce((sum, point) => sum.add(point)).toBytes(true) ?? cryptoCodes.point
}

/** RFC 9380 with SHA-256, compressed. */
export function hashToCurve(group: BlsGroup, message: Bytes, domain: Bytes): Bytes {
  return groups[group].hashToCurve(message, { DST: domain }).toBytes(true)
}

/** Whether `e(p1,q1) * ... * e(pn,qn) == e(r,s)`: 0 yes, 1 no, otherwise why it could not be checked. */
export function pairingEquality(ps: Bytes, qs: Bytes, r: Bytes, s: Bytes): number {
  if (ps.length % pointBytes.g1 !== 0) return cryptoCodes.pairingG1
  if (qs.length % pointBytes.g2 !== 0) return cryptoCodes.pairingG2
  if (ps.length / pointBytes.g1 !== qs.length / pointBytes.g2) return cryptoCodes.pairingCount
  if (r.length !== pointBytes.g1 || s.length !== pointBytes.g2) return cryptoCodes.point
  const left = decodePoints(decodeG1, pointBytes.g1, ps)
  const right = decodePoints(decodeG2, pointBytes.g2, qs)
  const single = decodePoints(decodeG1, pointBytes.g1, r)
  const other = decodePoints(decodeG2, pointBytes.g2, s)
  if (!left || !right || !single || !other) return cryptoCodes.point
  // A pair with the point at infinity contributes the factor one; the library refuses to compute it.
  const pairs = [...left, single[0]!.negate()]
    .map((g1, i) => ({ g1, g2: right[i] ?? other[0]! }))
    .filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  if (pairs.length === 0) return cryptoCodes.ok
  const { Fp12 } = bls12_381.fields
  return Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE) ? cryptoCodes.ok : cryptoCodes.invalid
}
