import type { Bytes } from '@coin/base/bytes'
import { CodedError, defineErrors } from '@coin/base/errors'
import { decodeBase64 } from '@coin/wire/base64'
import { JsonArray, type JsonNode, JsonNumber, JsonObject } from '@coin/wire/json-text'

// Reads the JSON that contracts write, by the rules of Go's encoding/json: what is absent or null is the zero value, what
// has the wrong type is an error, and unknown fields do not matter.

const errors = defineErrors('wasm-json', { unexpected: [1, 'unexpected JSON'] })

/** A part of the document, and where it is for error texts. */
export class JsonFields {
  private readonly members: ReadonlyMap<string, JsonNode>
  private readonly path: string

  private constructor(members: ReadonlyMap<string, JsonNode>, path: string) {
    this.members = members
    this.path = path
  }

  /** Throws `unexpected` when `node` is neither an object nor null. */
  static of(node: JsonNode | undefined, path: string): JsonFields {
    if (node === undefined || node === null) return new JsonFields(new Map(), path)
    if (!(node instanceof JsonObject)) throw errors.unexpected(`${path} is not an object`)
    return new JsonFields(node.members, path)
  }

  /** The names that are there with something other than null. */
  names(): string[] {
    return [...this.members].filter(([, value]) => value !== null).map(([name]) => name)
  }

  /** The error for a field that is there but cannot be. */
  refuse(name: string, expected: string): CodedError {
    return errors.unexpected(`${this.path}.${name} is not ${expected}`)
  }

  private value(name: string): JsonNode | undefined {
    const value = this.members.get(name)
    return value === null ? undefined : value
  }

  /** The object under `name`, if there is one. */
  maybe(name: string): JsonFields | undefined {
    const value = this.value(name)
    return value === undefined ? undefined : JsonFields.of(value, `${this.path}.${name}`)
  }

  object(name: string): JsonFields {
    return JsonFields.of(this.value(name), `${this.path}.${name}`)
  }

  list<T>(name: string, item: (fields: JsonFields) => T): T[] {
    const value = this.value(name)
    if (value === undefined) return []
    if (!(value instanceof JsonArray)) throw this.refuse(name, 'a list')
    return value.items.map((node, index) => item(JsonFields.of(node, `${this.path}.${name}[${index}]`)))
  }

  text(name: string): string {
    const value = this.value(name)
    if (value === undefined) return ''
    if (typeof value !== 'string') throw this.refuse(name, 'a string')
    return value
  }

  /** Base64. */
  maybeBytes(name: string): Bytes | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw this.refuse(name, 'base64')
    try {
      return decodeBase64(value)
    } catch (error) {
      throw error instanceof CodedError ? this.refuse(name, 'base64') : error
    }
  }

  bytes(name: string): Bytes {
    return this.maybeBytes(name) ?? new Uint8Array(0)
  }

  flag(name: string): boolean {
    const value = this.value(name)
    if (value === undefined) return false
    if (typeof value !== 'boolean') throw this.refuse(name, 'true or false')
    return value
  }

  maybeUint64(name: string): bigint | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (!(value instanceof JsonNumber) || !/^[0-9]{1,20}$/.test(value.text)) throw this.refuse(name, 'a 64-bit number')
    const number = BigInt(value.text)
    if (number >= 1n << 64n) throw this.refuse(name, 'a 64-bit number')
    return number
  }

  uint64(name: string): bigint {
    return this.maybeUint64(name) ?? 0n
  }
}
