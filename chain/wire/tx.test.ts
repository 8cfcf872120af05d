import { hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { decodeTxRaw, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { describe, expect, it } from 'vitest'
import { AuthInfo, TxBody, TxRaw } from './gen/cosmos/tx/v1beta1/tx.js'
import { encodeAny } from './registry.js'
import { directSignBytes } from './sign-doc.js'
import { decodeTx, txHash } from './tx.js'

const send = encodeAny('cosmos.bank.v1beta1.MsgSend', {
  fromAddress: 'coin1a',
  toAddress: 'coin1b',
  amount: [{ denom: 'ucoin', amount: '12' }],
})
const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [send], memo: 'hi', timeoutHeight: 9n })).finish()
const authInfoBytes = AuthInfo.encode(
  AuthInfo.fromPartial({
    signerInfos: [{ sequence: 3n, modeInfo: { single: { mode: 1 } } }],
    fee: { amount: [{ denom: 'ucoin', amount: '500' }], gasLimit: 200_000n },
  }),
).finish()
const raw = (body: Uint8Array, auth = authInfoBytes) =>
  TxRaw.encode({ bodyBytes: body, authInfoBytes: auth, signatures: [new Uint8Array(64)] }).finish()

describe('decodeTx', () => {
  it('reads a transaction as CosmJS does', () => {
    const bytes = raw(bodyBytes)
    const tx = decodeTx(bytes)
    const theirs = decodeTxRaw(bytes)
    expect(tx.body.memo).toBe(theirs.body.memo)
    expect(tx.authInfo.fee?.gasLimit).toBe(theirs.authInfo.fee?.gasLimit)
    expect(tx.bodyBytes).toEqual(bodyBytes)
    expect(tx.authInfoBytes).toEqual(authInfoBytes)
    expect(tx.hasUnknownNonCritical).toBe(false)
    expect(tx.messages).toEqual([
      {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        typeName: 'cosmos.bank.v1beta1.MsgSend',
        message: { fromAddress: 'coin1a', toAddress: 'coin1b', amount: [{ denom: 'ucoin', amount: '12' }] },
      },
    ])
  })

  it('names a transaction by the upper-case sha256 of its bytes', () => {
    expect(txHash(utf8ToBytes('abc'))).toBe('BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD')
  })

  it('lets non-critical unknown fields of the body pass and says so', () => {
    // Field 1024, varint 1: bit 1024 of the number is set.
    const body = new Uint8Array([...bodyBytes, ...hexToBytes('804001')])
    expect(decodeTx(raw(body)).hasUnknownNonCritical).toBe(true)
  })

  it.each([
    [
      'an unknown critical field in the body',
      raw(new Uint8Array([...bodyBytes, ...hexToBytes('a00601')])),
      'transaction: body',
    ],
    [
      'an unknown field in the auth info',
      raw(bodyBytes, new Uint8Array([...authInfoBytes, ...hexToBytes('804001')])),
      'auth info',
    ],
    ['an unknown field outside', new Uint8Array([...raw(bodyBytes), ...hexToBytes('2201aa')]), 'unknown field'],
    ['fields out of order', new Uint8Array([...hexToBytes('1201aa'), ...hexToBytes('0a01aa')]), 'transaction'],
    ['a cut transaction', raw(bodyBytes).slice(0, -1), 'transaction'],
    [
      'an unknown message',
      raw(TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl: '/x.Y', value: new Uint8Array(0) }] })).finish()),
      'x.Y',
    ],
    ['random bytes', hexToBytes('deadbeef'), 'transaction'],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => decodeTx(bytes)).toThrow(reason)
  })

  it('never fails in another way than with a coded error', () => {
    const bytes = raw(bodyBytes)
    for (let i = 0; i < bytes.length; i++) {
      for (const bit of [0, 3, 7]) {
        const changed = bytes.slice()
        changed[i]! ^= 1 << bit
        try {
          decodeTx(changed)
        } catch (error) {
          expect((error as Error).name).toBe('CodedError')
        }
      }
    }
  })
})

describe('directSignBytes', () => {
  it('are what CosmJS signs', () => {
    const theirs = makeSignBytes(makeSignDoc(bodyBytes, authInfoBytes, 'coin-1', 42))
    expect(directSignBytes(bodyBytes, authInfoBytes, { chainId: 'coin-1', accountNumber: 42n })).toEqual(theirs)
  })
})
