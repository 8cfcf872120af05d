import { gzipSync } from 'node:zlib'
import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { coinsToProto, parseCoins } from '@coin/wire/coins'
import { type AccessConfig, AccessType } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import type { ResolveAddress } from '../autocli/field-text.js'
import { jsonText } from '../autocli/field-text.js'
import { readBytes } from '../client/tx-file.js'
import { example, parseUint64, txFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { bytesFormFlags, readBytesForm } from './query-wasm.js'
import { type MessageMaker, runMessage } from './tx-message.js'

export function addWasmTxs(group: Command, terminal: Terminal): void {
  addStore(group, terminal)
  addInstantiate(group, terminal)
  addInstantiate2(group, terminal)
  addUpdateInstantiateConfig(group, terminal)
}

function addStore(group: Command, terminal: Terminal): void {
  const command = txFlags(group.command('store <file>').aliases(['upload', 'st', 's']))
  permissionFlags(command).description('upload the code of contracts, .wasm or gzipped')
  example(command, 'tx wasm store launchpad.wasm --from alice --gas auto --gas-prices 0.025ucoin -y')
  command.action((file: string) =>
    runMessage(command, terminal, 'cosmwasm.wasm.v1.MsgStoreCode', async ({ sender, resolve }) => ({
      sender,
      wasmByteCode: readCode(file),
      instantiatePermission: await permissionOf(command, resolve),
    })),
  )
}

/** The code as it travels: gzipped, which every chain takes and which costs less gas. Throws `badFile`. */
function readCode(file: string): Bytes {
  const code = readBytes(file)
  const isWasm = code[0] === 0x00 && code[1] === 0x61 && code[2] === 0x73 && code[3] === 0x6d
  const isGzip = code[0] === 0x1f && code[1] === 0x8b
  if (!isWasm && !isGzip) throw nodeErrors.badFile(`${file} is neither WebAssembly nor gzip`)
  return isWasm ? new Uint8Array(gzipSync(code, { level: 9 })) : code
}

interface PermissionFlags {
  readonly instantiateEverybody?: string
  readonly instantiateNobody?: string
  readonly instantiateAnyofAddresses?: readonly string[]
}

/** Who may make contracts from a code; the chain's default when none is given. */
function permissionFlags(command: Command): Command {
  const gather = (text: string, before: readonly string[] = []) => [...before, ...text.split(',')]
  return command
    .option('--instantiate-everybody <bool>', 'everybody may make contracts from it')
    .option('--instantiate-nobody <bool>', 'nobody but who governs may make contracts from it')
    .option('--instantiate-anyof-addresses <addresses>', 'only these accounts may, separated by commas', gather)
}

async function permissionOf(command: Command, resolve: ResolveAddress): Promise<AccessConfig | undefined> {
  const flags = command.opts<PermissionFlags>()
  if (flags.instantiateAnyofAddresses !== undefined) {
    const addresses: string[] = []
    for (const text of flags.instantiateAnyofAddresses) addresses.push(await resolve(text, 'account'))
    return { permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES, addresses }
  }
  if (isTrue(flags.instantiateEverybody, '--instantiate-everybody'))
    return { permission: AccessType.ACCESS_TYPE_EVERYBODY, addresses: [] }
  if (isTrue(flags.instantiateNobody, '--instantiate-nobody'))
    return { permission: AccessType.ACCESS_TYPE_NOBODY, addresses: [] }
  return undefined
}

function isTrue(text: string | undefined, flag: string): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw nodeErrors.badFlag(`${flag} "${text}", expected true or false`)
  return text === 'true'
}

/** A contract message as it will stand in the transaction. Throws `badJson` of codespace `wire`. */
const contractMessage = (text: string): Bytes => utf8ToBytes(jsonText(text))

interface InstantiateFlags {
  readonly label: string
  readonly admin: string | boolean | undefined
  readonly amount: string
  readonly fixMsg?: boolean
}

function instantiateFlags(command: Command): Command {
  return command
    .argument('<code-id>', 'number of the code', parseUint64)
    .argument('<json>', 'message to the new contract, or a .json file')
    .requiredOption('--label <text>', 'what the contract is called')
    .option('--admin <address>', 'who may change its code; address or key name')
    .option('--no-admin', 'nobody may ever change its code')
    .option('--amount <coins>', 'coins to send along', '')
}

async function newContract(command: Command, { sender, resolve }: MessageMaker, codeId: bigint, json: string) {
  const { label, admin, amount } = command.opts<InstantiateFlags>()
  if (admin === undefined || admin === true) throw nodeErrors.badFlag('give --admin <address> or --no-admin')
  return {
    sender,
    admin: admin === false ? '' : await resolve(admin, 'account'),
    codeId,
    label,
    msg: contractMessage(json),
    funds: coinsToProto(parseCoins(amount)),
  }
}

function addInstantiate(group: Command, terminal: Terminal): void {
  const command = instantiateFlags(txFlags(group.command('instantiate').aliases(['start', 'init', 'inst', 'i'])))
  command.description('make a contract from a code')
  example(command, `tx wasm instantiate 1 '{"owner":"coin1..."}' --label launchpad --no-admin --from alice -y`)
  command.action((codeId: bigint, json: string) =>
    runMessage(command, terminal, 'cosmwasm.wasm.v1.MsgInstantiateContract', (maker) =>
      newContract(command, maker, codeId, json),
    ),
  )
}

function addInstantiate2(group: Command, terminal: Terminal): void {
  const command = instantiateFlags(txFlags(group.command('instantiate2')))
  command.argument('<salt>', 'bytes of which the address is made').option('--fix-msg', 'the message counts for it too')
  bytesFormFlags(command, 'the salt').description('make a contract at an address that is known before')
  example(command, `tx wasm instantiate2 1 '{}' 0a0b --label launchpad --no-admin --from alice -y`)
  command.action((codeId: bigint, json: string, salt: string) =>
    runMessage(command, terminal, 'cosmwasm.wasm.v1.MsgInstantiateContract2', async (maker) => ({
      ...(await newContract(command, maker, codeId, json)),
      salt: readBytesForm(command, salt, 'hex'),
      fixMsg: command.opts<InstantiateFlags>().fixMsg ?? false,
    })),
  )
}

function addUpdateInstantiateConfig(group: Command, terminal: Terminal): void {
  const command = permissionFlags(txFlags(group.command('update-instantiate-config')))
  command.argument('<code-id>', 'number of the code', parseUint64).description('who may make contracts from a code')
  example(command, 'tx wasm update-instantiate-config 1 --instantiate-everybody true --from alice')
  command.action((codeId: bigint) =>
    runMessage(command, terminal, 'cosmwasm.wasm.v1.MsgUpdateInstantiateConfig', async ({ sender, resolve }) => {
      const newInstantiatePermission = await permissionOf(command, resolve)
      if (newInstantiatePermission === undefined)
        throw nodeErrors.badFlag(
          'give one of --instantiate-everybody, --instantiate-nobody, --instantiate-anyof-addresses',
        )
      return { sender, codeId, newInstantiatePermission }
    }),
  )
}
