import type { Write } from '@coin/runtime/context'
import { sdkErrors, undefinedErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import { plainAddress } from '@coin/runtime/plain-address'
import * as tx from '@coin/wire/gen/cosmos/feegrant/v1beta1/tx'
import { unpackAllowance } from './allowances.js'
import type { FeegrantKeeper } from './keeper.js'

const service = 'cosmos.feegrant.v1beta1'

/** Grants that one `MsgPruneAllowances` removes at most. */
const prunedPerMessage = 75

export function createFeegrantMsgs(keeper: FeegrantKeeper): Record<string, MsgRoute> {
  return {
    [`/${service}.MsgGrantAllowance`]: onMsg<tx.MsgGrantAllowance, tx.MsgGrantAllowanceResponse>({
      request: tx.MsgGrantAllowance,
      response: tx.MsgGrantAllowanceResponse,
      responseType: `${service}.MsgGrantAllowanceResponse`,
      signers: ({ granter }) => [granter],
      run: (ctx, msg) => runGrant(ctx, keeper, msg),
    }),
    [`/${service}.MsgRevokeAllowance`]: onMsg<tx.MsgRevokeAllowance, tx.MsgRevokeAllowanceResponse>({
      request: tx.MsgRevokeAllowance,
      response: tx.MsgRevokeAllowanceResponse,
      responseType: `${service}.MsgRevokeAllowanceResponse`,
      signers: ({ granter }) => [granter],
      run: (ctx, msg) => runRevoke(ctx, keeper, msg),
    }),
    [`/${service}.MsgPruneAllowances`]: onMsg<tx.MsgPruneAllowances, tx.MsgPruneAllowancesResponse>({
      request: tx.MsgPruneAllowances,
      response: tx.MsgPruneAllowancesResponse,
      responseType: `${service}.MsgPruneAllowancesResponse`,
      signers: ({ pruner }) => [pruner],
      run(ctx, { pruner }) {
        keeper.prune(ctx, prunedPerMessage)
        ctx.emit('prune_feegrant', { pruner })
        return {}
      },
    }),
  }
}

function runGrant(ctx: Write, keeper: FeegrantKeeper, msg: tx.MsgGrantAllowance): tx.MsgGrantAllowanceResponse {
  if (msg.granter.toLowerCase() === msg.grantee.toLowerCase()) {
    throw sdkErrors.invalidAddress('cannot self-grant fee authorization')
  }
  const grantee = plainAddress(keeper.addresses, msg.grantee)
  const granter = plainAddress(keeper.addresses, msg.granter)
  // As there: looked up twice, here and by the keeper, and paid for twice.
  if (keeper.get(ctx, granter, grantee) !== undefined) throw sdkErrors.invalidRequest('fee allowance already exists')
  // As there: a grant of nothing is a panic.
  if (msg.allowance === undefined) throw undefinedErrors.panic('the grant has no allowance')
  const allowance = unpackAllowance(msg.allowance)
  allowance.check()
  keeper.grant(ctx, granter, grantee, allowance)
  return {}
}

function runRevoke(ctx: Write, keeper: FeegrantKeeper, msg: tx.MsgRevokeAllowance): tx.MsgRevokeAllowanceResponse {
  if (msg.granter === msg.grantee) throw sdkErrors.invalidAddress('addresses must be different')
  const grantee = plainAddress(keeper.addresses, msg.grantee)
  const granter = plainAddress(keeper.addresses, msg.granter)
  keeper.revoke(ctx, granter, grantee)
  return {}
}
