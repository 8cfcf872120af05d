import { bytesToHex } from '@coin/base/bytes'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { beforeAll, describe, expect, it } from 'vitest'
import { multiSendMsg, type SignOptions, sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, genesisTime, type TestChain } from './testing/test-chain.js'

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
    expect(chain.app.checkTx(tx, 'new')).toMatchObject({ code: 0, log: '', gasWanted: 200_000 })
    const result = chain.deliverOne(tx)
    expect(result).toMatchObject({ code: 0, codespace: '', log: '', gasWanted: 200_000, gasUsed: 91_909 })
    expect(chain.balance(alice.address)).toBe(93n * coin - 500n)
    expect(chain.balance(carol.address)).toBe(7n * coin)
    expect(chain.sequence(alice.address)).toBe(1n)
  })

  it('may be signed as amino JSON, and by an account whose key is known without the key', async () => {
    const chain = start()
    const msgs = [multiSendMsg(alice.address, [[bob.address, '5'] as const, [carol.address, '6'] as const])]
    expect(chain.deliverOne(await chain.sign(alice, msgs, { amino: true, memo: 'a < b & c' }))).toMatchObject({
      code: 0,
    })
    expect(chain.deliverOne(await chain.sign(alice, msgs, { withoutKey: true }))).toMatchObject({ code: 0 })
    expect(chain.balance(carol.address)).toBe(12n)
  })

  it('costs exactly what its simulation said, and a simulation keeps nothing', async () => {
    const chain = start()
    const msgs = [sendMsg(alice.address, carol.address, '1'), sendMsg(alice.address, bob.address, '2')]
    const tx = await chain.sign(alice, msgs)
    const simulated = chain.app.simulate(tx)
    expect(chain.balance(carol.address)).toBe(0n)
    expect(chain.app.checkTx(tx, 'new').code).toBe(0)
    const delivered = chain.deliverOne(tx)
    expect(delivered.gasUsed).toBe(simulated.gasUsed)
    expect(delivered.events.length).toBe(simulated.events.length)
    const unsigned = await chain.sign(alice, msgs, { unsigned: true })
    const signed = await chain.sign(alice, msgs)
    // A missing signature of 64 bytes is reckoned with 112, as the SDK does.
    expect(chain.app.simulate(unsigned).gasUsed - chain.deliverOne(signed).gasUsed).toBe(
      (112 - 64) * 10 + 1000 + 3 * 176,
    )
  })

  it('whose message fails keeps the fee and the sequence, and nothing else', async () => {
    const chain = start()
    const msgs = [sendMsg(alice.address, carol.address, '5'), sendMsg(alice.address, bob.address, `${1000n * coin}`)]
    const result = chain.deliverOne(await chain.sign(alice, msgs))
    expect(result).toMatchObject({ code: 5, codespace: 'sdk', gasWanted: 200_000 })
    expect(result.log).toBe(
      'failed to execute message; message index: 1: spendable balance 99999495ucoin is smaller than 1000000000ucoin: insufficient funds',
    )
    expect(result.events.at(-1)!.attributes[0]!.key).toBe('signature')
    expect(chain.balance(alice.address)).toBe(100n * coin - 500n)
    expect(chain.balance(carol.address)).toBe(0n)
    expect(chain.sequence(alice.address)).toBe(1n)
  })

  it('that runs out of gas in a message is undone and pays', async () => {
    const chain = start()
    const result = chain.deliverOne(
      await chain.sign(alice, [sendMsg(alice.address, carol.address, '5')], { gas: 70_000 }),
    )
    expect(result).toMatchObject({ code: 11, codespace: 'sdk', gasWanted: 70_000 })
    expect(result.gasUsed).toBeGreaterThan(70_000)
    expect(result.log).toMatch(/^out of gas in location: \w+; gasWanted: 70000, gasUsed: \d+: out of gas$/)
    expect(chain.balance(carol.address)).toBe(0n)
    expect(chain.balance(alice.address)).toBe(100n * coin - 500n)
  })

  it('to a module account is refused, except to governance', async () => {
    const chain = start()
    const modules = chain.query('/cosmos.auth.v1beta1.Query/ModuleAccountByName', { name: 'mint' })
    expect(modules.account).toBeDefined()
    const to = 'coin17xpfvakm2amg962yls6f84z3kell8c5lm5p39w'
    const refused = chain.deliverOne(await chain.sign(alice, [sendMsg(alice.address, to, '5')]))
    expect(refused).toMatchObject({ code: 4, codespace: 'sdk' })
    expect(refused.log).toContain(`${to} is not allowed to receive funds: unauthorized`)
  })
})

