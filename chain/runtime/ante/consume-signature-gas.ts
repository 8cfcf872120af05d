import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sdkErrors } from '../errors.js'
import { isMultiKey } from '../multisig.js'
import { simulatedKey } from '../public-key.js'
import { isSecp256k1 } from '../secp256k1-key.js'
import type { TxSignature } from '../tx.js'
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
        const count = verifications(pubKey, tx.signatures[index]!)
        for (let i = 0; i < count; i++) ctx.gas.consume(Number(params.sigVerifyCostSecp256k1), 'ante verify: secp256k1')
      }
      return undefined
    },
  }
}

/** How many signatures will be verified: one, or as many as a multisignature brings. */
function verifications(pubKey: Any | undefined, { multi }: TxSignature): number {
  if (pubKey !== undefined && isMultiKey(pubKey)) {
    if (multi === undefined) throw sdkErrors.invalidPubKey('a multisignature key needs a multisignature')
    return multi.signers.length
  }
  if (pubKey !== undefined && isSecp256k1(pubKey)) return 1
  throw sdkErrors.invalidPubKey(`unrecognized public key type: ${pubKey?.typeUrl ?? 'none'}`)
}
