import { type Bytes, bytesToHex } from '@coin/base/bytes'
import type { TxResult } from '@coin/engine/application'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { engineErrors, mempoolErrors } from '@coin/engine/errors'
import type { Consensus } from '../ports.js'

/** What a block made of a transaction. */
export interface Inclusion {
  readonly height: number
  readonly result: TxResult
}

/** Someone who waits for a transaction to be in a block. */
export interface Waiter {
  /**
   * Rejects with `mempool` errors: `notIncluded` after the time that is given, `evicted` when it fell out of the mempool; and with
   * the engine's `halted` when nobody can tell any more.
   */
  readonly included: Promise<Inclusion>
  /** The mempool has taken the transaction; from here on it can fall out of it. */
  accepted(): void
  /** Nobody waits any more: `included` stays open. To be called in every case. */
  end(): void
}

export interface Inclusions {
  /** To be called before the transaction is handed over: a block may come while CheckTx still runs. */
  wait(hash: Bytes, timeoutMs: number): Waiter
}

export interface InclusionPorts {
  readonly consensus: Pick<Consensus, 'areWaiting'>
  /** Tells of each block once, in order. */
  readonly onBlock: (listener: (committed: CommittedBlock) => void) => () => void
}

interface Waiting {
  readonly hash: Bytes
  accepted: boolean
  /** After this block the mempool did not have it any more: that block or one before it took it, or nobody will. */
  goneAt?: number
  resolve(inclusion: Inclusion): void
  reject(error: Error): void
}

/** Hands the results of blocks to those who wait for them. Looks at blocks only while somebody waits. */
export function createInclusions({ consensus, onBlock }: InclusionPorts): Inclusions {
  const waiting = new Map<string, Set<Waiting>>()
  let unsubscribe: (() => void) | undefined

  function tell({ block, txHashes, results }: CommittedBlock): void {
    const { height } = block.header
    txHashes.forEach((hash, index) => {
      for (const { resolve } of waiting.get(bytesToHex(hash)) ?? [])
        resolve({ height, result: results.txResults[index]! })
      waiting.delete(bytesToHex(hash))
    })
    void rejectEvicted(height)
  }

  /** All that the block of `told` has taken has its answer. */
  async function rejectEvicted(told: number): Promise<void> {
    const accepted = [...waiting.values()].flatMap((waiters) => [...waiters]).filter((waiter) => waiter.accepted)
    const unknown = accepted.filter(({ goneAt }) => goneAt === undefined)
    if (unknown.length > 0) {
      // Any number of clients may wait for the same one; it is asked for once.
      const hashes = new Map(unknown.map(({ hash }) => [nameOf(hash), hash]))
      try {
        const { height, waiting } = await consensus.areWaiting([...hashes.values()])
        const gone = new Set([...hashes.keys()].filter((_, index) => waiting[index] === false))
        for (const waiter of unknown) if (gone.has(nameOf(waiter.hash))) waiter.goneAt = height
      } catch (error) {
        for (const { hash, reject } of unknown)
          reject(engineErrors.halted(`transaction ${nameOf(hash)}: ${(error as Error).message}`))
      }
    }
    for (const { hash, goneAt, reject } of accepted)
      if (goneAt !== undefined && goneAt <= told) reject(mempoolErrors.evicted(`transaction ${nameOf(hash)}`))
  }

  function remove(name: string, waiter: Waiting): void {
    const waiters = waiting.get(name)
    waiters?.delete(waiter)
    if (waiters?.size === 0) waiting.delete(name)
    if (waiting.size > 0) return
    unsubscribe?.()
    unsubscribe = undefined
  }

  return {
    wait(hash, timeoutMs) {
      const name = bytesToHex(hash)
      const { promise, resolve, reject } = deferred<Inclusion>()
      const waiter: Waiting = { hash, accepted: false, resolve, reject }
      const timer = setTimeout(
        () => reject(mempoolErrors.notIncluded(`transaction ${nameOf(hash)} is in no block after ${timeoutMs} ms`)),
        timeoutMs,
      )
      promise.catch(() => undefined) // CheckTx may fail first
      waiting.set(name, (waiting.get(name) ?? new Set()).add(waiter))
      unsubscribe ??= onBlock(tell)
      return {
        included: promise,
        accepted() {
          waiter.accepted = true
        },
        end() {
          clearTimeout(timer)
          remove(name, waiter)
        },
      }
    },
  }
}

const nameOf = (hash: Bytes): string => bytesToHex(hash).toUpperCase()

function deferred<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
} {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
