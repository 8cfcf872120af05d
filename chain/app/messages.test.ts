import { createAddressCodec } from '@coin/wire/addresses'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testAccount } from './testing/signing.js'
import { appStateOf, createTestChain } from './testing/test-chain.js'

const codec = createAddressCodec('coin')

/** Texts where an amount, a denom or an address belongs: right ones, nearly right ones, nonsense. */
const amounts = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 10n ** 20n).map(String) },
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '',
    '007',
    '1.5',
    '1e3',
    ' 1',
    `${2n ** 256n}`,
    `${2n ** 256n - 1n}`,
    '9'.repeat(500),
  ),
  fc.bigInt(-5n, 10n ** 20n).map(String),
  fc.string({ maxLength: 8 }),
)
const denoms = fc.oneof(
  { weight: 6, arbitrary: fc.constant('ucoin') },
  fc.constantFrom(
    'ucoin',
    'UCOIN',
    'a',
    '',
    'ibc/ABC',
    'x'.repeat(128),
    'x'.repeat(129),
    '\u0000\u0000\u0000',
    'uçoin',
  ),
  fc.string({ maxLength: 6 }),
)
const addresses = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 255 }).map((bytes) => codec.encode(bytes)) },
  fc.constantFrom('', ' ', 'coin1', 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a', 'x'.repeat(2000)),
  fc.string({ maxLength: 60 }),
)
const times = fc.oneof(
  fc.bigInt(1n, 2n ** 31n),
  fc.constantFrom(0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n), 1_767_225_600n),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
)
const coins = fc.array(fc.record({ denom: denoms, amount: amounts }), { maxLength: 4 })

describe('a signed message of any content', () => {
  it('is carried out or refused with a code, and the supply stays what it was', async () => {
    const alice = await testAccount('alice')
    const chain = createTestChain({ appState: appStateOf({ [alice.address]: `${10n ** 24n}` }) })
    chain.deliver()
    const supply = () => chain.query('/cosmos.bank.v1beta1.Query/TotalSupply', {}).supply
    const before = supply()
    const send = fc.record({ toAddress: addresses, amount: coins }).map((fields) => ({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.fromPartial({ fromAddress: alice.address, ...fields }),
    }))
    const outputs = fc.array(fc.record({ address: addresses, coins }), { maxLength: 3 })
    const multiSend = fc.record({ coins, outputs, extra: outputs }).map((fields) => ({
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: MsgMultiSend.fromPartial({
        inputs: [{ address: alice.address, coins: fields.coins }, ...fields.extra.slice(1)],
        outputs: fields.outputs,
      }),
    }))
    const vesting = (name: string, value: object) => ({ typeUrl: `/cosmos.vesting.v1beta1.MsgCreate${name}`, value })
    const create = fc
      .record({ toAddress: addresses, amount: coins, endTime: times, delayed: fc.boolean() })
      .map((fields) =>
        vesting('VestingAccount', MsgCreateVestingAccount.fromPartial({ fromAddress: alice.address, ...fields })),
      )
    const lock = fc
      .record({ toAddress: addresses, amount: coins })
      .map((fields) =>
        vesting(
          'PermanentLockedAccount',
          MsgCreatePermanentLockedAccount.fromPartial({ fromAddress: alice.address, ...fields }),
        ),
      )
    const vestingPeriods = fc.array(fc.record({ length: times, amount: coins }), { maxLength: 3 })
    const periodic = fc
      .record({ toAddress: addresses, startTime: times, vestingPeriods })
      .map((fields) =>
        vesting(
          'PeriodicVestingAccount',
          MsgCreatePeriodicVestingAccount.fromPartial({ fromAddress: alice.address, ...fields }),
        ),
      )
    const any = fc.oneof(send, multiSend, create, lock, periodic)
    const codes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 2 }), async (msgs) => {
        const tx = await chain.sign(alice, msgs, { gas: 1_000_000 })
        const checked = chain.app.checkTx(tx, 'new')
        chain.app.query({ path: '/app/simulate', data: tx, height: 0, prove: false })
        const result = chain.deliverOne(tx)
        codes.add(`${result.codespace}/${result.code}`)
        expect(checked.code === 0 || result.code !== 0).toBe(true)
        expect(supply()).toEqual(before)
      }),
      { numRuns: 400, seed: 7 },
    )
    expect([...codes]).toEqual(expect.arrayContaining(['/0', 'sdk/10', 'sdk/18', 'sdk/2', 'sdk/5', 'sdk/7']))
  })
})
