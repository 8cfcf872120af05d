import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { sdkErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import type { AddressCodec } from '@coin/wire/addresses'
import { type Coins, checkCoins, coinsFromProto } from '@coin/wire/coins'
import type { Coin as ProtoCoin } from '@coin/wire/gen/cosmos/base/v1beta1/coin'
import * as tx from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import { checkAccessConfig } from './access.js'
import { checkJson, checkLabel, checkSalt, codeBytesMax } from './checks.js'
import { errors } from './errors.js'
import type { WasmKeeper } from './keeper.js'

const service = 'cosmwasm.wasm.v1'

/** Messages of users; those of governance are in msgs-authority.ts. */
export function createWasmMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  return { ...codeMsgs(keeper), ...instantiateMsgs(keeper), ...contractMsgs(keeper), ...adminMsgs(keeper) }
}

/** Throws the codec's own error with what the address is for. */
export function parseAddress(addresses: AddressCodec, text: string, what: string): Bytes {
  try {
    return addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidAddress(`${what}: ${error.message}`) : error
  }
}

/** Throws `invalidCoins`. */
export function parseFunds(proto: readonly ProtoCoin[]): Coins {
  try {
    const coins = coinsFromProto(proto)
    checkCoins(coins)
    return coins
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw sdkErrors.invalidCoins(`funds: ${error.message}`)
  }
}

function codeMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const { addresses, codes } = keeper
  return {
    [`/${service}.MsgStoreCode`]: onMsg<tx.MsgStoreCode, tx.MsgStoreCodeResponse>({
      request: tx.MsgStoreCode,
      response: tx.MsgStoreCodeResponse,
      responseType: `${service}.MsgStoreCodeResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        parseAddress(addresses, msg.sender, 'sender')
        checkCodeSize(msg.wasmByteCode)
        if (msg.instantiatePermission !== undefined) checkAccessConfig(msg.instantiatePermission, addresses)
      },
      run: (ctx, msg) => {
        const sender = addresses.encode(parseAddress(addresses, msg.sender, 'sender'))
        return codes.create(ctx, sender, msg.wasmByteCode, msg.instantiatePermission, keeper.policyOf(sender))
      },
    }),
    [`/${service}.MsgUpdateInstantiateConfig`]: onMsg<
      tx.MsgUpdateInstantiateConfig,
      tx.MsgUpdateInstantiateConfigResponse
    >({
      request: tx.MsgUpdateInstantiateConfig,
      response: tx.MsgUpdateInstantiateConfigResponse,
      responseType: `${service}.MsgUpdateInstantiateConfigResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        parseAddress(addresses, msg.sender, 'sender')
        checkCodeId(msg.codeId)
        if (msg.newInstantiatePermission === undefined) {
          throw sdkErrors.invalidRequest('instantiate permission is required')
        }
        checkAccessConfig(msg.newInstantiatePermission, addresses)
      },
      run: (ctx, msg) => {
        const sender = addresses.encode(parseAddress(addresses, msg.sender, 'sender'))
        codes.setAccess(ctx, msg.codeId, sender, msg.newInstantiatePermission!, keeper.policyOf(sender))
        return {}
      },
    }),
  }
}

export function checkCodeSize(code: Bytes): void {
  if (code.length === 0) throw sdkErrors.invalidRequest('code bytes is required: empty')
  if (code.length > codeBytesMax) {
    throw sdkErrors.invalidRequest(`code bytes cannot be longer than ${codeBytesMax} bytes: exceeds limit`)
  }
}

function checkCodeId(codeId: bigint): void {
  if (codeId === 0n) throw sdkErrors.invalidRequest('code id is required')
}

interface NewContractMsg {
  readonly sender: string
  readonly admin: string
  readonly codeId: bigint
  readonly label: string
  readonly msg: Bytes
  readonly funds: readonly ProtoCoin[]
}

function checkNewContract(addresses: AddressCodec, msg: NewContractMsg): void {
  parseAddress(addresses, msg.sender, 'sender')
  checkCodeId(msg.codeId)
  checkLabel(msg.label)
  parseFunds(msg.funds)
  if (msg.admin !== '') parseAddress(addresses, msg.admin, 'admin')
  checkJson(msg.msg, 'payload msg')
}

function instantiateMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const { addresses } = keeper
  const toContract = (msg: NewContractMsg) => {
    const creator = parseAddress(addresses, msg.sender, 'sender')
    const admin = msg.admin === '' ? undefined : parseAddress(addresses, msg.admin, 'admin')
    const { codeId, label } = msg
    const contract = { codeId, creator, admin, msg: msg.msg, label, funds: parseFunds(msg.funds) }
    return { contract, policy: keeper.policyOf(addresses.encode(creator)) }
  }
  return {
    [`/${service}.MsgInstantiateContract`]: onMsg<tx.MsgInstantiateContract, tx.MsgInstantiateContractResponse>({
      request: tx.MsgInstantiateContract,
      response: tx.MsgInstantiateContractResponse,
      responseType: `${service}.MsgInstantiateContractResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => checkNewContract(addresses, msg),
      run: (ctx, msg) => {
        const { contract, policy } = toContract(msg)
        const { address, data } = keeper.instantiate(ctx, contract, policy)
        return { address: addresses.encode(address), data }
      },
    }),
    [`/${service}.MsgInstantiateContract2`]: onMsg<tx.MsgInstantiateContract2, tx.MsgInstantiateContract2Response>({
      request: tx.MsgInstantiateContract2,
      response: tx.MsgInstantiateContract2Response,
      responseType: `${service}.MsgInstantiateContract2Response`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        checkNewContract(addresses, msg)
        checkSalt(msg.salt)
      },
      run: (ctx, msg) => {
        const { contract, policy } = toContract(msg)
        const { salt, fixMsg } = msg
        const { address, data } = keeper.instantiate(ctx, { ...contract, predictable: { salt, fixMsg } }, policy)
        return { address: addresses.encode(address), data }
      },
    }),
  }
}

function contractMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const { addresses } = keeper
  return {
    [`/${service}.MsgExecuteContract`]: onMsg<tx.MsgExecuteContract, tx.MsgExecuteContractResponse>({
      request: tx.MsgExecuteContract,
      response: tx.MsgExecuteContractResponse,
      responseType: `${service}.MsgExecuteContractResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        parseAddress(addresses, msg.sender, 'sender')
        parseAddress(addresses, msg.contract, 'contract')
        parseFunds(msg.funds)
        checkJson(msg.msg, 'payload msg')
      },
      run: (ctx, msg) => {
        const sender = parseAddress(addresses, msg.sender, 'sender')
        const contract = parseAddress(addresses, msg.contract, 'contract')
        return { data: keeper.execute(ctx, contract, sender, msg.msg, parseFunds(msg.funds)) }
      },
    }),
    [`/${service}.MsgMigrateContract`]: onMsg<tx.MsgMigrateContract, tx.MsgMigrateContractResponse>({
      request: tx.MsgMigrateContract,
      response: tx.MsgMigrateContractResponse,
      responseType: `${service}.MsgMigrateContractResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        checkCodeId(msg.codeId)
        parseAddress(addresses, msg.sender, 'sender')
        parseAddress(addresses, msg.contract, 'contract')
        checkJson(msg.msg, 'payload msg')
      },
      run: (ctx, msg) => {
        const sender = parseAddress(addresses, msg.sender, 'sender')
        const contract = parseAddress(addresses, msg.contract, 'contract')
        const policy = keeper.policyOf(addresses.encode(sender))
        return { data: keeper.migrate(ctx, contract, sender, msg.codeId, msg.msg, policy) }
      },
    }),
  }
}

function adminMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const { addresses } = keeper
  const parties = (msg: { sender: string; contract: string }) => {
    const sender = parseAddress(addresses, msg.sender, 'sender')
    const contract = parseAddress(addresses, msg.contract, 'contract')
    return { sender, contract, policy: keeper.policyOf(addresses.encode(sender)) }
  }
  return {
    [`/${service}.MsgUpdateAdmin`]: onMsg<tx.MsgUpdateAdmin, tx.MsgUpdateAdminResponse>({
      request: tx.MsgUpdateAdmin,
      response: tx.MsgUpdateAdminResponse,
      responseType: `${service}.MsgUpdateAdminResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        parties(msg)
        parseAddress(addresses, msg.newAdmin, 'new admin')
        if (msg.sender.toLowerCase() === msg.newAdmin.toLowerCase()) {
          throw errors.invalid('new admin is the same as the old')
        }
      },
      run: (ctx, msg) => {
        const { sender, contract, policy } = parties(msg)
        keeper.setAdmin(ctx, contract, sender, parseAddress(addresses, msg.newAdmin, 'new admin'), policy)
        return {}
      },
    }),
    [`/${service}.MsgClearAdmin`]: onMsg<tx.MsgClearAdmin, tx.MsgClearAdminResponse>({
      request: tx.MsgClearAdmin,
      response: tx.MsgClearAdminResponse,
      responseType: `${service}.MsgClearAdminResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => void parties(msg),
      run: (ctx, msg) => {
        const { sender, contract, policy } = parties(msg)
        keeper.setAdmin(ctx, contract, sender, undefined, policy)
        return {}
      },
    }),
    [`/${service}.MsgUpdateContractLabel`]: onMsg<tx.MsgUpdateContractLabel, tx.MsgUpdateContractLabelResponse>({
      request: tx.MsgUpdateContractLabel,
      response: tx.MsgUpdateContractLabelResponse,
      responseType: `${service}.MsgUpdateContractLabelResponse`,
      signers: ({ sender }) => [sender],
      check: (msg) => {
        checkLabel(msg.newLabel)
        parties(msg)
      },
      run: (ctx, msg) => {
        const { sender, contract, policy } = parties(msg)
        keeper.setLabel(ctx, contract, sender, msg.newLabel, policy)
        return {}
      },
    }),
  }
}
