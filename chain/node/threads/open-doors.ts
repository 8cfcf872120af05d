import { setTimeout } from 'node:timers/promises'
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
  /** The program of the thread; tests have one that fails. */
  readonly entry?: URL
  /** How long the doors may take to close. Default 9 s. */
  readonly closingMs?: number
}

export interface OpenDoors {
  /** `host:port` of each door, by its name. */
  readonly addresses: ReadonlyMap<string, string>
  /** Done when clients know the first block: most cannot make anything of a chain without blocks. */
  readonly firstBlock: Promise<void>
  close(): Promise<void>
}

/** Doors that fail soon after they were opened are opened again after a pause, each twice as long as the one before. */
const pauseMsMin = 1000
const pauseMsMax = 30_000
/** Doors that were open for so long begin without a pause. */
const steadyMs = 60_000
/** Each door lets running calls end, two seconds at most; a thread that is not done by then is ended in the middle of what it does. */
const closingMsDefault = 9000

/**
 * Opens the doors in a thread of their own and tells it of every block that is wholly on disk, in order: what a client is told of
 * can be read by all threads. Throws what opening them threw, `cannotListen` for example, with nothing left open. A thread that
 * fails later is started again, as often as it takes, with the reason in the log: whatever a client can do to the doors, the chain
 * goes on meanwhile.
 */
export async function openDoors(options: OpenDoorsOptions): Promise<OpenDoors> {
  await writtenUpTo(options.store, options.engine.blocks.height())
  const closing = new AbortController()
  let thread = startThread(options, options.settings)
  let tellFirst: () => void = () => undefined
  const firstBlock = new Promise<void>((resolve) => {
    tellFirst = resolve
  })
  const stop = announceBlocks(options, (block) => void thread.announce(block).then(tellFirst))
  let addresses: OpenDoors['addresses']
  try {
    addresses = await thread.opened
  } catch (error) {
    stop()
    throw error
  }
  if (options.engine.blocks.height() > 0) tellFirst()
  const kept = keepOpen()

  async function keepOpen(): Promise<void> {
    const settings = withAddresses(options.settings, addresses)
    for (let pauseMs = 0; ; ) {
      const openedAt = performance.now()
      const error = await thread.ended
      if (closing.signal.aborted) return
      if (performance.now() - openedAt > steadyMs) pauseMs = 0
      const log = { error: error.stack ?? error.message, inMs: pauseMs }
      options.logger.error(log, 'the doors failed and are opened again')
      await setTimeout(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      thread = startThread(options, settings)
      pauseMs = Math.min(Math.max(2 * pauseMs, pauseMsMin), pauseMsMax)
    }
  }

  return {
    addresses,
    firstBlock,
    async close() {
      closing.abort()
      stop()
      await thread.close()
      await kept
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

interface DoorsThread {
  /** Addresses by name; rejects with what went wrong, when the thread has ended. */
  readonly opened: Promise<OpenDoors['addresses']>
  /** Why it ended. */
  readonly ended: Promise<Error>
  /** Done when it has taken it in, or has ended. While it opens too: what it opens begins at the last block that it was told of. */
  announce(block: Announcement): Promise<void>
  close(): Promise<void>
}

function startThread(options: OpenDoorsOptions, settings: DoorsSettings): DoorsThread {
  const { engine, store } = options
  const { worker, call, ended } = startWorker(options, settings)
  let isOpen = false
  let reason: Error | undefined
  const first = announcementOf(options, Math.min(engine.blocks.height(), store.written), [])
  const opened = call('open', first).then(
    (addresses) => {
      isOpen = true
      return new Map(addresses)
    },
    async (error: Error) => {
      reason = error
      await worker.terminate()
      await ended
      throw error
    },
  )
  opened.catch(() => undefined) // also told as the thread's end
  void ended.then(() => {
    isOpen = false
  })
  return {
    opened,
    ended: ended.then((error) => reason ?? error),
    announce: (block) => call('announce', block).catch(() => undefined), // its end is told otherwise
    async close() {
      const enough = new AbortController()
      const late = setTimeout(options.closingMs ?? closingMsDefault, undefined, { signal: enough.signal }).catch(
        () => undefined,
      )
      const closed = isOpen ? call('close', undefined) : Promise.resolve()
      try {
        await Promise.race([closed, late])
      } finally {
        enough.abort()
        await worker.terminate()
        await ended
      }
    },
  }
}

/** The thread itself, with all that it may ask of this one. `ended` is done when it is gone. */
function startWorker({ consensus, logger, app, store, entry }: OpenDoorsOptions, settings: DoorsSettings) {
  const [calls, control, log] = [new MessageChannel(), new MessageChannel(), new MessageChannel()]
  const data: DoorsData = { settings, consensus: calls.port2, control: control.port2, log: log.port2 }
  log.port1.on('message', ({ level, fields, message }: LogRecord) => logger[level](fields, message))
  const pendingFor = createPendingFor(app, store, settings.config.mempool.maxTxBytes)
  serveCalls(calls.port1, { ...consensusApi(consensus), ...readingApi(pendingFor, store) }, (error) =>
    logger.error({ error: error instanceof Error ? error.stack : String(error) }, 'a call of the doors failed'),
  )
  const { call, end } = createCaller<DoorsApi>(control.port1, (text) => status('internal', text))
  const worker = new Worker(entry ?? new URL('./doors-thread.js', import.meta.url), {
    workerData: data,
    transferList: [calls.port2, control.port2, log.port2],
  })
  let failure: Error | undefined
  worker.on('error', (error: Error) => {
    failure = error
  })
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', (code) => {
      const why = failure ?? nodeErrors.doorsGone(`their thread ended with code ${code}`)
      for (const port of [calls.port1, control.port1, log.port1]) port.close()
      end(why)
      resolve(why)
    })
  })
  return { worker, call, ended }
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
