import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { parseFile } from './descriptor-parse.js'
import { errors, excerpt } from './errors.js'
import { RawMessage } from './raw-message.js'

/** What one value of a field is, as descriptor.proto numbers it. */
export type FieldKind =
  | 'double'
  | 'float'
  | 'int64'
  | 'uint64'
  | 'int32'
  | 'fixed64'
  | 'fixed32'
  | 'bool'
  | 'string'
  | 'group'
  | 'message'
  | 'bytes'
  | 'uint32'
  | 'enum'
  | 'sfixed32'
  | 'sfixed64'
  | 'sint32'
  | 'sint64'

export interface FieldDescriptor {
  /** As in the .proto file: `denom_units`. */
  readonly name: string
  /** lowerCamelCase, accepted in JSON: `denomUnits`. */
  readonly jsonName: string
  /** The property of the generated TypeScript value. */
  readonly property: string
  readonly number: number
  readonly kind: FieldKind
  readonly repeated: boolean
  /** Full name of the message or enum, otherwise empty. */
  readonly typeName: string
  /** Name of the oneof that the field belongs to. A `proto3 optional` field belongs to none and is `optional`. */
  readonly oneof: string | undefined
  readonly optional: boolean
  /** gogoproto.nullable; false means that the value is always there, also on the wire. */
  readonly nullable: boolean
  /** gogoproto.customtype and casttype: the Go type, which decides the JSON form. */
  readonly customType: string
  readonly castType: string
  /** cosmos_proto.scalar: `cosmos.AddressString`, `cosmos.Int`, `cosmos.Dec` ... */
  readonly scalar: string
  /** cosmos_proto.accepts_interface, of an Any field. */
  readonly acceptsInterface: string
  readonly amino: {
    readonly encoding: string
    readonly fieldName: string
    readonly dontOmitEmpty: boolean
    readonly oneofName: string
  }
}

export interface MessageDescriptor {
  /** Full name without a leading slash: `cosmos.bank.v1beta1.MsgSend`. */
  readonly name: string
  /** In the order of the .proto file, which is the order of the JSON form. */
  readonly fields: readonly FieldDescriptor[]
  readonly oneofs: readonly string[]
  /** The synthetic message of a `map<>` field: fields `key` and `value`. */
  readonly mapEntry: boolean
  /** amino.name, or `undefined` when there is none. */
  readonly aminoName: string | undefined
  readonly aminoEncoding: string
  /** cosmos.msg.v1.signer: fields whose addresses must sign, in order. */
  readonly signers: readonly string[]
  /** cosmos_proto.implements_interface. */
  readonly implementsInterfaces: readonly string[]
}

export interface EnumDescriptor {
  readonly name: string
  /** In the order of the .proto file. */
  readonly values: readonly { readonly name: string; readonly number: number }[]
}

/** One `google.api.http` binding. */
export interface HttpRule {
  /** Upper case: `GET`, `POST`. */
  readonly verb: string
  /** Path template: `/cosmos/bank/v1beta1/balances/{address}`. */
  readonly path: string
  /** `*`: the body is the request; a field name: the body is that field; empty: no body, everything else from the query. */
  readonly body: string
}

export interface MethodDescriptor {
  readonly name: string
  /** gRPC path without leading slash: `cosmos.bank.v1beta1.Query/Balance`. */
  readonly fullName: string
  readonly input: string
  readonly output: string
  readonly clientStreaming: boolean
  readonly serverStreaming: boolean
  /** The rule and then its additional bindings. */
  readonly http: readonly HttpRule[]
  /** cosmos.query.v1.module_query_safe: contracts may be allowed to ask it. */
  readonly moduleQuerySafe: boolean
}

export interface ServiceDescriptor {
  readonly name: string
  readonly methods: readonly MethodDescriptor[]
  /** cosmos.msg.v1.service: a service of transaction messages. */
  readonly isMsgService: boolean
}

export interface FileDescriptor {
  readonly name: string
  readonly package: string
  readonly dependencies: readonly string[]
  /** The FileDescriptorProto itself, for reflection clients. */
  readonly bytes: Bytes
  readonly messages: readonly MessageDescriptor[]
  readonly enums: readonly EnumDescriptor[]
  readonly services: readonly ServiceDescriptor[]
}

/** Everything that the .proto files say, by name. Names never have a leading dot or slash. */
export interface Descriptors {
  readonly files: readonly FileDescriptor[]
  message(name: string): MessageDescriptor | undefined
  /** Throws `unknownType`. */
  requireMessage(name: string): MessageDescriptor
  enum(name: string): EnumDescriptor | undefined
  service(name: string): ServiceDescriptor | undefined
  /** By gRPC path, with or without leading slash. */
  method(path: string): MethodDescriptor | undefined
  services(): readonly ServiceDescriptor[]
  messages(): readonly MessageDescriptor[]
  file(name: string): FileDescriptor | undefined
  /** The file that declares a message, enum, service, method or field by full name, as gRPC reflection asks. */
  fileOfSymbol(symbol: string): FileDescriptor | undefined
}

/** Parses a `google.protobuf.FileDescriptorSet` of trusted bytes; about 30 ms for 100 files, so do it once. */
export function parseDescriptors(fileDescriptorSet: Bytes): Descriptors {
  const files = new RawMessage(fileDescriptorSet).bytesList(1).map(parseFile)
  const byName = new Map(files.map((file) => [file.name, file]))
  const messages = new Map(files.flatMap((file) => file.messages.map((message) => [message.name, message])))
  const enums = new Map(files.flatMap((file) => file.enums.map((item) => [item.name, item])))
  const services = new Map(files.flatMap((file) => file.services.map((service) => [service.name, service])))
  const methods = new Map(
    [...services.values()].flatMap((service) => service.methods.map((method) => [method.fullName, method])),
  )
  assert(messages.size > 0, 'the descriptor set is empty')
  const symbols = new Map<string, FileDescriptor>()
  const requireMessage = (name: string): MessageDescriptor => {
    const message = messages.get(name)
    if (message === undefined) throw errors.unknownType(`${excerpt(name)} is no message of this chain`)
    return message
  }
  return {
    files,
    message: (name) => messages.get(name),
    requireMessage,
    enum: (name) => enums.get(name),
    service: (name) => services.get(name),
    method: (path) => methods.get(path.startsWith('/') ? path.slice(1) : path),
    services: () => [...services.values()],
    messages: () => [...messages.values()],
    file: (name) => byName.get(name),
    fileOfSymbol: (symbol) => {
      if (symbols.size === 0) for (const file of files) indexSymbols(file, symbols)
      return symbols.get(symbol)
    },
  }
}

function indexSymbols(file: FileDescriptor, symbols: Map<string, FileDescriptor>): void {
  for (const message of file.messages) {
    symbols.set(message.name, file)
    for (const field of message.fields) symbols.set(`${message.name}.${field.name}`, file)
  }
  for (const item of file.enums) symbols.set(item.name, file)
  for (const service of file.services) {
    symbols.set(service.name, file)
    for (const method of service.methods) symbols.set(`${service.name}.${method.name}`, file)
  }
}
