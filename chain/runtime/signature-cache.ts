import type { Bytes } from '@coin/base/bytes'
import type { SignatureJob } from '@coin/engine/application'

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
  let young = new Map<string, boolean>()
  let old = new Map<string, boolean>()

  function put(key: string, isGood: boolean): void {
    if (young.size >= entriesMax / 2) {
      old = young
      young = new Map()
    }
    young.set(key, isGood)
  }

  function find(key: string): boolean | undefined {
    const found = young.get(key)
    if (found !== undefined) return found
    const aged = old.get(key)
    if (aged !== undefined) put(key, aged)
    return aged
  }

  return {
    verify(job) {
      const key = keyOf(job)
      const known = find(key)
      if (known !== undefined) return known
      const isGood = verifier(job)
      put(key, isGood)
      return isGood
    },
    has: (job) => find(keyOf(job)) !== undefined,
    put: (job, isGood) => put(keyOf(job), isGood),
  }
}

/** All that a verdict depends on; the lengths are fixed, so that two jobs never share a key. */
function keyOf({ pubKey, digest, signature }: SignatureJob): string {
  return latin1(pubKey) + latin1(digest) + latin1(signature)
}

function latin1(bytes: Bytes): string {
  return String.fromCharCode(...bytes)
}
