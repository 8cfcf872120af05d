import { createAddressCodec } from '@coin/wire/addresses'
import { encodeAny, type MessageOf, type TypeName } from '@coin/wire/registry'
import { type MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, genesisTime } from './testing/test-chain.js'

const codec = createAddressCodec('coin')
const sendType = '/cosmos.bank.v1beta1.MsgSend'

const amounts = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 50n).map(String) },
  fc.constantFrom('0', '-1', '', '007', '1.5', `${2n ** 256n}`, `${2n ** 256n - 1n}`),
)
const denoms = fc.oneof(
  { weight: 4, arbitrary: fc.constant('ucoin') },
  fc.constantFrom('abc', '', 'x', 'x'.repeat(129)),
)
const coins = fc.array(fc.record({ denom: denoms, amount: amounts }), { maxLength: 3 })
const times = fc.option(
  fc.record({
    seconds: fc.oneof(
      fc.bigInt(-5n, 60n).map((offset) => genesisTime / 1_000_000_000n + offset),
      fc.constantFrom(0n, -1n, 253_402_300_799n, 253_402_300_800n, -(2n ** 63n)),
    ),
    nanos: fc.constantFrom(0, 1, 999_999_999, -1),
  }),
  { nil: undefined },
)
const types = fc.constantFrom(sendType, sendType, '/cosmos.authz.v1beta1.MsgExec', '/x.y.MsgZ', '')

const packed =
  <N extends TypeName>(name: N) =>
  (value: object) =>
    encodeAny(name, value as MessageOf<N>)
const basic = fc.record({ spendLimit: coins, expiration: times })
const basicAllowance = basic.map(packed('cosmos.feegrant.v1beta1.BasicAllowance'))
const periodicAllowance = fc
  .record({
    basic,
    period: fc.record({ seconds: fc.constantFrom(0n, 5n, -5n, 2n ** 40n), nanos: fc.constant(0) }),
    periodSpendLimit: coins,
    periodCanSpend: coins,
    periodReset: fc.constant({ seconds: genesisTime / 1_000_000_000n, nanos: 0 }),
  })
  .map(packed('cosmos.feegrant.v1beta1.PeriodicAllowance'))
const allowedAllowance = fc
  .record({
    allowance: fc.option(fc.oneof(basicAllowance, periodicAllowance), { nil: undefined }),
    allowedMessages: fc.array(types, { maxLength: 2 }),
  })
  .map(packed('cosmos.feegrant.v1beta1.AllowedMsgAllowance'))
const generic = fc.record({ msg: types }).map(packed('cosmos.authz.v1beta1.GenericAuthorization'))
const sends = fc
  .record({ spendLimit: coins, allowList: fc.array(fc.constantFrom('coin1', 'x'), { maxLength: 2 }) })
  .map(packed('cosmos.bank.v1beta1.SendAuthorization'))
const allowances = fc.option(fc.oneof(basicAllowance, periodicAllowance, allowedAllowance, generic), { nil: undefined })
const authorizations = fc.option(fc.oneof(generic, sends, basicAllowance), { nil: undefined })

describe('signed messages about grants, of any content', () => {
  it('are carried out or refused with a code, and then nothing is written', async () => {
    const [alice, bob] = [await testAccount('alice'), await testAccount('bob')]
    const chain = createTestChain({ appState: appStateOf({ [alice.address]: '900000000', [bob.address]: '90000000' }) })
    chain.deliver()
    const addresses = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(bob.address, alice.address) },
      fc.uint8Array({ minLength: 1, maxLength: 255 }).map((bytes) => codec.encode(bytes)),
      fc.constantFrom('', 'coin1', 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a', alice.address.toUpperCase()),
    )
    const granter = fc.constant(alice.address)
    const send = fc
      .record({ fromAddress: addresses, toAddress: addresses, amount: coins })
      .map(packed('cosmos.bank.v1beta1.MsgSend'))
    const msgs = fc.oneof(
      fc.record({ granter, grantee: addresses, allowance: allowances }).map((value) => ({
        typeUrl: '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
        value: MsgGrantAllowance.fromPartial(value),
      })),
      fc.record({ granter, grantee: addresses }).map((value) => ({
        typeUrl: '/cosmos.feegrant.v1beta1.MsgRevokeAllowance',
        value: MsgRevokeAllowance.fromPartial(value),
      })),
      fc
        .record({ granter, grantee: addresses, authorization: authorizations, expiration: times })
        .map(({ authorization, expiration, ...parties }) => ({
          typeUrl: '/cosmos.authz.v1beta1.MsgGrant',
          value: MsgGrant.fromPartial({ ...parties, grant: { authorization, expiration } }),
        })),
      fc.record({ granter, grantee: addresses, msgTypeUrl: types }).map((value) => ({
        typeUrl: '/cosmos.authz.v1beta1.MsgRevoke',
        value: MsgRevoke.fromPartial(value),
      })),
      fc.record({ msgs: fc.array(fc.oneof(send, generic), { maxLength: 3 }) }).map((value) => ({
        typeUrl: '/cosmos.authz.v1beta1.MsgExec',
        value: { grantee: alice.address, ...value } satisfies MsgExec,
      })),
    )
    const grantsOf = (): object[] => {
      const { authz, feegrant } = chain.app.exportGenesis() as unknown as {
        authz: { authorization: object[] }
        feegrant: { allowances: object[] }
      }
      return [...authz.authorization, ...feegrant.allowances]
    }
    const codes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(msgs, async (msg) => {
        const before = grantsOf()
        const tx = await chain.sign(alice, [msg], { gas: 1_000_000, fee: '1' })
        const checked = chain.app.checkTx(tx, 'new')
        const result = chain.deliverOne(tx)
        codes.add(`${result.codespace}/${result.code}`)
        expect(checked.code === 0 || result.code !== 0).toBe(true)
        // What ends by time may be gone.
        if (result.code !== 0) expect(before).toEqual(expect.arrayContaining(grantsOf()))
        expect(chain.app.checkInvariants().filter(({ broken }) => broken !== undefined)).toEqual([])
      }),
      { numRuns: 300, seed: 11 },
    )
    const expected = [
      '/0',
      'sdk/2',
      'sdk/7',
      'sdk/10',
      'sdk/18',
      'sdk/29',
      'sdk/38',
      'feegrant/4',
      'authz/2',
      'authz/3',
      'authz/7',
    ]
    expect([...codes].sort()).toEqual(expect.arrayContaining(expected))
  })
})
