import { type MessagePort, workerData } from 'node:worker_threads'
import type { Logger } from '@coin/base/logger'
import { status } from '@coin/runtime/status'
import type { Announcement } from './announced-chain.js'
import { createCaller, serveCalls } from './calls.js'
import type { ConsensusApi } from './consensus-calls.js'
import { createDoors, type DoorsSettings } from './doors.js'
import { lowerPriority } from './priority.js'
import type { ReadingApi } from './reading-calls.js'

/** What the thread is started with. */
export interface DoorsData {
  readonly settings: DoorsSettings
  /** Calls from here to the thread that makes blocks. */
  readonly consensus: MessagePort
  /** Calls from there to here. */
  readonly control: MessagePort
  /** Log records, one way. */
  readonly log: MessagePort
}

/** What the thread that makes blocks asks of this one. */
export type DoorsApi = {
  /** Opens everything; answers name and `host:port` of each door. */
  open(first: Announcement): Promise<readonly (readonly [name: string, address: string])[]>
  announce(block: Announcement): void
  close(argument: undefined): Promise<void>
}

const levels = ['debug', 'info', 'warn', 'error'] as const

export interface LogRecord {
  readonly level: (typeof levels)[number]
  readonly fields: object
  readonly message: string
}

/** The node's one logger lives where the process writes. What it would not write is not sent: clients can cause any number of records. */
function logOver(port: MessagePort, least: LogRecord['level']): Logger {
  const write = (level: LogRecord['level']) =>
    levels.indexOf(level) < levels.indexOf(least)
      ? () => undefined
      : (fields: object, message: string) => port.postMessage({ level, fields, message } satisfies LogRecord)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Blocks come first; the readers, started from here, go behind both. */
const niceness = 2

lowerPriority(niceness)
const { settings, consensus, control, log: logPort } = workerData as DoorsData
const log = logOver(logPort, settings.config.log.level)
const lost = (text: string) => status('internal', text)
const doors = createDoors(settings, createCaller<ConsensusApi & ReadingApi>(consensus, lost), log)
const api: DoorsApi = {
  open: doors.open,
  announce: doors.announce,
  close: doors.close,
}
/** More than the doors take to close, as long as they can. */
const closingMsMax = 8000
let hasFailed = false

/** A failure that nobody expected ends the thread, but first the threads that it has started: they must not be ended in a read. */
process.on('uncaughtException', (error: Error) => {
  log.error({ error: error.stack ?? error.message }, 'the doors failed')
  if (hasFailed) return
  hasFailed = true
  const end = () => process.exit(1)
  setTimeout(end, closingMsMax)
  doors.close().then(end, end)
})

serveCalls(control, api, (error) => log.error({ error: String((error as Error).stack ?? error) }, 'the doors failed'))
