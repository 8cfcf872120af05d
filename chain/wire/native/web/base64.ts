import { base64ToBytes, bytesToBase64 } from '@coin/base/bytes'

export function encodeBase64(bytes: Uint8Array): string {
  return bytesToBase64(bytes)
}

export function decodeBase64(text: string): Uint8Array {
  return base64ToBytes(text)
}
