import type { SignatureJob } from '@coin/engine/application'
import type { Write } from '../context.js'
import { sdkErrors } from '../errors.js'
import type { SignatureCache } from '../signature-cache.js'
import { signModes, toSignatureJobs } from '../signature-job.js'
import type { Tx, TxSignature } from '../tx.js'
import { requireSigner } from './signers.js'
import type { AnteAccounts, AnteStep } from './step.js'

/**
 * Every signer signed these bytes for this chain, with this account number and sequence. A recheck looks at the sequence only:
 * the signature was good before. A simulation takes any signature. Unordered transactions have no sequence: `takeNonces` has seen to
 * them.
 */
export function verifySignatures(accounts: AnteAccounts, cache: SignatureCache): AnteStep {
  return {
    name: 'verify-signatures',
    run(ctx, tx) {
      for (const index of tx.signers.keys()) verifyOne(ctx, tx, index, accounts, cache)
      return undefined
    },
  }
}

function verifyOne(ctx: Write, tx: Tx, index: number, accounts: AnteAccounts, cache: SignatureCache): void {
  const signature = tx.signatures[index]!
  const { unordered } = tx.body
  if (unordered && signature.sequence > 0n) {
    throw sdkErrors.invalidRequest('sequence is not allowed for unordered transactions')
  }
  const { pubKey, sequence, accountNumber } = requireSigner(ctx, accounts, tx, index)
  if (ctx.mode !== 'simulate' && pubKey === undefined) throw sdkErrors.invalidPubKey('pubkey on account is not set')
  if (!unordered && signature.sequence !== sequence) {
    const numbers = `expected ${sequence}, got ${signature.sequence}`
    throw sdkErrors.wrongSequence(`account sequence mismatch, ${numbers}`)
  }
  if (ctx.mode === 'simulate' || ctx.mode === 'recheck') return
  const number = ctx.height === 0 ? 0n : accountNumber
  const signer = { chainId: ctx.chainId, address: tx.signerTexts[index]!, accountNumber: number, pubKey }
  const jobs = toSignatureJobs(tx, signature, signer)
  const why = typeof jobs === 'string' ? jobs : verifyJobs(jobs, cache)
  if (why === undefined) return
  if (isOnlyAmino(signature)) {
    const about = `account number (${number}), sequence (${sequence}) and chain-id (${ctx.chainId})`
    throw sdkErrors.unauthorized(`signature verification failed; please verify ${about}`)
  }
  const about = `account number (${number}) and chain-id (${ctx.chainId}): (${why})`
  throw sdkErrors.unauthorized(`signature verification failed; please verify ${about}`)
}

function verifyJobs(jobs: readonly SignatureJob[], cache: SignatureCache): string | undefined {
  const bad = jobs.findIndex((job) => !cache.verify(job))
  if (bad < 0) return undefined
  return jobs.length === 1 ? 'unable to verify single signer signature' : `unable to verify signature at index ${bad}`
}

/** Amino sign bytes hold the sequence, so a wrong one may be what is wrong with them. */
function isOnlyAmino({ mode, multi }: TxSignature): boolean {
  return multi === undefined
    ? mode === signModes.aminoJson
    : multi.parts.every((part) => part.mode === signModes.aminoJson)
}
