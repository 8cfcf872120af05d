import type { Bytes } from '@coin/base/bytes'
import { errors } from './errors.js'

/** Several byte strings in one: each followed by its length, 4 bytes big endian. */
export function encodeSections(sections: readonly Bytes[]): Bytes {
  let length = 0
  for (const section of sections) length += section.length + 4
  const out = new Uint8Array(length)
  const view = new DataView(out.buffer)
  let at = 0
  for (const section of sections) {
    out.set(section, at)
    view.setUint32(at + section.length, section.length)
    at += section.length + 4
  }
  return out
}

/** The inverse. Throws `protocol` when lengths and bytes do not fit each other. */
export function decodeSections(data: Bytes): Bytes[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const out: Bytes[] = []
  let end = data.length
  while (end >= 4) {
    const length = view.getUint32(end - 4)
    const start = end - 4 - length
    if (start < 0) throw errors.protocol(`section of ${length} bytes does not fit before byte ${end - 4}`)
    out.push(data.subarray(start, end - 4))
    end = start
  }
  if (end > 0) throw errors.protocol(`${end} bytes are outside of any section`)
  return out.reverse()
}
