import { Command, CommanderError } from 'commander'
import { addGenesis } from './commands/genesis.js'
import { addInit } from './commands/init.js'
import { addKeys } from './commands/keys.js'
import { addQuery } from './commands/query.js'
import { addStart, describeError } from './commands/start.js'
import { addStatus, addVersion } from './commands/status.js'
import { addTx } from './commands/tx.js'
import type { Terminal } from './terminal.js'

const firstSteps = [
  'init my-node --chain-id my-chain-1',
  'keys add alice',
  'genesis add-genesis-account alice 100000000000000ucoin',
  'start',
  'query bank balances <address>          (in another terminal)',
  'tx bank send alice <address> 5ucoin --gas auto --gas-prices 0.025ucoin',
]

/** The command line of `coind`. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('coind')
    .description('A node of a token-launch chain, and the tools around it')
    .option('--home <folder>', 'home folder (default: COIND_HOME, otherwise ~/.coind)')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .showHelpAfterError('(add --help for more)')
    .addHelpText('after', `\nA chain of your own:\n${firstSteps.map((line) => `  $ coind ${line}`).join('\n')}`)
    .exitOverride()
  addInit(program, terminal)
  addStart(program, terminal)
  addKeys(program, terminal)
  addGenesis(program, terminal)
  addTx(program, terminal)
  addQuery(program, terminal)
  addStatus(program, terminal)
  addVersion(program, terminal)
  return program
}

/** Runs one command line, without the program's own name. Returns the exit code; errors are told on `terminal.err`. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    terminal.err(describeError(error))
    return 1
  } finally {
    terminal.close()
  }
}
