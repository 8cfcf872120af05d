import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { utf8ToBytes } from '@coin/base/bytes'
import { memoryFiles } from '@coin/vm/files'
import { buildModule, executing, op, regionAt, type } from '@coin/vm/testing/module-builder'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import { classicAddress } from '@coin/x/wasm/contract-address'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { describe, expect, it } from 'vitest'
import { deepestCall } from './testing/deep-calls.js'
import { testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, type TestChain } from './testing/test-chain.js'
import { executeMsg, instantiateMsg, storeMsg } from './testing/wasm-messages.js'
import { addWasm } from './wasm.js'

const alice = await testAccount('alice')
const contract = createAddressCodec('coin').encode(classicAddress(1n, 1n))
const [keyAt, valueAt] = [3000, 3100]

/** Writes its message under `key`, then does what `end` says. */
function writer(end: number | readonly number[]): Uint8Array {
  const imports = [{ name: 'db_write', params: 2, results: 0 }]
  const spec = executing([op.i32(keyAt), op.i32(valueAt), op.call(0), end], { imports })
  const execute = spec.functions![0]!
  const instantiate = { ...execute, export: 'instantiate', body: [op.i32(64)] }
  return buildModule({
    ...spec,
    functions: [execute, instantiate],
    data: [...spec.data!, ...regionAt(keyAt, 'key'), ...regionAt(valueAt, 'value')],
  })
}

function createChain(): TestChain {
  const appState = appStateOf({ [alice.address]: '1000000' })
  const chain = createTestChain({ appState, wasm: addWasm(new WasmVm({ files: memoryFiles() })) })
  chain.deliver()
  return chain
}

async function deliver(chain: TestChain, msgs: readonly EncodeObject[], gas = 1_000_000) {
  const tx = await chain.sign(alice, msgs, { gas })
  const simulated = chain.app.simulate(tx)
  return { simulated, delivered: chain.deliverOne(tx) }
}

const stateOf = (chain: TestChain) =>
  chain.query('/cosmwasm.wasm.v1.Query/AllContractState', { address: contract }).models

describe('a transaction that runs contracts', () => {
  it('uses exactly the gas that its simulation said, and gives the same events', async () => {
    const chain = createChain()
    const steps = [
      [storeMsg(alice.address, writer(op.nop))],
      [instantiateMsg(alice.address, 1n)],
      [executeMsg(alice.address, contract)],
      // The second message finds the code in use already and pays less for it.
      [executeMsg(alice.address, contract), executeMsg(alice.address, contract)],
    ]
    const gas: number[] = []
    for (const msgs of steps) {
      const { simulated, delivered } = await deliver(chain, msgs)
      expect([delivered.code, delivered.log]).toEqual([0, ''])
      expect(Number(delivered.gasUsed)).toBe(simulated.gasUsed)
      expect(delivered.events).toEqual(simulated.events)
      gas.push(simulated.gasUsed)
    }
    expect(gas[3]! - gas[2]!).toBeLessThan(60_000)
    expect(stateOf(chain)).toEqual([{ key: utf8ToBytes('key'), value: utf8ToBytes('value') }])
  })

  it('leaves nothing but its fee and sequence when the contract fails or its gas is used up', async () => {
    const chain = createChain()
    await deliver(chain, [storeMsg(alice.address, writer(op.unreachable))])
    await deliver(chain, [instantiateMsg(alice.address, 1n)])
    const before = { balance: chain.balance(alice.address), sequence: chain.sequence(alice.address) }
    const trapped = await deliver(chain, [executeMsg(alice.address, contract)])
    expect(trapped.delivered).toMatchObject({ codespace: 'wasm', code: 29 })
    const endless = buildModule({
      functions: [
        {
          ...{ params: [type.i32, type.i32, type.i32], results: [type.i32], export: 'instantiate' },
          body: [op.loop(op.empty, op.br(0)), op.i32(64)],
        },
      ],
    })
    const looping = [storeMsg(alice.address, endless), instantiateMsg(alice.address, 2n)]
    const { delivered } = await deliver(chain, looping, 300_000)
    expect(delivered).toMatchObject({ codespace: 'sdk', code: 11 })
    expect(stateOf(chain)).toEqual([])
    expect(() => chain.query('/cosmwasm.wasm.v1.Query/Code', { codeId: 2n })).toThrow()
    expect(chain.balance(alice.address)).toBe(before.balance - 1000n)
    expect(chain.sequence(alice.address)).toBe(before.sequence + 2n)
  })

  it('goes a hundred messages deep, each with its whole stack, and no deeper', async () => {
    const here = await deepestCall()
    expect(here).toMatch(/^wasm 30: .*max call depth exceeded/)
    // The baseline compiler needs the most stack; even a smaller native stack than V8's default takes it.
    const main = fileURLToPath(new URL('./testing/deep-calls-main.js', import.meta.url))
    for (const flags of [['--liftoff-only', '--stack-size=900'], ['--no-liftoff']]) {
      expect(execFileSync(process.execPath, [...flags, main], { encoding: 'utf8' })).toBe(here)
    }
  })
})
