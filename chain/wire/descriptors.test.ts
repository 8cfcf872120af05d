import { describe, expect, it } from 'vitest'
import { propertyName } from './descriptor-parse.js'
import { descriptors } from './registry.js'

describe('descriptors', () => {
  it('know messages with their options', () => {
    const send = descriptors().requireMessage('cosmos.bank.v1beta1.MsgSend')
    expect(send).toMatchObject({ aminoName: 'cosmos-sdk/MsgSend', signers: ['from_address'], mapEntry: false })
    expect(send.fields.map(({ name, number }) => [name, number])).toEqual([
      ['from_address', 1],
      ['to_address', 2],
      ['amount', 3],
    ])
    expect(send.fields[2]).toMatchObject({
      repeated: true,
      nullable: false,
      typeName: 'cosmos.base.v1beta1.Coin',
      kind: 'message',
    })
    expect(send.fields[2]!.amino).toMatchObject({ encoding: 'legacy_coins', dontOmitEmpty: true })
  })

  it('know oneofs, enums and nested messages', () => {
    const modeInfo = descriptors().requireMessage('cosmos.tx.v1beta1.ModeInfo')
    expect(modeInfo.oneofs).toEqual(['sum'])
    expect(modeInfo.fields.map(({ oneof }) => oneof)).toEqual(['sum', 'sum'])
    expect(descriptors().message('cosmos.tx.v1beta1.ModeInfo.Single')).toBeDefined()
    expect(descriptors().enum('cosmos.tx.v1beta1.BroadcastMode')?.values[2]).toEqual({
      name: 'BROADCAST_MODE_SYNC',
      number: 2,
    })
  })

  it('know services and methods by gRPC path', () => {
    expect(descriptors().method('/cosmos.bank.v1beta1.Query/Balance')).toMatchObject({
      input: 'cosmos.bank.v1beta1.QueryBalanceRequest',
      output: 'cosmos.bank.v1beta1.QueryBalanceResponse',
      moduleQuerySafe: true,
      http: [{ verb: 'GET', path: '/cosmos/bank/v1beta1/balances/{address}/by_denom', body: '' }],
    })
    expect(descriptors().service('cosmos.bank.v1beta1.Msg')?.isMsgService).toBe(true)
    expect(descriptors().service('cosmos.bank.v1beta1.Query')?.isMsgService).toBe(false)
  })

  it('find the file of any symbol, as reflection clients ask', () => {
    const symbols = [
      'cosmos.bank.v1beta1.MsgSend',
      'cosmos.bank.v1beta1.Msg',
      'cosmos.bank.v1beta1.Msg.Send',
      'cosmos.bank.v1beta1.MsgSend.amount',
    ]
    for (const symbol of symbols) expect(descriptors().fileOfSymbol(symbol)?.name).toBe('cosmos/bank/v1beta1/tx.proto')
    expect(descriptors().fileOfSymbol('nope')).toBeUndefined()
    for (const { dependencies } of descriptors().files) {
      for (const name of dependencies) expect(descriptors().file(name)?.name).toBe(name)
    }
  })

  it('refuse names that are not there', () => {
    expect(() => descriptors().requireMessage('cosmos.Nope')).toThrow('"cosmos.Nope" is no message of this chain')
  })

  it('name properties as the generated code does', () => {
    expect(['denom', 'from_address', 'wasm_byte_code', 'URI', 'tx_v2_id', 'MAX_SIZE'].map(propertyName)).toEqual([
      'denom',
      'fromAddress',
      'wasmByteCode',
      'URI',
      'txV2Id',
      'maxSize',
    ])
  })
})
