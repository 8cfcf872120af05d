import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { Read, Write } from '@coin/runtime/context'
import {
  type AbsoluteTxPosition,
  type ContractCodeHistoryEntry,
  ContractCodeHistoryOperationType,
  type ContractInfo,
} from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { contracts, contractsByCode, contractsByCreator, history, type TxPosition } from './state.js'

export interface ContractRecord {
  readonly codeId: bigint
  readonly creator: Bytes
  readonly creatorText: string
  /** Empty for none. */
  readonly admin: string
  readonly label: string
  /** Empty for a contract that does not speak IBC. */
  readonly ibcPortId: string
  readonly msg: Bytes
}

/** Where the running transaction stands. */
function positionOf(ctx: Read): AbsoluteTxPosition {
  return { blockHeight: BigInt(ctx.height), txIndex: BigInt(ctx.tx?.index ?? 0) }
}

export function toPosition(position: AbsoluteTxPosition): TxPosition {
  return { height: position.blockHeight, index: position.txIndex }
}

/** Stores a new contract and its index entries. */
export function addContract(ctx: Write, contract: Bytes, record: ContractRecord): void {
  const { codeId, creator, creatorText, admin, label, ibcPortId, msg } = record
  const created = positionOf(ctx)
  const at = toPosition(created)
  contractsByCode.set(ctx, { codeId, at, contract }, true)
  contractsByCreator.set(ctx, { creator, at, contract }, true)
  const operation = ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT
  appendHistory(ctx, contract, { operation, codeId, updated: created, msg })
  contracts.set(ctx, contract, { codeId, creator: creatorText, admin, label, created, ibcPortId, extension: undefined })
}

/** Stores that a contract has another code from now on. */
export function addMigration(ctx: Write, contract: Bytes, info: ContractInfo, codeId: bigint, msg: Bytes): void {
  const [last] = lastHistory(ctx, contract)
  assert(last?.updated !== undefined, 'a contract without history')
  contractsByCode.remove(ctx, { codeId: last.codeId, at: toPosition(last.updated), contract })
  const updated = positionOf(ctx)
  const operation = ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_MIGRATE
  appendHistory(ctx, contract, { operation, codeId, updated, msg })
  contractsByCode.set(ctx, { codeId, at: toPosition(updated), contract }, true)
  contracts.set(ctx, contract, { ...info, codeId })
}

/** The newest entry with its position, if there is any. */
function lastHistory(ctx: Read, contract: Bytes): readonly [ContractCodeHistoryEntry | undefined, bigint] {
  for (const [key, entry] of history.entries(ctx, { prefix: contract, reverse: true })) {
    // A longer address may begin with this one.
    if (key.contract.length === contract.length) return [entry, key.position]
  }
  return [undefined, 0n]
}

export function appendHistory(ctx: Write, contract: Bytes, entry: ContractCodeHistoryEntry): void {
  const [, position] = lastHistory(ctx, contract)
  history.set(ctx, { contract, position: position + 1n }, entry)
}
