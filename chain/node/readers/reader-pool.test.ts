import { sendMsg } from '@coin/app/testing/signing'
import { bytesToHex, bytesToUtf8, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { createAddressCodec } from '@coin/wire/addresses'
import { SimulateRequest, SimulateResponse } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AbciQuery } from '../ports.js'
import {
  deployEndless,
  encodeRequest,
  firstContract,
  openReaderChain,
  type ReaderChain,
} from '../testing/reader-chain.js'
import { type Reader, startReader } from './reader.js'

const balance = '/cosmos.bank.v1beta1.Query/Balance'
const smart = '/cosmwasm.wasm.v1.Query/SmartContractState'
const simulate = '/cosmos.tx.v1beta1.Service/Simulate'
const allowance = '/cosmos.feegrant.v1beta1.Query/Allowance'

const smartRequest = (query: string) => encodeRequest(smart, { address: firstContract, queryData: utf8ToBytes(query) })

/** A result in a form to compare, an error with what clients see of it. */
async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const { codespace, code, message } = error
    return { codespace, code, message }
  }
}

describe('readers beside a chain that goes on', () => {
  let test: ReaderChain
  beforeAll(async () => {
    test = await openReaderChain({ readers: 2 })
    await test.block()
    await deployEndless(test)
    for (let block = 4; block <= 8; block++)
      await test.block(await test.sign(test.alice, [sendMsg(test.alice.address, test.bob.address, '10')]))
  })
  afterAll(() => test.close())

  /** Two requests of each method: an empty one, and one that names what is there. */
  function requestsOf(method: string): readonly Uint8Array[] {
    const { alice } = test
    const fields: Record<string, object> = {
      '/cosmos.auth.v1beta1.Query/AccountAddressByID': { accountId: 1n },
      '/cosmos.auth.v1beta1.Query/AddressBytesToString': { addressBytes: new Uint8Array(20) },
      '/cosmos.auth.v1beta1.Query/ModuleAccountByName': { name: 'fee_collector' },
      '/cosmos.auth.v1beta1.Query/AddressStringToBytes': { addressString: alice.address },
      '/cosmos.gov.v1beta1.Query/Params': { paramsType: 'voting' },
      '/cosmos.authz.v1beta1.Query/Grants': { granter: alice.address, grantee: test.bob.address },
      '/cosmos.authz.v1beta1.Query/GranterGrants': { granter: alice.address },
      '/cosmos.authz.v1beta1.Query/GranteeGrants': { grantee: alice.address },
      '/cosmos.feegrant.v1beta1.Query/Allowances': { grantee: alice.address },
      '/cosmos.feegrant.v1beta1.Query/AllowancesByGranter': { granter: alice.address },
      '/cosmwasm.wasm.v1.Query/BuildAddress': {
        codeHash: '00'.repeat(32),
        creatorAddress: alice.address,
        salt: '00',
      },
      '/cosmwasm.wasm.v1.Query/ContractsByCreator': { creatorAddress: alice.address },
    }
    const usual = { address: firstContract, denom: 'ucoin', codeId: 1n, queryData: utf8ToBytes('{}'), name: 'bank' }
    const person = { address: alice.address, denom: 'ucoin' }
    return [{}, fields[method] ?? usual, person].map((given) => encodeRequest(method, given))
  }

  it('answers every method as the thread that makes blocks does, at every height', async () => {
    const methods = test.pool.methods()
    expect(methods).toEqual(test.here.methods())
    expect(methods.length).toBeGreaterThan(40)
    const heights = [undefined, 0, 2, 5, 8, 9, -1]
    const answered = new Set<string>()
    for (const method of methods) {
      for (const request of requestsOf(method)) {
        for (const height of heights) {
          const [here, there] = [test.here, test.pool].map((queries) => async () => ({
            bytes: await outcome(() => queries.query(method, request, height)),
            json: await outcome(() => queries.queryJson(method, request, height)),
            abci: await queries.abci({ path: method, data: request, height: height ?? 0, prove: false }),
          }))
          const expected = await here!()
          expect(await there!()).toEqual(expected)
          if (expected.abci.code === 0) answered.add(method)
        }
      }
    }
    // Nobody has granted anything here.
    expect(methods.filter((method) => !answered.has(method))).toEqual([allowance, simulate])
  })

  it('answers raw queries, and proofs of any key', async () => {
    const bytes = createAddressCodec('coin').decode(test.bob.address)
    const key = concatBytes(Uint8Array.of(2, bytes.length), bytes, utf8ToBytes('ucoin'))
    const paths = [
      '/store/bank/key',
      '/store/none/key',
      '/store/bank/subspace',
      '/app/version',
      '/p2p/x',
      '/x',
      '',
      'app',
    ]
    const requests = paths.flatMap((path) =>
      [0, 1, 5, 8, 9, -1].flatMap((height) =>
        [key, Uint8Array.of(9), emptyBytes].flatMap((data) =>
          [true, false].map((prove): AbciQuery => ({ path, data, height, prove })),
        ),
      ),
    )
    for (const request of requests) expect(await test.pool.abci(request)).toEqual(test.here.abci(request))
    const { proofOps, value } = await test.pool.abci({ path: '/store/bank/key', data: key, height: 5, prove: true })
    expect([proofOps.length, bytesToUtf8(value)]).toEqual([2, '1000000020'])
  })

  it('reads one state while blocks go on', async () => {
    const request = encodeRequest(balance, { address: test.bob.address, denom: 'ucoin' })
    const answers: Promise<{ response: string; height: number }>[] = []
    for (let block = 0; block < 15; block++) {
      for (let count = 0; count < 20; count++)
        answers.push(Promise.resolve(test.pool.queryJson(balance, request, undefined)))
      await test.block(await test.sign(test.alice, [sendMsg(test.alice.address, test.bob.address, '10')]))
    }
    const heights = new Set<number>()
    for (const { response, height } of await Promise.all(answers)) {
      heights.add(height)
      expect(response).toBe(test.here.queryJson(balance, request, height).response)
    }
    expect(heights.size).toBeGreaterThan(5)
  })

  it('sees the block that it is told of', async () => {
    const request = encodeRequest(balance, { address: test.bob.address, denom: 'ucoin' })
    for (let block = 0; block < 20; block++) {
      await test.block(await test.sign(test.alice, [sendMsg(test.alice.address, test.bob.address, '10')]))
      const { height } = test.chain.store
      expect(await test.pool.queryJson(balance, request, undefined)).toEqual(
        test.here.queryJson(balance, request, height),
      )
      const path = '/cosmwasm.wasm.v1.Query/SmartContractState'
      expect((await test.pool.abci({ path, data: smartRequest('{}'), height, prove: false })).height).toBe(height)
    }
  })

  it('simulates on top of what waits in the mempool, with the gas of the delivery', async () => {
    const { alice, bob, chain, pool, here } = test
    const msgs = [sendMsg(alice.address, bob.address, '10')]
    const { sequence } = JSON.parse(
      here.queryJson(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        encodeRequest('/cosmos.auth.v1beta1.Query/AccountInfo', { address: alice.address }),
        undefined,
      ).response,
    ).info as { sequence: string }
    const first = await test.sign(alice, msgs, { fee: '900000000' })
    // Without a fee of its own: its message alone reads the balance that the first one's fee has shortened by a digit.
    const second = await test.sign(alice, msgs, { sequence: BigInt(sequence) + 1n, fee: '' })
    const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: second })).finish()

    await expect(pool.query(simulate, request, undefined)).rejects.toThrow('account sequence mismatch')
    expect((await chain.engine.mempool.submit(first).checked).code).toBe(0)
    const simulated = await pool.query(simulate, request, undefined)
    expect(simulated).toEqual(here.query(simulate, request, undefined))
    const raw = { path: '/app/simulate', data: second, height: 0, prove: false }
    expect(await pool.abci(raw)).toEqual(here.abci(raw))

    const results = await test.block(second)
    const { gasUsed } = SimulateResponse.decode(simulated.response).gasInfo!
    expect(results.map(({ code }) => code)).toEqual([0, 0])
    expect(Number(gasUsed)).toBe(results[1]!.gasUsed)
    // Now the first one is committed: nothing lies over the state, and the sequence is used up.
    await expect(pool.query(simulate, request, undefined)).rejects.toThrow('account sequence mismatch')
  })

  it('tells what the waiting transactions have changed, and no more', async () => {
    const { alice, bob, chain } = test
    const msgs = [sendMsg(alice.address, bob.address, '10')]
    const waiting = await test.sign(alice, msgs)
    const next = await test.sign(alice, msgs, { memo: 'next' })
    const stores = () =>
      chain.app
        .pendingFor(next)
        .map(({ store }) => store)
        .sort()
    expect(stores()).toEqual([])
    expect((await chain.engine.mempool.submit(waiting).checked).code).toBe(0)
    // The account's sequence, its balance and that of the fee collector, and x/wasm's count of the block's transactions.
    expect(stores()).toEqual(['acc', 'bank', 'bank', 'wasm'])
    expect(stores()).toEqual(['acc', 'bank', 'bank', 'wasm'])
    for (const bytes of [Uint8Array.of(1, 2, 3), new Uint8Array(1000)]) expect(chain.app.pendingFor(bytes)).toEqual([])
    expect((await test.block()).map(({ code }) => code)).toEqual([0])
  })
})

