import { assert } from '@coin/base/assert'
import { type Bytes, concatBytes } from '@coin/base/bytes'
import { collectionsOf } from '@coin/runtime/collections'
import {
  addressKey,
  bytesKey,
  decodeUint64,
  encodeUint64,
  type KeyCodec,
  keyCodec,
  lengthPrefixedKey,
  uint64Key,
} from '@coin/runtime/keys'
import { bytesValue, noValue, protoValue, type ValueCodec } from '@coin/runtime/values'
import { CodeInfo, ContractCodeHistoryEntry, ContractInfo, Params } from '@coin/wire/gen/cosmwasm/wasm/v1/types'

// Keys and values are wasmd's (types/keys.go). A prefix is consensus: never change or reuse one.

export const wasmStore = 'wasm'

const wasm = collectionsOf(wasmStore)

/** Where in the chain something happened; sorts by time. */
export interface TxPosition {
  readonly height: bigint
  readonly index: bigint
}

const positionBytes = 16

function encodePosition({ height, index }: TxPosition): Bytes {
  return concatBytes(encodeUint64(height), encodeUint64(index))
}

function decodePosition(bytes: Bytes, at: number): TxPosition {
  return { height: decodeUint64(bytes, at), index: decodeUint64(bytes, at + 8) }
}

/** A key codec for keys that are never part of a larger one. */
function wholeKey<K>(encode: (key: K) => Bytes, decode: (bytes: Bytes, at: number) => K): KeyCodec<K> {
  const whole = (): never => {
    assert(false, 'this key has no end mark')
  }
  return keyCodec({ write: (out, key) => out.raw(encode(key)), writePart: whole, decode, decodePart: whole })
}

/** code id -> who stored it, its checksum, who may instantiate it */
export const codes = wasm.map(0x01, uint64Key, protoValue(CodeInfo) as ValueCodec<CodeInfo>)

/** contract -> its code, creator, admin, label */
export const contracts = wasm.map(0x02, addressKey, protoValue(ContractInfo) as ValueCodec<ContractInfo>)

/** (contract | key) -> value: what contracts keep. Only for listing; calls go through `contractStorePrefix`. */
export const contractEntries = wasm.map(0x03, bytesKey, bytesValue)

export function contractStorePrefix(contract: Bytes): Bytes {
  return concatBytes(Uint8Array.of(0x03), contract)
}

/** next code id, from 1 */
export const nextCodeId = wasm.sequence('\u0004lastCodeId', 1n)

/** next contract number, from 1 */
export const nextInstanceId = wasm.sequence('\u0004lastContractId', 1n)

export interface HistoryKey {
  readonly contract: Bytes
  /** From 1. */
  readonly position: bigint
}

const historyKey = wholeKey<HistoryKey>(
  ({ contract, position }) => concatBytes(contract, encodeUint64(position)),
  (bytes, at) => ({ contract: bytes.slice(at, -8), position: decodeUint64(bytes, bytes.length - 8) }),
)

/** (contract, position) -> which code it got, and with which message */
export const history = wasm.map(
  0x05,
  historyKey,
  protoValue(ContractCodeHistoryEntry) as ValueCodec<ContractCodeHistoryEntry>,
)

export interface ByCodeKey {
  readonly codeId: bigint
  /** When the contract got this code. */
  readonly at: TxPosition
  readonly contract: Bytes
}

const byCodeKey = wholeKey<ByCodeKey>(
  ({ codeId, at, contract }) => concatBytes(encodeUint64(codeId), encodePosition(at), contract),
  (bytes, at) => ({
    codeId: decodeUint64(bytes, at),
    at: decodePosition(bytes, at + 8),
    contract: bytes.slice(at + 8 + positionBytes),
  }),
)

/** (code id, position, contract): the contracts of a code */
export const contractsByCode = wasm.map(0x06, byCodeKey, noValue)

/** code id -> one byte: codes kept in memory */
export const pinnedCodes = wasm.map(0x07, uint64Key, bytesValue)

/** height and number of the next transaction in it, 8 and 4 bytes big-endian */
export const txCounter = wasm.item(0x08, bytesValue)

export interface ByCreatorKey {
  readonly creator: Bytes
  readonly at: TxPosition
  readonly contract: Bytes
}

const byCreatorKey = wholeKey<ByCreatorKey>(
  ({ creator, at, contract }) => concatBytes(lengthPrefixedKey.encode(creator), encodePosition(at), contract),
  (bytes, at) => {
    const { key: creator, next } = lengthPrefixedKey.decodePart(bytes, at)
    return { creator, at: decodePosition(bytes, next), contract: bytes.slice(next + positionBytes) }
  },
)

/** (creator, position, contract): the contracts of a creator */
export const contractsByCreator = wasm.map(0x09, byCreatorKey, noValue)

export const params = wasm.item(0x10, protoValue(Params) as ValueCodec<Params>)
