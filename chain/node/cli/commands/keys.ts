import { bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { encodeBech32 } from '@coin/wire/bech32'
import type { Json } from '@coin/wire/json'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import { hdPathDefault, keyFromMnemonic, newMnemonic } from '../../keys/mnemonic.js'
import { askYes, contextOf } from '../context.js'
import { example, keyringFlags, outputFlag } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addKeys(program: Command, terminal: Terminal): void {
  const group = program.command('keys').description('keys of accounts')
  const sub = (usage: string, about: string) => outputFlag(keyringFlags(group.command(usage).description(about)))
  addAdd(sub('add <name>', 'make a key, or bring one back from its words'), terminal)
  addList(sub('list', 'all keys'), terminal)
  addShow(sub('show <name>', 'one key'), terminal)
  addDelete(sub('delete <name...>', 'remove keys for ever'), terminal)
  addExport(sub('export <name>', 'print a private key'), terminal)
}

/** A key as the reference prints it; its public key is JSON inside a string. */
function describe({ name, publicKey, address }: KeyInfo, prefix: string): { [key: string]: Json } {
  const pubkey = JSON.stringify({ '@type': '/cosmos.crypto.secp256k1.PubKey', key: bytesToBase64(publicKey) })
  return { name, type: 'local', address: encodeBech32(prefix, address), pubkey }
}

function addAdd(command: Command, terminal: Terminal): void {
  command
    .option('--recover', 'read the words of an existing key from the input', false)
    .option('--hd-path <path>', 'where in the tree of keys', hdPathDefault)
    .option('--no-backup', 'do not print the words; then they are lost')
  example(command, 'keys add alice', 'keys add alice --recover < words.txt')
  command.action(async (name: string) => {
    const { keyring, prefix, client, print } = contextOf(command, terminal)
    const { recover, hdPath, backup } = command.opts<{ recover: boolean; hdPath: string; backup: boolean }>()
    if (keyring.names().includes(name)) throw nodeErrors.keyExists(`"${name}"`)
    const mnemonic = recover ? await terminal.ask('Words of the key: ', { hidden: true }) : newMnemonic()
    const info = await keyring.add(name, await keyFromMnemonic(mnemonic, { hdPath }))
    const shown = describe(info, prefix)
    const isShown = !recover && backup
    if (client.output === 'json') {
      print(isShown ? { ...shown, mnemonic } : shown)
      return
    }
    print([shown])
    if (isShown)
      terminal.err(
        `\n**Write these words down and keep them safe.** They are the only way to get the key back:\n\n${mnemonic}`,
      )
    if (keyring.backend === 'test') terminal.err('\nThe keyring "test" is NOT encrypted: keep nothing of worth in it.')
  })
}

function addList(command: Command, terminal: Terminal): void {
  example(command, 'keys list --output json')
  command.action(async () => {
    const { keyring, prefix, print } = contextOf(command, terminal)
    print((await keyring.list()).map((key) => describe(key, prefix)))
  })
}

function addShow(command: Command, terminal: Terminal): void {
  command.option('-a, --address', 'only the address', false).option('-p, --pubkey', 'only the public key', false)
  example(command, 'keys show alice -a')
  command.action(async (name: string) => {
    const { keyring, prefix, print, client } = contextOf(command, terminal)
    const flags = command.opts<{ address: boolean; pubkey: boolean }>()
    const shown = describe(await keyring.require(name), prefix)
    if (flags.address) terminal.out(String(shown.address))
    else if (flags.pubkey) terminal.out(String(shown.pubkey))
    else print(client.output === 'json' ? shown : [shown])
  })
}

function addDelete(command: Command, terminal: Terminal): void {
  command.option('-y, --yes', 'do not ask', false)
  example(command, 'keys delete alice -y')
  command.action(async (names: string[]) => {
    const { keyring } = contextOf(command, terminal)
    for (const name of names) await keyring.require(name)
    for (const name of names) {
      const isSure = command.opts<{ yes: boolean }>().yes || (await askYes(terminal, `Remove key "${name}" for ever?`))
      if (!isSure) throw nodeErrors.cancelled(`key "${name}" is still there`)
      await keyring.delete(name)
      terminal.err(`Key "${name}" is removed`)
    }
  })
}

function addExport(command: Command, terminal: Terminal): void {
  command
    .option('--unarmored-hex', 'print the key in hexadecimal', false)
    .option('--unsafe', 'I know that whoever sees it owns the account', false)
    .option('-y, --yes', 'do not ask', false)
  example(command, 'keys export alice --unarmored-hex --unsafe')
  command.action(async (name: string) => {
    const flags = command.opts<{ unarmoredHex: boolean; unsafe: boolean; yes: boolean }>()
    if (!flags.unarmoredHex || !flags.unsafe)
      throw nodeErrors.badFlag('a key is exported in the clear only: give --unarmored-hex and --unsafe')
    const { keyring } = contextOf(command, terminal)
    await keyring.require(name)
    const isSure = flags.yes || (await askYes(terminal, `Print the private key of "${name}" in the clear?`))
    if (!isSure) throw nodeErrors.cancelled('nothing was printed')
    terminal.out(bytesToHex((await keyring.open(name)).privateKey))
  })
}
