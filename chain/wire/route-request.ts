import { emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { decodeBase64 } from './base64.js'
import type { Descriptors, FieldDescriptor, FieldKind } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import type { JsonCodec } from './json.js'
import type { CodecLookup, ProtoObject } from './json-forms.js'
import { enumParser, parseFieldInteger, scalarReader } from './json-scalars.js'
import type { RouteMatch } from './routes.js'
import { parseDuration, parseTimestamp } from './time.js'

/** Names and decoded values of a URL's query, in order, names repeated for repeated fields. */
export type QueryParams = readonly (readonly [name: string, value: string])[]

/** Builds request messages from what a REST call carries. */
export interface RequestReader {
  /**
   * The request message of a route: the body as its rule says, then the path, then the query unless the body is everything.
   * Query names may be nested (`pagination.limit`); names that the message does not have are ignored, in the body too, as in
   * grpc-gateway.
   * Throws a `CodedError` of codespace `wire` that names the parameter.
   */
  read(match: RouteMatch, query: QueryParams, body: string): ProtoObject
}

export function createRequestReader(descriptors: Descriptors, codecOf: CodecLookup, json: JsonCodec): RequestReader {
  const context: Context = { descriptors, codecOf }
  function read({ rule, method, params }: RouteMatch, query: QueryParams, body: string): ProtoObject {
    const request = emptyOf(method.input, context)
    if (rule.body === '*' && body.trim() !== '') Object.assign(request, json.parseKnown<object>(method.input, body))
    if (rule.body !== '*' && rule.body !== '') {
      Object.assign(
        request,
        json.parseKnown<object>(method.input, `{"${rule.body}":${body.trim() === '' ? 'null' : body}}`),
      )
    }
    for (const [path, value] of Object.entries(params)) setParam(request, method.input, path, [value], context)
    if (rule.body === '*') return request
    for (const [name, values] of grouped(query)) {
      if (!Object.hasOwn(params, name)) setParam(request, method.input, name, values, context)
    }
    return request
  }
  return { read }
}

/** Splits and decodes a query string without its `?`. A `+` is a space. Throws `badRoute` for bad percent-encoding. */
export function parseQuery(text: string): QueryParams {
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '))
    } catch {
      throw errors.badRoute(`${excerpt(part)} in the query is not percent-encoded UTF-8`)
    }
  }
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
    })
}

interface Context {
  readonly descriptors: Descriptors
  readonly codecOf: CodecLookup
}

function grouped(query: QueryParams): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, value] of query) {
    const values = groups.get(name)
    if (values === undefined) groups.set(name, [value])
    else values.push(value)
  }
  return groups
}

function emptyOf(typeName: string, { codecOf }: Context): ProtoObject {
  const codec = codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`${excerpt(typeName)} has no codec`)
  return codec.decode(emptyBytes) as ProtoObject
}

function setParam(
  request: ProtoObject,
  typeName: string,
  path: string,
  values: readonly string[],
  context: Context,
): void {
  let message = request
  let type = typeName
  const names = path.split('.')
  for (const [depth, name] of names.entries()) {
    const field = context.descriptors.requireMessage(type).fields.find((it) => it.name === name || it.jsonName === name)
    if (field === undefined) return
    if (depth === names.length - 1) {
      setField(message, field, path, values, context)
      return
    }
    if (field.kind !== 'message' || field.repeated)
      throw errors.badValue(`parameter ${excerpt(path)}: ${name} has no fields`)
    message[field.property] ??= emptyOf(field.typeName, context)
    message = message[field.property] as ProtoObject
    type = field.typeName
  }
}

function setField(
  message: ProtoObject,
  field: FieldDescriptor,
  path: string,
  values: readonly string[],
  context: Context,
): void {
  const parse = (text: string): unknown => {
    try {
      return parseParam(field, text, context.descriptors)
    } catch (error) {
      throw error instanceof CodedError ? error.wrap(`parameter ${excerpt(path)}`) : error
    }
  }
  message[field.property] = field.repeated ? values.map(parse) : parse(values[0] ?? '')
}

const booleans: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
}

/** One value as text, in the forms that grpc-gateway takes. */
function parseParam(field: FieldDescriptor, text: string, descriptors: Descriptors): unknown {
  switch (field.kind) {
    case 'message':
      if (field.typeName === 'google.protobuf.Timestamp') return parseTimestamp(text)
      if (field.typeName === 'google.protobuf.Duration') return parseDuration(text)
      throw errors.badValue(`${excerpt(text)}, expected a field of ${field.typeName} such as ${field.name}.<name>`)
    case 'bool': {
      const value = Object.hasOwn(booleans, text) ? booleans[text] : undefined
      if (value === undefined) throw errors.badValue(`${excerpt(text)}, expected true or false`)
      return value
    }
    case 'enum':
      return /^-?[0-9]+$/.test(text) ? parseFieldInteger('int32', text) : enumParser(field.typeName, descriptors)(text)
    case 'bytes':
      // Base64 whatever the JSON form is; a "+" that was not escaped has become a space on its way.
      return decodeBase64(text.replaceAll(' ', '+'))
    default:
      if (integerKinds.has(field.kind)) return parseFieldInteger(field.kind, plainInteger(text))
      return scalarReader(field, descriptors)(text, text)
  }
}

const integerKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['int32', 'sint32', 'sfixed32', 'uint32', 'fixed32'] as const),
  ...(['int64', 'sint64', 'sfixed64', 'uint64', 'fixed64'] as const),
])

/**
 * The integers that grpc-gateway takes in a URL beyond plain digits: `+5`, `0x1f`, `0o17`, `0b11`. Two that it takes as well stay
 * refused, because people mean something else by them: `010`, which is eight there, and `1_000`.
 */
function plainInteger(text: string): string {
  if (text.length > 30) return text
  if (/^\+(?:0|[1-9][0-9]*)$/.test(text)) return text.slice(1)
  const [, sign = '', digits = ''] = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.exec(text) ?? []
  if (digits === '') return text
  return String(sign === '-' ? -BigInt(digits.toLowerCase()) : BigInt(digits.toLowerCase()))
}
