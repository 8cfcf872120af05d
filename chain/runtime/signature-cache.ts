import { type Bytes, equalBytes } from '@coin/base/bytes'
import type { SignatureJob } from '@coin/engine/application'
import { mapKey } from './map-key.js'
import { RecentMap } from './recent-map.js'

/** Whether the signature is good. Slow (50 us and more), so it is asked once per signature. */
export type Verifier = (job: SignatureJob) => boolean

/**
 * Verdicts that are known already. The node fills it ahead from a worker, checkTx finds them, and the block that brings the same
 * transaction finds them again: each signature is verified once.
 */
export interface SignatureCache {
  /** The known verdict, or the verifier's, remembered. */
  verify(job: SignatureJob): boolean
  has(job: SignatureJob): boolean
  put(job: SignatureJob, isGood: boolean): void
}

/** How many verdicts are kept; about 400 bytes each. */
const entriesMaxDefault = 50_000

export function createSignatureCache(verifier: Verifier, entriesMax = entriesMaxDefault): SignatureCache {
  const verdicts = new RecentMap<Verdict>(entriesMax)

  function find({ pubKey, digest, signature }: SignatureJob): boolean | undefined {
    const found = verdicts.get(mapKey(signature))
    if (found === undefined || !equalBytes(found.digest, digest) || !equalBytes(found.pubKey, pubKey)) return undefined
    return found.isGood
  }

  function put({ pubKey, digest, signature }: SignatureJob, isGood: boolean): void {
    verdicts.set(mapKey(signature), { pubKey, digest, isGood })
  }

  return {
    verify(job) {
      const known = find(job)
      if (known !== undefined) return known
      const isGood = verifier(job)
      put(job, isGood)
      return isGood
    },
    has: (job) => find(job) !== undefined,
    put,
  }
}

/** Kept by its signature; the rest of what it depends on is compared. */
interface Verdict {
  readonly pubKey: Bytes
  readonly digest: Bytes
  readonly isGood: boolean
}
