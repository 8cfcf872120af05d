import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import type { AddressCodec } from '@coin/wire/addresses'
import * as tx from '@coin/wire/gen/cosmos/authz/v1beta1/tx'
import { decodeAny } from '@coin/wire/registry'
import { errors } from './errors.js'
import type { Action, AuthzKeeper } from './keeper.js'

const service = 'cosmos.authz.v1beta1'

export function createAuthzMsgs(keeper: AuthzKeeper): Record<string, MsgRoute> {
  return {
    [`/${service}.MsgGrant`]: onMsg<tx.MsgGrant, tx.MsgGrantResponse>({
      request: tx.MsgGrant,
      response: tx.MsgGrantResponse,
      responseType: `${service}.MsgGrantResponse`,
      signers: ({ granter }) => [granter],
      run: (ctx, msg) => runGrant(ctx, keeper, msg),
    }),
    [`/${service}.MsgExec`]: onMsg<tx.MsgExec, tx.MsgExecResponse>({
      request: tx.MsgExec,
      response: tx.MsgExecResponse,
      responseType: `${service}.MsgExecResponse`,
      signers: ({ grantee }) => [grantee],
      run: (ctx, msg) => runExec(ctx, keeper, msg),
    }),
    [`/${service}.MsgRevoke`]: onMsg<tx.MsgRevoke, tx.MsgRevokeResponse>({
      request: tx.MsgRevoke,
      response: tx.MsgRevokeResponse,
      responseType: `${service}.MsgRevokeResponse`,
      signers: ({ granter }) => [granter],
      run: (ctx, msg) => runRevoke(ctx, keeper, msg),
    }),
  }
}

function runGrant(ctx: Write, keeper: AuthzKeeper, msg: tx.MsgGrant): tx.MsgGrantResponse {
  const { granter, grantee } = parseParties(keeper.addresses, msg)
  const authorization = keeper.unpack(msg.grant.authorization)
  authorization.check()
  keeper.openAccount(ctx, grantee)
  const { msgTypeUrl } = authorization
  if (!keeper.router.has(msgTypeUrl)) throw sdkErrors.invalidType(`${msgTypeUrl} doesn't exist.`)
  keeper.grant(ctx, granter, grantee, authorization, msg.grant.expiration)
  return {}
}

function runRevoke(ctx: Write, keeper: AuthzKeeper, msg: tx.MsgRevoke): tx.MsgRevokeResponse {
  const { granter, grantee } = parseParties(keeper.addresses, msg)
  if (msg.msgTypeUrl === '') throw sdkErrors.invalidRequest('missing msg method name')
  keeper.revoke(ctx, granter, grantee, msg.msgTypeUrl)
  return {}
}

function runExec(ctx: Write, keeper: AuthzKeeper, msg: tx.MsgExec): tx.MsgExecResponse {
  const grantee = parseAddress(keeper.addresses, msg.grantee, 'grantee')
  if (msg.msgs.length === 0) throw sdkErrors.invalidRequest('messages cannot be empty')
  const actions = msg.msgs.map((any): Action => ({ typeUrl: any.typeUrl, message: decodeAny(any).message }))
  for (const [index, action] of actions.entries()) checkAction(keeper, action, index)
  return { results: keeper.execute(ctx, grantee, actions) }
}

function checkAction({ router }: AuthzKeeper, { typeUrl, message }: Action, index: number): void {
  if (!router.has(typeUrl)) return
  try {
    router.route(typeUrl).check?.(message)
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(`msg ${index}`) : error
  }
}

function parseParties(addresses: AddressCodec, { granter, grantee }: { granter: string; grantee: string }) {
  if (granter.toLowerCase() === grantee.toLowerCase()) throw errors.granteeIsGranter()
  const to = parseAddress(addresses, grantee, 'grantee')
  return { granter: parseAddress(addresses, granter, 'granter'), grantee: to }
}

function parseAddress(addresses: AddressCodec, text: string, which: string): Bytes {
  try {
    return addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidAddress(`invalid ${which} address: ${error.message}`) : error
  }
}
