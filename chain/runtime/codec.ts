import type { Bytes } from '@coin/base/bytes'

/** The part of a generated protobuf codec (`@coin/wire/gen/...`) that the runtime uses. */
export interface MessageCodec<T> {
  encode(message: T): { finish(): Bytes }
  decode(input: Bytes): T
}
