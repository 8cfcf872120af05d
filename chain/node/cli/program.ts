import { Command, CommanderError, Option } from 'commander'
import { addComet } from './commands/comet.js'
import { addCompletion } from './commands/completion.js'
import { addConfig } from './commands/config.js'
import { addDoctor } from './commands/doctor.js'
import { addExport } from './commands/export.js'
import { addGenesis } from './commands/genesis.js'
import { addInit } from './commands/init.js'
import { addKeys } from './commands/keys.js'
import { addQuery } from './commands/query.js'
import { addRollback } from './commands/rollback.js'
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

const environment = `Environment:
  COIND_HOME                the home folder
  COIND_KEYRING_PASSPHRASE  passphrase of the keyring "file", for scripts
  COIND_<SETTING>           any setting: COIND_NODE, COIND_CHAIN_ID, COIND_OUTPUT of client.toml, COIND_API_ADDRESS ...`

/** The command line of `coind`. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('coind')
    .description('A node of a token-launch chain, and the tools around it')
    .option('--home <folder>', 'home folder (default: COIND_HOME, otherwise ~/.coind)')
    .option('--trace', 'show where in the program an error comes from')
    // Of the reference; nothing is coloured here.
    .addOption(new Option('--log_no_color').hideHelp())
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .showHelpAfterError('(add --help for more)')
    .addHelpText(
      'after',
      `\nFirst steps:\n${firstSteps.map((line) => `  $ coind ${line}`).join('\n')}\n\n${environment}`,
    )
    .exitOverride()
  addCommands(program, terminal)
  return program
}

/** In the groups that the help shows. */
function addCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup('A chain of your own:')
  for (const add of [addInit, addGenesis, addStart]) add(program, terminal)
  program.commandsGroup('Use a chain:')
  for (const add of [addKeys, addTx, addQuery, addStatus]) add(program, terminal)
  program.commandsGroup('Look after a node:')
  for (const add of [addDoctor, addConfig, addComet, addExport, addRollback]) add(program, terminal)
  program.commandsGroup('This program:')
  for (const add of [addVersion, addCompletion]) add(program, terminal)
  program.addHelpCommand(program.createCommand('help').argument('[command]').description('help for a command'))
}

/** Runs one command line, without the program's own name. Returns the exit code; errors are told on `terminal.err`. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    terminal.err(describeError(error, program.opts<{ trace?: boolean }>().trace))
    return 1
  } finally {
    terminal.close()
  }
}
