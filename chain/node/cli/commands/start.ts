import { existsSync } from 'node:fs'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import { type Command, Option } from 'commander'
import { pino } from 'pino'
import { appForm, cometForm, loadNodeConfig, type NodeConfig, nodeSettings } from '../../config/node-config.js'
import type { Settings } from '../../config/settings.js'
import { isCannotListen, isDatabaseError, isSystemError, nodeErrors } from '../../errors.js'
import { createLogger } from '../../node-logger.js'
import type { RunningNode } from '../../running-node.js'
import { version } from '../../version.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** What the module `start.js` of this package exports. */
export interface StartModule {
  startNode(config: NodeConfig, deps: { readonly logger: Logger; readonly signal: AbortSignal }): Promise<RunningNode>
}

/** Keys of app.toml and config.toml that are set at a start more often than others. */
const usual: readonly string[] = [
  'minimum-gas-prices',
  'pruning',
  'halt-height',
  'rpc.laddr',
  'api.enable',
  'api.address',
  'api.enabled-unsafe-cors',
  'grpc.enable',
  'grpc.address',
  'engine.block-time',
  'log_level',
  'log_format',
]

/** Of the reference's flags some have another spelling than the key. */
const otherNames: Readonly<Record<string, string>> = { 'log-level': 'log_level', 'log-format': 'log_format' }

const about = `Run the node until Ctrl-C.

Every setting of app.toml and config.toml is a flag here, named as its key, and an environment variable: api.address is --api.address
and COIND_API_ADDRESS. A flag goes before a variable, a variable before the file.`

export function addStart(program: Command, terminal: Terminal): void {
  const command = program.command('start').summary('run the node until Ctrl-C').description(about)
  const given: Record<string, string> = {}
  const add = (flag: string, key: string, option: Option) => {
    command.addOption(option)
    command.on(`option:${flag}`, (value: string | null) => {
      given[key] = value ?? 'true'
    })
  }
  for (const { group, settings } of groups()) {
    for (const [key, setting] of settings) {
      const isFlag = setting.expected === 'true or false'
      const option = new Option(
        `--${key} ${isFlag ? '[bool]' : '<value>'}`,
        `${setting.about} (default: ${setting.toml})`,
      )
      add(key, key, option.helpGroup(group))
    }
  }
  for (const [flag, key] of Object.entries(otherNames)) add(flag, key, new Option(`--${flag} <value>`).hideHelp())
  example(
    command,
    'start',
    'start --minimum-gas-prices 0.025ucoin --log_format json',
    'start --rpc.laddr tcp://127.0.0.1:36657 --api.address tcp://127.0.0.1:2317 --grpc.enable=false',
  )
  command.action(async () => {
    const { config, warnings } = loadNodeConfig(homeOf(command, terminal), terminal.environment, given)
    const logger = createLogger(config.log, linesOf(config))
    logger.info({ home: config.home.root, version }, 'starting')
    for (const warning of warnings) logger.warn({}, warning)
    await runUntilSignal(config, logger)
  })
}

/** All settings, the usual ones first. */
function groups() {
  const entriesOf = (settings: Settings) => Object.entries(settings).filter(([key]) => !usual.includes(key))
  return [
    { group: 'Usual settings:', settings: usual.map((key) => [key, (nodeSettings as Settings)[key]!] as const) },
    { group: 'Other settings of app.toml:', settings: entriesOf(appForm.settings) },
    { group: 'Other settings of config.toml:', settings: entriesOf(cometForm.settings) },
  ]
}

/** Lines on stderr, so that stdout stays free for results. Plain ones are written at once: somebody watches. */
function linesOf({ log }: NodeConfig) {
  return log.format === 'json' ? pino.destination({ dest: 2, sync: false }) : process.stderr
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
    logger.info({}, 'stopped while it was starting, everything is on disk')
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

const systemHints: Readonly<Record<string, string>> = {
  ENOSPC: '; the disk is full: make room and start again, nothing that was told of is lost',
  EROFS: '; the disk can only be read',
  EACCES: '; this user may not: see whose files they are',
  EMFILE: '; too many files are open: raise "ulimit -n"',
}

/**
 * What people see of an error: a coded one and one of the system are told, any other is a bug and shows its stack, as all do with
 * `--trace`.
 */
export function describeError(error: unknown, withStack = false): string {
  if (withStack && error instanceof Error) return error.stack ?? error.message
  if (error instanceof CodedError) return `Error: ${error.message}${isCannotListen(error) ? listenHint : ''}`
  if (isDatabaseError(error))
    return `Error: a database is damaged (${error.message}); restore the data folder from a copy: "coind doctor" says more`
  if (isSystemError(error)) return `Error: ${error.message}${systemHints[error.code ?? ''] ?? ''}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
