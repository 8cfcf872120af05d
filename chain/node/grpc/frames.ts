import { type Bytes, concatBytes } from '@coin/base/bytes'

/** A message as gRPC frames it: a byte of flags, four of length, then the bytes. */
export interface Frame {
  readonly isCompressed: boolean
  readonly bytes: Bytes
}

const headBytes = 5
const compressedFlag = 0x01
/** Only in gRPC-Web: the frame holds the trailers. */
export const trailersFlag = 0x80

/** `flags`: 0 for a message as it is. */
export function encodeFrame(flags: number, bytes: Bytes): Bytes {
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint8(0, flags)
  view.setUint32(1, bytes.length)
  return concatBytes(head, bytes)
}

/** The frames of a whole body; a text that says what is wrong with it when it is not made of frames. */
export function decodeFrames(body: Bytes): readonly Frame[] | string {
  const frames: Frame[] = []
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  for (let at = 0; at < body.length; ) {
    if (body.length - at < headBytes)
      return `${body.length - at} bytes at ${at}, expected a frame of at least ${headBytes}`
    const [flags, length] = [view.getUint8(at), view.getUint32(at + 1)]
    const [start, end] = [at + headBytes, at + headBytes + length]
    if (flags > compressedFlag) return `frame flags ${flags} at ${at}, expected 0 or 1`
    if (end > body.length) return `a frame of ${length} bytes at ${at}, but ${body.length - start} follow`
    frames.push({ isCompressed: flags === compressedFlag, bytes: body.subarray(start, end) })
    at = end
  }
  return frames
}
