import type { Descriptors, FieldDescriptor } from '@coin/wire/descriptors'
import type { Route } from '@coin/wire/routes'
import type { Operation, Parameter } from './openapi-types.js'
import type { SchemaCollection } from './schemas.js'
import { type ExampleValues, paginationWords, wordsOf } from './words.js'

export interface OperationOptions {
  readonly descriptors: Descriptors
  readonly schemas: SchemaCollection
  readonly examples: ExampleValues
  /** Reads the state, so that a height can be asked for. */
  readonly readsState: boolean
  /** Which of the method's bindings this is, from 0. */
  readonly binding: number
}

/** Nested messages of a query string deeper than this are left out; none is in use. */
const depthMax = 3

/** `/a/{denom=**}` -> `/a/{denom}`. */
export const pathTemplate = (path: string): string => path.replaceAll(/\{([^}=]+)=[^}]*\}/g, '{$1}')

/** One route of the gateway as an operation. */
export function createOperation({ rule, method }: Route, options: OperationOptions): Operation {
  const { schemas, examples, readsState, binding } = options
  const words = wordsOf(method, examples)
  const inPath = new Set([...pathTemplate(rule.path).matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!))
  const fields = fieldsOf(method.input, options.descriptors)
  const described = ({ name, field }: NamedField): Omit<Parameter, 'in'> => ({
    name,
    ...(paginationWords[name] !== undefined && { description: paginationWords[name] }),
    schema: schemas.parameter(field),
    ...(words.examples?.[name] !== undefined && { example: words.examples[name] }),
  })
  const path = fields
    .filter(({ name }) => inPath.has(name))
    .map((it) => ({ ...described(it), in: 'path' as const, required: true }))
  const query =
    rule.body === '*'
      ? []
      : fields
          .filter(({ name }) => !inPath.has(name) && name !== rule.body)
          .map((it) => ({ ...described(it), in: 'query' as const }))
  const bodyType = rule.body === '*' ? method.input : fields.find(({ name }) => name === rule.body)?.field.typeName
  return {
    operationId: operationId(method.fullName) + (binding === 0 ? '' : `_${binding + 1}`),
    summary: words.summary,
    ...(words.description !== undefined && { description: words.description }),
    tags: [tagOf(method.fullName)],
    parameters: [...path, ...query, ...(readsState ? [{ $ref: '#/components/parameters/height' }] : [])],
    ...(bodyType !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.request(bodyType),
            ...(words.body !== undefined && { example: words.body }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'The answer.',
        headers: { 'x-cosmos-block-height': heightOfAnswer },
        content: { 'application/json': { schema: schemas.response(method.output) } },
      },
      default: { $ref: '#/components/responses/error' },
    },
  }
}

const heightOfAnswer = {
  description: 'Height of the state that was read.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
} as const

/** `cosmos.bank.v1beta1.Query/Balance` -> `cosmos_bank_v1beta1_Query_Balance`. */
const operationId = (fullName: string): string => fullName.replaceAll(/[./]/g, '_')

/** The module: `cosmos.bank.v1beta1.Query/Balance` -> `bank`; services that are no module's keep their last words. */
function tagOf(fullName: string): string {
  const words = fullName.slice(0, fullName.indexOf('/')).split('.').slice(0, -1)
  const names = words.filter((word) => !/^v[0-9]/.test(word))
  return names.at(-1) ?? fullName
}

interface NamedField {
  /** `pagination.limit` */
  readonly name: string
  readonly field: FieldDescriptor
}

/** The fields that a URL can fill, those of nested messages with their path. */
function fieldsOf(typeName: string, descriptors: Descriptors, prefix = '', depth = 0): readonly NamedField[] {
  return descriptors.requireMessage(typeName).fields.flatMap((field): readonly NamedField[] => {
    const name = prefix + field.name
    const isTime = field.typeName === 'google.protobuf.Timestamp' || field.typeName === 'google.protobuf.Duration'
    if (field.kind !== 'message' || isTime) return [{ name, field }]
    if (field.repeated || field.typeName === 'google.protobuf.Any' || depth >= depthMax) return []
    return fieldsOf(field.typeName, descriptors, `${name}.`, depth + 1)
  })
}
