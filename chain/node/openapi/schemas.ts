import { assert } from '@coin/base/assert'
import type { Descriptors, FieldDescriptor } from '@coin/wire/descriptors'
import { bytesForm, enumNames, mapEntryOf, textForm } from '@coin/wire/json-forms'
import type { Schema } from './openapi-types.js'

/** What messages look like as JSON, collected as they are asked for. */
export interface SchemaCollection {
  /** A message that is printed: every field is there, unless it is one of a oneof. */
  response(typeName: string): Schema
  /** A message that is read: every field may be left out. */
  request(typeName: string): Schema
  /** One value of a field in a URL. */
  parameter(field: FieldDescriptor): Schema
  /** Everything that was asked for, by component name. */
  all(): Readonly<Record<string, Schema>>
}

/** Ends the component names of messages that are read. */
const requestSuffix = '.Input'

const int64Pattern = '^-?[0-9]+$'
const uint64Pattern = '^[0-9]+$'

/** An `Any`: its own fields stand beside `@type`. */
export const anySchema: Schema = {
  type: 'object',
  properties: { '@type': { type: 'string', example: '/cosmos.bank.v1beta1.MsgSend' } },
  required: ['@type'],
  additionalProperties: true,
  description: 'A message of the type that "@type" names; its fields stand beside it.',
}

/** Forms that protobuf gives some messages of its own. */
const wellKnown: Readonly<Record<string, Schema>> = {
  'google.protobuf.Any': { $ref: '#/components/schemas/Any' },
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', example: '172800s', description: 'Seconds, with up to nine decimals.' },
}

/** Schemas of the JSON that `chainJson` prints and reads; keep in step with `json-write.ts` of `@coin/wire`. */
export function createSchemas(descriptors: Descriptors): SchemaCollection {
  const schemas = new Map<string, Schema>([['Any', anySchema]])

  function refTo(typeName: string, isRequest: boolean): Schema {
    const known = wellKnown[typeName]
    if (known !== undefined) return known
    const name = isRequest ? typeName + requestSuffix : typeName
    if (!schemas.has(name)) {
      schemas.set(name, {}) // messages may contain themselves
      schemas.set(name, messageSchema(typeName, isRequest))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function messageSchema(typeName: string, isRequest: boolean): Schema {
    const { fields } = descriptors.requireMessage(typeName)
    const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, isRequest)]))
    const required = fields.filter(({ oneof }) => oneof === undefined).map(({ name }) => name)
    return { type: 'object', properties, ...(!isRequest && required.length > 0 && { required }) }
  }

  function fieldSchema(field: FieldDescriptor, isRequest: boolean): Schema {
    const entry = mapEntryOf(field, descriptors)
    if (entry !== undefined) return { type: 'object', additionalProperties: valueSchema(entry.value, isRequest) }
    if (field.repeated) return { type: 'array', items: valueSchema(field, isRequest) }
    const schema = valueSchema(field, isRequest)
    if (isRequest || !mayBeNull(field)) return schema
    return schema.$ref === undefined ? { ...schema, nullable: true } : { allOf: [schema], nullable: true }
  }

  function valueSchema(field: FieldDescriptor, isRequest: boolean): Schema {
    if (field.kind === 'message') return refTo(field.typeName, isRequest)
    return scalarSchema(field, descriptors)
  }

  return {
    response: (typeName) => refTo(typeName, false),
    request: (typeName) => refTo(typeName, true),
    parameter(field) {
      const schema = field.kind === 'message' ? (wellKnown[field.typeName] ?? {}) : scalarSchema(field, descriptors)
      return field.repeated ? { type: 'array', items: schema } : schema
    },
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Fields that print as null when they are not set, as Go's nil does. */
function mayBeNull(field: FieldDescriptor): boolean {
  if (field.oneof !== undefined) return false
  if (field.kind === 'message') return field.nullable || field.typeName === 'google.protobuf.Any'
  const form = field.kind === 'string' ? textForm(field) : field.kind === 'bytes' ? bytesForm(field) : undefined
  if (field.optional || ((form === 'int' || form === 'dec') && field.nullable)) return true
  return field.kind === 'bytes' && (form === 'base64' || form === 'json')
}

const intSchema: Schema = { type: 'string', pattern: int64Pattern, example: '1000000' }
const decSchema: Schema = { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{18}$', example: '0.670000000000000000' }

function scalarSchema(field: FieldDescriptor, descriptors: Descriptors): Schema {
  switch (field.kind) {
    case 'string': {
      const form = textForm(field)
      return form === 'int' ? intSchema : form === 'dec' ? decSchema : { type: 'string' }
    }
    case 'bytes':
      return bytesSchemas[bytesForm(field)]
    case 'bool':
      return { type: 'boolean' }
    case 'enum': {
      const item = descriptors.enum(field.typeName)
      assert(item !== undefined, `enum ${field.typeName} is missing`)
      return { type: 'string', enum: [...new Set(enumNames(item).map(({ name }) => name))] }
    }
    case 'double':
    case 'float':
      return { type: 'number', format: field.kind }
    case 'int32':
    case 'sint32':
    case 'sfixed32':
      return { type: 'integer', format: 'int32' }
    case 'uint32':
    case 'fixed32':
      return { type: 'integer', format: 'int64', minimum: 0 }
    case 'uint64':
    case 'fixed64':
      return { type: 'string', format: 'uint64', pattern: uint64Pattern }
    case 'int64':
    case 'sint64':
    case 'sfixed64':
      return { type: 'string', format: 'int64', pattern: int64Pattern }
    default:
      assert(false, `no JSON for a field of kind ${field.kind}`)
  }
}

const bytesSchemas: Readonly<Record<ReturnType<typeof bytesForm>, Schema>> = {
  base64: { type: 'string', format: 'byte' },
  hex: { type: 'string', pattern: '^[0-9A-F]*$' },
  json: { description: 'JSON of the contract, as it is.' },
  int: intSchema,
  dec: decSchema,
}
