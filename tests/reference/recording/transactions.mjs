import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { createWasmAminoConverters, wasmTypes } from '@cosmjs/cosmwasm'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, Registry } from '@cosmjs/proto-signing'
import { AminoTypes, createDefaultAminoConverters, defaultRegistryTypes, SigningStargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { pause } from './http.mjs'

const accounts = JSON.parse(readFileSync(new URL('../accounts.json', import.meta.url), 'utf8'))
export const addressOf = (name) => accounts.find((account) => account.name === name).address

const contract = (path) => readFileSync(new URL(`../.cache/contracts/${path}`, import.meta.url))
const utf8 = (value) => new TextEncoder().encode(JSON.stringify(value))
export const coins = (amount, denom = 'ucosm') => [{ denom, amount: String(amount) }]

const msg = (typeUrl, value) => ({ typeUrl, value })
export const send = (from, to, amount) =>
  msg('/cosmos.bank.v1beta1.MsgSend', { fromAddress: addressOf(from), toAddress: addressOf(to), amount })
export const wasm = (name, sender, value) =>
  msg(`/cosmwasm.wasm.v1.Msg${name}`, { sender: addressOf(sender), ...value })
export const execute = (sender, address, message, funds = []) =>
  wasm('ExecuteContract', sender, { contract: address, msg: utf8(message), funds })

/** Signs for one account, with its own count of sequences. */
export async function createSigner(rpcUrl, name) {
  const { mnemonic } = accounts.find((account) => account.name === name)
  const registry = new Registry([...defaultRegistryTypes, ...wasmTypes])
  const aminoTypes = new AminoTypes({ ...createDefaultAminoConverters(), ...createWasmAminoConverters() })
  const wallets = {
    direct: await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'wasm' }),
    amino: await Secp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'wasm' }),
  }
  const address = addressOf(name)
  const clients = {}
  for (const [mode, wallet] of Object.entries(wallets)) {
    clients[mode] = await SigningStargateClient.connectWithSigner(rpcUrl, wallet, { registry, aminoTypes })
  }
  return {
    address,
    /** TxRaw bytes. Everything that may be wrong can be given. */
    async sign(
      messages,
      { gas = 200_000, fee, memo = '', mode = 'direct', chainId = 'testing', sequence, timeoutHeight } = {},
    ) {
      const found = await clients.direct.getAccount(address)
      const data = { accountNumber: found?.accountNumber ?? 0, sequence: sequence ?? found?.sequence ?? 0, chainId }
      const stdFee = { amount: fee ?? coins(Math.ceil(gas / 1000)), gas: String(gas) }
      const raw = await clients[mode].sign(address, messages, stdFee, memo, data, timeoutHeight)
      return TxRaw.encode(raw).finish()
    },
    sequence: async () => (await clients.direct.getAccount(address)).sequence,
  }
}

export const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').toUpperCase()

export async function waitForTx(rpcUrl, hash) {
  for (let i = 0; i < 100; i++) {
    const answer = await fetch(`${rpcUrl}/tx?hash=0x${hash}`).then((response) => response.json())
    if (answer.result) return answer.result
    await pause(100)
  }
  throw new Error(`transaction ${hash} was not included`)
}

/** The value of an event attribute of a transaction's result. */
function attribute(result, type, key) {
  return result.tx_result.events.find((event) => event.type === type).attributes.find((a) => a.key === key).value
}

/**
 * The transactions of the recorded blocks, in order. Each sees what came before it: code ids and addresses.
 * `known` grows while they run.
 */
