import type { Json } from '@coin/wire/json'
import { type Command, Option } from 'commander'
import { parse as parseToml } from 'smol-toml'
import {
  configDifferences,
  configFile,
  configValue,
  readConfigText,
  withConfigValue,
  withMissingSettings,
  writeConfigText,
} from '../../config/config-files.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

const about = `The settings in the home folder: app (app.toml), config (config.toml) and client (client.toml).

A flag or an environment variable goes before a file: api.address of app.toml is --api.address at "coind start" and
COIND_API_ADDRESS. A running node takes changes when it is started again.`

const names = ['app', 'config', 'client'] as const

export function addConfig(program: Command, terminal: Terminal): void {
  const group = program.command('config').summary('the settings in the home folder').description(about)
  addGet(group, terminal)
  addSet(group, terminal)
  addView(group, terminal)
  addDiff(group, terminal)
  addMigrate(group, terminal)
  const home = group.command('home').description('which folder is the home folder')
  example(home, 'config home').action(() => terminal.out(homeOf(home, terminal)))
}

function addGet(group: Command, terminal: Terminal): void {
  const command = group.command('get <file> <key>').description('one setting, as JSON')
  example(command, 'config get app minimum-gas-prices', 'config get config rpc.laddr')
  command.action((file: string, key: string) =>
    terminal.out(JSON.stringify(configValue(configFile(homeOf(command, terminal), file), key))),
  )
}

function addSet(group: Command, terminal: Terminal): void {
  const command = group
    .command('set <file> <key> <value>')
    .description('change one setting; comments and the rest stay as they are')
    .option('-s, --skip-validate', 'also keys and values that a start would not take', false)
    .option('--stdout', 'print the changed file and write nothing', false)
    .option('-v, --verbose', 'say what was changed', false)
  example(command, 'config set app minimum-gas-prices 0.025ucoin', 'config set client chain-id my-chain-1')
  command.action((name: string, key: string, value: string) => {
    const flags = command.opts<{ skipValidate: boolean; stdout: boolean; verbose: boolean }>()
    const file = configFile(homeOf(command, terminal), name)
    const text = withConfigValue(file, key, value, !flags.skipValidate)
    if (flags.verbose) terminal.err(`${file.path}: ${key} = ${value}`)
    if (flags.stdout) terminal.out(text.trimEnd())
    else writeConfigText(file, text)
  })
}

function addView(group: Command, terminal: Terminal): void {
  const command = group.command('view <file>').description('all of a file')
  command.addOption(new Option('--output-format <format>', 'how it is shown').choices(['toml', 'json']).default('toml'))
  example(command, 'config view app', 'config view client --output-format json')
  command.action((name: string) => {
    const text = readConfigText(configFile(homeOf(command, terminal), name))
    const isToml = command.opts<{ outputFormat: string }>().outputFormat === 'toml'
    terminal.out(isToml ? text.trimEnd() : JSON.stringify(parseToml(text), undefined, 2))
  })
}

function addDiff(group: Command, terminal: Terminal): void {
  const command = group.command('diff [file]').description('settings that are not the default')
  command.option('--output <format>', 'text or json', 'text')
  example(command, 'config diff', 'config diff app --output json')
  command.action((name: string | undefined) => {
    const home = homeOf(command, terminal)
    const found = (name === undefined ? names : [name]).flatMap((file) => configDifferences(configFile(home, file)))
    if (command.opts<{ output: string }>().output === 'json') terminal.out(JSON.stringify(found as unknown as Json))
    else
      for (const { file, key, value, default: fallback } of found)
        terminal.out(`${file}: ${key} = ${JSON.stringify(value)}, default ${JSON.stringify(fallback)}`)
  })
}

function addMigrate(group: Command, terminal: Terminal): void {
  const command = group
    .command('migrate [file]')
    .description('add the settings that a file of an older version, or of the Go node, lacks')
    .option('--stdout', 'print the changed file and write nothing', false)
  example(command, 'config migrate', 'config migrate app --stdout')
  command.action((name: string | undefined) => {
    for (const each of name === undefined ? names : [name]) {
      const file = configFile(homeOf(command, terminal), each)
      const { text, added } = withMissingSettings(file)
      if (command.opts<{ stdout: boolean }>().stdout) terminal.out(text.trimEnd())
      else if (added.length > 0) writeConfigText(file, text)
      terminal.err(`${file.path}: ${added.length === 0 ? 'nothing is missing' : `added ${added.join(', ')}`}`)
    }
  })
}