describe('checkTx refuses', () => {
  const cases: readonly [string, Partial<SignOptions>, number, string][] = [
    ['a wrong sequence', { sequence: 5n, accountNumber: 0n }, 32, 'account sequence mismatch, expected 0, got 5'],
    ['another chain', { chainId: 'other' }, 4, 'please verify account number (0) and chain-id (test-1)'],
    ['a long memo', { memo: 'm'.repeat(257) }, 12, 'maximum number of characters is 256 but received 257'],
    ['a past height', { timeoutHeight: 1n }, 30, 'block height: 2, timeout height: 1: tx timeout height'],
    [
      'a past time',
      { timeoutTimestamp: { seconds: genesisTime / 1_000_000_000n, nanos: 5 } },
      42,
      'timeout timestamp: 2026-01-01',
    ],
    ['too much gas', { gas: 5_000_001 }, 41, 'tx gas limit 5000001 exceeds block max gas 5000000'],
    ['a low fee', { fee: '1999', gas: 80_000 }, 13, 'got: 1999ucoin required: 2000ucoin: insufficient fee'],
    ['no fee', { fee: '' }, 13, 'insufficient fees; got:  required: 5000ucoin: insufficient fee'],
    ['no gas', { gas: 0, fee: '1' }, 11, 'gasWanted: 0'],
    ['a fee that nobody granted', { feeGranter: 'bob' }, 38, 'fee-grant not found: not found'],
    ['an unsigned fee payer', { feePayer: 'bob' }, 4, 'wrong number of signers; expected 2, got 1'],
    ['a sign mode', { mode: SignMode.SIGN_MODE_TEXTUAL }, 4, 'unsupported sign mode SIGN_MODE_TEXTUAL'],
    ['unordered', { unordered: true }, 37, 'unordered transactions are not enabled'],
    [
      'extensions',
      { extensionOptions: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: new Uint8Array(0) }] },
      31,
      'unknown extension options',
    ],
  ]

  it.each(cases)('%s', async (_, given, code, text) => {
    const chain = start({ maxGas: 5_000_000n, minGasPrices: '0.025ucoin' })
    chain.deliver()
    const named = { ...given }
    for (const key of ['feeGranter', 'feePayer'] as const)
      if (named[key] === 'bob') Object.assign(named, { [key]: bob.address })
    const tx = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')], { fee: '5000', ...named })
    const result = chain.app.checkTx(tx, 'new')
    expect(result).toMatchObject({ code, codespace: 'sdk' })
    expect(result.log).toContain(text)
    expect(chain.deliverOne(tx).code === 0).toBe(code === 13)
  })

  it('an amino signature for another sequence, and says which numbers to look at', async () => {
    const chain = start()
    const tx = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')], { amino: true, chainId: 'x' })
    expect(chain.app.checkTx(tx, 'new').log).toBe(
      'signature verification failed; please verify account number (0), sequence (0) and chain-id (test-1): unauthorized',
    )
  })

  it('every damaged copy of a good transaction, or takes it only if it is as good', async () => {
    const chain = start()
    const good = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')])
    let accepted = 0
    for (let at = 0; at < good.length; at++) {
      for (const bit of [0, 3, 7]) {
        const damaged = Uint8Array.from(good)
        damaged[at]! ^= 1 << bit
        if (chain.app.checkTx(damaged, 'new').code === 0) accepted++
      }
      expect(chain.app.checkTx(good.subarray(0, at), 'new').code).not.toBe(0)
    }
    expect(accepted).toBe(0)
    expect(chain.app.checkTx(good, 'new').code).toBe(0)
  })
})

