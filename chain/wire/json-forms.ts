import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { Descriptors, EnumDescriptor, FieldDescriptor } from './descriptors.js'

/** A decoded message as ts-proto makes it: properties in lowerCamelCase. */
export type ProtoObject = Record<string, unknown>

/** What the JSON of an `Any` needs of its content's codec; every generated codec fits. */
export interface MessageCodec {
  encode(message: never): { finish(): Bytes }
  decode(bytes: Bytes): unknown
}

/** The codec of a message by its full name. */
export type CodecLookup = (typeName: string) => MessageCodec | undefined

/** How a string field looks in JSON. */
export type TextForm = 'text' | 'int' | 'dec'

/** How a bytes field looks in JSON. `json`: the bytes are JSON and stand there as they are. */
export type BytesForm = 'base64' | 'hex' | 'json' | 'int' | 'dec'

// The Go types behind gogoproto.customtype and casttype that bring a JSON form of their own.
const intType = /(?:cosmossdk\.io\/math|cosmos-sdk\/types)\.(?:Int|Uint)$/
const decType = /(?:cosmossdk\.io\/math\.LegacyDec|cosmos-sdk\/types\.Dec)$/

/**
 * The scalar option alone does not decide: governance parameters are tagged `cosmos.Dec` and hold text such as "0.334", whereas
 * a field of Go type LegacyDec holds the integer of 10^-18 units.
 */
export function textForm({ customType }: FieldDescriptor): TextForm {
  return intType.test(customType) ? 'int' : decType.test(customType) ? 'dec' : 'text'
}

export function bytesForm({ customType, castType }: FieldDescriptor): BytesForm {
  if (intType.test(customType)) return 'int'
  if (decType.test(customType)) return 'dec'
  if (/(?:^|\.)RawContractMessage$|^encoding\/json\.RawMessage$/.test(castType)) return 'json'
  return castType.endsWith('/libs/bytes.HexBytes') ? 'hex' : 'base64'
}

/** wasmd prints this enum by names of its own. */
const accessTypeNames: Readonly<Record<string, string>> = {
  ACCESS_TYPE_UNSPECIFIED: 'Unspecified',
  ACCESS_TYPE_NOBODY: 'Nobody',
  ACCESS_TYPE_EVERYBODY: 'Everybody',
  ACCESS_TYPE_ANY_OF_ADDRESSES: 'AnyOfAddresses',
}

/** Values of an enum under the names that JSON uses. */
export function enumNames(item: EnumDescriptor): readonly { readonly name: string; readonly number: number }[] {
  if (item.name !== 'cosmwasm.wasm.v1.AccessType') return item.values
  return item.values.map(({ name, number }) => ({ name: accessTypeNames[name] ?? name, number }))
}

/** What a `map<string, ...>` field holds; `undefined` for any other field. */
export function mapEntryOf(
  { kind, typeName }: FieldDescriptor,
  descriptors: Descriptors,
): { readonly value: FieldDescriptor } | undefined {
  if (kind !== 'message') return undefined
  const { mapEntry, fields } = descriptors.requireMessage(typeName)
  if (!mapEntry) return undefined
  const [key, value] = fields
  assert(key?.kind === 'string' && value !== undefined, `${typeName} is of a form that is not supported`)
  return { value }
}
