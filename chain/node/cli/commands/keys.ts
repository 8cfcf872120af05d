import { type Command, Option } from 'commander'
import { nodeErrors } from '../../errors.js'
import { askYes, contextOf } from '../context.js'
import { example, keyringFlags, outputFlag } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { addKeysAdd } from './keys-add.js'
import { addKeysList, addKeysParse, addKeysShow } from './keys-show.js'
import { addKeysExport, addKeysImport, addKeysImportHex, addKeysMnemonic } from './keys-transfer.js'

const about = `Keys of accounts, in a keyring:

  file    encrypted, in <home>/keyring-file; asks for the keyring's passphrase, once a command (default)
  test    NOT encrypted, in <home>/keyring-test; for keys that own nothing
  memory  nowhere: ends with the command

The files are those of the Go SDK: a keyring of another chain's command line works here with --keyring-dir, and the other way
round. The reference's backends os, kwallet and pass are not available. COIND_KEYRING_PASSPHRASE answers for scripts.`

export function addKeys(program: Command, terminal: Terminal): void {
  const group = program.command('keys').summary('keys of accounts').description(about)
  const sub = (usage: string, text: string) => outputFlag(keyringFlags(group.command(usage).description(text)))
  addKeysAdd(sub('add <name>', 'make a key, or bring one back from its words'), terminal)
  addKeysList(sub('list', 'all keys'), terminal)
  addKeysShow(sub('show <name-or-address...>', 'one key, or the multisignature key of several'), terminal)
  addDelete(sub('delete <name...>', 'remove keys for ever'), terminal)
  addRename(sub('rename <name> <new-name>', 'give a key another name'), terminal)
  addKeysExport(sub('export <name>', 'print a private key, encrypted'), terminal)
  addKeysImport(sub('import <name> <file>', 'take in a key that "keys export" wrote'), terminal)
  addKeysImportHex(sub('import-hex <name> [hex]', 'take in a private key in hexadecimal'), terminal)
  addKeysMnemonic(group.command('mnemonic').description('words for a new key, which is not kept'), terminal)
  addKeysParse(sub('parse <address>', 'an address in its other forms: hexadecimal to bech32 and back'), terminal)
  const types = group.command('list-key-types').description('kinds of keys that "keys add" makes')
  example(types, 'keys list-key-types').action(() => terminal.out('secp256k1'))
}

function addDelete(command: Command, terminal: Terminal): void {
  command.option('-y, --yes', 'do not ask', false)
  command.addOption(new Option('-f, --force', 'the same, as the reference has it').default(false).hideHelp())
  example(command, 'keys delete alice', 'keys delete alice bob --yes')
  command.action(async (names: string[]) => {
    const { keyring } = contextOf(command, terminal)
    const { yes, force } = command.opts<{ yes: boolean; force: boolean }>()
    for (const name of names) await keyring.require(name)
    for (const name of names) {
      const isSure = yes || force || (await askYes(terminal, `Remove key "${name}" for ever?`))
      if (!isSure) throw nodeErrors.cancelled(`key "${name}" is still there`)
      await keyring.delete(name)
      terminal.err(`Key "${name}" is removed`)
    }
  })
}

function addRename(command: Command, terminal: Terminal): void {
  command.option('-y, --yes', 'do not ask', false)
  example(command, 'keys rename alice treasury --yes')
  command.action(async (from: string, to: string) => {
    const { keyring } = contextOf(command, terminal)
    await keyring.require(from)
    const isSure = command.opts<{ yes: boolean }>().yes || (await askYes(terminal, `Rename key "${from}" to "${to}"?`))
    if (!isSure) throw nodeErrors.cancelled(`key "${from}" keeps its name`)
    await keyring.rename(from, to)
    terminal.err(`Key "${from}" is "${to}" now`)
  })
}
