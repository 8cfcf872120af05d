import { bytesToHex, hexToBytes } from '@coin/base/bytes'
import { decodeBech32, encodeBech32 } from '@coin/wire/bech32'
import { type Json, messageToJson } from '@coin/wire/json'
import { type Command, Option } from 'commander'
import { nodeErrors } from '../../errors.js'
import { type KeyInfo, keyInfo } from '../../keys/key-record.js'
import { multisigKey } from '../../keys/multisig-key.js'
import { contextOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { numberFrom } from './key-flags.js'

/** A key as the reference prints it; its public key is JSON inside a string. */
export function describeKey({ name, type, pubKey, address }: KeyInfo, prefix: string): { [key: string]: Json } {
  const pubkey = JSON.stringify(messageToJson('google.protobuf.Any', pubKey))
  return { name, type, address: encodeBech32(prefix, address), pubkey }
}

export function addKeysList(command: Command, terminal: Terminal): void {
  command.option('-n, --list-names', 'only the names; asks for no passphrase', false)
  example(command, 'keys list', 'keys list --output json', 'keys list --list-names')
  command.action(async () => {
    const { keyring, prefix, print, client } = contextOf(command, terminal)
    if (command.opts<{ listNames: boolean }>().listNames) {
      for (const name of keyring.names()) terminal.out(name)
      return
    }
    const keys = (await keyring.list()).map((key) => describeKey(key, prefix))
    if (keys.length === 0 && client.output === 'text') terminal.err('The keyring has no keys')
    else print(keys)
  })
}

interface ShowFlags {
  readonly address: boolean
  readonly pubkey: boolean
  readonly bech: 'acc' | 'val' | 'cons'
  readonly multisigThreshold: number
  readonly device: boolean
  readonly output?: string
}

const kindOfPrefix = { acc: '', val: 'valoper', cons: 'valcons' } as const

export function addKeysShow(command: Command, terminal: Terminal): void {
  command
    .option('-a, --address', 'only the address', false)
    .option('-p, --pubkey', 'only the public key', false)
    .addOption(
      new Option('--bech <kind>', 'address of an account, of its validator, or of a consensus key')
        .choices(['acc', 'val', 'cons'])
        .default('acc'),
    )
    .option('--multisig-threshold <count>', 'of several keys, how many must sign', numberFrom(1, 1000), 1)
    .option('-d, --device', 'not available: Ledger devices are not supported', false)
  example(
    command,
    'keys show alice',
    'keys show alice -a',
    'keys show alice --bech val -a',
    'keys show alice bob carol --multisig-threshold 2',
  )
  command.action(async (names: string[]) => {
    const flags = command.opts<ShowFlags>()
    if (flags.device) throw nodeErrors.badFlag('--device: Ledger devices are not supported')
    if (flags.address && flags.pubkey) throw nodeErrors.badFlag('--address and --pubkey exclude each other')
    if (flags.output !== undefined && (flags.address || flags.pubkey))
      throw nodeErrors.badFlag('--output excludes --address and --pubkey')
    const { keyring, prefix, print, client } = contextOf(command, terminal)
    const keys: KeyInfo[] = []
    for (const name of names) keys.push(await keyring.find(name))
    const key = keys.length === 1 ? keys[0]! : keyInfo('multi', 'multi', multisigKey(keys, flags.multisigThreshold))
    const shown = describeKey(key, `${prefix}${kindOfPrefix[flags.bech]}`)
    if (flags.address) terminal.out(String(shown.address))
    else if (flags.pubkey) terminal.out(String(shown.pubkey))
    else print(client.output === 'json' ? shown : [shown])
  })
}

/** Kinds of text that the reference shows of an address. */
const suffixes = ['', 'pub', 'valoper', 'valoperpub', 'valcons', 'valconspub'] as const

export function addKeysParse(command: Command, terminal: Terminal): void {
  example(
    command,
    'keys parse coin1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8p2wmz5',
    'keys parse 93354845030274CD4BF1686ABD60AB28EC52E1A7',
  )
  command.action((text: string) => {
    const { prefix, print } = contextOf(command, terminal)
    if (/^(?:[0-9a-fA-F]{2})+$/.test(text)) {
      const bytes = hexToBytes(text.toLowerCase())
      print({ formats: suffixes.map((suffix) => encodeBech32(`${prefix}${suffix}`, bytes)) })
      return
    }
    const { prefix: human, bytes } = decodeBech32(text)
    print({ human, bytes: bytesToHex(bytes).toUpperCase() })
  })
}
