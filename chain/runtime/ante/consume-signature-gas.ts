import { sdkErrors } from '../errors.js'
import { isSecp256k1, simulatedKey } from '../public-key.js'
import { requireSigner, signerCount } from './signers.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** Verifying costs, by the kind of the account's key. Kinds that cannot be verified here are refused by name. */
export function consumeSignatureGas(accounts: AnteAccounts): AnteStep {
  return {
    name: 'consume-signature-gas',
    run(ctx, tx) {
      const params = accounts.params(ctx)
      for (const index of tx.signatures.keys()) {
        if (index >= tx.signers.length) throw signerCount(tx.signers.length, tx.signatures.length)
        const account = requireSigner(ctx, accounts, tx, index)
        const pubKey = account.pubKey ?? (ctx.mode === 'simulate' ? simulatedKey : undefined)
        if (pubKey === undefined || !isSecp256k1(pubKey)) {
          throw sdkErrors.invalidPubKey(`unrecognized public key type: ${pubKey?.typeUrl ?? 'none'}`)
        }
        ctx.gas.consume(Number(params.sigVerifyCostSecp256k1), 'ante verify: secp256k1')
      }
      return undefined
    },
  }
}
