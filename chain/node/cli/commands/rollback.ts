import { bytesToHex } from '@coin/base/bytes'
import type { Command } from 'commander'
import { loadNodeConfig } from '../../config/node-config.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

const about = `Take the chain one block back, after a block left a wrong state: for example one that a bug made, which an update mends.

The state and the results of the last block are forgotten, and the next start runs the block again. With --hard the block goes too, and
another one is made in its place; whoever saw the old one sees two blocks of one height, signed by this validator in different rounds.
The node must be stopped. The transaction index is built again at the next start.`

export function addRollback(program: Command, terminal: Terminal): void {
  const command = program
    .command('rollback')
    .summary('take the state one block back')
    .description(about)
    .option('--hard', 'remove the last block as well', false)
  example(command, 'rollback', 'rollback --hard')
  command.action(async () => {
    const { config } = loadNodeConfig(homeOf(command, terminal), terminal.environment)
    const { hard } = command.opts<{ hard: boolean }>()
    // Loaded when needed: other commands need none of the chain.
    const { rollback } = await import('../../home/rollback.js')
    const { height, appHash, stored } = await rollback(config.home, hard)
    terminal.out(`Rolled back state to height ${height} and hash ${bytesToHex(appHash).toUpperCase()}`)
    if (stored > height) terminal.err(`Block ${stored} is run again at the next start`)
    else terminal.err(`Block ${height + 1} is gone: another one is made at the next start`)
  })
}
