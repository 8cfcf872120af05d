import { isMultiKey } from '../multisig.js'
import { simulatedKey, simulatedLength } from '../public-key.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** Each byte of the transaction costs. A simulation of an unsigned transaction pays for the signatures to come. */
export function consumeSizeGas(accounts: AnteAccounts): AnteStep {
  return {
    name: 'consume-size-gas',
    run(ctx, tx) {
      const { txSizeCostPerByte, txSigLimit } = accounts.params(ctx)
      const costPerByte = Number(txSizeCostPerByte)
      ctx.gas.consume(costPerByte * tx.bytes.length, 'txSize')
      if (ctx.mode !== 'simulate') return undefined
      for (const [index, signer] of tx.signers.entries()) {
        if ((tx.signatures[index]?.signature.length ?? 0) > 0) continue
        const pubKey = accounts.get(ctx, signer)?.pubKey ?? simulatedKey
        const count = isMultiKey(pubKey) ? Number(txSigLimit) : 1
        ctx.gas.consume(costPerByte * simulatedLength(pubKey) * count, 'txSize')
      }
      return undefined
    },
  }
}