describe('queries that take too long', () => {
  let test: ReaderChain
  beforeAll(async () => {
    test = await openReaderChain({ readers: 2, deadlineMs: 2500, settings: { smartQueryGasLimit: 1e12 } })
    await test.block()
    await deployEndless(test)
  })
  afterAll(() => test.close())

  const request = () => encodeRequest(balance, { address: test.bob.address, denom: 'ucoin' })
  const late = { codespace: 'grpc', code: 4 }

  it('end at the deadline, while others and the chain go on', async () => {
    const endless = outcome(() => test.pool.query(smart, smartRequest('{"a":1}'), undefined))
    const raw = test.pool.abci({ path: smart, data: smartRequest('{"a":1}'), height: 0, prove: false })
    let others = 0
    let isOver = false
    const ended = endless.then(() => {
      isOver = true
    })
    while (!isOver) {
      await test.pool.query(balance, request(), undefined)
      if (others++ % 50 === 0)
        await test.block(await test.sign(test.alice, [sendMsg(test.alice.address, test.bob.address, '10')]))
    }
    await ended
    expect(await endless).toMatchObject({ ...late, message: expect.stringContaining('longer than 2500 ms') })
    expect(others).toBeGreaterThan(20)
    expect(await raw).toMatchObject({ code: 6, codespace: 'sdk', log: expect.stringContaining('DeadlineExceeded') })
    expect(bytesToUtf8((await test.pool.query(smart, smartRequest('{}'), undefined)).response)).toContain('{}')
    expect(test.errors).toEqual([])
  })

  it('leave the state healthy: the chain goes on, and both threads read the same', async () => {
    for (let round = 0; round < 2; round++) {
      const endless = [1, 2].map(() => outcome(() => test.pool.query(smart, smartRequest('{"a":1}'), undefined)))
      await test.block(await test.sign(test.alice, [sendMsg(test.alice.address, test.bob.address, '10')]))
      for (const result of await Promise.all(endless)) expect(result).toMatchObject(late)
    }
    const { height } = test.chain.store
    expect(await test.pool.query(balance, request(), height)).toEqual(test.here.query(balance, request(), height))
    expect(bytesToHex((await test.pool.query(smart, smartRequest('{}'), undefined)).response)).toBe(
      bytesToHex(test.here.query(smart, smartRequest('{}'), undefined).response),
    )
  })
})

