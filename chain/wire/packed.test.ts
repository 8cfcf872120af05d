import { describe, expect, it } from 'vitest'
import type { Any } from './gen/google/protobuf/any.js'
import { codecOf, decodeAny, encodeAny } from './registry.js'
import { checkPacked } from './tx.js'

const pack = (name: string, value: object): Any =>
  encodeAny(name as 'cosmos.bank.v1beta1.MsgSend', codecOf(name).fromPartial(value) as never)
const send = (amount = '1') => pack('cosmos.bank.v1beta1.MsgSend', { amount: [{ denom: 'ucoin', amount }] })
const exec = (...msgs: Any[]) => pack('cosmos.authz.v1beta1.MsgExec', { grantee: 'x', msgs })
const nested = (depth: number, inner: Any): Any => (depth === 0 ? inner : exec(nested(depth - 1, inner)))
const basic = (fields = {}) => pack('cosmos.feegrant.v1beta1.BasicAllowance', fields)
const grantFees = (allowance: Any) => pack('cosmos.feegrant.v1beta1.MsgGrantAllowance', { allowance })
const check = (any: Any) => {
  const { typeName, message } = decodeAny(any)
  checkPacked(typeName, message)
}

describe('a message with packed values', () => {
  it('may have ten of them in each other, itself included', () => {
    expect(() => check(nested(9, send()))).not.toThrow()
    expect(() => check(nested(10, send()))).toThrow('10 packed values in each other')
  })

  it('may have a hundred of them, itself included', () => {
    const sends = (count: number) => Array.from({ length: count }, () => send())
    expect(() => check(exec(...sends(99)))).not.toThrow()
    expect(() => check(exec(...sends(100)))).toThrow('more than 100 packed values')
    expect(() => check(exec(exec(...sends(60)), exec(...sends(60))))).toThrow('more than 100 packed values')
  })

  it('has only such as the field accepts', () => {
    expect(() => check(grantFees(basic()))).not.toThrow()
    expect(() => check(grantFees(send()))).toThrow('is no cosmos.feegrant.v1beta1.FeeAllowanceI')
    expect(() => check(exec(basic()))).toThrow('is no cosmos.base.v1beta1.Msg')
    expect(() => check(exec(grantFees(send())))).toThrow('is no cosmos.feegrant.v1beta1.FeeAllowanceI')
  })

  it('has amounts, times and durations that Go can hold', () => {
    const limit = (amount: string) => grantFees(basic({ spendLimit: [{ denom: 'ucoin', amount }] }))
    expect(() => check(limit(`${2n ** 256n - 1n}`))).not.toThrow()
    expect(() => check(limit(`${2n ** 256n}`))).toThrow('integer of more than 256 bits')
    expect(() => check(limit('1.5'))).toThrow('expected decimal digits')
    const until = (seconds: bigint, nanos = 0) => grantFees(basic({ expiration: { seconds, nanos } }))
    expect(() => check(until(253_402_300_799n, 999_999_999))).not.toThrow()
    expect(() => check(until(253_402_300_800n))).toThrow('expected years 1 to 9999')
    expect(() => check(until(0n, -1))).toThrow('expected 0 to 999999999')
    const each = (seconds: bigint) =>
      grantFees(pack('cosmos.feegrant.v1beta1.PeriodicAllowance', { period: { seconds } }))
    expect(() => check(each(9_223_372_036n))).not.toThrow()
    expect(() => check(each(9_223_372_037n))).toThrow('duration of 9223372037 s')
    expect(() => check(each(315_576_000_001n))).toThrow('duration of 315576000001 s')
  })
})
