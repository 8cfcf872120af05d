import { readFileSync } from 'node:fs'
import { compareBytes } from '@coin/base/bytes'
import { decodeBase64 } from '@coin/wire/base64'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { messageFromJson } from '@coin/wire/json'
import { type Command, Option } from 'commander'
import { fileReason, nodeErrors } from '../../errors.js'
import { type KeyInfo, secp256k1Any } from '../../keys/key-record.js'
import { type Keyring, openKeyring } from '../../keys/keyring.js'
import { checkMnemonic, hdPath, keyFromMnemonic, newMnemonic } from '../../keys/mnemonic.js'
import { multisigKey } from '../../keys/multisig-key.js'
import { askYes, contextOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { numberFrom } from './key-flags.js'
import { describeKey } from './keys-show.js'

interface AddFlags {
  readonly recover: boolean
  readonly interactive: boolean
  readonly source?: string
  readonly words: '12' | '24'
  readonly coinType: number
  readonly account: number
  readonly index: number
  readonly hdPath?: string
  readonly multisig?: string
  readonly multisigThreshold: number
  readonly nosort: boolean
  readonly pubkey?: string
  readonly pubkeyBase64?: string
  readonly dryRun: boolean
  readonly backup: boolean
  readonly ledger: boolean
}

const hardenedMax = 2 ** 31 - 1

export function addKeysAdd(command: Command, terminal: Terminal): void {
  command
    .option('--recover', 'read the words of an existing key from the input', false)
    .option('-i, --interactive', 'ask for the words, which may be left empty, and for a BIP 39 passphrase', false)
    .option('--source <file>', 'read the words from a file; with --recover or --interactive')
    .addOption(new Option('--words <count>', 'how many words a new key has').choices(['12', '24']).default('24'))
    .option('--coin-type <number>', 'of BIP 44', numberFrom(0, hardenedMax), 118)
    .option('--account <number>', 'of BIP 44', numberFrom(0, hardenedMax), 0)
    .option('--index <number>', 'of BIP 44: the number of the address', numberFrom(0, hardenedMax), 0)
    .option('--hd-path <path>', "where in the tree of keys, like m/44'/118'/0'/0/0; goes before the three above")
    .option('--multisig <names>', 'make the key of several others, names with commas between')
    .option('--multisig-threshold <count>', 'how many of them must sign', numberFrom(1, 1000), 1)
    .option('--nosort', 'take them in the given order, not in that of their addresses', false)
    .option('--pubkey <json>', 'only watch: the public key as JSON, like "keys show -p" prints it')
    .option('--pubkey-base64 <text>', 'only watch: 33 bytes of a secp256k1 public key')
    .option('--dry-run', 'show the key and do not keep it', false)
    .option('--no-backup', 'do not print the words; then they are lost')
    .option('--ledger', 'not available: Ledger devices are not supported', false)
    .addOption(new Option('--key-type <type>', 'kind of key').choices(['secp256k1']).default('secp256k1'))
  example(
    command,
    'keys add alice',
    'keys add alice --recover --source words.txt',
    'keys add treasury --multisig alice,bob,carol --multisig-threshold 2',
    `keys add cold --pubkey '{"@type":"/cosmos.crypto.secp256k1.PubKey","key":"A..."}'`,
  )
  command.action((name: string) => add(command, terminal, name, command.opts<AddFlags>()))
}

async function add(command: Command, terminal: Terminal, name: string, flags: AddFlags): Promise<void> {
  if (flags.ledger) throw nodeErrors.badFlag('--ledger: Ledger devices are not supported')
  const context = contextOf(command, terminal)
  const { prefix, client, print } = context
  const keyring = flags.dryRun
    ? openKeyring('', 'memory', () => Promise.reject(nodeErrors.badPassphrase()))
    : context.keyring
  const pubKey = await publicKeyOf(context.keyring, flags)
  const words = pubKey === undefined ? await wordsOf(terminal, flags) : undefined
  if (keyring.names().includes(name)) await removeOld(keyring, terminal, name)
  const info =
    pubKey === undefined
      ? await keyring.add(name, await keyFromMnemonic(words!.mnemonic, { ...words!, hdPath: pathOf(flags) }))
      : await keyring.addPublic(name, pubKey)
  const shown = describeKey(info, prefix)
  const newWords = words?.isNew === true && flags.backup ? words.mnemonic : undefined
  if (client.output === 'json') print(newWords === undefined ? shown : { ...shown, mnemonic: newWords })
  else {
    print([shown])
    if (newWords !== undefined) terminal.err(`\n${keepSafe}\n\n${newWords}`)
    if (keyring.backend === 'test') terminal.err('\nThe keyring "test" is NOT encrypted: keep nothing of worth in it.')
  }
}

const keepSafe = '**Write these words down and keep them safe.** They are the only way to get the key back:'

async function removeOld(keyring: Keyring, terminal: Terminal, name: string): Promise<void> {
  if (!(await askYes(terminal, `Key "${name}" is there already. Replace it for ever?`)))
    throw nodeErrors.keyExists(`"${name}"`)
  await keyring.delete(name)
}

function pathOf(flags: AddFlags): string {
  return flags.hdPath ?? hdPath(flags)
}

interface Words {
  readonly mnemonic: string
  readonly passphrase: string
  /** Nobody has seen them yet. */
  readonly isNew: boolean
}

async function wordsOf(terminal: Terminal, flags: AddFlags): Promise<Words> {
  const { recover, interactive, source } = flags
  if (source !== undefined && !recover && !interactive)
    throw nodeErrors.badFlag('--source needs --recover or --interactive')
  const ask = (question: string) => terminal.ask(question, { hidden: true })
  let mnemonic = ''
  if (source !== undefined) mnemonic = readText(source)
  else if (recover) mnemonic = await ask('Words of the key: ')
  else if (interactive) mnemonic = await ask('Words of the key, empty for a new one: ')
  const isNew = !recover && mnemonic.trim() === ''
  if (isNew) mnemonic = newMnemonic(flags.words === '12' ? 12 : 24)
  checkMnemonic(mnemonic)
  const passphrase = interactive ? await ask('BIP 39 passphrase, empty for none as most wallets have it: ') : ''
  if (passphrase !== '' && (await ask('Type it again: ')) !== passphrase)
    throw nodeErrors.badPassphrase('the two are not the same')
  return { mnemonic, passphrase, isNew }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw nodeErrors.badFile(`${path}: ${fileReason(error)}`)
  }
}

