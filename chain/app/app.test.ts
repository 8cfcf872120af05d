import { beforeAll, describe, expect, it } from 'vitest'
import { sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, type TestChain } from './testing/test-chain.js'

let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
const coin = 1_000_000n

beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  carol = await testAccount('carol')
})

function start(options: { readonly maxGas?: bigint; readonly minGasPrices?: string } = {}): TestChain {
  const chain = createTestChain({
    appState: appStateOf({ [alice.address]: `${100n * coin}`, [bob.address]: `${50n * coin}` }),
    ...(options.maxGas === undefined ? {} : { maxGas: options.maxGas }),
    ...(options.minGasPrices === undefined ? {} : { chain: { minGasPrices: options.minGasPrices } }),
  })
  chain.deliver()
  return chain
}

describe('a transfer', () => {
  it('moves coins, takes the fee and counts the sequence', async () => {
    const chain = start()
    const tx = await chain.sign(alice, [sendMsg(alice.address, carol.address, '7000000')])
    const checked = chain.app.checkTx(tx, 'new')
    expect(checked).toMatchObject({ code: 0, log: '', gasWanted: 200_000 })
    const result = chain.deliverOne(tx)
    expect(result).toMatchObject({ code: 0, codespace: '', log: '', gasWanted: 200_000 })
    expect(chain.balance(alice.address)).toBe(93n * coin - 500n)
    expect(chain.balance(carol.address)).toBe(7n * coin)
    expect(chain.sequence(alice.address)).toBe(1n)
    console.error(result.gasUsed, JSON.stringify(result.events, null, 0))
  })
})
