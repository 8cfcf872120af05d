import { MessageChannel, Worker } from 'node:worker_threads'
import type { Logger } from '@coin/base/logger'
import type { EmbeddedEngine } from '@coin/engine/embedded/engine'
import type { NodeApplication } from '@coin/runtime/application'
import { status } from '@coin/runtime/status'
import type { MultiStore } from '@coin/store/multi-store'
import type { ListenAddress } from '../config/settings.js'
import { nodeErrors } from '../errors.js'
import type { Consensus } from '../ports.js'
import { createPendingFor } from '../readers/pending-values.js'
import type { Announcement } from './announced-chain.js'
import { createCaller, serveCalls } from './calls.js'
import { consensusApi } from './consensus-calls.js'
import type { DoorsSettings } from './doors.js'
import type { DoorsApi, DoorsData, LogRecord } from './doors-thread.js'
import { readingApi } from './reading-calls.js'
import { writtenUpTo } from './written.js'

export interface OpenDoorsOptions {
  readonly settings: DoorsSettings
  readonly engine: Pick<EmbeddedEngine, 'blocks' | 'onBlock'>
  readonly store: Pick<MultiStore, 'height' | 'available' | 'written' | 'onWritten' | 'provePath'>
  readonly consensus: Consensus
  readonly app: Pick<NodeApplication, 'pendingFor'>
  readonly logger: Logger
  /** The thread ended by itself: nobody can reach the node any more. */
  onFailure(error: Error): void
}

export interface OpenDoors {
  /** `host:port` of each door, by its name. */
  readonly addresses: ReadonlyMap<string, string>
  /** Done when clients know the first block: most cannot make anything of a chain without blocks. */
  readonly firstBlock: Promise<void>
  close(): Promise<void>
}

/** A thread of the doors that fails more often than this in a minute is not started again. */
const restartsMax = 5
const restartWindowMs = 60_000

/**
 * Opens the doors in a thread of their own and tells it of every block that is wholly on disk, in order: what a client is told of
 * can be read by all threads. Throws what opening them threw, `cannotListen` for example, with nothing left open. A thread that
 * fails later is started again, with the reason in the log: the chain goes on meanwhile.
 */
export async function openDoors(options: OpenDoorsOptions): Promise<OpenDoors> {
  await writtenUpTo(options.store, options.engine.blocks.height())
  const failures: number[] = []
  let isClosing = false
  let thread = await startThread(options, options.settings, onEnd)
  const { addresses } = thread
  let tellFirst: () => void = () => undefined
  const firstBlock = new Promise<void>((resolve) => {
    tellFirst = resolve
  })
  if (options.engine.blocks.height() > 0) tellFirst()
  const stop = announceBlocks(options, (block) => void thread.announce(block).then(tellFirst))

  function onEnd(error: Error): void {
    if (isClosing) return
    const now = performance.now()
    failures.push(now)
    const recent = failures.filter((time) => now - time < restartWindowMs)
    options.logger.error({ error: error.stack ?? error.message }, 'the doors failed and are opened again')
    if (recent.length > restartsMax) options.onFailure(error)
    else void reopen()
  }

  async function reopen(): Promise<void> {
    try {
      const started = await startThread(options, withAddresses(options.settings, addresses), onEnd)
      thread = started
      if (isClosing) await started.close()
    } catch (error) {
      onEnd(error as Error)
    }
  }

  return {
    addresses,
    firstBlock,
    close() {
      isClosing = true
      stop()
      return thread.close()
    },
  }
}

/** A thread that is opened again takes the ports that clients know. */
function withAddresses(settings: DoorsSettings, addresses: OpenDoors['addresses']): DoorsSettings {
  const { config } = settings
  const at = (name: string, given: ListenAddress): ListenAddress => {
    const known = addresses.get(name)
    return known === undefined ? given : { ...given, port: Number(known.slice(known.lastIndexOf(':') + 1)) }
  }
  return {
    ...settings,
    config: {
      ...config,
      rpc: { ...config.rpc, address: at('RPC', config.rpc.address) },
      api: { ...config.api, address: at('REST', config.api.address) },
      grpc: { ...config.grpc, address: at('gRPC', config.grpc.address) },
    },
  }
}

interface DoorsThread extends Pick<OpenDoors, 'addresses' | 'close'> {
  /** Done when it has taken it in. */
  announce(block: Announcement): Promise<void>
}

async function startThread(
  options: OpenDoorsOptions,
  settings: DoorsSettings,
  onEnd: (error: Error) => void,
): Promise<DoorsThread> {
  const { consensus, logger } = options
  const [calls, control, log] = [new MessageChannel(), new MessageChannel(), new MessageChannel()]
  const data: DoorsData = { settings, consensus: calls.port2, control: control.port2, log: log.port2 }
  log.port1.on('message', ({ level, fields, message }: LogRecord) => logger[level](fields, message))
  const pendingFor = createPendingFor(options.app, options.store, settings.config.mempool.maxTxBytes)
  serveCalls(calls.port1, { ...consensusApi(consensus), ...readingApi(pendingFor, options.store) }, (error) =>
    logger.error({ error: error instanceof Error ? error.stack : String(error) }, 'a call of the doors failed'),
  )
  const { call, end } = createCaller<DoorsApi>(control.port1, (text) => status('internal', text))
  const worker = new Worker(new URL('./doors-thread.js', import.meta.url), {
    workerData: data,
    transferList: [calls.port2, control.port2, log.port2],
  })
  let state: 'opening' | 'open' | 'ended' = 'opening'
  let reason: Error | undefined
  worker.on('error', (error) => {
    reason = error
  })
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      const why = reason ?? nodeErrors.doorsGone(`their thread ended with code ${code}`)
      end(why)
      for (const port of [calls.port1, control.port1, log.port1]) port.close()
      if (state === 'open') onEnd(why)
      state = 'ended'
      resolve()
    })
  })
  const endThread = async () => {
    state = 'ended'
    await worker.terminate()
    await exited
  }
  try {
    const addresses = await call(
      'open',
      announcementOf(options, Math.min(options.engine.blocks.height(), options.store.written), []),
    )
    state = 'open'
    return {
      addresses: new Map(addresses),
      announce: (block) => call('announce', block).catch(() => undefined), // the thread's end is told otherwise
      async close() {
        if (state === 'ended') return
        state = 'ended'
        await call('close', undefined).finally(endThread)
      },
    }
  } catch (error) {
    await endThread()
    throw error
  }
}

function announcementOf(
  { engine, store }: OpenDoorsOptions,
  height: number,
  txHashes: Announcement['txHashes'],
): Announcement {
  return { height, base: engine.blocks.base(), earliestState: store.available().earliest, txHashes }
}

/** Hands out the engine's blocks when the store has written them; one write may be of many blocks. */
function announceBlocks(options: OpenDoorsOptions, announce: (block: Announcement) => void): () => void {
  const { engine, store } = options
  const waiting: { readonly height: number; readonly txHashes: Announcement['txHashes'] }[] = []
  const tell = (written: number) => {
    while (waiting.length > 0 && waiting[0]!.height <= written) {
      const { height, txHashes } = waiting.shift()!
      announce(announcementOf(options, height, txHashes))
    }
  }
  const stops = [
    engine.onBlock(({ block, txHashes }) => {
      waiting.push({ height: block.header.height, txHashes })
      tell(store.written)
    }),
    store.onWritten(tell),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
