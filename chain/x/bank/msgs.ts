import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import { type Coins, coinsFromProto, coinsOf, equalCoins, formatCoins } from '@coin/wire/coins'
import { MsgMultiSend, MsgMultiSendResponse, MsgSend, MsgSendResponse } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import type { Coin as ProtoCoin } from '@coin/wire/gen/cosmos/base/v1beta1/coin'
import { errors } from './errors.js'
import { type BankKeeper, checkAmount, type Output } from './keeper.js'

export function createBankMsgs(keeper: BankKeeper): Record<string, MsgRoute> {
  return {
    '/cosmos.bank.v1beta1.MsgSend': onMsg<MsgSend, MsgSendResponse>({
      request: MsgSend,
      response: MsgSendResponse,
      responseType: 'cosmos.bank.v1beta1.MsgSendResponse',
      signers: (msg) => [msg.fromAddress],
      check: (msg) => checkDigits(msg.amount),
      run: (ctx, msg) => runSend(ctx, keeper, msg),
    }),
    '/cosmos.bank.v1beta1.MsgMultiSend': onMsg<MsgMultiSend, MsgMultiSendResponse>({
      request: MsgMultiSend,
      response: MsgMultiSendResponse,
      responseType: 'cosmos.bank.v1beta1.MsgMultiSendResponse',
      signers: (msg) => msg.inputs.map((input) => input.address),
      check: (msg) => {
        for (const { coins } of [...msg.inputs, ...msg.outputs]) checkDigits(coins)
      },
      run: (ctx, msg) => runMultiSend(ctx, keeper, msg),
    }),
  }
}

function runSend(ctx: Write, keeper: BankKeeper, msg: MsgSend): MsgSendResponse {
  const from = parseAddress(keeper, msg.fromAddress, 'from')
  const to = parseAddress(keeper, msg.toAddress, 'to')
  const coins = requireCoins(msg.amount)
  keeper.checkSendEnabled(ctx, coins)
  checkRecipient(keeper, to, msg.toAddress)
  keeper.send(ctx, from, to, coins)
  return {}
}

function runMultiSend(ctx: Write, keeper: BankKeeper, msg: MsgMultiSend): MsgMultiSendResponse {
  const [input, ...more] = msg.inputs
  if (input === undefined) throw errors.noInputs()
  if (more.length > 0) throw errors.multipleSenders()
  if (msg.outputs.length === 0) throw errors.noOutputs()
  const from = parseAddress(keeper, input.address, 'input')
  const coins = requireCoins(input.coins)
  const outputs: Output[] = msg.outputs.map((output) => ({
    to: parseAddress(keeper, output.address, 'output'),
    coins: requireCoins(output.coins),
  }))
  if (!equalCoins(coins, coinsOf(outputs.flatMap((output) => output.coins)))) throw errors.inputOutputMismatch()
  keeper.checkSendEnabled(ctx, coins)
  for (const [index, { to }] of outputs.entries()) checkRecipient(keeper, to, msg.outputs[index]!.address)
  keeper.sendToMany(ctx, from, coins, outputs)
  return {}
}

function checkRecipient(keeper: BankKeeper, to: Bytes, text: string): void {
  if (keeper.isBlocked(to)) throw sdkErrors.unauthorized(`${text} is not allowed to receive funds`)
}

function parseAddress(keeper: BankKeeper, text: string, which: string): Bytes {
  try {
    return keeper.addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidAddress(`invalid ${which} address: ${error.message}`) : error
  }
}

/** At least one coin, and a valid set of them. */
function requireCoins(proto: readonly ProtoCoin[]): Coins {
  const coins = coinsFromProto(proto)
  if (coins.length === 0) throw sdkErrors.invalidCoins(formatCoins(coins))
  checkAmount(coins)
  return coins
}

/** In the SDK an amount that is no 256-bit integer does not even decode; so no fee is taken for it here either. */
function checkDigits(proto: readonly ProtoCoin[]): void {
  try {
    coinsFromProto(proto)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.txDecode(error.message) : error
  }
}