export const transactions = [
  {
    name: 'bank_send',
    from: 'alice',
    gas: 100_000,
    memo: 'first',
    messages: () => [send('alice', 'carol', coins(1_234_567))],
  },
  {
    name: 'bank_send_insufficient_funds',
    from: 'bob',
    gas: 100_000,
    messages: () => [send('bob', 'carol', coins(10n ** 15n))],
  },
  {
    name: 'bank_send_amino',
    from: 'alice',
    gas: 100_000,
    mode: 'amino',
    messages: () => [send('alice', 'bob', coins(7, 'stake'))],
  },
  {
    name: 'second_message_fails',
    from: 'alice',
    messages: () => [send('alice', 'carol', coins(5)), send('alice', 'carol', coins(10n ** 15n, 'stake'))],
  },
  {
    name: 'two_sends',
    from: 'alice',
    messages: () => [send('alice', 'carol', coins(5)), send('alice', 'bob', coins(6))],
  },
  {
    name: 'multi_send',
    from: 'alice',
    messages: () => [
      msg('/cosmos.bank.v1beta1.MsgMultiSend', {
        inputs: [{ address: addressOf('alice'), coins: coins(30) }],
        outputs: [
          { address: addressOf('bob'), coins: coins(10) },
          { address: addressOf('carol'), coins: coins(20) },
        ],
      }),
    ],
  },
  {
    name: 'out_of_gas',
    from: 'alice',
    gas: 60_000,
    messages: () => [send('alice', 'carol', coins(1)), send('alice', 'bob', coins(1))],
  },
  { name: 'zero_amount', from: 'alice', messages: () => [send('alice', 'carol', coins(0))] },
  {
    name: 'bad_recipient',
    from: 'alice',
    messages: () => [
      msg('/cosmos.bank.v1beta1.MsgSend', { fromAddress: addressOf('alice'), toAddress: 'nonsense', amount: coins(1) }),
    ],
  },
  {
    name: 'store_hackatom',
    from: 'alice',
    gas: 5_000_000,
    messages: () => [wasm('StoreCode', 'alice', { wasmByteCode: contract('wasmvm-2.3.1/hackatom.wasm') })],
    learn: (known, result) => {
      known.hackatomCode = BigInt(attribute(result, 'store_code', 'code_id'))
    },
  },
  {
    name: 'store_not_wasm',
    from: 'alice',
    gas: 1_000_000,
    messages: () => [wasm('StoreCode', 'alice', { wasmByteCode: new TextEncoder().encode('not a contract') })],
  },
  {
    name: 'instantiate_hackatom',
    from: 'alice',
    gas: 500_000,
    messages: ({ hackatomCode }) => [
      wasm('InstantiateContract', 'alice', {
        admin: addressOf('alice'),
        codeId: hackatomCode,
        label: 'hackatom one',
        msg: utf8({ verifier: addressOf('alice'), beneficiary: addressOf('bob') }),
        funds: coins(1000),
      }),
    ],
    learn: (known, result) => {
      known.hackatom = attribute(result, 'instantiate', '_contract_address')
    },
  },
  {
    name: 'instantiate_bad_message',
    from: 'alice',
    gas: 500_000,
    messages: ({ hackatomCode }) => [
      wasm('InstantiateContract', 'alice', {
        admin: '',
        codeId: hackatomCode,
        label: 'bad',
        msg: utf8({ nothing: 1 }),
        funds: [],
      }),
    ],
  },
  {
    name: 'instantiate_unknown_code',
    from: 'alice',
    messages: () => [
      wasm('InstantiateContract', 'alice', { admin: '', codeId: 99n, label: 'none', msg: utf8({}), funds: [] }),
    ],
  },
  {
    name: 'instantiate2_hackatom',
    from: 'bob',
    gas: 500_000,
    messages: ({ hackatomCode }) => [
      wasm('InstantiateContract2', 'bob', {
        admin: '',
        codeId: hackatomCode,
        label: 'hackatom two',
        msg: utf8({ verifier: addressOf('bob'), beneficiary: addressOf('alice') }),
        funds: [],
        salt: new TextEncoder().encode('salt'),
        fixMsg: false,
      }),
    ],
  },
  {
    name: 'execute_unauthorized',
    from: 'bob',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('bob', hackatom, { release: { denom: 'ucosm' } })],
  },
  {
    name: 'execute_release',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { release: { denom: 'ucosm' } }, coins(5))],
  },
  {
    name: 'execute_unknown_message',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { nothing: {} })],
  },
  {
    name: 'execute_panic',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { panic: {} })],
  },
  {
    name: 'execute_cpu_loop',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { cpu_loop: {} })],
  },
  {
    name: 'execute_storage_loop',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { storage_loop: {} })],
  },
  {
    name: 'execute_memory_loop',
    from: 'alice',
    gas: 300_000,
    messages: ({ hackatom }) => [execute('alice', hackatom, { memory_loop: {} })],
  },
  {
    name: 'execute_not_a_contract',
    from: 'alice',
    messages: () => [execute('alice', addressOf('bob'), { release: {} })],
  },
  {
    name: 'migrate_hackatom',
    from: 'alice',
    gas: 400_000,
    messages: ({ hackatom, hackatomCode }) => [
      wasm('MigrateContract', 'alice', {
        contract: hackatom,
        codeId: hackatomCode,
        msg: utf8({ verifier: addressOf('carol') }),
      }),
    ],
  },
  {
    name: 'update_admin',
    from: 'alice',
    messages: ({ hackatom }) => [wasm('UpdateAdmin', 'alice', { contract: hackatom, newAdmin: addressOf('bob') })],
  },
  {
    name: 'clear_admin_unauthorized',
    from: 'alice',
    messages: ({ hackatom }) => [wasm('ClearAdmin', 'alice', { contract: hackatom })],
  },
  {
    name: 'store_reflect',
    from: 'bob',
    gas: 5_000_000,
    messages: () => [wasm('StoreCode', 'bob', { wasmByteCode: contract('wasmvm-2.3.1/reflect.wasm') })],
    learn: (known, result) => {
      known.reflectCode = BigInt(attribute(result, 'store_code', 'code_id'))
    },
  },
  {
    name: 'instantiate_reflect',
    from: 'bob',
    gas: 500_000,
    messages: ({ reflectCode }) => [
      wasm('InstantiateContract', 'bob', {
        admin: '',
        codeId: reflectCode,
        label: 'reflect',
        msg: utf8({}),
        funds: coins(100_000),
      }),
    ],
    learn: (known, result) => {
      known.reflect = attribute(result, 'instantiate', '_contract_address')
    },
  },
  {
    name: 'reflect_bank_send',
    from: 'bob',
    gas: 500_000,
    messages: ({ reflect }) => [
      execute('bob', reflect, {
        reflect_msg: { msgs: [{ bank: { send: { to_address: addressOf('carol'), amount: coins(77) } } }] },
      }),
    ],
  },
  {
    name: 'reflect_sub_messages_with_replies',
    from: 'bob',
    gas: 800_000,
    messages: ({ reflect, hackatom }) => [
      execute('bob', reflect, {
        reflect_sub_msg: {
          msgs: [
            {
              id: 1,
              payload: '',
              msg: { bank: { send: { to_address: addressOf('carol'), amount: coins(3) } } },
              gas_limit: null,
              reply_on: 'always',
            },
            {
              id: 2,
              payload: '',
              msg: { bank: { send: { to_address: addressOf('carol'), amount: coins(10n ** 15n) } } },
              gas_limit: null,
              reply_on: 'error',
            },
            {
              id: 3,
              payload: '',
              msg: {
                wasm: {
                  execute: {
                    contract_addr: hackatom,
                    msg: Buffer.from('{"cpu_loop":{}}').toString('base64'),
                    funds: [],
                  },
                },
              },
              gas_limit: 100_000,
              reply_on: 'error',
            },
          ],
        },
      }),
    ],
  },
  {
    name: 'delegate',
    from: 'alice',
    gas: 300_000,
    messages: ({ validator }) => [
      msg('/cosmos.staking.v1beta1.MsgDelegate', {
        delegatorAddress: addressOf('alice'),
        validatorAddress: validator,
        amount: coins(1_000_000, 'stake')[0],
      }),
    ],
  },
]

/** Of the only validator of the genesis: whoever runs the chain, it is that of the account which made it. */
export const validatorAddress = toBech32('wasmvaloper', fromBech32(addressOf('validator')).data)
