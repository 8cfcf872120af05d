import { readFileSync } from 'node:fs'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { type Command, Option } from 'commander'
import { nodeErrors } from '../../errors.js'
import { keyOf, mnemonicOf, newMnemonic } from '../../keys/mnemonic.js'
import { askYes, contextOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { describeKey } from './keys-show.js'

export function addKeysExport(command: Command, terminal: Terminal): void {
  command
    .option('--unarmored-hex', 'not encrypted, in hexadecimal; needs --unsafe', false)
    .option('--unsafe', 'I know that whoever sees it owns the account', false)
    .option('-y, --yes', 'do not ask', false)
  example(command, 'keys export alice > alice.key', 'keys export alice --unarmored-hex --unsafe')
  command.action(async (name: string) => {
    const flags = command.opts<{ unarmoredHex: boolean; unsafe: boolean; yes: boolean }>()
    if (flags.unarmoredHex !== flags.unsafe)
      throw nodeErrors.badFlag('--unarmored-hex and --unsafe go together: they print the key in the clear')
    const { keyring } = contextOf(command, terminal)
    if (!flags.unsafe) {
      const key = await keyring.open(name)
      const ask = (question: string) => terminal.ask(question, { hidden: true })
      const passphrase = await ask('Passphrase for the exported key: ')
      if (passphrase.length < passphraseMin)
        throw nodeErrors.badPassphrase(`it is shorter than ${passphraseMin} characters`)
      const { formatExportedKey } = await import('../../keys/exported-key.js')
      terminal.out(await formatExportedKey(key, passphrase))
      return
    }
    await keyring.require(name)
    const isSure = flags.yes || (await askYes(terminal, `Print the private key of "${name}" in the clear?`))
    if (!isSure) throw nodeErrors.cancelled('nothing was printed')
    terminal.out(bytesToHex((await keyring.open(name)).privateKey))
  })
}

const passphraseMin = 8

export function addKeysImport(command: Command, terminal: Terminal): void {
  example(command, 'keys import alice alice.key')
  command.action(async (name: string, file: string) => {
    const { keyring, prefix, print } = contextOf(command, terminal)
    if (keyring.names().includes(name)) throw nodeErrors.keyExists(`"${name}"`)
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      throw nodeErrors.badFile(`${file}: ${(error as Error).message}`)
    }
    const passphrase = await terminal.ask('Passphrase of the exported key: ', { hidden: true })
    const { parseExportedKey } = await import('../../keys/exported-key.js')
    print(describeKey(await keyring.add(name, await parseExportedKey(text, passphrase)), prefix))
  })
}

export function addKeysImportHex(command: Command, terminal: Terminal): void {
  command.addOption(new Option('--key-type <type>', 'kind of key').choices(['secp256k1']).default('secp256k1'))
  example(command, 'keys import-hex alice', 'keys import-hex alice < key.hex')
  command.action(async (name: string, given: string | undefined) => {
    const { keyring, prefix, print } = contextOf(command, terminal)
    if (keyring.names().includes(name)) throw nodeErrors.keyExists(`"${name}"`)
    const typed = given ?? (await terminal.ask('Private key in hexadecimal: ', { hidden: true }))
    const hex = typed.trim().replace(/^0x/i, '')
    if (!/^[0-9a-fA-F]{64}$/.test(hex))
      throw nodeErrors.badFlag(`the private key has ${hex.length} characters, expected 64 hexadecimal digits`)
    print(describeKey(await keyring.add(name, keyOf(hexToBytes(hex.toLowerCase()))), prefix))
  })
}

/** As much as base64 needs for 256 bits. */
const entropyLengthMin = 43

export function addKeysMnemonic(command: Command, terminal: Terminal): void {
  command
    .addOption(new Option('--words <count>', 'how many words').choices(['12', '24']).default('24'))
    .option('--unsafe-entropy', 'make 24 words of what you type, for example the throws of dice', false)
    .option('-y, --yes', 'do not ask', false)
  example(command, 'keys mnemonic', 'keys mnemonic --words 12')
  command.action(async () => {
    const flags = command.opts<{ words: string; unsafeEntropy: boolean; yes: boolean }>()
    if (!flags.unsafeEntropy) {
      terminal.out(newMnemonic(flags.words === '12' ? 12 : 24))
      return
    }
    const typed = await terminal.ask('At least 256 bits that nobody can guess: ', { hidden: true })
    if (typed.length < entropyLengthMin)
      throw nodeErrors.badFlag(
        `${typed.length} characters are too few: 256 bits are ${entropyLengthMin} in base64, 100 throws of a die`,
      )
    const isSure = flags.yes || (await askYes(terminal, `You typed ${typed.length} characters. Go on?`))
    if (!isSure) throw nodeErrors.cancelled('nothing was printed')
    terminal.out(mnemonicOf(sha256(utf8ToBytes(typed))))
  })
}
