import { genesisErrors } from '@coin/runtime/errors'
import { isDenom } from '@coin/wire/coins'
import { LegacyDec } from '@coin/wire/dec'
import type { Minter, Params } from '@coin/wire/gen/cosmos/mint/v1beta1/mint'

/** No new coins: every rate is zero. `goal_bonded` and `blocks_per_year` are the document's figures. */
export function paramsDefault(mintDenom: string): Params {
  return {
    mintDenom,
    inflationRateChange: '0',
    inflationMax: '0',
    inflationMin: '0',
    goalBonded: LegacyDec.ofPlaces(67n, 2).toProto(),
    blocksPerYear: 6311520n,
  }
}

export const minterDefault: Minter = { inflation: '0', annualProvisions: '0' }

/** Throws unless the rates are between 0 and 1, the goal above 0, and the bounds in order. */
export function checkParams(params: Params): void {
  const fail = (why: string): never => {
    throw genesisErrors.invalid(`mint parameters: ${why}`)
  }
  if (!isDenom(params.mintDenom)) fail(`mint_denom "${params.mintDenom}" is no valid denom`)
  const rates = {
    inflation_rate_change: LegacyDec.fromProto(params.inflationRateChange),
    inflation_max: LegacyDec.fromProto(params.inflationMax),
    inflation_min: LegacyDec.fromProto(params.inflationMin),
    goal_bonded: LegacyDec.fromProto(params.goalBonded),
  }
  for (const [name, rate] of Object.entries(rates)) {
    if (rate.isNegative() || rate.gt(LegacyDec.one)) fail(`${name} is ${rate}, expected 0 to 1`)
  }
  if (rates.goal_bonded.isZero()) fail('goal_bonded is 0')
  if (rates.inflation_max.lt(rates.inflation_min)) {
    fail(`inflation_max ${rates.inflation_max} is below inflation_min ${rates.inflation_min}`)
  }
  if (params.blocksPerYear === 0n) fail('blocks_per_year is 0')
}
