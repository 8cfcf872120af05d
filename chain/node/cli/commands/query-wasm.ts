import { existsSync, writeFileSync } from 'node:fs'
import { type Bytes, emptyBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { decodeBase64 } from '@coin/wire/base64'
import { messageFromJsonText } from '@coin/wire/json'
import { parseJson } from '@coin/wire/json-text'
import type { MessageOf, TypeName } from '@coin/wire/registry'
import { codecOf } from '@coin/wire/registry'
import { predictableAddress } from '@coin/x/wasm/contract-address'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { addressResolver } from '../autocli/addresses.js'
import { exampleAccount, exampleContract } from '../autocli/examples.js'
import { addPageFlags, pageJson } from '../autocli/page-flags.js'
import { type CliContext, contextOf } from '../context.js'
import { example, keyringFlags, parseUint64, stateFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** The machine whose rules for contracts hold here. */
const wasmVmVersion = '2.3.1'

const forms = ['ascii', 'hex', 'b64'] as const

/** Flags for how an argument of bytes is written. */
export function bytesFormFlags(command: Command, what: string): Command {
  return command
    .option('--ascii', `${what} is text`)
    .option('--hex', `${what} is hexadecimal`)
    .option('--b64', `${what} is base64`)
}

/** Bytes in the form that the flags say, otherwise in `fallback`. Throws `badFlag` and what decoding throws. */
export function readBytesForm(command: Command, text: string, fallback: (typeof forms)[number]): Bytes {
  const flags = command.opts<Partial<Record<(typeof forms)[number], boolean>>>()
  const given = forms.filter((form) => flags[form])
  if (given.length > 1) throw nodeErrors.badFlag(`--${given[0]} and --${given[1]} exclude each other`)
  switch (given[0] ?? fallback) {
    case 'ascii':
      return utf8ToBytes(text)
    case 'hex':
      return hexToBytes(text)
    case 'b64':
      return decodeBase64(text)
  }
}

export function addWasmQueries(group: Command, terminal: Terminal): void {
  addCode(group, terminal)
  const state = group.command('contract-state').aliases(['state', 'cs', 's']).description('what a contract remembers')
  addAll(state, terminal)
  addRaw(state, terminal)
  addSmart(state, terminal)
  addBuildAddress(group, terminal)
  const version = group.command('libwasmvm-version').alias('lib-version')
  version.description('version of the machine that contracts run on')
  example(version, 'query wasm libwasmvm-version')
  version.action(() => terminal.out(wasmVmVersion))
}

/** Asks a method of x/wasm. */
async function ask<I extends TypeName, O extends TypeName>(
  { rpc }: CliContext,
  command: Command,
  method: string,
  [input, request]: readonly [I, Partial<MessageOf<I>>],
  output: O,
): Promise<MessageOf<O>> {
  const codec = codecOf(input as string)
  const bytes = codec.encode(codec.fromPartial(request)).finish()
  const { height } = command.opts<{ height?: number }>()
  return codecOf(output as string).decode(
    await rpc.query(`/cosmwasm.wasm.v1.Query/${method}`, bytes, height),
  ) as MessageOf<O>
}

const addressOf = (context: CliContext, text: string): Promise<string> =>
  addressResolver(context, 'any')(text, 'account')

function addCode(group: Command, terminal: Terminal): void {
  const command = stateFlags(group.command('code').aliases(['source-code', 'source']).description('download a code'))
  command.argument('<code-id>', 'number of the code', parseUint64).argument('<file>', 'where it goes; must not exist')
  example(command, 'query wasm code 1 contract.wasm')
  command.action(async (codeId: bigint, file: string) => {
    const context = contextOf(command, terminal)
    if (existsSync(file)) throw nodeErrors.badFile(`${file} is there already`)
    const { data } = await ask(
      context,
      command,
      'Code',
      ['cosmwasm.wasm.v1.QueryCodeRequest', { codeId }],
      'cosmwasm.wasm.v1.QueryCodeResponse',
    )
    if (data.length === 0) throw nodeErrors.queryFailed(`code ${codeId} is empty`)
    writeFileSync(file, data)
    terminal.err(`${data.length} bytes written to ${file}`)
  })
}

function addAll(group: Command, terminal: Terminal): void {
  const command = stateFlags(group.command('all <address>').description('everything that a contract remembers'))
  addPageFlags(command)
  example(command, `query wasm contract-state all ${exampleContract} --limit 20`)
  command.action(async (address: string) => {
    const context = contextOf(command, terminal)
    const page = pageJson(command)
    const pagination = page === undefined ? undefined : pageRequest(page)
    const state = await ask(
      context,
      command,
      'AllContractState',
      ['cosmwasm.wasm.v1.QueryAllContractStateRequest', { address: await addressOf(context, address), pagination }],
      'cosmwasm.wasm.v1.QueryAllContractStateResponse',
    )
    context.printMessage('cosmwasm.wasm.v1.QueryAllContractStateResponse', state)
  })
}

const pageRequest = (json: string) =>
  messageFromJsonText<MessageOf<'cosmos.base.query.v1beta1.PageRequest'>>('cosmos.base.query.v1beta1.PageRequest', json)

function addRaw(group: Command, terminal: Terminal): void {
  const command = stateFlags(group.command('raw <address> <key>').description('what a contract remembers under a key'))
  bytesFormFlags(command, 'the key')
  example(command, `query wasm contract-state raw ${exampleContract} 636f6e666967`)
  command.action(async (address: string, key: string) => {
    const context = contextOf(command, terminal)
    const queryData = readBytesForm(command, key, 'hex')
    const value = await ask(
      context,
      command,
      'RawContractState',
      ['cosmwasm.wasm.v1.QueryRawContractStateRequest', { address: await addressOf(context, address), queryData }],
      'cosmwasm.wasm.v1.QueryRawContractStateResponse',
    )
    context.printMessage('cosmwasm.wasm.v1.QueryRawContractStateResponse', value)
  })
}

function addSmart(group: Command, terminal: Terminal): void {
  const command = stateFlags(group.command('smart <address> <query>').description('ask a contract'))
  bytesFormFlags(command, 'the query')
  example(command, `query wasm contract-state smart ${exampleContract} '{"token_info":{}}'`)
  command.action(async (address: string, query: string) => {
    const context = contextOf(command, terminal)
    const queryData = readBytesForm(command, query, 'ascii')
    parseJson(new TextDecoder().decode(queryData))
    const answer = await ask(
      context,
      command,
      'SmartContractState',
      ['cosmwasm.wasm.v1.QuerySmartContractStateRequest', { address: await addressOf(context, address), queryData }],
      'cosmwasm.wasm.v1.QuerySmartContractStateResponse',
    )
    context.printMessage('cosmwasm.wasm.v1.QuerySmartContractStateResponse', answer)
  })
}

function addBuildAddress(group: Command, terminal: Terminal): void {
  const command = keyringFlags(group.command('build-address <code-hash> <creator> <salt> [json]').alias('address'))
  command.description('where instantiate2 would put a contract; asks no node. The JSON counts with --fix-msg only')
  bytesFormFlags(command, 'the salt')
  example(command, `query wasm build-address ${'ab'.repeat(32)} ${exampleAccount} 0a0b`)
  command.action(async (codeHash: string, creator: string, salt: string, json: string | undefined) => {
    const context = contextOf(command, terminal)
    const { account } = context.addresses
    const checksum = hexToBytes(codeHash)
    if (checksum.length !== 32) throw nodeErrors.badFlag(`code hash "${codeHash}", expected 64 hexadecimal digits`)
    const saltBytes = readBytesForm(command, salt, 'hex')
    if (saltBytes.length < 1 || saltBytes.length > 64)
      throw nodeErrors.badFlag(`salt of ${saltBytes.length} bytes, expected 1 to 64`)
    if (json !== undefined) parseJson(json)
    const maker = account.decode(await addressResolver(context, 'own')(creator, 'account'))
    terminal.out(
      account.encode(
        predictableAddress(checksum, maker, saltBytes, json === undefined ? emptyBytes : utf8ToBytes(json)),
      ),
    )
  })
}
