import { existsSync, statSync } from 'node:fs'
import { type Bytes, bytesToBase64, emptyBytes, hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { decodeBase64 } from '@coin/wire/base64'
import { coinsToProto, parseCoin, parseCoins, parseDecCoin } from '@coin/wire/coins'
import { LegacyDec } from '@coin/wire/dec'
import type { EnumDescriptor, FieldDescriptor } from '@coin/wire/descriptors'
import { bytesForm } from '@coin/wire/json-forms'
import { JsonArray, JsonNumber, JsonObject, parseJson, quoteJson } from '@coin/wire/json-text'
import { descriptors } from '@coin/wire/registry'
import { nodeErrors } from '../../errors.js'
import { readBytes } from '../client/tx-file.js'
import { kebab } from './names.js'

/** Which kind of address a field holds. */
export type AddressKind = 'account' | 'validator' | 'consensus'

/** The address as the chain writes it, from an address or the name of a key. Throws what was wrong with both. */
export type ResolveAddress = (text: string, kind: AddressKind) => Promise<string>

const addressKinds: Readonly<Record<string, AddressKind>> = {
  'cosmos.AddressString': 'account',
  'cosmos.ValidatorAddressString': 'validator',
  'cosmos.ConsensusAddressString': 'consensus',
}

/**
 * What people type for a field -> the JSON of the field, which the protobuf JSON reader then checks as it checks every message:
 * `5ucoin` for a coin, `yes` for an enum, `90s` for a duration, JSON or the name of a .json file for other messages, and so on.
 * A repeated field takes several texts, and lists with commas where a value has none. Throws a `CodedError` of what was wrong.
 */
export async function fieldJson(
  field: FieldDescriptor,
  texts: readonly string[],
  resolve: ResolveAddress,
): Promise<string> {
  if (!field.repeated) return valueJson(field, texts[0]!, resolve)
  if (field.typeName === 'cosmos.base.v1beta1.Coin' && !texts.some(isJsonText)) {
    return JSON.stringify(coinsToProto(parseCoins(texts.join(','))))
  }
  const items = texts.flatMap((text) => splitItems(field, text))
  const values: string[] = []
  for (const item of items) values.push(await valueJson(field, item, resolve))
  return `[${values.join(',')}]`
}

const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text)

/** The values in a text: a JSON array has its items, and what needs no comma itself is separated by commas. */
function splitItems(field: FieldDescriptor, text: string): readonly string[] {
  const isShort = field.kind !== 'message' || shortMessages.has(field.typeName)
  if (isShort && !isJsonText(text)) return text.split(',')
  const json = jsonText(text)
  const node = parseJson(json)
  if (!(node instanceof JsonArray)) return [json]
  return node.items.map((item) => {
    if (typeof item === 'string') return item
    if (item instanceof JsonNumber) return item.text
    return item instanceof JsonObject ? json.slice(item.start, item.end) : String(item)
  })
}

/** Messages that have a short form of their own. */
const shortMessages: ReadonlySet<string> = new Set([
  'cosmos.base.v1beta1.Coin',
  'cosmos.base.v1beta1.DecCoin',
  'cosmos.gov.v1.WeightedVoteOption',
])

async function valueJson(field: FieldDescriptor, text: string, resolve: ResolveAddress): Promise<string> {
  switch (field.kind) {
    case 'message':
      return messageJson(field, text)
    case 'enum':
      return String(enumNumber(descriptors().enum(field.typeName)!, text))
    case 'bool':
      if (text !== 'true' && text !== 'false') throw nodeErrors.badFlag(`"${text}", expected true or false`)
      return text
    case 'bytes':
      return bytesForm(field) === 'json' ? jsonText(text) : `"${bytesToBase64(parseBytes(text))}"`
    case 'string': {
      const kind = addressKinds[field.scalar]
      return quoteJson(kind === undefined || text === '' ? text : await resolve(text, kind))
    }
    default:
      return quoteJson(text)
  }
}

function messageJson({ typeName }: FieldDescriptor, text: string): string {
  if (isJsonText(text)) return jsonText(text)
  switch (typeName) {
    case 'google.protobuf.Timestamp':
    case 'google.protobuf.Duration':
      return quoteJson(text)
    case 'cosmos.base.v1beta1.Coin': {
      const { denom, amount } = parseCoin(text)
      return JSON.stringify({ denom, amount: String(amount) })
    }
    case 'cosmos.base.v1beta1.DecCoin': {
      const { denom, amount } = parseDecCoin(text)
      return JSON.stringify({ denom, amount: String(amount) })
    }
    case 'cosmos.gov.v1.WeightedVoteOption': {
      const [option = '', weight = '1'] = text.split('=')
      const number = enumNumber(descriptors().enum('cosmos.gov.v1.VoteOption')!, option)
      return `{"option":${number},"weight":"${LegacyDec.parse(weight)}"}`
    }
    default:
      return jsonText(text)
  }
}

/** JSON as given, or of the file that is named. Throws `badJson` of codespace `wire`, or `badFile`. */
export function jsonText(text: string): string {
  const json = text.endsWith('.json') ? new TextDecoder().decode(readBytes(text)).trim() : text
  parseJson(json)
  return json
}

/** The content of a file, or bytes in hexadecimal or base64. Throws `badFlag`. */
export function parseBytes(text: string): Bytes {
  if (text === '') return emptyBytes
  if (isFile(text)) return readBytes(text)
  for (const decode of [hexToBytes, decodeBase64]) {
    try {
      return decode(text)
    } catch (error) {
      if (!(error instanceof CodedError) && !(error instanceof RangeError)) throw error
    }
  }
  throw nodeErrors.badFlag(`"${text}", expected hexadecimal, base64 or the name of a file`)
}

function isFile(path: string): boolean {
  return path.length < 4096 && !path.includes('\0') && existsSync(path) && statSync(path).isFile()
}

/** `PROPOSAL_STATUS_VOTING_PERIOD` -> `voting-period` */
export function enumWords(item: EnumDescriptor): readonly { readonly word: string; readonly number: number }[] {
  const prefix = `${kebab(item.name.split('.').at(-1)!).replaceAll('-', '_').toUpperCase()}_`
  return item.values.map(({ name, number }) => ({
    word: kebab((name.startsWith(prefix) ? name.slice(prefix.length) : name).toLowerCase()),
    number,
  }))
}

/** By its short word, its full name or its number. Throws `badFlag`, naming the words. */
function enumNumber(item: EnumDescriptor, text: string): number {
  const word = kebab(text.toLowerCase())
  const words = enumWords(item)
  const byName = item.values.find(({ name, number }) => name === text || String(number) === text)
  const found = words.find((it) => it.word === word) ?? byName
  if (found === undefined) throw nodeErrors.badFlag(`"${text}", expected ${words.map((it) => it.word).join(', ')}`)
  return found.number
}