describe('a pool', () => {
  it('replaces a reader that ends, tells those whose query it had, and says why in the log', async () => {
    const readers: Reader[] = []
    const test = await openReaderChain({ readers: 2, settings: { smartQueryGasLimit: 1e12 } }, (app, listeners) => {
      readers.push(startReader(app, listeners))
      return readers.at(-1)!
    })
    try {
      await test.block()
      await deployEndless(test)
      const running = outcome(() => test.pool.query(smart, smartRequest('{"a":1}'), undefined))
      await test.pool.abci({ path: '/app/version', data: emptyBytes, height: 0, prove: false })
      await Promise.all(readers.slice(0, 2).map((reader) => reader.terminate()))
      // The new ones are not ready yet.
      const waiting = test.pool.query(smart, smartRequest('{}'), undefined)
      expect(await running).toMatchObject({
        codespace: 'grpc',
        code: 13,
        message: expect.stringContaining('in the log'),
      })
      expect(bytesToUtf8((await waiting).response)).toContain('{}')
      expect(test.errors).toEqual([1, 2].map(() => expect.stringContaining('its thread ended with code')))
      expect(readers).toHaveLength(4)
    } finally {
      await test.close()
    }
  })

  it('answers what our own bugs break with `internal`, and logs the stack', async () => {
    const pending = [{ store: 'none', key: Uint8Array.of(1), value: undefined }]
    const test = await openReaderChain({ readers: 2, pendingFor: async () => pending })
    try {
      await test.block()
      const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: Uint8Array.of(10, 0) })).finish()
      const result = await outcome(() => test.pool.query(simulate, request, undefined))
      expect(result).toEqual({ codespace: 'grpc', code: 13, message: 'the query failed; the cause is in the log' })
      expect(test.errors).toEqual([expect.stringMatching(/store none is not mounted.*at .*flat-reader/)])
    } finally {
      await test.close()
    }
  })

  it('refuses what is too much, and ends with what runs', async () => {
    const test = await openReaderChain({
      readers: 2,
      waitingMax: 3,
      closeMs: 200,
      settings: { smartQueryGasLimit: 1e12 },
    })
    try {
      await test.block()
      await deployEndless(test)
      const ask = (query: string) => outcome(() => test.pool.query(smart, smartRequest(query), undefined))
      const running = ask('{"a":1}')
      const waiting = [1, 2, 3].map(() => ask('{}'))
      const busy = { codespace: 'grpc', code: 14, message: 'too many queries, try again' }
      expect(await ask('{}')).toEqual(busy)
      await test.pool.close()
      const stopping = { codespace: 'grpc', code: 14, message: 'the node is stopping' }
      expect(await Promise.all([running, ...waiting, ask('{}')])).toEqual(Array(5).fill(stopping))
      expect(await test.pool.abci({ path: '/app/version', data: emptyBytes, height: 0, prove: false })).toMatchObject({
        codespace: 'sdk',
      })
      expect(test.errors).toEqual([])
    } finally {
      await test.close()
    }
  })

  it('says so before the first block', async () => {
    const test = await openReaderChain({ readers: 2 })
    try {
      const request = encodeRequest(balance, { address: test.bob.address, denom: 'ucoin' })
      const expected = { codespace: 'grpc', code: 14, message: 'the chain has no block yet' }
      expect(await outcome(() => test.pool.query(balance, request, undefined))).toEqual(expected)
    } finally {
      await test.close()
    }
  })

  it('is not there without its files', async () => {
    const test = await openReaderChain({ readers: 2 })
    await test.close()
    await expect(openReaderChain({ app: { ...nowhere } })).rejects.toThrow(/stores\.json/)
  })
})

const nowhere = { dataDir: '/nowhere', chainId: 'x-1', bech32Prefix: 'coin', denom: 'ucoin', minGasPrices: '' }
