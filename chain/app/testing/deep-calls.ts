import { bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { memoryFiles } from '@coin/vm/files'
import {
  answerAt,
  answerData,
  buildModule,
  type FunctionSpec,
  op,
  regionAt,
  type,
} from '@coin/vm/testing/module-builder'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import { classicAddress } from '@coin/x/wasm/contract-address'
import { addWasm } from '../wasm.js'
import { testAccount } from './signing.js'
import { appStateOf, createTestChain } from './test-chain.js'
import { executeMsg, instantiateMsg, storeMsg } from './wasm-messages.js'

/** Of the stack budget, 65,536 units: what a frame uses besides its locals, and what is left for the entry point. */
const [frame, entryPoint] = [12, 400]

const okAt = 3000

/** A contract that uses up its stack budget and then sends itself the same message again. */
function descender(self: string): Uint8Array {
  const locals = 90
  const levels = Math.floor((65_536 - entryPoint) / (frame + locals))
  const again = { wasm: { execute: { contract_addr: self, msg: bytesToBase64(utf8ToBytes('{}')), funds: [] } } }
  const messages = [{ id: 1, msg: again, gas_limit: null, reply_on: 'never' }]
  const answer = JSON.stringify({ ok: { messages, attributes: [], events: [], data: null } })
  const down: FunctionSpec = {
    ...{ params: [type.i32], results: [type.i32], locals: [[locals, type.i64]] },
    body: [
      ...[op.localGet(0), op.i32Eqz, op.if(op.empty, op.i32(0), op.return)],
      ...[op.localGet(0), op.i32(1), op.i32Sub, op.call(3)],
    ],
  }
  const entry = { params: [type.i32, type.i32, type.i32], results: [type.i32] }
  return buildModule({
    functions: [
      down,
      { ...entry, export: 'execute', body: [op.i32(levels), op.call(3), op.drop, op.i32(answerAt)] },
      { ...entry, export: 'instantiate', body: [op.i32(okAt)] },
    ],
    data: [...answerData(answer), ...regionAt(okAt, '{"ok":{}}')],
  })
}

/**
 * The deepest that a transaction gets the native stack: a contract at the bottom of the deepest allowed chain of messages
 * uses its whole stack budget. What the delivery answers, as text.
 */
export async function deepestCall(): Promise<string> {
  const alice = await testAccount('alice')
  const self = createAddressCodec('coin').encode(classicAddress(1n, 1n))
  const appState = appStateOf({ [alice.address]: '1000000' })
  const chain = createTestChain({ appState, wasm: addWasm(new WasmVm({ files: memoryFiles() })) })
  chain.deliver()
  for (const msg of [storeMsg(alice.address, descender(self)), instantiateMsg(alice.address, 1n)]) {
    const { code, log } = chain.deliverOne(await chain.sign(alice, [msg], { gas: 2_000_000 }))
    if (code !== 0) return log
  }
  const tx = await chain.sign(alice, [executeMsg(alice.address, self)], { gas: 100_000_000 })
  const { code, codespace, log, gasUsed } = chain.deliverOne(tx)
  return `${codespace} ${code}: ${log} (gas ${gasUsed})`
}
