import { timestampToNs } from '@coin/wire/time'
import type { Write } from '../context.js'
import { sdkErrors } from '../errors.js'
import type { Tx } from '../tx.js'
import { signerCount } from './signers.js'
import type { AnteStep, UnorderedNonces } from './step.js'

/** How far ahead of the block an unordered transaction's timeout may be: the SDK's default, and what it calls it. */
const timeoutMaxNs = 600_000_000_000n
const timeoutMaxText = '10m0s'

/** SDK gas for taking the nonce out again once it has expired. */
const nonceGas = 2240

/**
 * As many signatures as signers; and an unordered transaction's timeout is used up for each of them. `nonces` is left out where the
 * chain takes none.
 */
export function takeNonces(nonces: UnorderedNonces | undefined): AnteStep {
  return {
    name: 'take-nonces',
    run(ctx, tx) {
      const { unordered } = tx.body
      if (unordered && nonces === undefined) throw sdkErrors.notSupported('unordered transactions are not enabled')
      if (tx.signatures.length !== tx.signers.length) throw signerCount(tx.signers.length, tx.signatures.length)
      if (unordered && nonces !== undefined) take(ctx, tx, nonces)
      return undefined
    },
  }
}

function take(ctx: Write, tx: Tx, nonces: UnorderedNonces): void {
  const timeout = timeoutOf(tx)
  if (timeout === undefined) throw sdkErrors.invalidRequest('unordered transaction must have timeout_timestamp set')
  if (timeout < ctx.time) {
    throw sdkErrors.invalidRequest('unordered transaction has a timeout_timestamp that has already passed')
  }
  if (timeout > ctx.time + timeoutMaxNs) throw sdkErrors.invalidRequest(`unordered tx ttl exceeds ${timeoutMaxText}`)
  ctx.gas.consume(nonceGas, 'unordered tx')
  if (ctx.mode === 'simulate') return
  for (const [index, signer] of tx.signers.entries()) {
    if (nonces.use(ctx, signer, timeout)) continue
    const used = `sender ${tx.signerTexts[index]} has already used timeout ${timeout}`
    throw sdkErrors.invalidRequest(`failed to add unordered nonce: ${used}`)
  }
}

/** Go's zero time, the first of January of the year 1, and the epoch's second both stand for none. */
const zeroSeconds = -62_135_596_800n

/** Nanoseconds since the epoch. */
function timeoutOf({ body: { timeoutTimestamp: time } }: Tx): bigint | undefined {
  if (time === undefined || time.seconds === 0n) return undefined
  return time.seconds === zeroSeconds && time.nanos === 0 ? undefined : timestampToNs(time)
}
