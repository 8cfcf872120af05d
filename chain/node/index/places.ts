import type { Bytes } from '@coin/base/bytes'

/**
 * A transaction (or, with index 0, a block) as one number that sorts by height, then by position in the block:
 * `height * 2^20 + index`. Exact for heights below 2^33 and a million transactions a block.
 */
export type Place = number

const indexBits = 2 ** 20

/** Highest height that a place can hold. */
export const heightMax = 2 ** 33 - 1

export function placeOf(height: number, index: number): Place {
  return height * indexBits + index
}

export function heightOfPlace(place: Place): number {
  return Math.floor(place / indexBits)
}

export function indexOfPlace(place: Place): number {
  return place % indexBits
}

/** Eight bytes, big-endian; of a place or of a height. */
export function placeToBytes(place: Place): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(place))
  return bytes
}

export function bytesToPlace(bytes: Bytes, offset = 0): Place {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getBigUint64(offset))
}

/** Heights from the first to the last, both inclusive; empty when `from` is above `to`. */
export interface HeightRange {
  readonly from: number
  readonly to: number
}
