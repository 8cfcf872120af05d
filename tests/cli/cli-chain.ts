import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CliResult, runInProcess } from '@coin/node/testing/run-cli'
import { type NodeProcess, startNodeProcess } from '../process/node-process.js'

/** A built contract of ours. */
export const contractFile = (name: string): string =>
  fileURLToPath(new URL(`../../../contracts/artifacts/${name}.wasm`, import.meta.url))

export type CliJson = Record<string, unknown>

/** A running node whose home folder was made with the command line, and the command line on it. */
export interface CliChain {
  readonly home: string
  readonly node: NodeProcess
  /** Runs `coind` with these words; answers whatever it says. */
  run(...words: readonly string[]): Promise<CliResult>
  /** As `run`, with lines of input. */
  runWith(input: readonly string[], ...words: readonly string[]): Promise<CliResult>
  /** What it prints; throws when it fails. */
  text(...words: readonly string[]): Promise<string>
  /** What it prints with `--output json`; throws when it fails. */
  json<T = CliJson>(...words: readonly string[]): Promise<T>
  stop(): Promise<void>
}

export interface CliChainOptions {
  readonly chainId: string
  readonly prefix: string
  readonly denom: string
  /** Keys of the test keyring; the first ones get coins. */
  readonly keys: readonly string[]
  /** Addresses that get coins, besides those of `keys`. */
  readonly addresses?: readonly string[]
}

const coins = 1_000_000_000_000n

export async function startCliChain(options: CliChainOptions): Promise<CliChain> {
  const { chainId, prefix, denom, keys, addresses = [] } = options
  const home = mkdtempSync(join(tmpdir(), 'coin-cli-'))
  const environment: Record<string, string> = { COIND_HOME: home, COIND_KEYRING_BACKEND: 'test' }
  const run = (...words: readonly string[]) => runInProcess(words, environment)
  const text = async (...words: readonly string[]) => {
    const { code, out, err } = await run(...words)
    if (code !== 0) throw new Error(`coind ${words.join(' ')}: ${err}`)
    return out
  }
  const names = ['--bech32-prefix', prefix, '--denom', denom, '--display-denom', denom.slice(1).toUpperCase()]
  await text('init', 'one', '--chain-id', chainId, ...names)
  for (const name of keys) await text('keys', 'add', name)
  for (const who of [...keys, ...addresses]) await text('genesis', 'add-genesis-account', who, `${coins}${denom}`)
  const node = await startNodeProcess(home, ['--engine.block-time', '200ms'])
  environment.COIND_NODE = node.rpc
  return {
    home,
    node,
    run,
    text,
    runWith: (input, ...words) => runInProcess(words, environment, input),
    json: async <T>(...words: readonly string[]) => JSON.parse(await text(...words, '--output', 'json')) as T,
    async stop() {
      await node.end('SIGTERM')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
