import type { Command } from 'commander'
import { loadNodeConfig } from '../../config/node-config.js'
import { nodeErrors } from '../../errors.js'
import { readGenesisFile } from '../../home/genesis-file.js'
import { formatJsonFile, writeFileWhole } from '../../home/write-file.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { numberFrom } from './key-flags.js'

const about = `Print the state of the chain as a genesis file, which a new chain can start from.

The validators are those of this chain: the new chain needs their keys (config/priv_validator_key.json), or others written into
consensus.validators. The node may run meanwhile; a large state is then read on a snapshot, and the database grows until it is done.`

export function addExport(program: Command, terminal: Terminal): void {
  const command = program
    .command('export')
    .summary('the state of the chain as a genesis file')
    .description(about)
    .option('--height <height>', 'state after this block (default: the last)', heightFrom, 0)
    .option('--for-zero-height', 'the new chain begins at height 1 instead of behind this one', false)
    .option('--jail-allowed-addrs <addresses>', 'not available yet: validators to unjail')
    .option('--modules-to-export <names>', 'only these modules, names with commas between')
    .option('--output-document <file>', 'write it to a file instead of printing it')
  example(command, 'export --output-document genesis.json', 'export --height 1200 --for-zero-height > genesis.json')
  command.action(async () => {
    const flags = command.opts<{
      height: number
      forZeroHeight: boolean
      jailAllowedAddrs?: string
      modulesToExport?: string
      outputDocument?: string
    }>()
    if (flags.jailAllowedAddrs !== undefined)
      throw nodeErrors.notBuilt('--jail-allowed-addrs: there is no x/staking yet')
    const { config } = loadNodeConfig(homeOf(command, terminal), terminal.environment)
    const file = readGenesisFile(config.home.genesis)
    // Loaded when needed: other commands need none of the chain.
    const [{ openStateView }, { exportChain }] = await Promise.all([
      import('../../home/state-view.js'),
      import('../../home/export.js'),
    ])
    const view = await openStateView(config, file)
    try {
      const modules = flags.modulesToExport?.split(',').map((name) => name.trim()) ?? []
      const exported = exportChain(view, file.genesis, { ...flags, modules })
      if (flags.outputDocument === undefined) terminal.out(JSON.stringify(exported))
      else writeFileWhole(flags.outputDocument, formatJsonFile(exported))
    } finally {
      await view.close()
    }
  })
}

/** The reference says -1 for the last height. */
function heightFrom(text: string): number {
  return text === '-1' ? 0 : numberFrom(1, Number.MAX_SAFE_INTEGER)(text)
}
