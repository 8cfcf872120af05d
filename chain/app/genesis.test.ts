import { readFileSync } from 'node:fs'
import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import { createAddressCodec } from '@coin/wire/addresses'
import { describe, expect, it } from 'vitest'
import { sendMsg, testAccount } from './testing/signing.js'
import { appStateOf, authParams, createTestChain } from './testing/test-chain.js'

const text = (state: object): Uint8Array => utf8ToBytes(JSON.stringify(state))
const address = (byte: number): string => createAddressCodec('coin').encode(new Uint8Array(20).fill(byte))

describe('genesis', () => {
  it('is the same after export and import, with the same state', async () => {
    const alice = await testAccount('alice')
    const first = createTestChain({ appState: appStateOf({ [alice.address]: '5000000', [address(2)]: '7' }) })
    first.deliver()
    const exported = first.app.exportGenesis()
    expect(Object.keys(exported)).toEqual(['auth', 'bank', 'gov', 'mint', 'authz', 'feegrant'])
    const second = createTestChain({ appState: text(exported) })
    const { appHash } = second.deliver()
    expect(second.app.exportGenesis()).toEqual(exported)
    expect(bytesToHex(appHash)).toBe(bytesToHex(first.app.info().lastAppHash))
  })

  it('keeps what differs from the defaults', async () => {
    const alice = await testAccount('alice')
    const first = createTestChain({ appState: appStateOf({ [alice.address]: '5000000' }) })
    first.deliver()
    const state = JSON.parse(JSON.stringify(first.app.exportGenesis()))
    state.bank.send_enabled = [{ denom: 'ucoin', enabled: false }]
    state.gov.starting_proposal_id = '7'
    state.gov.constitution = 'be kind'
    state.gov.params.voting_period = '90000s'
    state.mint.params.blocks_per_year = '100'
    state.auth.params.max_memo_characters = '9'
    const second = createTestChain({ appState: text(state) })
    second.deliver()
    expect(second.app.exportGenesis()).toEqual(state)
    const refused = second.deliverOne(await second.sign(alice, [sendMsg(alice.address, address(9), '1')]))
    expect(refused).toMatchObject({ code: 5, codespace: 'bank' })
    expect(refused.log).toContain('ucoin transfers are currently disabled: send transactions are disabled')
  })

  it('goes on where the exported chain stopped', async () => {
    const alice = await testAccount('alice')
    const first = createTestChain({ appState: appStateOf({ [alice.address]: '5000000' }) })
    first.deliver()
    const send = [sendMsg(alice.address, address(9), '100')]
    expect(first.deliverOne(await first.sign(alice, send)).code).toBe(0)
    const second = createTestChain({ appState: text(first.app.exportGenesis()) })
    second.deliver()
    expect(second.sequence(alice.address)).toBe(1n)
    expect(second.deliverOne(await second.sign(alice, send, { withoutKey: true })).code).toBe(0)
    expect(second.balance(address(9))).toBe(200n)
  })

  it('of another node starts here: strange modules and signed validators are named and left alone', () => {
    const warnings: string[] = []
    const logger: Logger = { debug() {}, info() {}, error() {}, warn: (_, message) => warnings.push(message) }
    const genutil = { gen_txs: [{ body: {} }] }
    const mint = {
      minter: { inflation: '0.130000000000000000', annual_provisions: '0.000000000000000000' },
      params: {
        mint_denom: 'stake',
        inflation_rate_change: '0.130000000000000000',
        inflation_max: '0.200000000000000000',
        inflation_min: '0.070000000000000000',
        goal_bonded: '0.670000000000000000',
        blocks_per_year: '6311520',
      },
    }
    const osmo = createAddressCodec('osmo').encode(new Uint8Array(20).fill(1))
    const extra = { genutil, mint, staking: { params: { unbonding_time: '1s' } }, nft: {}, params: null }
    const chain = createTestChain({
      appState: appStateOf({ [osmo]: '3' }, 'stake', extra),
      chain: { bech32Prefix: 'osmo', chainId: 'osmosis-x', denom: 'stake' },
      logger,
    })
    chain.deliver()
    expect(warnings).toEqual([
      'genesis: no such modules here, their state is ignored: genutil, staking',
      'genesis: gen_txs are ignored, validators come from the genesis file',
      'mint: the genesis has inflation, but no coins are minted before staking is built',
    ])
    expect(chain.balance(osmo, 'stake')).toBe(3n)
    expect(chain.query('/cosmos.mint.v1beta1.Query/Params', {}).params).toMatchObject({
      inflationMax: `2${'0'.repeat(17)}`,
    })
  })

  it('that the reference node started from starts here', () => {
    const path = new URL('../../../tests/vectors/reference/genesis.json', import.meta.url)
    const genesis = JSON.parse(readFileSync(path, 'utf8'))
    const warnings: string[] = []
    const chain = createTestChain({
      appState: text(genesis.app_state),
      chain: { chainId: genesis.chain_id, bech32Prefix: 'wasm', denom: 'stake' },
      logger: { debug() {}, info() {}, error() {}, warn: (_, message) => warnings.push(message) },
    })
    chain.deliver()
    expect(warnings[0]).toMatch(/no such modules here, their state is ignored: .*genutil.*staking/)
    expect(warnings[1]).toMatch(/gen_txs are ignored/)
    const [{ address, coins }] = genesis.app_state.bank.balances
    for (const { denom, amount } of coins) expect(chain.balance(address, denom)).toBe(BigInt(amount))
  })

  const bank = (state: object) => ({ bank: { params: { default_send_enabled: true }, ...state } })
  const coins = [{ denom: 'ucoin', amount: '5' }]
  it.each([
    ['bytes that are not JSON', utf8ToBytes('{'), 'app_state is not JSON'],
    ['a list', utf8ToBytes('[]'), 'not a JSON object'],
    ['an unknown field', text({ bank: { nothing: 1 } }), 'genesis of module bank'],
    [
      'a wrong supply',
      text(bank({ balances: [{ address: address(1), coins }], supply: [{ denom: 'ucoin', amount: '6' }] })),
      'bank supply is 6ucoin, but the balances sum up to 5ucoin',
    ],
    ['a balance twice', text(bank({ balances: [1, 1].map(() => ({ address: address(1), coins })) })), 'is given twice'],
    [
      'a negative balance',
      text(bank({ balances: [{ address: address(1), coins: [{ denom: 'ucoin', amount: '-5' }] }] })),
      '-5ucoin: invalid coins',
    ],
    [
      'an address of another chain',
      text(bank({ balances: [{ address: createAddressCodec('wasm').encode(new Uint8Array(20)), coins }] })),
      'has the prefix "wasm", expected "coin"',
    ],
    [
      'a vesting account without its base',
      text({
        auth: { params: authParams, accounts: [{ '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount' }] },
      }),
      'account type is not supported',
    ],
    ['zero parameters', text({ auth: { params: {} } }), 'auth parameter maxMemoCharacters is 0'],
    [
      'bad metadata',
      text(bank({ denom_metadata: [{ base: 'ucoin', display: 'COIN', name: 'x', symbol: 'x' }] })),
      'must contain a denomination unit with display denom "COIN"',
    ],
  ])('with %s is refused', (_, appState, expected) => {
    expect(() => createTestChain({ appState })).toThrow(expected)
  })

  it('of another chain is refused', () => {
    expect(() => createTestChain({ appState: text({}), chain: { chainId: 'x' }, initChainId: 'y' })).toThrow(
      'invalid chain-id on InitChain; expected: x, got: y',
    )
  })
})
