import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import type { Code, Contract, GenesisState, Sequence } from '@coin/wire/gen/cosmwasm/wasm/v1/genesis'
import { checkAccessConfig, checkParams, paramsDefault } from './access.js'
import { checkLabel } from './checks.js'
import { classicAddress } from './contract-address.js'
import { appendHistory, toPosition } from './contract-records.js'
import type { WasmKeeper } from './keeper.js'
import {
  codes,
  contractEntries,
  contractStorePrefix,
  contracts,
  contractsByCode,
  contractsByCreator,
  history,
  nextCodeId,
  nextInstanceId,
  params,
  pinnedCodes,
  wasmStore,
} from './state.js'

const sequences = { '\u0004lastCodeId': nextCodeId, '\u0004lastContractId': nextInstanceId } as const

export function createWasmGenesis(keeper: WasmKeeper): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmwasm.wasm.v1.GenesisState',
    default: () => ({ params: paramsDefault, codes: [], contracts: [], sequences: [] }),
    init(ctx, state) {
      checkParams(state.params, keeper.addresses)
      params.set(ctx, state.params)
      for (const [index, code] of state.codes.entries()) named(`code ${index}`, () => importCode(ctx, keeper, code))
      for (const [index, contract] of state.contracts.entries()) {
        named(`contract number ${index}`, () => importContract(ctx, keeper, contract))
      }
      for (const [index, entry] of state.sequences.entries()) {
        named(`sequence number ${index}`, () => importSequence(ctx, entry))
      }
      checkSequences(ctx, state)
      return undefined
    },
    export: (ctx) => ({
      params: params.get(ctx) ?? paramsDefault,
      codes: [...codes.entries(ctx)].map(([codeId, codeInfo]) => ({
        codeId,
        codeInfo,
        codeBytes: keeper.codes.bytes(ctx, codeId) ?? missing(`code ${codeId} is not on this node`),
        pinned: pinnedCodes.has(ctx, codeId),
      })),
      contracts: [...contracts.entries(ctx)].map(([address]) => exportContract(ctx, keeper, address)),
      sequences: Object.entries(sequences).map(([key, sequence]) => ({
        idKey: utf8ToBytes(key),
        value: sequence.peek(ctx),
      })),
    }),
  })
}

function missing(what: string): never {
  throw genesisErrors.invalid(what)
}

function named(what: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(what) : error
  }
}

function importCode(ctx: Write, keeper: WasmKeeper, { codeId, codeInfo, codeBytes, pinned }: Code): void {
  if (codeId === 0n) missing('code id is 0')
  keeper.addresses.decode(codeInfo.creator)
  if (codeInfo.instantiateConfig !== undefined) checkAccessConfig(codeInfo.instantiateConfig, keeper.addresses)
  keeper.codes.importCode(ctx, codeId, codeInfo, codeBytes)
  if (pinned) keeper.codes.pin(ctx, codeId)
}

function importContract(ctx: Write, keeper: WasmKeeper, given: Contract): void {
  const { contractInfo: info, contractCodeHistory: entries } = given
  const address = keeper.addresses.decode(given.contractAddress)
  keeper.codes.require(ctx, info.codeId)
  if (contracts.has(ctx, address)) missing(`contract ${given.contractAddress} is given twice`)
  checkLabel(info.label)
  if (info.admin !== '') keeper.addresses.decode(info.admin)
  const [first] = entries
  const last = entries.at(-1)
  if (first?.updated === undefined || last?.updated === undefined) missing('contract history is empty')
  const creator = keeper.addresses.decode(info.creator)
  for (const entry of entries) appendHistory(ctx, address, entry)
  contracts.set(ctx, address, info)
  contractsByCode.set(ctx, { codeId: last.codeId, at: toPosition(last.updated), contract: address }, true)
  contractsByCreator.set(ctx, { creator, at: toPosition(first.updated), contract: address }, true)
  const prefix = contractStorePrefix(address)
  const store = ctx.store(wasmStore)
  for (const { key, value } of given.contractState) {
    if (key.length === 0) missing('key of contract state is empty')
    const full = new Uint8Array([...prefix, ...key])
    if (store.has(full)) missing('a key of the contract state is given twice')
    store.set(full, value)
  }
}

function importSequence(ctx: Write, { idKey, value }: Sequence): void {
  const sequence = sequences[bytesToUtf8(idKey) as keyof typeof sequences]
  if (sequence === undefined) missing(`sequence "${bytesToUtf8(idKey)}" is unknown`)
  sequence.set(ctx, value)
}

/** The next numbers must be free. */
function checkSequences(ctx: Read, state: GenesisState): void {
  const highest = state.codes.reduce((max, { codeId }) => (codeId > max ? codeId : max), 0n)
  const next = nextCodeId.peek(ctx)
  if (next <= highest) missing(`next code id is ${next}, but code ${highest} exists`)
  const instance = nextInstanceId.peek(ctx)
  if (contracts.has(ctx, classicAddress(instance, instance))) missing(`contract number ${instance} was used already`)
}

function exportContract(ctx: Read, keeper: WasmKeeper, address: Uint8Array): Contract {
  const entries = [...history.entries(ctx, { prefix: address })]
  return {
    contractAddress: keeper.addresses.encode(address),
    contractInfo: contracts.get(ctx, address)!,
    contractState: [...contractEntries.entries(ctx, { prefix: address })].map(([key, value]) => ({
      key: key.subarray(address.length),
      value,
    })),
    contractCodeHistory: entries.filter(([key]) => key.contract.length === address.length).map(([, entry]) => entry),
  }
}
