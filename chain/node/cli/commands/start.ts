import { existsSync } from 'node:fs'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import type { Command } from 'commander'
import { pino } from 'pino'
import { loadNodeConfig, type NodeConfig } from '../../config/node-config.js'
import { isCannotListen, isSystemError, nodeErrors } from '../../errors.js'
import type { RunningNode } from '../../running-node.js'
import { version } from '../../version.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** What the module `start.js` of this package exports. */
export interface StartModule {
  startNode(config: NodeConfig, deps: { readonly logger: Logger; readonly signal: AbortSignal }): Promise<RunningNode>
}

/** Flags that stand for keys of app.toml and config.toml, which they are named after. */
const overridable = [
  ['minimum-gas-prices', '<prices>', 'least price of gas to take a transaction, like 0.025ucoin'],
  ['pruning', '<strategy>', 'which past states are kept: default, nothing, everything or custom'],
  ['halt-height', '<height>', 'stop cleanly before the block of this height'],
  ['rpc.laddr', '<address>', 'where the RPC listens'],
  ['api.enable', '<bool>', 'serve the REST API'],
  ['api.address', '<address>', 'where the REST API listens'],
  ['api.enabled-unsafe-cors', '<bool>', 'let web pages of any origin use the REST API'],
  ['grpc.enable', '<bool>', 'serve gRPC'],
  ['grpc.address', '<address>', 'where gRPC listens'],
  ['engine.block-time', '<duration>', 'time from one block to the next, like 500ms'],
  ['log_level', '<level>', 'least level that is logged: debug, info, warn or error'],
  ['log_format', '<format>', '"plain" or "json"'],
] as const

export function addStart(program: Command, terminal: Terminal): void {
  const command = program.command('start').description('run the node until Ctrl-C')
  const given: Record<string, string> = {}
  for (const [key, argument, about] of overridable) {
    command.option(`--${key} ${argument}`, about)
    command.on(`option:${key}`, (value: string) => {
      given[key] = value
    })
  }
  example(command, 'start', 'start --rpc.laddr tcp://127.0.0.1:36657 --api.address tcp://127.0.0.1:2317')
  command.action(async () => {
    const { config, warnings } = loadNodeConfig(homeOf(command, terminal), terminal.environment, given)
    const logger = createLogger(config)
    logger.info({ home: config.home.root, version }, 'starting')
    for (const warning of warnings) logger.warn({}, warning)
    await runUntilSignal(config, logger)
  })
}

/** Lines on stderr, so that stdout stays free for results. */
function createLogger({ log }: NodeConfig): Logger {
  if (log.format === 'json') return pino({ level: log.level }, pino.destination({ dest: 2, sync: false }))
  return plainLogger(log.level)
}

const levels = ['debug', 'info', 'warn', 'error'] as const

/** `12:00:00 INF committed block height=5 txs=2` */
function plainLogger(least: NodeConfig['log']['level']): Logger {
  const write = (level: (typeof levels)[number]) => (fields: object, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return
    const time = new Date().toISOString().slice(11, 19)
    const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatField(value)}`)
    process.stderr.write(`${time} ${level.slice(0, 3).toUpperCase()} ${message}${pairs.join('')}\n`)
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

function formatField(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message
  if (typeof value === 'string') return /[\s"=]/.test(value) ? JSON.stringify(value) : value
  if (typeof value !== 'object' || value === null) return String(value)
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}

/** The first SIGINT or SIGTERM stops cleanly, a second one at once. */
async function runUntilSignal(config: NodeConfig, logger: Logger): Promise<void> {
  const { startNode } = await loadStart()
  const stopping = new AbortController()
  let node: RunningNode | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) process.exit(130)
    logger.info({ signal }, 'stopping; once more to stop at once')
    stopping.abort()
    node?.stop().catch((error: unknown) => logger.error({ error }, 'could not stop cleanly'))
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    node = await startNode(config, { logger, signal: stopping.signal })
    if (stopping.signal.aborted) await node.stop()
    await node.finished
    logger.info({}, 'stopped, everything is on disk')
  } catch (error) {
    // Stopped while it was starting: as the operator wished.
    if (!stopping.signal.aborted || error !== stopping.signal.reason) throw error
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

async function loadStart(): Promise<StartModule> {
  const url = new URL('../../start.js', import.meta.url)
  if (!existsSync(url)) throw nodeErrors.notBuilt(`${url.pathname}: build it with "npm run build"`)
  return (await import(url.href)) as StartModule
}

const listenHint = '; choose others with --rpc.laddr and --api.address, or in config.toml and app.toml'

/** What people see of an error: a coded one and one of the system are told, any other is a bug and shows its stack. */
export function describeError(error: unknown): string {
  if (error instanceof CodedError) return `Error: ${error.message}${isCannotListen(error) ? listenHint : ''}`
  if (isSystemError(error)) return `Error: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
