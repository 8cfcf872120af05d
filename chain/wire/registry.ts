import { base64ToBytes } from '@coin/base/bytes'
import { type Descriptors, parseDescriptors } from './descriptors.js'
import { descriptorSetBase64 } from './gen/descriptor-set.js'
import type { Any } from './gen/google/protobuf/any.js'
import { codecs } from './gen/registry.js'
import { protobufErrors as errors } from './protobuf/errors.js'
import type { BinaryReader } from './protobuf/reader.js'
import type { BinaryWriter } from './protobuf/writer.js'

/** Full name of a message of `proto/`, such as `cosmos.bank.v1beta1.MsgSend`. */
export type TypeName = keyof typeof codecs

let parsed: Descriptors | undefined

/** What the .proto files of `proto/` say; parsed at the first call. */
export function descriptors(): Descriptors {
  parsed ??= parseDescriptors(base64ToBytes(descriptorSetBase64))
  return parsed
}

/** The decoded form of a message: `MessageOf<'cosmos.bank.v1beta1.MsgSend'>` is `MsgSend`. */
export type MessageOf<N extends TypeName> = ReturnType<(typeof codecs)[N]['decode']>

/** A codec whose message type is not known when compiling. */
export interface DynamicCodec {
  encode(message: unknown, writer?: BinaryWriter): BinaryWriter
  decode(input: BinaryReader | Uint8Array, length?: number): unknown
  fromPartial(object: unknown): unknown
}

export function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(codecs, name)
}

/** The codec of a message. Throws `unknownType` for a name that `proto/` does not have. */
export function codecOf<N extends TypeName>(name: N): (typeof codecs)[N]
export function codecOf(name: string): DynamicCodec
export function codecOf(name: string): unknown {
  if (!isTypeName(name)) throw errors.unknownType(`"${name.slice(0, 120)}"`)
  return codecs[name]
}

/** `cosmos.bank.v1beta1.MsgSend` -> `/cosmos.bank.v1beta1.MsgSend` */
export function typeUrlOf(name: string): string {
  return `/${name}`
}

/** The inverse. As in the Go SDK the URL is a slash and the name, without a host. Throws `unknownType` otherwise. */
export function typeNameOf(typeUrl: string): string {
  if (!typeUrl.startsWith('/') || typeUrl.includes('/', 1)) {
    throw errors.unknownType(`type URL "${typeUrl.slice(0, 120)}", expected "/" and the name of a message`)
  }
  return typeUrl.slice(1)
}

/** Packs a message: `encodeAny('cosmos.bank.v1beta1.MsgSend', send)`. */
export function encodeAny<N extends TypeName>(name: N, message: MessageOf<N>): Any {
  const codec: DynamicCodec = codecOf(name as string)
  return { typeUrl: typeUrlOf(name), value: codec.encode(message).finish() }
}

/** Unpacks whatever message it is. Throws `unknownType`, or what decoding throws. */
export function decodeAny(any: Pick<Any, 'typeUrl' | 'value'>): {
  readonly typeName: TypeName
  readonly message: unknown
} {
  const typeName = typeNameOf(any.typeUrl)
  if (!isTypeName(typeName)) throw errors.unknownType(`"${typeName.slice(0, 120)}"`)
  return { typeName, message: codecs[typeName].decode(any.value) }
}

/** Unpacks a message that must be of type `name`. */
export function decodeAnyAs<N extends TypeName>(any: Pick<Any, 'typeUrl' | 'value'>, name: N): MessageOf<N> {
  if (any.typeUrl !== typeUrlOf(name))
    throw errors.unknownType(`"${any.typeUrl.slice(0, 120)}", expected "${typeUrlOf(name)}"`)
  return codecOf(name).decode(any.value) as MessageOf<N>
}
