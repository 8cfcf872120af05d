import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { memoryFiles } from '../files.js'
import { type CallResult, WasmVm } from '../vm.js'
import { addressOf, cosmwasmVmEnv, json, wasmvmEnv, wasmvmInfo } from './contract.js'
import { cosmwasmVmHost, type MockHost, wasmvmHost } from './mock-hosts.js'
import { buildModule, type Code, executing, op, type } from './module-builder.js'
import { referenceContract } from './reference.js'

const limit = 1_000_000_000_000n

const outcome = (result: CallResult): string =>
  `${result.gas.usedInternally}/${result.gas.usedExternally} ${'error' in result ? result.error.message : bytesToUtf8(result.data)}`

function stateOf(host: MockHost): string {
  const entries = [...host.storage.entries].sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, value]) => `${key}=${bytesToHex(value)}`).join()
}

/** Recursion into the stack limit in three frame sizes, memory to its end, NaNs, and a loop into the gas limit. */
function handMade(fresh: boolean): string[] {
  const vm = createVm(fresh)
  const run = (code: Uint8Array): string => {
    const { checksum } = vm.storeCode(code)
    const call = { host: cosmwasmVmHost([]), gasLimit: 50_000_000_000n }
    return outcome(vm.execute(checksum, cosmwasmVmEnv, { sender: 'sender', funds: [] }, utf8ToBytes('{}'), call))
  }
  const recursion = (locals: number) => ({
    ...{ params: [type.i32], results: [type.i32], locals: [[locals, type.i64]] as const },
    body: [op.localGet(0), op.i32(1), op.i32Add, op.call(4)],
  })
  const bodies: Code[] = [
    [op.loop(op.empty, op.i32(7), op.memoryGrow, op.i32(-1), 0x47, op.brIf(0))],
    [op.loop(op.empty, op.br(0))],
    // inf / inf, stored: its bits decide whether the call traps.
    [op.i32(512), 0x43, 0, 0, 0x80, 0x7f, 0x43, 0, 0, 0x80, 0x7f, 0x95, 0x38, 2, 0],
    [op.i32(512), op.i32Load(), op.i32(0x7fc00000), 0x47, op.if(op.empty, op.nop, op.else, op.unreachable)],
  ]
  return [
    ...[0, 13, 100].map((locals) =>
      run(buildModule(executing([op.i32(0), op.call(4), op.drop], { functions: [recursion(locals)] }))),
    ),
    ...bodies.map((body) => run(buildModule(executing(body)))),
  ]
}

/** With a pool that keeps nothing, every call has a new instance. */
function createVm(fresh: boolean): WasmVm {
  return new WasmVm({ files: memoryFiles(), ...(fresh ? { pool: { perCode: 0, total: 0, pagesMax: 0 } } : {}) })
}

/** A few hundred token calls whose amounts and parties come from a small generator. */
function tokenCalls(fresh: boolean, calls: number): string[] {
  const code = referenceContract('wasmd-0.60.2/cw20_base.wasm')
  if (code === undefined) return []
  const vm = createVm(fresh)
  const { checksum } = vm.storeCode(code)
  const host = cosmwasmVmHost([])
  const names = ['a', 'b', 'c', 'd'].map(addressOf)
  const call = { host, gasLimit: limit }
  const initial = names.map((address) => ({ address, amount: '1000000' }))
  const init = { name: 'Token', symbol: 'TOK', decimals: 6, initial_balances: initial, mint: null, marketing: null }
  const out = [outcome(vm.instantiate(checksum, cosmwasmVmEnv, { sender: names[0]!, funds: [] }, json(init), call))]
  let seed = 1
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let i = 0; i < calls; i++) {
    const sender = names[next(4)]!
    const recipient = names[next(4)]!
    const amount = String(next(700_000))
    const msg = [
      { transfer: { recipient, amount } },
      { burn: { amount } },
      { send: { contract: recipient, amount, msg: '' } },
    ][next(3)]!
    out.push(outcome(vm.execute(checksum, cosmwasmVmEnv, { sender, funds: [] }, json(msg), call)))
    out.push(outcome(vm.query(checksum, cosmwasmVmEnv, json({ balance: { address: recipient } }), call)))
  }
  return [...out, stateOf(host)]
}

function referenceCalls(fresh: boolean): string[] {
  const cyberpunk = referenceContract('wasmvm-2.3.1/cyberpunk.wasm')
  const floaty = referenceContract('wasmvm-2.3.1/floaty_2.0.wasm')
  if (cyberpunk === undefined || floaty === undefined) return []
  const vm = createVm(fresh)
  const host = wasmvmHost([])
  const call = { host, gasLimit: limit }
  const { checksum } = vm.storeCode(cyberpunk)
  const execute = (msg: object) =>
    outcome(vm.execute(checksum, wasmvmEnv, wasmvmInfo('fred'), json(msg), { ...call, gasLimit: 20_000_000_000n }))
  const messages = [
    { argon2: { mem_cost: 64, time_cost: 2 } },
    { memory_loop: {} },
    { panic: {} },
    { unreachable: {} },
    { mirror_env: {} },
  ]
  const float = vm.storeCode(floaty).checksum
  const ask = (msg: string) => vm.query(float, wasmvmEnv, utf8ToBytes(msg), call)
  const answer = (result: CallResult) =>
    'error' in result ? '' : atob((JSON.parse(bytesToUtf8(result.data)) as { ok: string }).ok)
  const instructions = JSON.parse(answer(ask('{"instructions":{}}'))) as string[]
  return [
    outcome(vm.instantiate(checksum, wasmvmEnv, wasmvmInfo('fred'), utf8ToBytes('{}'), call)),
    ...messages.map(execute),
    ...instructions.flatMap((instruction) =>
      [3, 77].map((seed) => {
        const args = answer(ask(`{"random_args_for":{"instruction":"${instruction}","seed":${seed}}}`))
        return outcome(ask(`{"run":{"instruction":"${instruction}","args":${args}}}`))
      }),
    ),
  ]
}

/** One hash over everything that must not depend on V8's compiler or on whether instances are reused. */
export function tierDigest(fresh: boolean, tokenCallCount: number): string {
  const lines = [...handMade(fresh), ...tokenCalls(fresh, tokenCallCount), ...referenceCalls(fresh)]
  return `${lines.length} results, ${bytesToHex(sha256(utf8ToBytes(lines.join('\n'))))}`
}
