import { type Bytes, bytesToHex, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { cryptoCodes } from './crypto.js'

/** Sizes of compressed points. */
export const pointBytes = { g1: 48, g2: 96 } as const

export type BlsGroup = keyof typeof pointBytes

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

/** Bytes of hash output per field element: 381 bits and 128 more against bias. */
const fieldElementBytes = 64
const hashBytes = 32
const hashBlockBytes = 64
const domainBytesMax = 255

/** `expand_message_xmd` of RFC 9380 with SHA-256. The library has it too, but not for an empty domain, which is allowed here. */
function expandMessage(message: Bytes, domain: Bytes, length: number): Bytes {
  const tag = domain.length > domainBytesMax ? sha256(concatBytes(utf8ToBytes('H2C-OVERSIZE-DST-'), domain)) : domain
  const suffix = concatBytes(tag, Uint8Array.of(tag.length))
  const lengthBytes = Uint8Array.of(length >> 8, length & 0xff, 0)
  const first = sha256(concatBytes(new Uint8Array(hashBlockBytes), message, lengthBytes, suffix))
  const out = new Uint8Array(length)
  let block: Bytes = new Uint8Array(hashBytes)
  for (let i = 1; (i - 1) * hashBytes < length; i++) {
    const mixed = first.map((byte, at) => byte ^ block[at]!)
    block = sha256(concatBytes(mixed, Uint8Array.of(i), suffix))
    out.set(block, (i - 1) * hashBytes)
  }
  return out
}

/** RFC 9380 with SHA-256 and the simplified SWU map, compressed. */
export function hashToCurve(group: BlsGroup, message: Bytes, domain: Bytes): Bytes {
  const perElement = group === 'g1' ? 1 : 2
  const uniform = expandMessage(message, domain, 2 * perElement * fieldElementBytes)
  const field = bls12_381.fields.Fp.ORDER
  const numbers = Array.from({ length: 2 * perElement }, (_, i) => {
    const bytes = uniform.subarray(i * fieldElementBytes, (i + 1) * fieldElementBytes)
    return BigInt(`0x${bytesToHex(bytes)}`) % field
  })
  // Mapping clears the cofactor of each point, which is the same as clearing that of their sum.
  if (group === 'g1') {
    const map = bls12_381.G1.mapToCurve as unknown as (element: bigint) => G1Point
    return map(numbers[0]!).add(map(numbers[1]!)).toBytes(true)
  }
  const map = bls12_381.G2.mapToCurve as unknown as (element: readonly bigint[]) => G2Point
  return map(numbers.slice(0, 2))
    .add(map(numbers.slice(2)))
    .toBytes(true)
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
