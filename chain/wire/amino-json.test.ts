import { readFileSync } from 'node:fs'
import { bytesToUtf8, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { createWasmAminoConverters } from '@cosmjs/cosmwasm'
import { AminoTypes, createDefaultAminoConverters } from '@cosmjs/stargate'
import { describe, expect, it } from 'vitest'
import { AuthInfo, Fee, TxBody } from './gen/cosmos/tx/v1beta1/tx.js'
import { encodeAny, type MessageOf, type TypeName } from './registry.js'
import { aminoSignBytes, chainAminoJson } from './sign-doc.js'

const types = new AminoTypes({ ...createDefaultAminoConverters(), ...createWasmAminoConverters() })
const signer = { chainId: 'coin-1', accountNumber: 7n, sequence: 3n }
const coins = [
  { denom: 'aaa', amount: '1' },
  { denom: 'ucoin', amount: '99' },
]
const account = 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'
const validator = 'cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0'

/** The message as CosmJS wants it: the same names, with the types of cosmjs-types. */
function bothWays<N extends TypeName>(
  typeName: N,
  message: MessageOf<N>,
  memo = 'a <b> & c',
): readonly [string, string] {
  const fee = { amount: coins, gas: '200000' }
  const aminoMessage = types.toAmino({ typeUrl: `/${typeName}`, value: message })
  const theirs = serializeSignDoc(makeSignDoc([aminoMessage], fee, signer.chainId, memo, 7, 3))
  const body = TxBody.fromPartial({ memo })
  body.messages = [encodeAny(typeName, message)]
  const ours = aminoSignBytes(body, Fee.fromPartial({ amount: coins, gasLimit: 200_000n }), signer)
  return [bytesToUtf8(ours), bytesToUtf8(theirs)]
}

describe('amino sign bytes agree with CosmJS for', () => {
  it('bank sends', () => {
    const [ours, theirs] = bothWays('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: account,
      toAddress: account,
      amount: coins,
    })
    expect(ours).toBe(theirs)
    expect(ours).toContain('"memo":"a \\u003cb\\u003e \\u0026 c"')
  })

  it('bank multi sends', () => {
    const part = { address: account, coins }
    const [ours, theirs] = bothWays('cosmos.bank.v1beta1.MsgMultiSend', { inputs: [part], outputs: [part, part] })
    expect(ours).toBe(theirs)
  })

  it('wasm executions, with and without funds', () => {
    const msg = utf8ToBytes('{"swap":{"min_out":"1","b":{"z":1,"a":[true,null]},"a":"<"}}')
    for (const funds of [coins, []]) {
      const [ours, theirs] = bothWays('cosmwasm.wasm.v1.MsgExecuteContract', {
        sender: account,
        contract: account,
        msg,
        funds,
      })
      expect(ours).toBe(theirs)
    }
  })

  it('wasm instantiations, stores, migrations and admin changes', () => {
    const cases = [
      bothWays('cosmwasm.wasm.v1.MsgInstantiateContract', {
        sender: account,
        admin: '',
        codeId: 12345678901234567n,
        label: 'l',
        msg: utf8ToBytes('{"a":1}'),
        funds: [],
      }),
      bothWays('cosmwasm.wasm.v1.MsgInstantiateContract2', {
        sender: account,
        admin: account,
        codeId: 1n,
        label: 'l',
        msg: utf8ToBytes('{}'),
        funds: coins,
        salt: Uint8Array.of(1, 2),
        fixMsg: false,
      }),
      bothWays('cosmwasm.wasm.v1.MsgStoreCode', {
        sender: account,
        wasmByteCode: Uint8Array.of(0, 97, 115, 109),
        instantiatePermission: undefined,
      }),
      bothWays('cosmwasm.wasm.v1.MsgMigrateContract', {
        sender: account,
        contract: account,
        codeId: 2n,
        msg: utf8ToBytes('{}'),
      }),
      bothWays('cosmwasm.wasm.v1.MsgUpdateAdmin', { sender: account, newAdmin: account, contract: account }),
      bothWays('cosmwasm.wasm.v1.MsgClearAdmin', { sender: account, contract: account }),
    ]
    for (const [ours, theirs] of cases) expect(ours).toBe(theirs)
  })

  it('delegations', () => {
    const amount = { denom: 'ucoin', amount: '5' }
    const delegate = { delegatorAddress: account, validatorAddress: validator, amount }
    for (const typeName of ['cosmos.staking.v1beta1.MsgDelegate', 'cosmos.staking.v1beta1.MsgUndelegate'] as const) {
      const [ours, theirs] = bothWays(typeName, delegate)
      expect(ours).toBe(theirs)
    }
    const [ours, theirs] = bothWays('cosmos.staking.v1beta1.MsgBeginRedelegate', {
      delegatorAddress: account,
      validatorSrcAddress: validator,
      validatorDstAddress: validator,
      amount,
    })
    expect(ours).toBe(theirs)
  })

  it('governance votes and deposits', () => {
    const vote = bothWays('cosmos.gov.v1beta1.MsgVote', { proposalId: 5n, voter: account, option: 1 })
    expect(vote[0]).toBe(vote[1])
    const deposit = bothWays('cosmos.gov.v1beta1.MsgDeposit', { proposalId: 5n, depositor: account, amount: coins })
    expect(deposit[0]).toBe(deposit[1])
  })
})

