import { assert } from '@coin/base/assert'
import { type Bytes, concatBytes, emptyBytes, equalBytes } from '@coin/base/bytes'
import { createAminoBinaryWriter } from './amino-binary.js'
import { createAminoBinaryReader } from './amino-binary-read.js'
import { createAminoJson } from './amino-json.js'
import { createAminoJsonReader, typedValue } from './amino-json-read.js'
import { aminoPrefix } from './amino-names.js'
import { encodeBase64 } from './base64.js'
import type { Descriptors, FieldDescriptor, FieldKind, MessageDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import type { CodecLookup, MessageCodec } from './json-forms.js'
import { parseJson } from './json-text.js'
import { codecOf, descriptors, isTypeName } from './registry.js'

/**
 * The transaction of the time before protobuf (x/auth/migrations/legacytx), in amino JSON and amino binary: what old wallets and
 * hardware show. It cannot be broadcast any more.
 */
export interface StdTxCodec {
  /** Amino JSON, `{"type":"cosmos-sdk/StdTx","value":...}`, to binary. Throws errors of codespace `wire`. */
  toBinary(json: string): Bytes
  toJson(binary: Bytes): string
}

const aminoName = 'cosmos-sdk/StdTx'
const names = { tx: 'legacytx.StdTx', fee: 'legacytx.StdFee', signature: 'legacytx.StdSignature' } as const

let ofChain: StdTxCodec | undefined

/** The codec over everything in `proto/`; built at the first call. */
export function chainStdTx(): StdTxCodec {
  ofChain ??= createStdTxCodec(descriptors(), (name) =>
    isTypeName(name) ? (codecOf(name) as MessageCodec) : undefined,
  )
  return ofChain
}

export function createStdTxCodec(chain: Descriptors, chainCodecOf: CodecLookup): StdTxCodec {
  const types = withStdTypes(chain)
  const codecs: CodecLookup = (name) => stdCodecs[name] ?? chainCodecOf(name)
  const binaryWriter = createAminoBinaryWriter(types, codecs)
  const binaryReader = createAminoBinaryReader(types, codecs)
  const jsonReader = createAminoJsonReader(types, codecs)
  const jsonWriter = createAminoJson(types, codecs, {
    sorted: false,
    enumNames: 'own',
    keepsJson: true,
    writers: {
      [names.signature]: (value) => writeSignature(value as StdSignature, (any) => jsonWriter.stringifyAny(any)),
      'cosmos.crypto.multisig.LegacyAminoPubKey': (value) =>
        writeMultisig(value as MultisigKey, (any) => jsonWriter.stringifyAny(any)),
    },
  })
  const prefix = aminoPrefix(aminoName)
  return {
    toBinary(json) {
      const { type, value } = typedValue(parseJson(json))
      if (type !== aminoName) throw errors.badValue(`type ${excerpt(type)}, expected "${aminoName}"`)
      return concatBytes(prefix, binaryWriter.encode(names.tx, jsonReader.parse(names.tx, value, json)))
    },
    toJson(binary) {
      if (!equalBytes(binary.subarray(0, prefix.length), prefix))
        throw errors.badValue(`amino: no prefix of ${aminoName}`)
      const tx = binaryReader.decode(names.tx, binary.subarray(prefix.length))
      return `{"type":"${aminoName}","value":${jsonWriter.stringify(names.tx, tx)}}`
    },
  }
}

interface Packed {
  readonly typeUrl: string
  readonly value: Bytes
}

interface StdSignature {
  readonly pubKey?: Packed
  readonly signature: Bytes
}

function writeSignature({ pubKey, signature }: StdSignature, writeAny: (any: Packed) => string): string {
  const bytes = signature.length === 0 ? 'null' : `"${encodeBase64(signature)}"`
  return `{"pub_key":${pubKey === undefined ? 'null' : writeAny(pubKey)},"signature":${bytes}}`
}

interface MultisigKey {
  readonly threshold: number
  readonly publicKeys: readonly Packed[]
}

function writeMultisig({ threshold, publicKeys }: MultisigKey, writeAny: (any: Packed) => string): string {
  const keys = publicKeys.length === 0 ? 'null' : `[${publicKeys.map(writeAny).join(',')}]`
  return `{"threshold":"${threshold}","pubkeys":${keys}}`
}

/** The three messages that no .proto file has, as amino sees them. */
function withStdTypes(chain: Descriptors): Descriptors {
  const coins = { repeated: true, nullable: false, typeName: 'cosmos.base.v1beta1.Coin', encoding: 'legacy_coins' }
  const any = { typeName: 'google.protobuf.Any' }
  const messages = new Map(
    [
      messageOf(names.tx, [
        fieldOf('msg', 'message', { ...any, repeated: true }),
        fieldOf('fee', 'message', { typeName: names.fee, nullable: false }),
        fieldOf('signatures', 'message', { typeName: names.signature, nullable: false, repeated: true }),
        fieldOf('memo', 'string'),
        fieldOf('timeout_height', 'uint64'),
      ]),
      messageOf(names.fee, [
        fieldOf('amount', 'message', coins),
        fieldOf('gas', 'uint64'),
        fieldOf('payer', 'string', { omitEmpty: true }),
        fieldOf('granter', 'string', { omitEmpty: true }),
      ]),
      messageOf(names.signature, [fieldOf('pub_key', 'message', any), fieldOf('signature', 'bytes')]),
    ].map((message) => [message.name, message]),
  )
  return { ...chain, requireMessage: (name) => messages.get(name) ?? chain.requireMessage(name) }
}

function messageOf(name: string, fields: readonly FieldDescriptor[]): MessageDescriptor {
  return {
    name,
    fields,
    oneofs: [],
    mapEntry: false,
    aminoName: undefined,
    aminoEncoding: '',
    signers: [],
    implementsInterfaces: [],
  }
}

interface FieldOptions {
  readonly typeName?: string
  readonly repeated?: boolean
  readonly nullable?: boolean
  readonly encoding?: string
  readonly omitEmpty?: boolean
}

function fieldOf(
  name: string,
  kind: FieldKind,
  { typeName = '', repeated = false, nullable = true, encoding = '', omitEmpty = false }: FieldOptions = {},
): FieldDescriptor {
  const property = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    ...{ name, jsonName: property, property, number: 0, kind, repeated, typeName, oneof: undefined, optional: false },
    ...{ nullable, customType: '', castType: '', scalar: '', acceptsInterface: '' },
    amino: { encoding, fieldName: '', dontOmitEmpty: !omitEmpty, oneofName: '' },
  }
}

const newFee = (): object => ({ amount: [], gas: 0n, payer: '', granter: '' })

/** Only empty messages are decoded: the rest of a codec is never used for these. */
const stdCodecs: Readonly<Record<string, MessageCodec>> = {
  [names.tx]: codecOfEmpty(() => ({ msg: [], fee: newFee(), signatures: [], memo: '', timeoutHeight: 0n })),
  [names.fee]: codecOfEmpty(newFee),
  [names.signature]: codecOfEmpty(() => ({ pubKey: undefined, signature: emptyBytes })),
}

function codecOfEmpty(empty: () => object): MessageCodec {
  return {
    decode(bytes) {
      assert(bytes.length === 0, 'a legacy transaction has no protobuf form')
      return empty()
    },
    encode() {
      assert(false, 'a legacy transaction has no protobuf form')
    },
  }
}
