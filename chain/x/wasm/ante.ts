import { concatBytes } from '@coin/base/bytes'
import type { AnteStep } from '@coin/runtime/ante/step'
import { decodeUint64, encodeUint64 } from '@coin/runtime/keys'
import { txCounter } from './state.js'

function encodeUint32(value: number): Uint8Array {
  const out = new Uint8Array(4)
  new DataView(out.buffer).setUint32(0, value)
  return out
}

/**
 * Counts the transactions of a block whose ante steps pass; contracts see the number. A simulation pays the same gas as the
 * delivery it stands for and sees 0, the number it has when its block has no other transaction.
 */
export const countTransactions: AnteStep = {
  name: 'count-transactions',
  run(ctx) {
    const stored = txCounter.get(ctx)
    const isSameBlock = stored !== undefined && decodeUint64(stored) === BigInt(ctx.height)
    const next = isSameBlock ? new DataView(stored.buffer, stored.byteOffset).getUint32(8) : 0
    txCounter.set(ctx, concatBytes(encodeUint64(BigInt(ctx.height)), encodeUint32(next + 1)))
    if (ctx.tx === undefined) return undefined
    return ctx.with({ tx: { ...ctx.tx, index: ctx.mode === 'simulate' ? 0 : next } })
  },
}
