import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { sdkErrors } from '@coin/runtime/errors'
import type { PackedMsg } from '@coin/runtime/module'
import { type Coins, checkDenom, coinsOf, coinsToProto, formatCoin } from '@coin/wire/coins'
import type { MsgSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import type { Coin as ProtoCoin } from '@coin/wire/gen/cosmos/base/v1beta1/coin'
import type {
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgUpdateAdmin,
} from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import { parseInt256 } from '@coin/wire/int'
import { errors } from './errors.js'
import type { JsonFields } from './json-fields.js'

/** Amounts as contracts write them: decimal digits, in any order, a denom maybe more than once. */
type WasmCoins = readonly ProtoCoin[]

/** A message that a contract sends, read but not yet understood by any module. */
export type CosmosMsg =
  | { readonly kind: 'send'; readonly to: string; readonly amount: WasmCoins }
  | { readonly kind: 'burn'; readonly amount: WasmCoins }
  | { readonly kind: 'any'; readonly typeUrl: string; readonly value: Bytes }
  | { readonly kind: 'wasm'; readonly action: WasmAction }
  | { readonly kind: 'unknown'; readonly variant: string }

export type WasmAction =
  | { readonly type: 'execute'; readonly contract: string; readonly msg: Bytes; readonly funds: WasmCoins }
  | { readonly type: 'instantiate'; readonly contract: NewContract }
  | { readonly type: 'instantiate2'; readonly contract: NewContract; readonly salt: Bytes }
  | { readonly type: 'migrate'; readonly contract: string; readonly codeId: bigint; readonly msg: Bytes }
  | { readonly type: 'update_admin'; readonly contract: string; readonly admin: string }
  | { readonly type: 'clear_admin'; readonly contract: string }

interface NewContract {
  readonly codeId: bigint
  readonly msg: Bytes
  readonly funds: WasmCoins
  readonly label: string
  readonly admin: string
}

/** Reads cosmwasm-std's `CosmosMsg`. Kinds that this chain does not know are kept, to be refused when they are sent. */
export function parseCosmosMsg(fields: JsonFields): CosmosMsg {
  const bank = fields.maybe('bank')
  if (bank !== undefined) return parseBank(bank)
  const any = fields.maybe('any')
  const stargate = fields.maybe('stargate')
  if (any !== undefined && stargate !== undefined) throw fields.refuse('stargate', 'allowed beside any')
  const packed = any ?? stargate
  const wasm = fields.maybe('wasm')
  const other = fields.names().find((name) => name !== 'any' && name !== 'stargate' && name !== 'wasm')
  if (other !== undefined) return { kind: 'unknown', variant: other }
  if (packed !== undefined) return { kind: 'any', typeUrl: packed.text('type_url'), value: packed.bytes('value') }
  return wasm === undefined ? { kind: 'unknown', variant: '' } : parseWasm(wasm)
}

const coins = (fields: JsonFields, name: string): WasmCoins =>
  fields.list(name, (coin) => ({ denom: coin.text('denom'), amount: coin.text('amount') }))

function parseBank(bank: JsonFields): CosmosMsg {
  const send = bank.maybe('send')
  if (send !== undefined) return { kind: 'send', to: send.text('to_address'), amount: coins(send, 'amount') }
  const burn = bank.maybe('burn')
  if (burn !== undefined) return { kind: 'burn', amount: coins(burn, 'amount') }
  return { kind: 'unknown', variant: 'bank' }
}

function parseWasm(wasm: JsonFields): CosmosMsg {
  const action = parseWasmAction(wasm)
  return action === undefined ? { kind: 'unknown', variant: 'wasm' } : { kind: 'wasm', action }
}

function parseWasmAction(wasm: JsonFields): WasmAction | undefined {
  const execute = wasm.maybe('execute')
  if (execute !== undefined) {
    const funds = coins(execute, 'funds')
    return { type: 'execute', contract: execute.text('contract_addr'), msg: execute.bytes('msg'), funds }
  }
  const instantiate = wasm.maybe('instantiate')
  if (instantiate !== undefined) return { type: 'instantiate', contract: parseNewContract(instantiate) }
  const instantiate2 = wasm.maybe('instantiate2')
  if (instantiate2 !== undefined) {
    return { type: 'instantiate2', contract: parseNewContract(instantiate2), salt: instantiate2.bytes('salt') }
  }
  const migrate = wasm.maybe('migrate')
  if (migrate !== undefined) {
    const codeId = migrate.uint64('new_code_id')
    return { type: 'migrate', contract: migrate.text('contract_addr'), codeId, msg: migrate.bytes('msg') }
  }
  const clear = wasm.maybe('clear_admin')
  if (clear !== undefined) return { type: 'clear_admin', contract: clear.text('contract_addr') }
  const update = wasm.maybe('update_admin')
  if (update === undefined) return undefined
  return { type: 'update_admin', contract: update.text('contract_addr'), admin: update.text('admin') }
}

function parseNewContract(fields: JsonFields): NewContract {
  return {
    codeId: fields.uint64('code_id'),
    msg: fields.bytes('msg'),
    funds: coins(fields, 'funds'),
    label: fields.text('label'),
    admin: fields.text('admin'),
  }
}

/** The set of coins a contract means. Throws `invalidCoins` for an amount or denom that is none. */
export function toCoins(given: WasmCoins): Coins {
  return coinsOf(
    given.map(({ denom, amount }) => {
      try {
        const coin = { denom, amount: parseInt256(amount) }
        checkDenom(denom)
        if (coin.amount < 0n) throw sdkErrors.invalidCoins(`negative coin amount: ${formatCoin(coin)}`)
        return coin
      } catch (error) {
        throw error instanceof CodedError ? sdkErrors.invalidCoins(`${amount}${denom}`) : error
      }
    }),
  )
}

/** A message for the router: as a value, or still packed. */
export type ChainMsg = { readonly typeUrl: string; readonly message: unknown } | PackedMsg

/** The chain's message for a contract's wish; `undefined` for a transfer of nothing. Throws `unknownMsg`. */
export function toChainMsg(sender: string, msg: CosmosMsg): ChainMsg | undefined {
  switch (msg.kind) {
    case 'send': {
      if (msg.amount.length === 0) return undefined
      const amount = coinsToProto(toCoins(msg.amount))
      return {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        message: { fromAddress: sender, toAddress: msg.to, amount } satisfies MsgSend,
      }
    }
    case 'any':
      return { typeUrl: msg.typeUrl, value: msg.value }
    case 'wasm':
      return toWasmMsg(sender, msg.action)
    default:
      throw errors.unknownMsg('no handler found')
  }
}

function toWasmMsg(sender: string, action: WasmAction): ChainMsg {
  switch (action.type) {
    case 'execute': {
      const funds = coinsToProto(toCoins(action.funds))
      const { contract, msg } = action
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
        message: { sender, contract, msg, funds } satisfies MsgExecuteContract,
      }
    }
    case 'instantiate':
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract',
        message: {
          ...action.contract,
          sender,
          funds: coinsToProto(toCoins(action.contract.funds)),
        } satisfies MsgInstantiateContract,
      }
    case 'instantiate2':
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract2',
        message: {
          ...action.contract,
          sender,
          funds: coinsToProto(toCoins(action.contract.funds)),
          salt: action.salt,
          fixMsg: false,
        } satisfies MsgInstantiateContract2,
      }
    case 'migrate': {
      const { contract, codeId, msg } = action
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgMigrateContract',
        message: { sender, contract, codeId, msg } satisfies MsgMigrateContract,
      }
    }
    case 'update_admin': {
      const { contract, admin: newAdmin } = action
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgUpdateAdmin',
        message: { sender, contract, newAdmin } satisfies MsgUpdateAdmin,
      }
    }
    case 'clear_admin':
      return {
        typeUrl: '/cosmwasm.wasm.v1.MsgClearAdmin',
        message: { sender, contract: action.contract } satisfies MsgClearAdmin,
      }
  }
}
