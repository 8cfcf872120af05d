import type { BinaryReader } from './reader.js'
import type { BinaryWriter } from './writer.js'

/** Bytes <-> one message type. Every message in `gen/` has one, under its own name. */
export interface Codec<T> {
  /** `MsgSend.encode(message).finish()` is the bytes. Fields are written in the order of their numbers. */
  encode(message: T, writer?: BinaryWriter): BinaryWriter
  /** Throws a `CodedError` of codespace `protobuf` when the bytes are not exactly one message. */
  decode(input: BinaryReader | Uint8Array, length?: number): T
  /** Same as `fromPartial`; the empty message when called without one. */
  create<I extends Exact<DeepPartial<T>, I>>(base?: I): T
  /** The message with every field that is left out at its zero value. */
  fromPartial<I extends Exact<DeepPartial<T>, I>>(object: I): T
}

type Builtin = Date | ((...args: never) => unknown) | Uint8Array | string | number | boolean | bigint | undefined

/** `T` with every field optional, all the way down; 64-bit numbers may be given as strings. */
export type DeepPartial<T> = T extends bigint
  ? string | number | bigint
  : T extends Builtin
    ? T
    : T extends Array<infer U>
      ? Array<DeepPartial<U>>
      : T extends ReadonlyArray<infer U>
        ? ReadonlyArray<DeepPartial<U>>
        : T extends object
          ? { [K in keyof T]?: DeepPartial<T[K]> }
          : Partial<T>

type KeysOfUnion<T> = T extends T ? keyof T : never

/** Refuses properties that the message does not have. */
export type Exact<P, I extends P> = P extends Builtin
  ? P
  : P & { [K in keyof P]: Exact<P[K], I[K]> } & { [K in Exclude<keyof I, KeysOfUnion<P>>]: never }