/** The public key that is given, or made of several; undefined when a private key is wanted. */
async function publicKeyOf(keyring: Keyring, flags: AddFlags): Promise<Any | undefined> {
  const { multisig, pubkey, pubkeyBase64 } = flags
  const given = [multisig, pubkey, pubkeyBase64].filter((value) => value !== undefined)
  if (given.length > 1) throw nodeErrors.badFlag('--multisig, --pubkey and --pubkey-base64 exclude each other')
  if (given.length === 1 && (flags.recover || flags.interactive))
    throw nodeErrors.badFlag('a public key has no words: leave out --recover and --interactive')
  if (pubkeyBase64 !== undefined) return secp256k1Any(decodeBase64(pubkeyBase64))
  if (pubkey !== undefined) return parsePublicKey(pubkey)
  return multisig === undefined ? undefined : multisigOf(keyring, multisig.split(','), flags)
}

/** `{"@type":"/cosmos.crypto.secp256k1.PubKey","key":"A..."}`. Throws `badFlag`. */
export function parsePublicKey(json: string): Any {
  try {
    return messageFromJson('google.protobuf.Any', JSON.parse(json))
  } catch (error) {
    throw nodeErrors.badFlag(
      `public key ${json}, expected JSON like {"@type":"/cosmos.crypto.secp256k1.PubKey","key":"..."}: ${(error as Error).message}`,
    )
  }
}

async function multisigOf(keyring: Keyring, names: readonly string[], flags: AddFlags): Promise<Any> {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw nodeErrors.badFlag(`--multisig names "${twice}" twice`)
  const keys: KeyInfo[] = []
  for (const name of names) keys.push(await keyring.require(name.trim()))
  if (!flags.nosort) keys.sort((a, b) => compareBytes(a.address, b.address))
  return multisigKey(keys, flags.multisigThreshold)
}
