import type { AnteAccounts, AnteStep } from './step.js'

/**
 * Bytes that a simulation adds for each signature that is not there yet: key and signature as the SDK's amino encoding has
 * them (106 bytes for secp256k1) and 6 for their place in the transaction.
 */
const simulatedSignatureBytes = 112

/** Each byte of the transaction costs. A simulation of an unsigned transaction pays for the signatures to come. */
export function consumeSizeGas(accounts: AnteAccounts): AnteStep {
  return {
    name: 'consume-size-gas',
    run(ctx, tx) {
      const costPerByte = Number(accounts.params(ctx).txSizeCostPerByte)
      ctx.gas.consume(costPerByte * tx.bytes.length, 'txSize')
      if (ctx.mode !== 'simulate') return undefined
      for (const [index, signer] of tx.signers.entries()) {
        if ((tx.signatures[index]?.signature.length ?? 0) > 0) continue
        // Which key the account has decides the size in the SDK; here all are secp256k1. The read costs gas there too.
        accounts.get(ctx, signer)
        ctx.gas.consume(costPerByte * simulatedSignatureBytes, 'txSize')
      }
      return undefined
    },
  }
}
