import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { RunCall } from '@coin/store/guarded-calls'

/** Shared between a thread and who ends it: that it is to end, and whether it can be ended right now. */
export type EndFlags = Int32Array
const [isAsked, canEnd] = [0, 1] as const

export function newEndFlags(): EndFlags {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** In the thread: a call into native code must not be ended, what is between the calls may. */
export interface Ending {
  /** Runs a call that must not be ended. When the thread is to end, it waits for that instead. */
  readonly run: RunCall
  /** Runs work that may be ended between such calls. Outside of it the thread ends by itself, when it is told to close. */
  readonly mayEnd: RunCall
}

export function createEnding(flags: EndFlags): Ending {
  let depth = 1
  const enter = () => {
    if (depth++ > 0) return
    Atomics.store(flags, canEnd, 0)
    if (Atomics.load(flags, isAsked) === 0) return
    Atomics.store(flags, canEnd, 1)
    for (;;) Atomics.wait(flags, isAsked, 1)
  }
  const leave = () => {
    if (--depth === 0) Atomics.store(flags, canEnd, 1)
  }
  return {
    run(call) {
      enter()
      try {
        return call()
      } finally {
        leave()
      }
    },
    mayEnd(work) {
      leave()
      try {
        return work()
      } finally {
        enter()
      }
    },
  }
}

/** How often it is looked whether the thread can be ended; a call into the database takes less. */
const lookMs = 1

/** Ends a thread as soon as it can be ended. To be told to close as well, for when it does nothing. */
export async function endThread(
  worker: Pick<Worker, 'terminate'>,
  flags: EndFlags,
  exited: Promise<void>,
): Promise<void> {
  Atomics.store(flags, isAsked, 1)
  let isGone = false
  void exited.then(() => {
    isGone = true
  })
  while (!isGone && Atomics.load(flags, canEnd) === 0) await setTimeout(lookMs)
  if (!isGone) await worker.terminate()
  await exited
}
