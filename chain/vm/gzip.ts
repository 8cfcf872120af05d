import { crc32, inflateRawSync } from 'node:zlib'
import type { Bytes } from '@coin/base/bytes'
import { defineErrors } from '@coin/base/errors'

const errors = defineErrors('gzip', { malformed: [1, 'not gzip'], tooLarge: [2, 'exceeds limit'] })

export function isGzip(bytes: Bytes): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

const headerBytes = 10
const trailerBytes = 8
const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const

/**
 * The first member of a gzip file; what follows it is ignored, as Go's reader does without multistream. Throws `tooLarge`
 * when packed or unpacked bytes are more than `bytesMax`, `malformed` for anything that is damaged.
 */
export function gunzip(bytes: Bytes, bytesMax: number): Bytes {
  if (bytes.length > bytesMax) throw errors.tooLarge(`max ${bytesMax} bytes`)
  if (!isGzip(bytes) || bytes.length < headerBytes) throw errors.malformed('no gzip header')
  const start = dataStart(bytes)
  const { buffer, engine } = inflate(bytes.subarray(start), bytesMax)
  const end = start + engine.bytesWritten
  if (bytes.length < end + trailerBytes) throw errors.malformed('unexpected end of the archive')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const isIntact = view.getUint32(end, true) === crc32(buffer) && view.getUint32(end + 4, true) === buffer.length >>> 0
  if (!isIntact) throw errors.malformed('checksum or length of the contents is wrong')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}

/** Where the header with its optional parts ends. */
function dataStart(bytes: Bytes): number {
  const flags = bytes[3]!
  let at = headerBytes
  if (flags & flag.extra) at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
  for (const text of [flag.name, flag.comment]) {
    if (!(flags & text)) continue
    const end = bytes.indexOf(0, at)
    if (end < 0) throw errors.malformed('text in the header has no end')
    at = end + 1
  }
  if (flags & flag.headerCrc) {
    const isIntact = (crc32(bytes.subarray(0, at)) & 0xffff) === ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
    if (!isIntact) throw errors.malformed('checksum of the header is wrong')
    at += 2
  }
  return at
}

interface Inflated {
  readonly buffer: Buffer
  /** How many packed bytes were used. */
  readonly engine: { readonly bytesWritten: number }
}

function inflate(bytes: Bytes, bytesMax: number): Inflated {
  try {
    return inflateRawSync(bytes, {
      maxOutputLength: Math.min(bytesMax, 2 ** 31),
      info: true,
    } as object) as unknown as Inflated
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_BUFFER_TOO_LARGE') throw errors.tooLarge(`max ${bytesMax} bytes`)
    throw errors.malformed(error instanceof Error ? error.message : 'damaged')
  }
}
