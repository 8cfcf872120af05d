import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type {
  EnumDescriptor,
  FieldDescriptor,
  FieldKind,
  FileDescriptor,
  HttpRule,
  MessageDescriptor,
  MethodDescriptor,
  ServiceDescriptor,
} from './descriptors.js'
import { RawMessage } from './raw-message.js'

// Field numbers of google/protobuf/descriptor.proto and of the options that this chain uses.

const kinds: readonly FieldKind[] = [
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'group',
  'message',
  'bytes',
  'uint32',
  'enum',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
]

const option = {
  gogoNullable: 65001,
  gogoCustomType: 65003,
  gogoCastType: 65007,
  aminoName: 11110001,
  aminoMessageEncoding: 11110002,
  aminoEncoding: 11110003,
  aminoFieldName: 11110004,
  aminoDontOmitEmpty: 11110005,
  aminoOneofName: 11110006,
  cosmosProtoInterface: 93001,
  cosmosProtoScalar: 93002,
  msgService: 11110000,
  msgSigner: 11110000,
  moduleQuerySafe: 11110001,
  http: 72295728,
} as const

const httpVerbs = [
  [2, 'GET'],
  [3, 'PUT'],
  [4, 'POST'],
  [5, 'DELETE'],
  [6, 'PATCH'],
] as const

/** The property name that ts-proto gives a field: words after underscores capitalized, existing case kept. */
export function propertyName(name: string): string {
  if (!name.includes('_')) return name
  const keepCase = /[a-z]/.test(name)
  const words = name.split('_').map((word) => (keepCase ? word : word.toLowerCase()))
  return words.map((word, i) => (i === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('')
}

const join = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`)

const withoutDot = (name: string): string => (name.startsWith('.') ? name.slice(1) : name)

function parseField(field: RawMessage, oneofs: readonly string[]): FieldDescriptor {
  const options = field.message(8)
  const name = field.text(1)
  const kind = kinds[field.number(5) - 1]
  assert(kind !== undefined, `field ${name} has a type that no .proto file has`)
  const optional = field.bool(17)
  return {
    name,
    jsonName: field.text(10),
    property: propertyName(name),
    number: field.number(3),
    kind,
    repeated: field.number(4) === 3,
    typeName: withoutDot(field.text(6)),
    oneof: field.has(9) && !optional ? oneofs[field.number(9)] : undefined,
    optional,
    nullable: options.bool(option.gogoNullable, true),
    customType: options.text(option.gogoCustomType),
    castType: options.text(option.gogoCastType),
    scalar: options.text(option.cosmosProtoScalar),
    acceptsInterface: options.text(option.cosmosProtoInterface),
    amino: {
      encoding: options.text(option.aminoEncoding),
      fieldName: options.text(option.aminoFieldName),
      dontOmitEmpty: options.bool(option.aminoDontOmitEmpty),
      oneofName: options.text(option.aminoOneofName),
    },
  }
}

function parseEnum(item: RawMessage, scope: string): EnumDescriptor {
  return {
    name: join(scope, item.text(1)),
    values: item.messages(2).map((value) => ({ name: value.text(1), number: value.number(2) })),
  }
}

/** The message and everything declared inside it. */
function parseMessage(raw: RawMessage, scope: string, messages: MessageDescriptor[], enums: EnumDescriptor[]): void {
  const options = raw.message(7)
  const name = join(scope, raw.text(1))
  const oneofs = raw.messages(8).map((oneof) => oneof.text(1))
  const fields = raw.messages(2).map((field) => parseField(field, oneofs))
  messages.push({
    name,
    fields,
    oneofs: oneofs.filter((oneof) => fields.some((field) => field.oneof === oneof)),
    mapEntry: options.bool(7),
    aminoName: options.has(option.aminoName) ? options.text(option.aminoName) : undefined,
    aminoEncoding: options.text(option.aminoMessageEncoding),
    signers: options.texts(option.msgSigner),
    implementsInterfaces: options.texts(option.cosmosProtoInterface),
  })
  for (const nested of raw.messages(3)) parseMessage(nested, name, messages, enums)
  for (const nested of raw.messages(4)) enums.push(parseEnum(nested, name))
}

function parseHttp(rule: RawMessage): readonly HttpRule[] {
  const rules: HttpRule[] = []
  for (const [field, verb] of httpVerbs) {
    if (rule.has(field)) rules.push({ verb, path: rule.text(field), body: rule.text(7) })
  }
  return [...rules, ...rule.messages(11).flatMap(parseHttp)]
}

function parseMethod(raw: RawMessage, service: string): MethodDescriptor {
  const options = raw.message(4)
  const name = raw.text(1)
  return {
    name,
    fullName: `${service}/${name}`,
    input: withoutDot(raw.text(2)),
    output: withoutDot(raw.text(3)),
    clientStreaming: raw.bool(5),
    serverStreaming: raw.bool(6),
    http: options.messages(option.http).flatMap(parseHttp),
    moduleQuerySafe: options.bool(option.moduleQuerySafe),
  }
}

function parseService(raw: RawMessage, scope: string): ServiceDescriptor {
  const name = join(scope, raw.text(1))
  return {
    name,
    methods: raw.messages(2).map((method) => parseMethod(method, name)),
    isMsgService: raw.message(3).bool(option.msgService),
  }
}

/** Reads one `google.protobuf.FileDescriptorProto`. */
export function parseFile(bytes: Bytes): FileDescriptor {
  const raw = new RawMessage(bytes)
  const scope = raw.text(2)
  const messages: MessageDescriptor[] = []
  const enums = raw.messages(5).map((item) => parseEnum(item, scope))
  for (const message of raw.messages(4)) parseMessage(message, scope, messages, enums)
  return {
    name: raw.text(1),
    package: scope,
    dependencies: raw.texts(3),
    bytes,
    messages,
    enums,
    services: raw.messages(6).map((service) => parseService(service, scope)),
  }
}
