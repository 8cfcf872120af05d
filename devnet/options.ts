import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'

export interface DevnetOptions {
  /** Absolute; keys, chain and the two files that programs read. */
  readonly home: string
  readonly rpcPort: number
  readonly restPort: number
  readonly grpcPort: number
  readonly blockTime: string
  readonly reset: boolean
  readonly verbose: boolean
}

/** Chain id of every devnet. */
export const devnetChainId = 'coin-devnet-1'

/** Where `npm run demo` looks for the devnet when it is not told. */
export const demoDefaults = { home: '.devnet', rpc: 'http://127.0.0.1:26657' } as const

/** Where things are below the devnet's home. */
export function devnetPaths(home: string) {
  return {
    node: resolve(home, 'node'),
    accounts: resolve(home, 'accounts.json'),
    operator: resolve(home, 'operator.json'),
    contracts: resolve(home, 'contracts.json'),
  } as const
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('expected a number from 0 to 65535; 0 takes a free port')
  return port
}

/** Reads the command line; prints the help and ends the process for `--help` and for mistakes. */
export function readOptions(argv: readonly string[]): DevnetOptions {
  const command = new Command('npm start --')
    .description('Runs a whole chain on this machine, with the contracts deployed and ten funded accounts.')
    .option('--home <folder>', 'where it keeps everything', demoDefaults.home)
    .option('--rpc-port <port>', 'port of the RPC', parsePort, 26657)
    .option('--rest-port <port>', 'port of the REST API', parsePort, 1317)
    .option('--grpc-port <port>', 'port of gRPC', parsePort, 9090)
    .option('--block-time <duration>', 'time from one empty block to the next', '1s')
    .option('--reset', 'throw the old chain away and begin anew', false)
    .option('--verbose', 'show what the node logs', false)
    .addHelpText('after', '\nExample:\n  npm start -- --reset --rpc-port 36657 --rest-port 2317')
    .parse(argv, { from: 'user' })
  const options = command.opts<Omit<DevnetOptions, 'home'> & { home: string }>()
  return { ...options, home: resolve(options.home) }
}
