import { existsSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CodedError } from '@coin/base/errors'
import { type Logger, silentLogger } from '@coin/base/logger'
import { loadNodeConfig } from '@coin/node/config/node-config'
import { isCannotListen, isSystemError } from '@coin/node/errors'
import { requireStopped } from '@coin/node/home/in-use'
import { homePaths } from '@coin/node/home/paths'
import { startNode } from '@coin/node/start'
import { type DevnetKeys, prepareHome } from './accounts.js'
import { type DevnetContracts, deploy } from './deploy.js'
import { type DevnetOptions, demoDefaults, devnetChainId, devnetPaths, readOptions } from './options.js'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Warnings and errors are for everybody, the rest for `--verbose`. */
function createLogger(verbose: boolean): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    const shown = JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    process.stderr.write(`${level} ${message} ${shown === '{}' ? '' : shown}\n`)
  }
  const quiet = silentLogger.info
  return { debug: quiet, info: verbose ? write('info') : quiet, warn: write('warn'), error: write('error') }
}

/** Throws the store's `locked`, with what to do, while a devnet runs there. */
function requireNotRunning({ home }: DevnetOptions): void {
  try {
    requireStopped(homePaths(devnetPaths(home).node))
  } catch (error) {
    const advice =
      'a chain runs here already: Ctrl-C where it was started stops it, --home and other ports start one more'
    throw error instanceof CodedError ? error.wrap(advice) : error
  }
}

function removeOld({ home, reset }: DevnetOptions): void {
  if (!reset || !existsSync(home)) return
  const paths = devnetPaths(home)
  for (const path of Object.values(paths)) rmSync(path, { recursive: true, force: true })
  say('The old chain is gone.')
}

function describe(
  options: DevnetOptions,
  keys: DevnetKeys,
  contracts: DevnetContracts,
  urlOf: (door: string) => string,
): void {
  const [rpc, rest] = [urlOf('RPC'), urlOf('REST')]
  const paths = devnetPaths(options.home)
  const shown = (path: string) => relative(process.cwd(), path) || '.'
  const flags = [
    ...(shown(options.home) === demoDefaults.home ? [] : [`--home ${shown(options.home)}`]),
    ...(rpc === demoDefaults.rpc ? [] : [`--rpc ${rpc}`]),
  ]
  say(`
Chain ${devnetChainId} is running. Ctrl-C stops it; the next start goes on with it.

  RPC    ${rpc}
  REST   ${rest}        to try it: ${rest}/swagger/
  gRPC   ${urlOf('gRPC').slice('http://'.length)}

Contracts (${shown(paths.contracts)})
  launchpad      ${contracts.launchpad}
  exchange pool  ${contracts.amm}
  cw20 code id   ${contracts.cw20_code_id}

Accounts (${shown(paths.accounts)}, with mnemonics), each began with 100,000,000 COIN
${keys.accounts.map(({ name, address }) => `  ${name.padEnd(6)} ${address}`).join('\n')}

Try it:  npm run demo${flags.length === 0 ? '' : ` -- ${flags.join(' ')}`}`)
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  requireNotRunning(options)
  removeOld(options)
  const isNew = !existsSync(devnetPaths(options.home).operator)
  say(isNew ? 'Making a new chain ...' : 'Going on with the chain that is there (--reset begins anew) ...')
  const keys = await prepareHome(options.home)
  const { config } = loadNodeConfig(
    devnetPaths(options.home).node,
    {},
    {
      'rpc.laddr': `tcp://127.0.0.1:${options.rpcPort}`,
      'api.enable': 'true',
      'api.address': `tcp://127.0.0.1:${options.restPort}`,
      'api.enabled-unsafe-cors': 'true',
      'rpc.cors_allowed_origins': '*',
      'grpc.enable': 'true',
      'grpc.address': `127.0.0.1:${options.grpcPort}`,
      'engine.block-time': options.blockTime,
    },
  )
  const stopping = new AbortController()
  const node = await startNode(config, { logger: createLogger(options.verbose), signal: stopping.signal })
  const onSignal = () => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    say('\nStopping ...')
    void node.stop()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const urlOf = (name: string) => `http://${node.addresses.get(name)}`
  const deployed = untilStopped(deploy(urlOf('RPC'), keys.operator, options.home), stopping.signal)
  // A node that fails meanwhile says why; its clients know only that nobody answers.
  const contracts = await deployed.catch((error: unknown) => afterFailure(node.finished, error))
  if (contracts !== undefined) describe(options, keys, contracts, urlOf)
  await node.finished
  say('Stopped. Everything is on disk.')
}

/** Long enough for a node that cannot go on to close what it has open. */
const failureMsMax = 15_000

/** Throws why the node has failed if it has, otherwise `error`. */
async function afterFailure(finished: Promise<void>, error: unknown): Promise<never> {
  if (error instanceof TypeError) await Promise.race([finished, setTimeout(failureMsMax)])
  throw error
}

/** The result, or undefined when the node is being stopped meanwhile. */
async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = error instanceof CodedError || isSystemError(error)
    const hint = isCannotListen(error) ? '\nChoose other ports with --rpc-port, --rest-port and --grpc-port.' : ''
    process.stderr.write(`${known ? error.message : ((error as Error).stack ?? String(error))}${hint}\n`)
    process.exit(1)
  },
)
