import { secp256k1PublicKey, signSecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignaturePool, type SignaturePool } from './signature-pool.js'

const privateKey = new Uint8Array(32).fill(7)
const pubKey = secp256k1PublicKey(privateKey)

function signed(text: string) {
  const digest = sha256(new TextEncoder().encode(text))
  return { pubKey, digest, signature: signSecp256k1(privateKey, digest) }
}

describe('signature pool', () => {
  let pool: SignaturePool
  beforeAll(() => {
    pool = createSignaturePool({ workers: 2 })
  })
  afterAll(() => pool.close())

  it('gives each call its own verdicts, good and bad mixed, over many batches', async () => {
    const calls = Array.from({ length: 300 }, (_, call) => {
      const jobs = Array.from({ length: (call % 3) + 1 }, (_, i) => signed(`${call}/${i}`))
      const bad = call % 5 === 0
      const sent = bad ? [{ ...jobs[0]!, digest: sha256(pubKey) }, ...jobs.slice(1)] : jobs
      return { sent, want: sent.map((_, i) => !(bad && i === 0)) }
    })
    const answers = await Promise.all(calls.map((call) => pool.verify(call.sent)))
    expect(answers).toEqual(calls.map((call) => call.want))
  })

  it('says no to jobs of the wrong shape and does not stumble over them', async () => {
    const job = signed('x')
    const odd = { ...job, signature: job.signature.subarray(1) }
    expect(await pool.verify([odd, { ...job, pubKey: new Uint8Array(33) }, job])).toEqual([false, false, true])
    expect(await pool.verify([])).toEqual([])
  })

  it('rejects what is still waiting when it is closed', async () => {
    const closing = createSignaturePool({ workers: 1 })
    const refused = expect(closing.verify([signed('late')])).rejects.toThrow('closed')
    await closing.close()
    await refused
    await expect(closing.verify([signed('later')])).rejects.toThrow('closed')
  })
})
