import { describe, expect, it } from 'vitest'
import { MsgExec } from '../gen/cosmos/authz/v1beta1/tx.js'
import { MsgSend } from '../gen/cosmos/bank/v1beta1/tx.js'
import { AuthInfo, TxBody, TxRaw } from '../gen/cosmos/tx/v1beta1/tx.js'
import { descriptors, encodeAny } from '../registry.js'
import { checkTxRawCanonical, createUnknownFieldCheck } from './strict.js'
import { BinaryWriter } from './writer.js'

const check = createUnknownFieldCheck(descriptors())
const send = MsgSend.fromPartial({
  fromAddress: 'coin1a',
  toAddress: 'coin1b',
  amount: [{ denom: 'ucoin', amount: '1' }],
})
const sendAny = encodeAny('cosmos.bank.v1beta1.MsgSend', send)

/** `bytes` and one more field, number `field`, of length-delimited bytes. */
function withField(bytes: Uint8Array, field: number, value: Uint8Array = new Uint8Array([1, 2])): Uint8Array {
  return new BinaryWriter()
    .raw(bytes)
    .uint32(field * 8 + 2)
    .bytes(value)
    .finish()
}

const bodyWith = (value: Uint8Array, typeUrl = sendAny.typeUrl): Uint8Array =>
  TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }], memo: 'm' })).finish()

describe('unknown fields', () => {
  it('lets a known transaction body pass', () => {
    expect(check('cosmos.tx.v1beta1.TxBody', bodyWith(sendAny.value), { allowNonCritical: true })).toBe(false)
  })

  it('refuses an unknown field at the top, in a nested message and inside Any values of Any values', () => {
    expect(() => check('cosmos.bank.v1beta1.MsgSend', withField(sendAny.value, 9))).toThrow(
      /MsgSend: field 9.*unknown field/,
    )
    const coin = withField(new Uint8Array([10, 1, 97]), 3)
    const badCoin = withField(MsgSend.encode(MsgSend.fromPartial({})).finish(), 3, coin)
    expect(() => check('cosmos.bank.v1beta1.MsgSend', badCoin)).toThrow(/Coin: field 3/)
    const exec = MsgExec.fromPartial({
      grantee: 'g',
      msgs: [{ typeUrl: sendAny.typeUrl, value: withField(sendAny.value, 9) }],
    })
    const body = bodyWith(MsgExec.encode(exec).finish(), '/cosmos.authz.v1beta1.MsgExec')
    expect(() => check('cosmos.tx.v1beta1.TxBody', body)).toThrow(/MsgSend: field 9/)
    const anyWithMore = TxBody.encode(TxBody.fromPartial({}))
      .uint32(10)
      .bytes(withField(new Uint8Array(0), 3))
      .finish()
    expect(() => check('cosmos.tx.v1beta1.TxBody', anyWithMore)).toThrow(/Any: field 3/)
  })

  it('lets non-critical numbers pass where they are allowed, and says so', () => {
    for (const number of [1024, 2046, 3072]) {
      const body = withField(bodyWith(sendAny.value), number)
      expect(check('cosmos.tx.v1beta1.TxBody', body, { allowNonCritical: true })).toBe(true)
      expect(() => check('cosmos.tx.v1beta1.TxBody', body)).toThrow(`field ${number}`)
      expect(
        check('cosmos.tx.v1beta1.TxBody', bodyWith(withField(sendAny.value, number)), { allowNonCritical: true }),
      ).toBe(true)
    }
    for (const number of [12, 1022, 2048, 4096]) {
      const body = withField(bodyWith(sendAny.value), number)
      expect(() => check('cosmos.tx.v1beta1.TxBody', body, { allowNonCritical: true })).toThrow(`field ${number}`)
    }
  })

  it('refuses types that it does not know and type URLs with a host', () => {
    expect(() => check('cosmos.tx.v1beta1.TxBody', bodyWith(new Uint8Array(0), '/nobody.knows.Me'))).toThrow(/nobody/)
    expect(() =>
      check('cosmos.tx.v1beta1.TxBody', bodyWith(sendAny.value, 'type.googleapis.com/cosmos.bank.v1beta1.MsgSend')),
    ).toThrow(/type URL/)
    expect(() => check('no.Such', new Uint8Array(0))).toThrow(/no.Such/)
  })

  it('refuses nesting without end and lengths that leave their message', () => {
    let bytes: Uint8Array = MsgExec.encode(MsgExec.fromPartial({ grantee: 'g' })).finish()
    for (let i = 0; i < 60; i++) {
      bytes = MsgExec.encode(
        MsgExec.fromPartial({ msgs: [{ typeUrl: '/cosmos.authz.v1beta1.MsgExec', value: bytes }] }),
      ).finish()
    }
    expect(() => check('cosmos.authz.v1beta1.MsgExec', bytes)).toThrow(/nested too deeply/)
    expect(() => check('cosmos.tx.v1beta1.TxBody', new Uint8Array([10, 4, 18, 3, 0]))).toThrow(/past the end/)
    expect(() => check('cosmos.tx.v1beta1.TxBody', new Uint8Array([10, 3, 18, 3, 0, 0, 0]))).toThrow(/past the end/)
  })
})

describe('the outermost layer of a transaction', () => {
  const raw = TxRaw.encode(
    TxRaw.fromPartial({
      bodyBytes: bodyWith(sendAny.value),
      authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({})).finish(),
      signatures: [new Uint8Array(64), new Uint8Array(200)],
    }),
  ).finish()

  it('passes as the client libraries write it', () => {
    expect(() => checkTxRawCanonical(raw)).not.toThrow()
  })

  it('is refused with fields out of order, long varints, other wire types and cut short', () => {
    expect(() => checkTxRawCanonical(new Uint8Array([18, 0, 10, 0]))).toThrow(/field 1 after field 2/)
    expect(() => checkTxRawCanonical(new Uint8Array([10, 0x81, 0x00, 1]))).toThrow(/too many bytes/)
    expect(() => checkTxRawCanonical(new Uint8Array([0x8a, 0x00, 1, 1]))).toThrow(/tag at 0/)
    expect(() => checkTxRawCanonical(new Uint8Array([8, 1]))).toThrow(/wire type/)
    const whole = new Set([raw.length - 203, raw.length - 203 - 66]) // after the first signature, after the body
    for (let cut = 1; cut < raw.length; cut++) {
      const part = () => checkTxRawCanonical(raw.subarray(0, cut))
      if (whole.has(cut)) expect(part).not.toThrow()
      else expect(part).toThrow()
    }
  })
})
