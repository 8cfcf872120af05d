import { readFileSync } from 'node:fs'
import { base64ToBytes, bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { createRandom } from '@coin/base/testing/random'
import { describe, expect, it } from 'vitest'
import { aminoPrefix } from './amino-names.js'
import { chainStdTx } from './std-tx.js'

interface Entry {
  readonly name: string
  readonly json: string
  readonly encoded: {
    readonly status: number
    readonly body: { readonly amino_binary?: string; readonly message?: string }
  }
  readonly decoded?: { readonly body: { readonly amino_json: string } }
}

const file = new URL('../../../tests/vectors/reference/amino.json', import.meta.url)
const { entries } = JSON.parse(readFileSync(file, 'utf8')) as { entries: readonly Entry[] }
const stdTx = chainStdTx()

describe('a transaction of the time before protobuf', () => {
  it('has the binary form that the reference gives every message, and its JSON again', () => {
    const good = entries.filter(({ encoded }) => encoded.status === 200)
    expect(good.length).toBeGreaterThan(140)
    for (const { name, json, encoded, decoded } of good) {
      const binary = stdTx.toBinary(json)
      expect(bytesToBase64(binary), name).toBe(encoded.body.amino_binary)
      expect(stdTx.toJson(binary), name).toBe(decoded?.body.amino_json)
    }
  })

  it('is refused where the reference refuses it', () => {
    // The reference panics at a value of some type that is left out; here it is left out.
    const isPanic = (text = '') => text.includes('nil pointer')
    // Of x/params, which the reference does not have.
    const isAccepted = ({ encoded }: Entry) =>
      isPanic(encoded.body.message) || /ParameterChangeProposal/.test(encoded.body.message ?? '')
    const bad = entries.filter((it) => it.encoded.status !== 200 && !isAccepted(it))
    expect(bad.map(({ name }) => name)).toEqual([
      ...['no type', 'another type', 'an unknown message', 'no JSON', 'a number for a string'],
      ...['a string for a list', 'no base64', 'an amount that is none'],
    ])
    for (const { name, json } of bad) expect(() => stdTx.toBinary(json), name).toThrow(CodedError)
  })

  it('says where its JSON is wrong', () => {
    const wrong = '{"type":"cosmos-sdk/StdTx","value":{"fee":{"amount":[{"denom":"a","amount":"x"}]}}}'
    expect(() => stdTx.toBinary(wrong)).toThrow(/^fee: amount: amount: .*"x"/)
  })

  it('never fails worse than with an error that names what is wrong', () => {
    const random = createRandom(7)
    const whole = base64ToBytes(entries.find(({ name }) => name === 'whole')!.encoded.body.amino_binary!)
    for (let round = 0; round < 3000; round++) {
      const bytes = whole.slice(0, 4 + random.int(whole.length - 4))
      for (let flips = random.int(4); flips > 0; flips--) bytes[4 + random.int(bytes.length - 4)] = random.int(256)
      try {
        stdTx.toJson(bytes)
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
      }
    }
  })
})

describe('the prefix of a registered type', () => {
  it.each([
    ['cosmos-sdk/StdTx', '282816a9'],
    ['cosmos-sdk/MsgSend', 'a8a3619a'],
    ['tendermint/PubKeySecp256k1', 'eb5ae987'],
  ])('of %s is %s', (name, prefix) => {
    expect(bytesToHex(aminoPrefix(name))).toBe(prefix)
  })
})
