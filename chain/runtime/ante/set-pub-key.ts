import { bytesToBase64, equalBytes } from '@coin/base/bytes'
import { sdkErrors } from '../errors.js'
import { publicKeyAddress, simulatedKey } from '../public-key.js'
import { requireSigner, signerCount } from './signers.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** An account's first transaction brings its public key, which must hash to its address. Emits what indexers look for. */
export function setPubKey(accounts: AnteAccounts): AnteStep {
  return {
    name: 'set-pub-key',
    run(ctx, tx) {
      const isSimulation = ctx.mode === 'simulate'
      for (const [index, { pubKey: given }] of tx.signatures.entries()) {
        const signer = tx.signers[index]
        if (signer === undefined) throw signerCount(tx.signers.length, tx.signatures.length)
        const pubKey = given ?? (isSimulation ? simulatedKey : undefined)
        if (pubKey === undefined) continue
        if (!isSimulation && !equalBytes(publicKeyAddress(pubKey), signer)) {
          const which = `${tx.signerTexts[index]} with signer index: ${index}`
          throw sdkErrors.invalidPubKey(`pubKey does not match signer address ${which}`)
        }
        const account = requireSigner(ctx, accounts, tx, index)
        if (account.pubKey === undefined) accounts.set(ctx, signer, { ...account, pubKey })
      }
      for (const [index, { sequence, text, multi }] of tx.signatures.entries()) {
        if (!tx.body.unordered) ctx.emit('tx', { acc_seq: `${tx.signerTexts[index]}/${sequence}` })
        for (const part of multi?.parts ?? []) ctx.emit('tx', { signature: bytesToBase64(part.signature) })
        ctx.emit('tx', { signature: text })
      }
      return undefined
    },
  }
}
