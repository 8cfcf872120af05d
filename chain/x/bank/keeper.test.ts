import { testWrite } from '@coin/runtime/testing/contexts'
import { createAddressCodec } from '@coin/wire/addresses'
import { noCoins } from '@coin/wire/coins'
import { beforeEach, describe, expect, it } from 'vitest'
import { bankInvariants } from './invariants.js'
import { createBankKeeper } from './keeper.js'
import type { AccountsPort } from './ports.js'
import { supply } from './state.js'

const addresses = createAddressCodec('coin')
const bytes = (n: number) => new Uint8Array(20).fill(n)
const [alice, bob] = [bytes(1), bytes(2)]
const modules: Record<string, { address: Uint8Array; permissions: string[] }> = {
  mint: { address: bytes(101), permissions: ['minter'] },
  bridge: { address: bytes(102), permissions: ['minter', 'burner'] },
  pool: { address: bytes(103), permissions: [] },
}
const opened: string[] = []
const account = (name: string) => ({
  address: addresses.encode(modules[name]!.address),
  pubKey: undefined,
  accountNumber: 0n,
  sequence: 0n,
  module: { name, permissions: modules[name]!.permissions },
})
const accounts: AccountsPort = {
  get: () => undefined,
  has: (_, address) => opened.includes(addresses.encode(address)),
  create(_, address) {
    opened.push(addresses.encode(address))
    return account('pool')
  },
  locked: () => noCoins,
  trackDelegation: () => true,
  trackUndelegation: () => true,
  moduleAddress: (name) => modules[name]?.address,
  moduleAccount: (_, name) => ({ address: modules[name]!.address, account: account(name) }),
}
const bank = createBankKeeper({ accounts, addresses, blocked: new Set([addresses.encode(modules.pool!.address)]) })
const coin = (amount: bigint, denom = 'ucoin') => [{ denom, amount }]

describe('the bank', () => {
  let ctx = testWrite(['bank'])
  beforeEach(() => {
    ctx = testWrite(['bank'])
    opened.length = 0
    bank.mint(ctx, 'mint', [...coin(100n, 'uatom'), ...coin(1000n)])
    bank.sendFromModule(ctx, 'mint', alice, coin(1000n))
  })
  const broken = () => Object.values(bankInvariants).map((invariant) => invariant(ctx))

  it('mints and burns, and its invariants hold', () => {
    bank.sendToModule(ctx, alice, 'bridge', coin(400n))
    bank.burn(ctx, 'bridge', coin(300n))
    expect([bank.supplyOf(ctx, 'ucoin'), bank.balanceOf(ctx, bytes(102), 'ucoin')]).toEqual([700n, 100n])
    expect(broken()).toEqual([undefined, undefined])
    const { attributes } = ctx.events.events.at(-1)!
    expect(attributes.map(({ key, value }) => [key, value])).toEqual([
      ['burner', addresses.encode(bytes(102))],
      ['amount', '300ucoin'],
    ])
    supply.set(ctx, 'ucoin', 9n)
    expect(broken()[0]).toBe('supply of ucoin is 9, but the balances sum up to 700')
  })

  it('stores no zero', () => {
    bank.send(ctx, alice, bob, coin(1000n))
    expect(bank.balancesOf(ctx, alice)).toEqual([])
    bank.sendToModule(ctx, bob, 'bridge', coin(1000n))
    bank.burn(ctx, 'bridge', coin(1000n))
    expect(supply.has(ctx, 'ucoin')).toBe(false)
  })

  it("opens the recipient's account once", () => {
    bank.send(ctx, alice, bob, coin(1n))
    bank.send(ctx, alice, bob, coin(1n))
    expect(opened.filter((address) => address === addresses.encode(bob))).toHaveLength(1)
  })

  it('refuses more than is held, blocked recipients and coins that are no set', () => {
    expect(() => bank.send(ctx, alice, bob, coin(1001n))).toThrow(
      'spendable balance 1000ucoin is smaller than 1001ucoin: insufficient funds',
    )
    expect(() => bank.sendFromModule(ctx, 'mint', modules.pool!.address, coin(1n, 'uatom'))).toThrow('unauthorized')
    for (const coins of [
      coin(0n),
      coin(-5n),
      [...coin(1n), ...coin(1n)],
      coin(1n, '?'),
      [...coin(1n), ...coin(1n, 'a11')],
    ]) {
      expect(() => bank.send(ctx, alice, bob, coins)).toThrow('invalid coins')
    }
  })

  it('asserts what only our own mistakes can break', () => {
    expect(() => bank.mint(ctx, 'pool', coin(1n))).toThrow('module account pool is no minter')
    expect(() => bank.burn(ctx, 'mint', coin(1n))).toThrow('module account mint is no burner')
    expect(() => bank.sendModuleToModule(ctx, 'nothing', 'mint', coin(1n))).toThrow('does not exist')
  })

  it('pays many, or nobody', () => {
    const outputs = [bytes(7), bytes(8)].map((to) => ({ to, coins: coin(300n) }))
    bank.sendToMany(ctx, alice, coin(600n), outputs)
    expect(outputs.map(({ to }) => bank.balanceOf(ctx, to, 'ucoin'))).toEqual([300n, 300n])
    expect(() => ctx.branch((inner) => bank.sendToMany(inner, alice, coin(600n), outputs))).toThrow(
      'insufficient funds',
    )
    expect(broken()).toEqual([undefined, undefined])
  })
})
