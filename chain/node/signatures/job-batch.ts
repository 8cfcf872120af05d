import type { Bytes } from '@coin/base/bytes'
import type { SignatureJob } from '@coin/engine/application'

/** Bytes of one job in a batch: compressed key 33, digest 32, signature 64. */
const jobLength = 129

/** Jobs as one buffer that moves to a worker without a copy. A job of another shape becomes zeros, which never verify. */
export function encodeJobs(jobs: readonly SignatureJob[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(jobs.length * jobLength)
  jobs.forEach((job, index) => {
    if (job.pubKey.length !== 33 || job.digest.length !== 32 || job.signature.length !== 64) return
    const at = index * jobLength
    out.set(job.pubKey, at)
    out.set(job.digest, at + 33)
    out.set(job.signature, at + 65)
  })
  return out
}

/** The inverse of {@link encodeJobs}: views into `batch`. */
export function* decodeJobs(batch: Bytes): Generator<SignatureJob> {
  for (let at = 0; at < batch.length; at += jobLength) {
    yield {
      pubKey: batch.subarray(at, at + 33),
      digest: batch.subarray(at + 33, at + 65),
      signature: batch.subarray(at + 65, at + jobLength),
    }
  }
}
