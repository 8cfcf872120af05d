import type { MessageCodec } from '@coin/runtime/codec'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import * as tx from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import { AccessType } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { checkParams, paramsDefault } from './access.js'
import { checkJson } from './checks.js'
import { errors } from './errors.js'
import type { WasmKeeper } from './keeper.js'
import { parseAddress } from './msgs.js'
import { params } from './state.js'

const service = 'cosmwasm.wasm.v1'
const codeIdsMax = 50

/** Messages that only the module's authority (governance) may send. */
export function createAuthorityMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const { addresses, codes } = keeper
  return {
    [`/${service}.MsgUpdateParams`]: authorityMsg(
      keeper,
      'UpdateParams',
      tx.MsgUpdateParams,
      tx.MsgUpdateParamsResponse,
      {
        check: (msg) => checkParams(msg.params, addresses),
        run: (ctx, msg) => {
          params.set(ctx, msg.params)
          return {}
        },
      },
    ),
    [`/${service}.MsgPinCodes`]: authorityMsg(keeper, 'PinCodes', tx.MsgPinCodes, tx.MsgPinCodesResponse, {
      check: (msg) => checkCodeIds(msg.codeIds),
      run: (ctx, msg) => {
        for (const codeId of msg.codeIds) codes.pin(ctx, codeId)
        return {}
      },
    }),
    [`/${service}.MsgUnpinCodes`]: authorityMsg(keeper, 'UnpinCodes', tx.MsgUnpinCodes, tx.MsgUnpinCodesResponse, {
      check: (msg) => checkCodeIds(msg.codeIds),
      run: (ctx, msg) => {
        for (const codeId of msg.codeIds) codes.unpin(ctx, codeId)
        return {}
      },
    }),
    [`/${service}.MsgSudoContract`]: authorityMsg(
      keeper,
      'SudoContract',
      tx.MsgSudoContract,
      tx.MsgSudoContractResponse,
      {
        check: (msg) => {
          parseAddress(addresses, msg.contract, 'contract')
          checkJson(msg.msg, 'payload msg')
        },
        run: (ctx, msg) => ({ data: keeper.sudo(ctx, parseAddress(addresses, msg.contract, 'contract'), msg.msg) }),
      },
    ),
    ...uploadMsgs(keeper),
  }
}

/** Who may store codes, when the list of addresses decides. */
function uploadMsgs(keeper: WasmKeeper): Record<string, MsgRoute> {
  const change = (ctx: Write, edit: (listed: readonly string[]) => string[]): void => {
    const present = params.get(ctx) ?? paramsDefault
    const { codeUploadAccess } = present
    if (codeUploadAccess.permission !== AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES) throw errors.invalid('permission')
    params.set(ctx, {
      ...present,
      codeUploadAccess: { ...codeUploadAccess, addresses: edit(codeUploadAccess.addresses) },
    })
  }
  const check = ({ addresses }: { addresses: readonly string[] }) => {
    if (addresses.length === 0) throw errors.empty('addresses')
    for (const address of addresses) parseAddress(keeper.addresses, address, 'addresses')
  }
  return {
    [`/${service}.MsgAddCodeUploadParamsAddresses`]: authorityMsg<
      tx.MsgAddCodeUploadParamsAddresses,
      tx.MsgAddCodeUploadParamsAddressesResponse
    >(
      keeper,
      'AddCodeUploadParamsAddresses',
      tx.MsgAddCodeUploadParamsAddresses,
      tx.MsgAddCodeUploadParamsAddressesResponse,
      {
        check,
        run: (ctx, msg) => {
          change(ctx, (listed) => [...new Set([...listed, ...msg.addresses])])
          return {}
        },
      },
    ),
    [`/${service}.MsgRemoveCodeUploadParamsAddresses`]: authorityMsg<
      tx.MsgRemoveCodeUploadParamsAddresses,
      tx.MsgRemoveCodeUploadParamsAddressesResponse
    >(
      keeper,
      'RemoveCodeUploadParamsAddresses',
      tx.MsgRemoveCodeUploadParamsAddresses,
      tx.MsgRemoveCodeUploadParamsAddressesResponse,
      {
        check,
        run: (ctx, msg) => {
          change(ctx, (listed) => listed.filter((address) => !msg.addresses.includes(address)))
          return {}
        },
      },
    ),
  }
}

/** A message that the module's authority must have signed. */
function authorityMsg<Msg extends { authority: string }, Response>(
  keeper: WasmKeeper,
  name: string,
  request: MessageCodec<Msg>,
  response: MessageCodec<Response>,
  { check, run }: { check(msg: Msg): void; run(ctx: Write, msg: Msg): Response },
): MsgRoute {
  return onMsg<Msg, Response>({
    request,
    response,
    responseType: `${service}.Msg${name}Response`,
    signers: (msg) => [msg.authority],
    check: (msg) => {
      parseAddress(keeper.addresses, msg.authority, 'authority')
      check(msg)
    },
    run: (ctx, msg) => {
      if (msg.authority !== keeper.authority) {
        throw errors.invalid(`invalid authority; expected ${keeper.authority}, got ${msg.authority}`)
      }
      return run(ctx, msg)
    },
  })
}

function checkCodeIds(codeIds: readonly bigint[]): void {
  if (codeIds.length === 0) throw errors.empty('code ids')
  if (codeIds.length > codeIdsMax) {
    throw sdkErrors.invalidRequest(`total number of code ids is greater than ${codeIdsMax}`)
  }
  if (new Set(codeIds).size !== codeIds.length) throw errors.duplicate('duplicate code ids')
}
