import { type AddressCodecs, createAddressCodecs } from '@coin/wire/addresses'
import { type Json, messageToJsonText } from '@coin/wire/json'
import type { TypeName } from '@coin/wire/registry'
import type { Command } from 'commander'
import { bech32PrefixOf, type ClientConfig, loadClientConfig } from '../config/client-config.js'
import { homeFolder, passphraseOf } from '../config/environment.js'
import { nodeErrors } from '../errors.js'
import { type Keyring, openKeyring } from '../keys/keyring.js'
import { createRpcClient, type RpcClient } from './client/rpc.js'
import { formatJsonText, formatOutput } from './output.js'
import type { Terminal } from './terminal.js'

/** What the commands of the command line share, read from flags, environment and client.toml when first needed. */
export interface CliContext {
  readonly terminal: Terminal
  readonly home: string
  readonly client: ClientConfig
  readonly rpc: RpcClient
  readonly keyring: Keyring
  readonly prefix: string
  readonly addresses: AddressCodecs
  print(value: Json): void
  /** As `print`, of JSON text on one line: digits of numbers are kept. */
  printJson(text: string): void
  /** As `print`, in the protobuf JSON of a message. */
  printMessage(typeName: TypeName, message: object): void
}

interface CommonFlags {
  readonly home?: string
  readonly node?: string
  readonly chainId?: string
  readonly keyringBackend?: string
  readonly keyringDir?: string
  readonly bech32Prefix?: string
  readonly output?: string
  readonly broadcastMode?: string
}

/** The folder that `--home`, COIND_HOME or the default names. */
export function homeOf(command: Command, terminal: Terminal): string {
  return homeFolder(command.optsWithGlobals<CommonFlags>().home, terminal.environment)
}

export function contextOf(command: Command, terminal: Terminal): CliContext {
  const flags = command.optsWithGlobals<CommonFlags>()
  const home = homeOf(command, terminal)
  const { config: client, warnings } = loadClientConfig(home, terminal.environment, {
    node: flags.node,
    'chain-id': flags.chainId,
    'keyring-backend': flags.keyringBackend,
    output: flags.output,
    'broadcast-mode': flags.broadcastMode,
  })
  for (const warning of warnings) terminal.err(`warning: ${warning}`)
  const printJson = (text: string) => terminal.out(formatJsonText(text, client.output))
  let rpc: RpcClient | undefined
  let keyring: Keyring | undefined
  let addresses: AddressCodecs | undefined
  return {
    terminal,
    home,
    client,
    print: (value) => terminal.out(formatOutput(value, client.output)),
    printJson,
    printMessage: (typeName, message) => printJson(messageToJsonText(typeName, message)),
    get rpc() {
      rpc ??= createRpcClient(client.node)
      return rpc
    },
    get keyring() {
      keyring ??= openKeyring(flags.keyringDir ?? home, client['keyring-backend'], (isNew) =>
        askPassphrase(terminal, isNew),
      )
      return keyring
    },
    get addresses() {
      addresses ??= createAddressCodecs(bech32PrefixOf(home, terminal.environment, flags.bech32Prefix))
      return addresses
    },
    get prefix() {
      return this.addresses.account.prefix
    },
  }
}

async function askPassphrase(terminal: Terminal, isNew: boolean): Promise<string> {
  const given = passphraseOf(terminal.environment)
  if (given !== undefined) return given
  const first = await terminal.ask(isNew ? 'Choose a keyring passphrase: ' : 'Keyring passphrase: ', { hidden: true })
  if (isNew && (await terminal.ask('Type it again: ', { hidden: true })) !== first) {
    throw nodeErrors.badPassphrase('the two are not the same')
  }
  return first
}

/** Asks a question that only "y" or "yes" answers with yes. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await terminal.ask(`${question} [y/N]: `)).trim())
}
