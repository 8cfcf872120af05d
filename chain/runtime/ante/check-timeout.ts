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
      const blockTime = formatTimeRfc3339Nano(nsToTimestamp(ctx.time))
      throw sdkErrors.txTimeout(`block time: ${blockTime}, timeout timestamp: ${formatTimeRfc3339Nano(until)}`)
    }
    return undefined
  },
}
