import { parentPort } from 'node:worker_threads'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { decodeJobs } from './job-batch.js'

// One message is one batch; the answer is one byte a job, 1 where the signature is good.
parentPort?.on('message', (batch: Uint8Array) => {
  const verdicts = Uint8Array.from(decodeJobs(batch), (job) =>
    verifySecp256k1(job.pubKey, job.digest, job.signature) ? 1 : 0,
  )
  parentPort?.postMessage(verdicts, [verdicts.buffer])
})
