import { utf8ToBytes } from '@coin/base/bytes'
import type { CodedError } from '@coin/base/errors'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import { status } from '@coin/runtime/status'
import { LegacyDec } from '@coin/wire/dec'
import type { Params } from '@coin/wire/gen/cosmos/gov/v1/gov'
import * as v1 from '@coin/wire/gen/cosmos/gov/v1/query'
import * as v1beta1 from '@coin/wire/gen/cosmos/gov/v1beta1/query'
import type { Duration } from '@coin/wire/gen/google/protobuf/duration'
import { requireParams } from './genesis.js'

/** `params_type` as in `/cosmos/gov/v1/params/voting`; v1 takes none too. */
const kinds = ['voting', 'deposit', 'tallying'] as const

export const govQueries: Readonly<Record<string, QueryRoute>> = {
  '/cosmos.gov.v1.Query/Params': onQuery(v1.QueryParamsRequest, v1.QueryParamsResponse, (ctx, { paramsType }) => {
    if (paramsType !== '' && !isKind(paramsType)) throw unknownKind(paramsType)
    return paramsOfKind(requireParams(ctx), paramsType)
  }),
  '/cosmos.gov.v1beta1.Query/Params': onQuery(
    v1beta1.QueryParamsRequest,
    v1beta1.QueryParamsResponse,
    (ctx, { paramsType }) => {
      if (!isKind(paramsType)) throw unknownKind(paramsType)
      return legacyParamsOfKind(requireParams(ctx), paramsType)
    },
  ),
}

function isKind(text: string): text is (typeof kinds)[number] {
  return (kinds as readonly string[]).includes(text)
}

function unknownKind(text: string): CodedError {
  const wrong = text === '' ? '"" is not a valid parameter type' : `unknown params type: ${text}`
  return status('invalidArgument', `${wrong}, expected one of ${kinds.join(', ')}`)
}

function paramsOfKind(params: Params, kind: string): v1.QueryParamsResponse {
  const { minDeposit, maxDepositPeriod, votingPeriod, quorum, threshold, vetoThreshold } = params
  return {
    votingParams: kind === 'voting' ? { votingPeriod } : undefined,
    depositParams: kind === 'deposit' ? { minDeposit, maxDepositPeriod } : undefined,
    tallyParams: kind === 'tallying' ? { quorum, threshold, vetoThreshold } : undefined,
    params,
  }
}

const noTime: Duration = { seconds: 0n, nanos: 0 }

/** v1beta1 has all three parts always present, the ones not asked for at zero. */
function legacyParamsOfKind(params: Params, kind: string): v1beta1.QueryParamsResponse {
  const decimal = (text: string) => utf8ToBytes(kind === 'tallying' ? LegacyDec.parse(text).toProto() : '0')
  return {
    votingParams: { votingPeriod: (kind === 'voting' ? params.votingPeriod : undefined) ?? noTime },
    depositParams: {
      minDeposit: kind === 'deposit' ? params.minDeposit : [],
      maxDepositPeriod: (kind === 'deposit' ? params.maxDepositPeriod : undefined) ?? noTime,
    },
    tallyParams: {
      quorum: decimal(params.quorum),
      threshold: decimal(params.threshold),
      vetoThreshold: decimal(params.vetoThreshold),
    },
  }
}