describe("the mempool's view", () => {
  it('sees what it has checked, and forgets it with the block', async () => {
    const chain = start()
    const first = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')])
    const second = await chain.sign(alice, [sendMsg(alice.address, bob.address, '2')], {
      sequence: 1n,
      accountNumber: 0n,
    })
    expect(chain.app.checkTx(second, 'new').code).toBe(32)
    expect(chain.app.checkTx(first, 'new').code).toBe(0)
    expect(chain.app.checkTx(first, 'new').code).toBe(32)
    expect(chain.app.checkTx(second, 'new').code).toBe(0)
    chain.deliver(first)
    expect(chain.app.checkTx(first, 'recheck').code).toBe(32)
    expect(chain.app.checkTx(second, 'recheck').code).toBe(0)
  })

  it('is there before the first block, and its traces are not in that block', async () => {
    const chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000' }) })
    const tx = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')], { sequence: 0n, accountNumber: 0n })
    expect(chain.app.checkTx(tx, 'new').code).toBe(0)
    chain.deliver()
    expect(chain.sequence(alice.address)).toBe(0n)
    expect(chain.deliverOne(tx).code).toBe(0)
  })

  it('verifies a signature once, and not at all when the worker has', async () => {
    let asked = 0
    const chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000' }), onVerify: () => asked++ })
    chain.deliver()
    const tx = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')])
    chain.app.checkTx(tx, 'new')
    chain.deliver(tx)
    expect(asked).toBe(1)
    const next = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')])
    const jobs = chain.app.signatureJobs(next)
    expect(jobs.map((job) => [job.pubKey.length, job.digest.length, job.signature.length])).toEqual([[33, 32, 64]])
    for (const job of jobs) chain.app.signatures.put(job, true)
    expect(chain.app.signatureJobs(next)).toEqual([])
    expect(chain.deliverOne(next).code).toBe(0)
    expect(asked).toBe(1)
    expect(chain.app.signatureJobs(Uint8Array.of(1, 2, 3))).toEqual([])
  })
})

describe('the gas of a block', () => {
  it('ends with the transaction that passes it, whose messages are undone', async () => {
    const chain = start({ maxGas: 150_000n })
    const txs = await Promise.all([
      chain.sign(alice, [sendMsg(alice.address, carol.address, '1')], { gas: 150_000 }),
      chain.sign(bob, [sendMsg(bob.address, carol.address, '2')], { gas: 150_000 }),
      chain.sign(alice, [sendMsg(alice.address, carol.address, '4')], {
        gas: 150_000,
        sequence: 1n,
        accountNumber: 0n,
      }),
    ])
    const { txResults } = chain.deliver(...txs)
    expect(txResults.map((result) => result.code)).toEqual([0, 11, 11])
    expect(txResults[1]!.log).toContain('out of gas in location: block gas meter')
    expect(txResults[2]!.log).toBe('no block gas left to run tx: out of gas')
    expect(chain.balance(carol.address)).toBe(1n)
    expect(chain.balance(bob.address)).toBe(50n * coin - 500n)
    expect([chain.sequence(alice.address), chain.sequence(bob.address)]).toEqual([1n, 1n])
  })

  it('and its bytes bound a proposal', async () => {
    const chain = start({ maxGas: 450_000n })
    const sign = (sequence: bigint) =>
      chain.sign(alice, [sendMsg(alice.address, bob.address, '1')], { sequence, accountNumber: 0n })
    const txs = await Promise.all([0n, 1n, 2n].map(sign))
    const propose = (maxTxBytes: number) =>
      chain.app.prepareProposal({ txs: [Uint8Array.of(1), ...txs], maxTxBytes, height: 2, time: genesisTime })
    expect(propose(1_000_000)).toEqual([txs[0], txs[1]])
    expect(propose(txs[0]!.length + 3)).toEqual([txs[0]])
    expect(propose(txs[0]!.length)).toEqual([])
  })
})

describe('two nodes', () => {
  it('come to the same app hash from the same blocks, and to another from others', async () => {
    const [one, two, three] = [start(), start(), start()]
    const tx = await one.sign(alice, [sendMsg(alice.address, carol.address, '1')])
    const bad = await one.sign(bob, [sendMsg(bob.address, carol.address, `${500n * coin}`)])
    two.app.checkTx(tx, 'new')
    two.app.simulate(bad)
    const hashes = [one.deliver(tx, bad), two.deliver(tx, bad), three.deliver(bad)].map(({ appHash }) =>
      bytesToHex(appHash),
    )
    expect(hashes[0]).toBe(hashes[1])
    expect(hashes[0]).not.toBe(hashes[2])
  })
})
