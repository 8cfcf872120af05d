import { type Bytes, bytesToUtf8, emptyBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import type { Evidence } from '@coin/engine/comet/evidence'
import { readEvidence } from './evidence-json.js'
import { paramErrors } from './param-errors.js'

/**
 * Types of RPC parameters, after the Go types of CometBFT's methods: `int` is a 64-bit integer (a string in JSON), `uint` one that is not negative, `bytes` is
 * base64 in JSON, `hex` is hexadecimal in JSON. In a URI: integers plain or quoted, strings quoted or 0x, both kinds of
 * bytes as 0x or as a quoted string that is taken as it is; `strings` and `evidence` are JSON there too.
 */
export type ParamType = 'int' | 'uint' | 'string' | 'bool' | 'bytes' | 'hex' | 'strings' | 'evidence'

interface ParamValues {
  readonly int: number
  readonly uint: number
  readonly string: string
  readonly bool: boolean
  readonly bytes: Bytes
  readonly hex: Bytes
  readonly strings: readonly string[]
  readonly evidence: Evidence
}

export type ParamTypes = Readonly<Record<string, ParamType>>

/** Parameters that were given; what is left out is `undefined`. */
export type Params<T extends ParamTypes> = { readonly [K in keyof T]: ParamValues[T[K]] | undefined }

export type AnyParams = Readonly<Record<string, ParamValues[ParamType] | undefined>>

/** From a JSON-RPC request: an object by name, or an array with every parameter. Throws `badParams`. */
export function readJsonParams(types: ParamTypes, params: unknown): AnyParams {
  const names = Object.keys(types)
  if (params === undefined || params === null) return {}
  if (Array.isArray(params)) {
    if (params.length !== names.length)
      throw paramErrors.badParams(`expected ${names.length} parameters (${names.join(', ')}), got ${params.length}`)
    return Object.fromEntries(names.map((name, i) => [name, readJson(name, types[name]!, params[i])]))
  }
  if (typeof params !== 'object') throw paramErrors.badParams('unknown type for JSON params, expected map or array')
  const given = params as Readonly<Record<string, unknown>>
  return Object.fromEntries(names.map((name) => [name, readJson(name, types[name]!, given[name])]))
}

function readJson(name: string, type: ParamType, value: unknown): ParamValues[ParamType] | undefined {
  if (value === undefined || value === null) return undefined
  const bad = (expected: string) => paramErrors.badParams(`${name} is ${describeJson(value)}, expected ${expected}`)
  if (type === 'int' || type === 'uint') {
    if (typeof value === 'string' || typeof value === 'number') return readInt(name, type, String(value))
    throw bad('an integer as a string')
  }
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
    throw bad('true or false')
  }
  if (type === 'evidence') return readEvidence(value)
  if (type === 'strings') {
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value
    throw bad('a list of strings')
  }
  if (typeof value !== 'string') throw bad('a string')
  if (type === 'string') return value
  if (type === 'hex') return readHex(name, value)
  // Buffer is the quick way and takes anything; the length tells whether it was base64.
  const bytes = Buffer.from(value, 'base64')
  if (bytes.toString('base64').length !== value.length) throw bad('base64')
  return new Uint8Array(bytes)
}

/** Not printed whole: a value may nest deeper than the stack. */
function describeJson(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object'
  return JSON.stringify(value).slice(0, 80)
}

function readInt(name: string, type: 'int' | 'uint', text: string): number {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw paramErrors.badParams(`${name} is "${text.slice(0, 80)}", expected an integer`)
  if (type === 'uint' && text.startsWith('-')) throw paramErrors.badParams(`${name} is ${text}, expected at least 0`)
  return Number(text)
}

function readHex(name: string, text: string): Bytes {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text))
    throw paramErrors.badParams(`${name} is "${text.slice(0, 80)}", expected hexadecimal digits`)
  return text === '' ? emptyBytes : hexToBytes(text)
}

/** From a URI's query, or a form. An empty value, or `null`, counts as left out. Throws `badParams`. */
export function readUriParams(types: ParamTypes, query: URLSearchParams): AnyParams {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const text = query.get(name)
      return [name, text === null || text === '' || text === 'null' ? undefined : readUri(name, type, text)]
    }),
  )
}

function readUri(name: string, type: ParamType, text: string): ParamValues[ParamType] | undefined {
  const bad = (expected: string) => paramErrors.badParams(`${name} is ${text.slice(0, 80)}, expected ${expected}`)
  const isHex = /^0x/i.test(text)
  if (type === 'int' || type === 'uint') return readInt(name, type, /^"-?\d+"$/.test(text) ? text.slice(1, -1) : text)
  if (type === 'bool') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw bad('true or false')
  }
  if (type === 'evidence' || type === 'strings') return readJson(name, type, parseJson(text, bad))
  if (isHex) {
    const bytes = readHex(name, text.slice(2))
    if (type !== 'string') return bytes
    try {
      return bytesToUtf8(bytes)
    } catch {
      throw bad('UTF-8 in hexadecimal')
    }
  }
  const quoted = unquote(text)
  if (quoted === undefined) throw bad(type === 'string' ? 'a string in double quotes' : '0x and hexadecimal digits')
  return type === 'string' ? quoted : utf8ToBytes(quoted)
}

function parseJson(text: string, bad: (expected: string) => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw bad('JSON')
  }
}

function unquote(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
