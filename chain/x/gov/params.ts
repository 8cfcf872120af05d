import { genesisErrors } from '@coin/runtime/errors'
import { checkCoins, coinsFromProto } from '@coin/wire/coins'
import { LegacyDec } from '@coin/wire/dec'
import type { Params } from '@coin/wire/gen/cosmos/gov/v1/gov'
import type { Duration } from '@coin/wire/gen/google/protobuf/duration'
import { durationToNs } from '@coin/wire/time'

const day = 86_400n

/** The SDK's defaults, with deposits in the chain's own denom. Ratios are decimals of 18 places, periods are seconds. */
export function paramsDefault(denom: string): Params {
  return {
    minDeposit: [{ denom, amount: '10000000' }],
    maxDepositPeriod: { seconds: 2n * day, nanos: 0 },
    votingPeriod: { seconds: 2n * day, nanos: 0 },
    quorum: '0.334000000000000000',
    threshold: '0.500000000000000000',
    vetoThreshold: '0.334000000000000000',
    minInitialDepositRatio: '0.000000000000000000',
    proposalCancelRatio: '0.500000000000000000',
    proposalCancelDest: '',
    expeditedVotingPeriod: { seconds: day, nanos: 0 },
    expeditedThreshold: '0.667000000000000000',
    expeditedMinDeposit: [{ denom, amount: '50000000' }],
    burnVoteQuorum: false,
    burnProposalDepositPrevote: false,
    burnVoteVeto: true,
    minDepositRatio: '0.010000000000000000',
  }
}

/** Throws unless ratios are in their ranges, periods are positive, and the expedited way is stricter and shorter. */
export function checkParams(params: Params): void {
  const ratios = ['quorum', 'minInitialDepositRatio', 'proposalCancelRatio'] as const
  for (const name of ratios) ratio(name, params[name])
  const thresholds = ['threshold', 'vetoThreshold', 'expeditedThreshold'] as const
  for (const name of thresholds) if (ratio(name, params[name]).isZero()) fail(`${name} is 0`)
  if (LegacyDec.parse(params.expeditedThreshold).lte(LegacyDec.parse(params.threshold))) {
    fail(`expeditedThreshold ${params.expeditedThreshold} is not above threshold ${params.threshold}`)
  }
  for (const name of ['minDeposit', 'expeditedMinDeposit'] as const) {
    const coins = coinsFromProto(params[name])
    checkCoins(coins)
    if (coins.length === 0) fail(`${name} is empty`)
  }
  period('maxDepositPeriod', params.maxDepositPeriod)
  const voting = period('votingPeriod', params.votingPeriod)
  const expedited = period('expeditedVotingPeriod', params.expeditedVotingPeriod)
  if (expedited >= voting) fail(`expeditedVotingPeriod of ${expedited} ns is not below votingPeriod of ${voting} ns`)
}

function fail(why: string): never {
  throw genesisErrors.invalid(`gov parameters: ${why}`)
}

function ratio(name: string, text: string): LegacyDec {
  const value = LegacyDec.parse(text)
  if (value.isNegative() || value.gt(LegacyDec.one)) fail(`${name} is ${text}, expected 0 to 1`)
  return value
}

/** In nanoseconds. */
function period(name: string, duration: Duration | undefined): bigint {
  const nanos = duration === undefined ? 0n : durationToNs(duration)
  if (nanos <= 0n) fail(`${name} is not positive`)
  return nanos
}
