import type { Logger } from '@coin/base/logger'
import type { EmbeddedEngine } from '@coin/engine/embedded/engine'
import { systemClock } from './chain.js'
import type { NodeConfig } from './config/node-config.js'
import type { ListenAddress } from './config/settings.js'
import { nodeErrors } from './errors.js'

/** The end of a running node, wished for or not. */
export interface Lifetime {
  /** Ends it cleanly; may be called again. */
  stop(): Promise<void>
  /** It cannot go on. Called while it stops, it changes nothing any more. */
  fail(error: Error): void
  /** Resolves after a clean stop; rejects after a failure, when everything is closed. */
  readonly finished: Promise<void>
}

/** A broken part may keep another one from closing; the process ends all the same. */
const closingMsMax = 10_000

export function createLifetime(closeAll: () => Promise<void>, logger: Logger): Lifetime {
  let stopping: Promise<void> | undefined
  let settle: (end: Promise<void>) => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    settle = resolve
  })
  finished.catch(() => undefined) // a node that fails while it starts is reported by startNode
  return {
    finished,
    stop() {
      if (stopping === undefined) {
        stopping = closeAll()
        settle(stopping)
      }
      return stopping
    },
    fail(error) {
      if (stopping !== undefined) return
      logger.error({ error: error.message }, 'the node cannot go on and ends')
      stopping = within(closingMsMax, closeAll()).catch((failure: unknown) => {
        logger.error({ error: String(failure) }, 'could not close everything')
      })
      settle(stopping.then(() => Promise.reject(error)))
    },
  }
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** A server of the node. */
export interface Door {
  readonly name: string
  readonly address: ListenAddress
  listen(): Promise<{ readonly host: string; readonly port: number }>
  close(): Promise<void>
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'that port needs more rights',
  ENOTFOUND: 'the host name is unknown',
}

/** Opens a door. Throws `cannotListen` with the address and what is wrong with it. */
export async function listen({
  name,
  address,
  listen,
}: Door): Promise<{ readonly host: string; readonly port: number }> {
  try {
    return await listen()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const where = `${name} on ${address.host}:${address.port}`
    throw nodeErrors.cannotListen(`${where}: ${listenProblems[code] ?? message}`)
  }
}

/**
 * `halt-height` and `halt-time`: as in the SDK, no block of that height or time is made. Throws `haltReached` when the chain is
 * there already, because a node that serves and makes no blocks looks broken.
 */
export function haltWhenDue(
  { haltHeight, haltTime }: Pick<NodeConfig, 'haltHeight' | 'haltTime'>,
  engine: Pick<EmbeddedEngine, 'blocks' | 'onBlock' | 'stop'>,
  logger: Logger,
  stop: () => Promise<void>,
): void {
  const isDue = (lastHeight: number) =>
    (haltHeight > 0 && lastHeight + 1 >= haltHeight) ||
    (haltTime > 0 && systemClock.nowNs() >= BigInt(haltTime) * 1_000_000_000n)
  const height = engine.blocks.height()
  if (isDue(height))
    throw nodeErrors.haltReached(
      `halt per configuration height ${haltHeight} time ${haltTime}, the chain is at ${height}`,
    )
  if (haltHeight === 0 && haltTime === 0) return
  engine.onBlock(({ block }) => {
    const { height } = block.header
    if (!isDue(height)) return
    engine.stop()
    logger.info({ height }, `halt per configuration height ${haltHeight} time ${haltTime}`)
    // Not from inside a block.
    setImmediate(
      () => void stop().catch((error: unknown) => logger.error({ error: String(error) }, 'not all is closed')),
    )
  })
}
