import { readFileSync } from 'node:fs'
import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec } from '@coin/wire/addresses'
import { coinsToProto, parseCoins } from '@coin/wire/coins'
import { parseJson } from '@coin/wire/json-text'
import type { MessageOf, TypeName } from '@coin/wire/registry'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { sendTx, signerOf, type TxOptions } from '../client/send-tx.js'
import { askYes, contextOf } from '../context.js'
import { example, parseUint64, txFlags } from '../flags.js'
import { formatOutput } from '../output.js'
import type { Terminal } from '../terminal.js'

interface TxFlags extends Omit<TxOptions, 'chainId' | 'broadcastMode'> {
  readonly from?: string
  readonly yes: boolean
}

export function addTx(program: Command, terminal: Terminal): void {
  const group = program.command('tx').description('sign and send a transaction')
  addBank(group.command('bank').description('coins'), terminal)
  addWasm(group.command('wasm').description('contracts'), terminal)
}

/**
 * Signs and sends the message that `build` makes for the sender's address, and prints the node's answer. `checked` answers an
 * address of this chain as it was given and throws `badAddress` of codespace `wire` for anything else.
 */
async function run<N extends TypeName>(
  command: Command,
  terminal: Terminal,
  given: string | undefined,
  typeName: N,
  build: (sender: string, checked: (address: string) => string) => MessageOf<N>,
): Promise<void> {
  const context = contextOf(command, terminal)
  const { rpc, keyring, prefix, client } = context
  const flags = command.opts<TxFlags>()
  const from = given ?? flags.from ?? client['keyring-default-keyname']
  if (from === '') throw nodeErrors.badFlag('--from is missing: the name or address of the key that signs')
  const signer = await signerOf(context, from)
  const confirm = async (tx: Parameters<typeof formatOutput>[0]) => {
    if (flags.yes) return true
    terminal.err(formatOutput(tx, client.output))
    return askYes(terminal, 'Sign and send this transaction?')
  }
  const options = {
    ...flags,
    fees: flags.fees,
    gasPrices: flags.gasPrices,
    chainId: client['chain-id'],
    broadcastMode: client['broadcast-mode'],
  }
  const say = (text: string) => terminal.err(text)
  const { decode } = createAddressCodec(prefix)
  const checked = (address: string) => {
    decode(address)
    return address
  }
  const message = build(signer.text, checked)
  const response = await sendTx({ rpc, keyring, prefix, confirm, say }, options, signer, typeName, message)
  context.printMessage('cosmos.base.abci.v1beta1.TxResponse', response)
}

function addBank(group: Command, terminal: Terminal): void {
  const send = txFlags(group.command('send <from> <to> <coins>').description('send coins to an account'))
  example(send, 'tx bank send alice coin1... 1000000ucoin --gas auto --gas-prices 0.025ucoin -y')
  send.action((from: string, toAddress: string, coins: string) =>
    run(send, terminal, from, 'cosmos.bank.v1beta1.MsgSend', (fromAddress, checked) => ({
      fromAddress,
      toAddress: checked(toAddress),
      amount: coinsToProto(parseCoins(coins)),
    })),
  )
}

/** A contract message as it will stand in the transaction. Throws `badJson` of codespace `wire`. */
function contractMessage(text: string): Bytes {
  parseJson(text)
  return utf8ToBytes(text)
}

function addWasm(group: Command, terminal: Terminal): void {
  const store = txFlags(group.command('store <file>').description('upload the code of contracts, .wasm or gzipped'))
  example(store, 'tx wasm store launchpad.wasm --from alice --gas auto -y')
  store.action((file: string) =>
    run(store, terminal, undefined, 'cosmwasm.wasm.v1.MsgStoreCode', (sender) => ({
      sender,
      wasmByteCode: readCode(file),
      instantiatePermission: undefined,
    })),
  )

  const instantiate = txFlags(group.command('instantiate <code-id> <json>').description('make a contract from code'))
    .requiredOption('--label <text>', 'what the contract is called')
    .option('--admin <address>', 'who may change its code')
    .option('--no-admin', 'nobody may ever change its code')
    .option('--amount <coins>', 'coins to send along', '')
  example(instantiate, `tx wasm instantiate 1 '{"owner":"coin1..."}' --label launchpad --no-admin --from alice -y`)
  instantiate.action((codeId: string, json: string) => {
    const { label, admin, amount } = instantiate.opts<{ label: string; admin?: string | boolean; amount: string }>()
    if (admin === undefined || admin === true) throw nodeErrors.badFlag('give --admin <address> or --no-admin')
    return run(instantiate, terminal, undefined, 'cosmwasm.wasm.v1.MsgInstantiateContract', (sender, checked) => ({
      sender,
      admin: admin === false ? '' : checked(admin),
      codeId: parseUint64(codeId),
      label,
      msg: contractMessage(json),
      funds: coinsToProto(parseCoins(amount)),
    }))
  })

  const execute = txFlags(group.command('execute <contract> <json>').description('call a contract'))
  execute.option('--amount <coins>', 'coins to send along', '')
  example(execute, `tx wasm execute coin1... '{"buy":{"min_tokens_out":"1"}}' --amount 1000000ucoin --from alice -y`)
  execute.action((contract: string, json: string) =>
    run(execute, terminal, undefined, 'cosmwasm.wasm.v1.MsgExecuteContract', (sender, checked) => ({
      sender,
      contract: checked(contract),
      msg: contractMessage(json),
      funds: coinsToProto(parseCoins(execute.opts<{ amount: string }>().amount)),
    })),
  )
}

function readCode(file: string): Bytes {
  let code: Uint8Array
  try {
    code = readFileSync(file)
  } catch (error) {
    throw nodeErrors.badFile(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const isWasm = code[0] === 0x00 && code[1] === 0x61 && code[2] === 0x73 && code[3] === 0x6d
  const isGzip = code[0] === 0x1f && code[1] === 0x8b
  if (!isWasm && !isGzip) throw nodeErrors.badFile(`${file} is neither WebAssembly nor gzip`)
  return code
}
