import type { Descriptors } from './descriptors.js'
import { codecs } from './gen/registry.js'
import type { CodecLookup, MessageCodec } from './json-forms.js'
import { createJsonReaders } from './json-read.js'
import { parseJson } from './json-text.js'
import { createJsonWriters } from './json-write.js'
import { descriptors, isTypeName } from './registry.js'

/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Cosmos JSON of protobuf messages, exactly as the Go SDK v0.53 prints it over REST (gogoproto's jsonpb with original names and
 * defaults): names of the .proto file, 64-bit integers as strings, enums by name, bytes base64, `Any` inlined after `@type`,
 * LegacyDec with 18 places, nil messages and empty bytes null.
 */
export interface JsonCodec {
  /** JSON text of a message. Throws `unknownType` for an Any of unknown type and `badJson` for a contract message that is none. */
  stringify(typeName: string, value: object): string
  /** Message from JSON text. Names may be snake_case or lowerCamelCase; unknown ones throw `unknownField`. */
  parse<T = unknown>(typeName: string, text: string): T
  /** As `parse`, but names that the message does not have are ignored, as grpc-gateway does with the body of a request. */
  parseKnown<T = unknown>(typeName: string, text: string): T
  /** As `stringify`, as a value. */
  toJson(typeName: string, value: object): Json
  /** As `parse`, from a value; integers past 2^53 must be strings. */
  fromJson<T = unknown>(typeName: string, json: Json): T
}

/** The codec over one descriptor set; functions per message are built at their first use. */
export function createJsonCodec(descriptors: Descriptors, codecOf: CodecLookup): JsonCodec {
  const writerOf = createJsonWriters(descriptors, codecOf)
  const readerOf = createJsonReaders(descriptors, codecOf)
  const knownReaderOf = createJsonReaders(descriptors, codecOf, 'ignore')
  const stringify = (typeName: string, value: object): string => writerOf(typeName)(value)
  const parse = <T>(typeName: string, text: string): T => readerOf(typeName)(parseJson(text), text) as T
  return {
    stringify,
    parse,
    parseKnown: <T>(typeName: string, text: string) => knownReaderOf(typeName)(parseJson(text), text) as T,
    toJson: (typeName, value) => JSON.parse(stringify(typeName, value)) as Json,
    fromJson: (typeName, json) => parse(typeName, JSON.stringify(json)),
  }
}

let ofChain: JsonCodec | undefined

/** The codec over everything in `proto/`; built at the first call. */
export function chainJson(): JsonCodec {
  ofChain ??= createJsonCodec(descriptors(), (name) => (isTypeName(name) ? (codecs[name] as MessageCodec) : undefined))
  return ofChain
}

/**
 * Cosmos JSON text of a message of `proto/`.
 *
 * @example
 * messageToJsonText('cosmos.base.v1beta1.Coin', { denom: 'ucoin', amount: '7' }) // '{"denom":"ucoin","amount":"7"}'
 */
export function messageToJsonText(typeName: string, value: object): string {
  return chainJson().stringify(typeName, value)
}

/** The inverse of `messageToJsonText`; accepts what the Go SDK accepts and throws a `CodedError` of codespace `wire` otherwise. */
export function messageFromJsonText<T = unknown>(typeName: string, text: string): T {
  return chainJson().parse<T>(typeName, text)
}

/** As `messageToJsonText`, as a value. */
export function messageToJson(typeName: string, value: object): Json {
  return chainJson().toJson(typeName, value)
}

/** As `messageFromJsonText`, from a value; integers past 2^53 must be strings. */
export function messageFromJson<T = unknown>(typeName: string, json: Json): T {
  return chainJson().fromJson<T>(typeName, json)
}
