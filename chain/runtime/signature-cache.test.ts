import type { SignatureJob } from '@coin/engine/application'
import { describe, expect, it } from 'vitest'
import { createSignatureCache } from './signature-cache.js'

const job = (n: number) => ({
  pubKey: new Uint8Array(33).fill(2),
  digest: new Uint8Array(32).fill(n),
  signature: new Uint8Array(64).fill(n),
})

describe('the signature cache', () => {
  it('remembers good and bad verdicts', () => {
    const asked: number[] = []
    const cache = createSignatureCache(({ digest }) => {
      asked.push(digest[0]!)
      return digest[0] === 1
    })
    expect([cache.verify(job(1)), cache.verify(job(2)), cache.verify(job(1)), cache.verify(job(2))]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(asked).toEqual([1, 2])
    expect([cache.has(job(1)), cache.has(job(3))]).toEqual([true, false])
  })

  it('depends on every byte', () => {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    const all = ({ pubKey, digest, signature }: SignatureJob) => hex(pubKey) + hex(digest) + hex(signature)
    const cache = createSignatureCache((asked) => all(asked) === all(job(1)))
    expect(cache.verify(job(1))).toBe(true)
    for (const part of ['pubKey', 'digest', 'signature'] as const) {
      const other = { ...job(1), [part]: Uint8Array.from(job(1)[part], (byte, i) => (i === 31 ? byte ^ 1 : byte)) }
      expect(cache.verify(other)).toBe(false)
    }
    expect(cache.verify(job(1))).toBe(true)
  })

  it('forgets what was not asked for longest, and stays bounded', () => {
    const cache = createSignatureCache(() => false, 10)
    for (let n = 0; n < 100; n++) {
      cache.put(job(n), true)
      expect(cache.verify(job(0))).toBe(true)
    }
    expect([cache.has(job(99)), cache.has(job(50))]).toEqual([true, false])
  })
})
