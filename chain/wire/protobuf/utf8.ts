import type { Bytes } from '@coin/base/bytes'
import { protobufErrors as errors } from './errors.js'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Below this many bytes a loop beats the call into the platform's decoder. */
const shortMax = 24

/** Strict UTF-8 of `bytes[start, end)`. */
export function readUtf8(bytes: Bytes, start: number, end: number): string {
  if (end - start <= shortMax) {
    let text = ''
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte > 0x7f) break
      text += String.fromCharCode(byte)
    }
    if (at === end) return text
  }
  try {
    return decoder.decode(bytes.subarray(start, end))
  } catch {
    throw errors.badUtf8(`at ${start}`)
  }
}

/** Writes `text` at `at`, where three bytes per UTF-16 unit are free; returns the number of bytes written. */
export function writeUtf8(text: string, target: Bytes, at: number): number {
  const { length } = text
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) return i + encoder.encodeInto(text.slice(i), target.subarray(at + i)).written
    target[at + i] = unit
  }
  return length
}
