import type { Timestamp } from '@coin/wire/gen/google/protobuf/timestamp'
import { formatTimeRfc3339Nano, nsToTimestamp, timestampToNs } from '@coin/wire/time'
import { sdkErrors } from '../errors.js'
import type { AnteStep } from './step.js'

/** A transaction may name the last height and the last block time at which it is good. */
export const checkTimeout: AnteStep = {
  name: 'check-timeout',
  run(ctx, { body }) {
    if (body.timeoutHeight > 0n && BigInt(ctx.height) > body.timeoutHeight) {
      throw sdkErrors.txTimeoutHeight(`block height: ${ctx.height}, timeout height: ${body.timeoutHeight}`)
    }
    const until = body.timeoutTimestamp
    if (until !== undefined && until.seconds !== 0n && timestampToNs(until) < ctx.time) {
      const blockTime = goTime(nsToTimestamp(ctx.time))
      throw sdkErrors.txTimeout(`block time: ${blockTime}, timeout timestamp: ${goTime(until)}`)
    }
    return undefined
  },
}

/** `2026-01-01 00:00:00.5 +0000 UTC`, as Go prints a time. */
function goTime(time: Timestamp): string {
  return formatTimeRfc3339Nano(time).replace('T', ' ').replace('Z', ' +0000 UTC')
}
