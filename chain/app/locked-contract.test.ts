import { utf8ToBytes } from '@coin/base/bytes'
import { memoryFiles } from '@coin/vm/files'
import { buildModule, executing, op } from '@coin/vm/testing/module-builder'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import { classicAddress } from '@coin/x/wasm/contract-address'
import { describe, expect, it } from 'vitest'
import { testAccount } from './testing/signing.js'
import { authParams, createTestChain } from './testing/test-chain.js'
import { instantiateMsg, storeMsg } from './testing/wasm-messages.js'
import { addWasm } from './wasm.js'

const alice = await testAccount('alice')
const contract = createAddressCodec('coin').encode(classicAddress(1n, 1n))
const coins = (amount: string, denom = 'ucoin') => [{ denom, amount }]

/** Whoever knows where a contract will be can open a vesting account there first. */
async function instantiateAt(kind: string, original: object, held: object, account: object = {}) {
  const own = { original_vesting: original, delegated_free: [], delegated_vesting: [], end_time: '0' }
  const base = { base_account: { address: contract, ...account } }
  const vesting = kind === 'BaseVestingAccount' ? { ...base, ...own } : { base_vesting_account: { ...base, ...own } }
  const accounts = [
    { '@type': '/cosmos.auth.v1beta1.BaseAccount', address: alice.address },
    { '@type': `/cosmos.vesting.v1beta1.${kind}`, ...vesting },
  ]
  const balances = [
    { address: alice.address, coins: coins('1000000') },
    { address: contract, coins: held },
  ]
  const bank = { params: { default_send_enabled: true }, balances }
  const appState = utf8ToBytes(JSON.stringify({ auth: { params: authParams, accounts }, bank }))
  const chain = createTestChain({ appState, wasm: addWasm(new WasmVm({ files: memoryFiles() })) })
  chain.deliver()
  const spec = executing([op.nop])
  const instantiate = { ...spec.functions![0]!, export: 'instantiate', body: [op.i32(64)] }
  const code = buildModule({ ...spec, functions: [spec.functions![0]!, instantiate] })
  for (const msg of [storeMsg(alice.address, code), instantiateMsg(alice.address, 1n)]) {
    const result = chain.deliverOne(await chain.sign(alice, [msg], { gas: 2_000_000 }))
    if (result.code !== 0) return { chain, log: result.log }
  }
  return { chain, log: '' }
}

describe('a contract whose address has a vesting account', () => {
  it('takes its place, and what was locked is burnt', async () => {
    const held = [...coins('7', 'other'), ...coins('100')]
    const { chain, log } = await instantiateAt('PermanentLockedAccount', coins('70'), held)
    expect(log).toBe('')
    const { account } = chain.query('/cosmos.auth.v1beta1.Query/Account', { address: contract }) as {
      account: { typeUrl: string }
    }
    expect(account.typeUrl).toBe('/cosmos.auth.v1beta1.BaseAccount')
    expect([chain.balance(contract), chain.balance(contract, 'other')]).toEqual([0n, 7n])
    const { amount } = chain.query('/cosmos.bank.v1beta1.Query/SupplyOf', { denom: 'ucoin' })
    expect(amount).toMatchObject({ amount: '1000000' })
  })

  it.each([
    ['has signed', 'DelayedVestingAccount', coins('70'), coins('70'), { sequence: '1' }, 'address is claimed'],
    ['has no schedule', 'BaseVestingAccount', coins('70'), coins('70'), {}, 'address is claimed'],
    [
      'has lost a denom',
      'PermanentLockedAccount',
      coins('70'),
      coins('7', 'other'),
      {},
      'prune balance: prune account',
    ],
  ])('is not made when that %s', async (_, kind, original, held, account, reason) => {
    const { chain, log } = await instantiateAt(kind, original, held, account)
    expect(log).toContain(reason)
    expect(chain.balance(contract)).toBe(BigInt(held[0]!.denom === 'ucoin' ? held[0]!.amount : 0))
  })
})
