import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** One field as an independent package describes it, in the vocabulary of descriptors.ts. */
export interface FieldFact {
  readonly name: string
  readonly number: number
  readonly kind: string
  readonly repeated: boolean
  readonly oneof: boolean
  readonly typeName: string
}

export interface MethodFact {
  readonly input: string
  readonly output: string
  /** `GET /path`, `POST /path *`. */
  readonly http: readonly string[]
}

export interface Facts {
  readonly messages: ReadonlyMap<string, readonly FieldFact[]>
  readonly methods: ReadonlyMap<string, MethodFact>
}

/** protobuf-ts's reflection, as far as it is read here. */
interface ForeignField {
  readonly no: number
  readonly name: string
  readonly kind: 'scalar' | 'enum' | 'message' | 'map'
  readonly T?: unknown
  /** Of a map's values. */
  readonly V?: { readonly kind: 'scalar' | 'enum' | 'message'; readonly T?: unknown }
  readonly repeat: number
  readonly oneof?: string
}
interface ForeignMessage {
  readonly typeName: string
  readonly fields: readonly ForeignField[]
}
interface ForeignRule {
  readonly get?: string
  readonly post?: string
  readonly put?: string
  readonly delete?: string
  readonly body?: string
  readonly additionalBindings?: readonly ForeignRule[]
}
interface ForeignMethod {
  readonly name: string
  readonly I: ForeignMessage
  readonly O: ForeignMessage
  readonly options: { readonly 'google.api.http'?: ForeignRule }
}
interface ForeignService {
  readonly typeName: string
  readonly methods: readonly ForeignMethod[]
}

const scalarKinds = [
  '',
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  '',
  '',
  'bytes',
  'uint32',
  '',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
]

/** Newer CometBFT versions moved the packages: `cometbft.types.v1` is what `tendermint.types` was. */
export const ownName = (name: string): string => name.replace(/^cometbft\.(.+)\.v\d+(beta\d+)?\./, 'tendermint.$1.')

function typeNameOf({ T: own, V: values }: ForeignField): string {
  const typeOf = values?.T ?? own
  if (typeof typeOf !== 'function') return ''
  const type: unknown = typeOf()
  return ownName(Array.isArray(type) ? String(type[0]) : (type as ForeignMessage).typeName)
}

function toFact(field: ForeignField): FieldFact {
  return {
    name: field.name,
    number: field.no,
    kind: field.kind === 'scalar' ? (scalarKinds[Number(field.T)] ?? '') : field.kind,
    repeated: field.repeat !== 0 || field.kind === 'map',
    oneof: field.oneof !== undefined,
    typeName: field.kind === 'scalar' ? '' : typeNameOf(field),
  }
}

function httpOf(rule: ForeignRule | undefined): readonly string[] {
  if (rule === undefined) return []
  const verb = (['get', 'post', 'put', 'delete'] as const).find((name) => rule[name] !== undefined)
  const own = verb === undefined ? [] : [`${verb.toUpperCase()} ${rule[verb]} ${rule.body ?? ''}`.trim()]
  return [...own, ...(rule.additionalBindings ?? []).flatMap(httpOf)]
}

const isForeignMessage = (value: unknown): value is ForeignMessage =>
  typeof value === 'object' && value !== null && 'typeName' in value && 'fields' in value && Array.isArray(value.fields)

const isForeignService = (value: unknown): value is ForeignService =>
  typeof value === 'object' &&
  value !== null &&
  'typeName' in value &&
  'methods' in value &&
  Array.isArray(value.methods)

/** Everything that `@injectivelabs/core-proto-ts-v2` says about the packages that `proto/` also has. */
export async function readInjectiveFacts(): Promise<Facts> {
  const root = join(dirname(createRequire(import.meta.url).resolve('@injectivelabs/core-proto-ts-v2')), 'generated')
  const messages = new Map<string, readonly FieldFact[]>()
  const methods = new Map<string, MethodFact>()
  const files = ['cosmos', 'cosmwasm', 'cometbft', 'tendermint', 'google', 'cosmos_proto', 'ibc'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('_pb.js'))
      .map((name) => join(root, folder, name)),
  )
  for (const file of files.sort()) {
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
    for (const value of Object.values(module)) {
      if (isForeignMessage(value)) messages.set(value.typeName, value.fields.map(toFact))
      else if (isForeignService(value)) {
        for (const method of value.methods) {
          const fact = {
            input: ownName(method.I.typeName),
            output: ownName(method.O.typeName),
            http: httpOf(method.options['google.api.http']),
          }
          methods.set(`${ownName(value.typeName)}/${method.name}`, fact)
        }
      }
    }
  }
  return { messages, methods }
}
