import type { Bytes } from '@coin/base/bytes'
import * as native from '#native/base64'
import { errors, excerpt } from './errors.js'

/** Standard alphabet with padding; native on Node, so fit for megabytes of contract code. */
export function encodeBase64(bytes: Bytes): string {
  return native.encodeBase64(bytes)
}

/** Strict standard or URL-safe alphabet, padding right or left out. Throws `badValue`. */
export function decodeBase64(text: string): Bytes {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  const padded = end !== text.length
  if (end % 4 === 1 || (padded && text.length % 4 !== 0) || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) {
    throw errors.badValue(`${excerpt(text)} is not base64`)
  }
  return native.decodeBase64(text)
}
