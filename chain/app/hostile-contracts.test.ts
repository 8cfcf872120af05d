import { memoryFiles } from '@coin/vm/files'
import { answering } from '@coin/vm/testing/answering'
import { answerData, buildModule, op, regionAt, type } from '@coin/vm/testing/module-builder'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import { classicAddress } from '@coin/x/wasm/contract-address'
import { describe, expect, it } from 'vitest'
import { testAccount } from './testing/signing.js'
import { appStateOf, createTestChain } from './testing/test-chain.js'
import { executeMsg, instantiateMsg, storeMsg } from './testing/wasm-messages.js'
import { addWasm, type WasmSettings } from './wasm.js'

const alice = await testAccount('alice')
const contract = createAddressCodec('coin').encode(classicAddress(1n, 1n))

function createChain(settings: WasmSettings = {}, maxGas = -1n) {
  const appState = appStateOf({ [alice.address]: '1000000000' })
  const wasm = addWasm(new WasmVm({ files: memoryFiles() }), settings)
  const chain = createTestChain({ appState, wasm, maxGas })
  chain.deliver()
  return chain
}

/** What the chain makes of a contract that answers `execute` with `text`. */
async function execute(code: Uint8Array, instantiateGas = 1_000_000) {
  const chain = createChain()
  for (const msgs of [[storeMsg(alice.address, code)], [instantiateMsg(alice.address, 1n)]]) {
    expect(chain.deliverOne(await chain.sign(alice, msgs, { gas: instantiateGas })).code).toBe(0)
  }
  return chain.deliverOne(await chain.sign(alice, [executeMsg(alice.address, contract)], { gas: 20_000_000 }))
}

const i32LessUnsigned = 0x49

/** More than the native stack has room for as arguments of one call. */
const many = 150_000

describe('a contract that answers with lists of 150,000 entries stops nothing', () => {
  it('events', async () => {
    const result = await execute(answering('{"ok":{"events":[', '{"type":"abc"},', many, '{"type":"abc"}]}}'))
    expect([result.code, result.events.filter((event) => event.type === 'wasm-abc').length]).toEqual([0, many + 1])
  })

  it('coins', async () => {
    const coin = '{"denom":"abc","amount":"1"}'
    const burn = '{"ok":{"messages":[{"id":1,"reply_on":"never","msg":{"bank":{"burn":{"amount":['
    const result = await execute(answering(burn, `${coin},`, many, `${coin}]}}}}]}}`))
    expect(result).toMatchObject({ codespace: 'sdk', code: 5 })
    expect(result.log).toContain('0abc is smaller than 150001abc')
  })
})

describe('a contract that holds iterators', () => {
  const large = 'x'.repeat(128 * 1024)
  const [shortKey, longKey, shortValue, longValue] = [200, 220, 300, 200_000]
  /** Opens iterators and moves each to the second entry, which nobody has paid for yet. */
  const holding = (iterators: number) => {
    const entry = { params: [type.i32, type.i32, type.i32], results: [type.i32] }
    const write = (key: number, value: number) => [op.i32(key), op.i32(value), op.call(0)]
    const scan = [op.i32(0), op.i32(0), op.i32(1), op.call(1), op.call(2), op.drop]
    const count = [
      op.localGet(3),
      op.i32(1),
      op.i32Add,
      op.localSet(3),
      op.localGet(3),
      op.i32(iterators),
      i32LessUnsigned,
    ]
    return buildModule({
      memory: { min: 8 },
      imports: [
        { name: 'db_write', params: 2, results: 0 },
        { name: 'db_scan', params: 3, results: 1 },
        { name: 'db_next', params: 1, results: 1 },
      ],
      functions: [
        {
          ...{ ...entry, export: 'execute', locals: [[1, type.i32]] },
          body: [op.loop(op.empty, ...scan, ...count, op.brIf(0)), op.i32(64)],
        },
        {
          ...{ ...entry, export: 'instantiate' },
          body: [...write(shortKey, shortValue), ...write(longKey, longValue), op.i32(64)],
        },
      ],
      data: [
        ...[...answerData('{"ok":{}}'), ...regionAt(shortKey, 'a'), ...regionAt(longKey, 'b')],
        ...[...regionAt(shortValue, 's'), ...regionAt(longValue, large)],
      ],
    })
  }
  it.each([
    [500, 0, ''],
    [600, 29, 'iterators hold more than 67108864 bytes'],
  ])('%d of large values', async (iterators, code, log) => {
    const result = await execute(holding(iterators), 10_000_000)
    expect(result.code).toBe(code)
    expect(result.log).toContain(log)
  })
})

describe('a simulation of a contract that loops for ever ends', () => {
  const endless = buildModule({
    functions: [
      {
        ...{ params: [type.i32, type.i32, type.i32], results: [type.i32], export: 'instantiate' },
        body: [op.loop(op.empty, op.br(0)), op.i32(64)],
      },
    ],
  })
  it.each([
    ['at the limit that the node sets', { simulationGasLimit: 300_000 }, 1_000_000n, 300_000],
    ["at the block's limit", {}, 400_000n, 400_000],
    ['also where there is no limit', {}, -1n, Number.MAX_SAFE_INTEGER],
  ])('%s', async (_, settings, maxGas, gasWanted) => {
    const chain = createChain(settings, maxGas)
    expect(chain.deliverOne(await chain.sign(alice, [storeMsg(alice.address, endless)])).code).toBe(0)
    const tx = await chain.sign(alice, [instantiateMsg(alice.address, 1n)], { gas: 1, unsigned: true })
    const outcome = chain.app.simulate(tx)
    expect(outcome.error).toMatchObject({ codespace: 'sdk', code: 11 })
    expect(outcome.gasWanted).toBe(gasWanted)
  })
})
