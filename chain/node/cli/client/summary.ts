import type { Metadata } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { type Json, messageToJson } from '@coin/wire/json'
import { formatTimestamp } from '@coin/wire/time'

/** How a denom is shown to people; `undefined` when the chain does not say. */
export type DenomMetadata = (denom: string) => Metadata | undefined

/** Longest text of a message that is shown whole; contract code and the like are not read by anybody. */
const textLengthMax = 400

/** What is about to be signed, for people: amounts as base units and in the display denom. */
export function summarizeTx({ body, authInfo }: Tx, metadata: DenomMetadata): Json {
  const shown = (json: Json) => readable(json, metadata)
  const messages = (body?.messages ?? []).map((any) => shown(messageToJson('google.protobuf.Any', any)))
  const { amount = [], gasLimit = 0n, payer = '', granter = '' } = authInfo?.fee ?? {}
  const { memo = '', timeoutHeight = 0n, timeoutTimestamp, unordered = false } = body ?? {}
  return {
    messages,
    ...(memo !== '' && { memo }),
    ...(timeoutHeight !== 0n && { timeout_height: String(timeoutHeight) }),
    ...(timeoutTimestamp && { timeout_timestamp: formatTimestamp(timeoutTimestamp) }),
    ...(unordered && { unordered }),
    gas_limit: String(gasLimit),
    fee: amount.length === 0 ? 'none' : formatCoins(amount, metadata),
    ...(payer !== '' && { fee_payer: payer }),
    ...(granter !== '' && { fee_granter: granter }),
  }
}

/** Denoms that a summary of this transaction shows. */
export function denomsOf({ body, authInfo }: Tx): readonly string[] {
  const denoms = new Set((authInfo?.fee?.amount ?? []).map(({ denom }) => denom))
  const visit = (json: Json): void => {
    if (isCoin(json)) denoms.add(json.denom)
    else if (typeof json === 'object' && json !== null) Object.values(json).forEach(visit)
  }
  for (const any of body?.messages ?? []) visit(messageToJson('google.protobuf.Any', any))
  return [...denoms]
}

interface CoinJson {
  readonly denom: string
  readonly amount: string
}

function isCoin(json: Json): json is Json & CoinJson {
  if (typeof json !== 'object' || json === null || Object.keys(json).length !== 2) return false
  const { denom, amount } = json as { readonly denom?: Json; readonly amount?: Json }
  return typeof denom === 'string' && typeof amount === 'string' && /^[0-9]+$/.test(amount)
}

function readable(json: Json, metadata: DenomMetadata): Json {
  if (typeof json === 'string' && json.length > textLengthMax)
    return `${json.slice(0, 60)}... (${json.length} characters)`
  if (typeof json !== 'object' || json === null) return json
  if (isCoin(json)) return formatCoins([json], metadata)
  if (Array.isArray(json)) {
    const items = json as readonly Json[]
    return items.length > 0 && items.every(isCoin)
      ? formatCoins(items, metadata)
      : items.map((item) => readable(item, metadata))
  }
  const members = Object.entries(json as Readonly<Record<string, Json>>)
  return Object.fromEntries(members.map(([name, value]) => [name, readable(value, metadata)]))
}

function formatCoins(coins: readonly CoinJson[], metadata: DenomMetadata): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}${inDisplay(BigInt(amount), metadata(denom))}`).join(', ')
}

/** ` (1.5 COIN)`, exact; empty when base and display are the same or unknown. */
function inDisplay(amount: bigint, metadata: Metadata | undefined): string {
  const unit = metadata?.denomUnits.find(({ denom }) => denom === metadata.display)
  if (unit === undefined || unit.exponent === 0 || unit.exponent > 77) return ''
  const digits = amount.toString().padStart(unit.exponent + 1, '0')
  const whole = digits.slice(0, -unit.exponent)
  const fraction = digits.slice(-unit.exponent).replace(/0+$/, '')
  return ` (${whole}${fraction === '' ? '' : `.${fraction}`} ${metadata!.display})`
}