interface Vector {
  /** Of the first message. */
  readonly name: string
  readonly body: string
  readonly auth: string
  /** What cosmossdk.io/x/tx v0.14.0 signs for account 7, sequence 3 of chain coin-1. */
  readonly sign: string
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/amino-sign-bytes.json', import.meta.url), 'utf8'),
) as Vector[]

describe('amino sign bytes are those of the Go SDK for', () => {
  // MsgStoreCode with a permission is left out: wasmd v0.60 signs an empty permission, because its descriptors are linked in an
  // order that leaves that message without fields. CosmJS signs another text, so no wallet can use it there.
  it.each(vectors.map((vector, i) => [`${i} ${vector.name}`, vector] as const))('%s', (_, { body, auth, sign }) => {
    const { fee } = AuthInfo.decode(hexToBytes(auth))
    expect(bytesToUtf8(aminoSignBytes(TxBody.decode(hexToBytes(body)), fee, signer))).toBe(sign)
  })
})

describe('amino JSON', () => {
  it('prints keys, decimals and times in their own forms', () => {
    const amino = chainAminoJson()
    const key = Uint8Array.of(1, 2, 3)
    expect(amino.stringifyAny(encodeAny('cosmos.crypto.secp256k1.PubKey', { key }))).toBe(
      '{"type":"tendermint/PubKeySecp256k1","value":"AQID"}',
    )
    const rate = amino.stringify('cosmos.staking.v1beta1.CommissionRates', {
      rate: '500000000000000000',
      maxRate: '1000000000000000000',
      maxChangeRate: '',
    })
    expect(rate).toBe('{"max_change_rate":"0","max_rate":"1.000000000000000000","rate":"0.500000000000000000"}')
  })

  it('signs timeouts only when they are set', () => {
    const body = TxBody.fromPartial({ timeoutHeight: 9n, unordered: true, timeoutTimestamp: { seconds: 1n, nanos: 5 } })
    expect(bytesToUtf8(aminoSignBytes(body, Fee.fromPartial({ payer: 'p', granter: 'g' }), signer))).toBe(
      '{"account_number":"7","chain_id":"coin-1","fee":{"amount":[],"gas":"0","granter":"g","payer":"p"},"memo":"","msgs":null,' +
        '"sequence":"3","timeout_height":"9","timeout_timestamp":"1970-01-01T00:00:01.000000005Z","unordered":true}',
    )
  })

  it('refuses what it would hide', () => {
    const options = TxBody.fromPartial({ nonCriticalExtensionOptions: [{ typeUrl: '/x', value: new Uint8Array(0) }] })
    expect(() => aminoSignBytes(options, Fee.fromPartial({}), signer)).toThrow('extension options')
    expect(() => aminoSignBytes(TxBody.fromPartial({}), undefined, signer)).toThrow('without fee')
    const unknown = TxBody.fromPartial({ messages: [{ typeUrl: '/x.Y', value: new Uint8Array(0) }] })
    expect(() => aminoSignBytes(unknown, Fee.fromPartial({}), signer)).toThrow('"/x.Y" is not known')
  })
})
