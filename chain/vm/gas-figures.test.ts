import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import { memoryFiles } from './files.js'
import type { GasReport, GasScheduleName } from './gas.js'
import { encodeEnv, encodeInfo } from './json.js'
import {
  addressOf,
  beginCalls,
  cosmwasmVmEnv,
  freshInstance,
  json,
  runText,
  wasmvmEnv,
  wasmvmInfo,
} from './testing/contract.js'
import { cosmwasmVmHost, type MockHost, wasmvmHost } from './testing/mock-hosts.js'
import { haveContracts, referenceContract } from './testing/reference.js'
import { type CallResult, WasmVm } from './vm.js'

// Figures asserted by the reference's own tests, with its own contracts. See cosmwasm-vm src/instance.rs and wasmvm
// internal/api/lib_test.go.

const cosmwasmVmContract = 'cosmwasm-vm-2.2.2/hackatom.wasm'
const contracts = ['hackatom', 'cyberpunk', 'floaty_2.0'].map((name) => `wasmvm-2.3.1/${name}.wasm`)
const haveCosmwasmVm = haveContracts(cosmwasmVmContract)
const haveWasmvm = haveContracts(...contracts)

describe.skipIf(!haveCosmwasmVm)("gas of cosmwasm-vm's own tests", () => {
  const creator = addressOf('creator')
  const verifier = addressOf('verifies')
  const initMsg = utf8ToBytes(`{"verifier": "${verifier}", "beneficiary": "${addressOf('benefits')}"}`)
  const env = encodeEnv(cosmwasmVmEnv)
  const limit = 2_000_000_000n

  const start = (schedule: GasScheduleName) => {
    const instance = freshInstance(referenceContract(cosmwasmVmContract)!, { schedule, memoryPages: 256 })
    beginCalls(instance, cosmwasmVmHost([{ address: cosmwasmVmEnv.contract.address, coins: [] }]), limit)
    const info = encodeInfo({ sender: creator, funds: [{ denom: 'earth', amount: 1000n }] })
    expect(JSON.parse(runText(instance, 'instantiate', env, info, initMsg))).toHaveProperty('ok')
    return instance
  }
  const figures = [
    { schedule: '2.3.0', init: 23_165_086n, execute: 27_661_681n, query: 16_370_691n },
    { schedule: '2.3.4', init: 23_166_121n, execute: 27_662_716n, query: 16_371_956n },
  ] as const

  for (const figure of figures) {
    it(`is equal for init, execute and query under ${figure.schedule}`, () => {
      const instance = start(figure.schedule)
      expect(limit - instance.gasLeft()).toBe(figure.init)
      const before = instance.gasLeft()
      const info = encodeInfo({ sender: verifier, funds: [{ denom: 'earth', amount: 15n }] })
      expect(JSON.parse(runText(instance, 'execute', env, info, utf8ToBytes('{"release":{}}')))).toHaveProperty('ok')
      expect(before - instance.gasLeft()).toBe(figure.execute)

      const queried = start(figure.schedule)
      const beforeQuery = queried.gasLeft()
      runText(queried, 'query', env, utf8ToBytes('{"verifier":{}}'))
      expect(beforeQuery - queried.gasLeft()).toBe(figure.query)
    })
  }

  it('splits into internal and external gas', () => {
    const report = start('2.3.0').report()
    expect(report.usedExternally).toBe(251n)
    expect(report.usedInternally).toBe(23_164_835n)
    expect(report.remaining).toBe(limit - 23_165_086n)
  })
})

describe.skipIf(!haveWasmvm)("gas of wasmvm's own tests", () => {
  const limit = 500_000_000_000n
  const vm = new WasmVm({
    files: memoryFiles(),
    capabilities: ['staking', 'stargate', 'iterator', 'cosmwasm_1_1', 'cosmwasm_1_2', 'cosmwasm_1_3', 'cosmwasm_1_4'],
  })
  const store = (name: string) => vm.storeCode(referenceContract(`wasmvm-2.3.1/${name}.wasm`)!).checksum
  const instantiate = (checksum: Uint8Array, host: MockHost, sender: string, msg: object) =>
    vm.instantiate(checksum, wasmvmEnv, wasmvmInfo(sender), json(msg), { host, gasLimit: limit })
  const execute = (checksum: Uint8Array, host: MockHost, sender: string, msg: object, gasLimit = limit) =>
    vm.execute(checksum, wasmvmEnv, wasmvmInfo(sender), json(msg), { host, gasLimit })
  const dataOf = (result: CallResult) => {
    if ('error' in result) throw result.error
    return JSON.parse(bytesToUtf8(result.data)) as { ok?: unknown; error?: string }
  }
  const hostWith = (amount: string) => wasmvmHost([{ address: 'contract', coins: [{ denom: 'ATOM', amount }] }])
  const initText = utf8ToBytes('{"verifier": "fred", "beneficiary": "bob"}')
  const init = (checksum: Uint8Array, host: MockHost, sender: string, msg: Uint8Array) =>
    vm.instantiate(checksum, wasmvmEnv, wasmvmInfo(sender), msg, { host, gasLimit: limit })

  it('is equal for hackatom instantiate and execute', () => {
    const checksum = store('hackatom')
    const host = hostWith('250')
    const created = init(checksum, host, 'creator', initText)
    expect(created.gas.usedInternally).toBe(0xc6c24en)
    const released = execute(checksum, host, 'fred', { release: {} })
    expect(released.gas.usedInternally).toBe(0x14bd69bn)
    expect(dataOf(released)).toMatchObject({
      ok: { data: '8Auq', messages: [{ msg: { bank: { send: { to_address: 'bob' } } } }] },
    })
  })

  it('is equal for two contracts of one code', () => {
    const checksum = store('hackatom')
    const first = hostWith('100')
    expect(init(checksum, first, 'regen', initText).gas.usedInternally).toBe(0xc5860en)
    const second = hostWith('100')
    const other = utf8ToBytes('{"verifier": "mary", "beneficiary": "sue"}')
    expect(init(checksum, second, 'chrous', other).gas.usedInternally).toBe(0xc639ben)
    const refused = execute(checksum, first, 'mary', { release: {} })
    expect([dataOf(refused).error, refused.gas.usedInternally]).toEqual(['Unauthorized', 0xae3418n])
    expect(execute(checksum, first, 'fred', { release: {} }).gas.usedInternally).toBe(0x14b51a3n)
    expect(execute(checksum, second, 'mary', { release: {} }).gas.usedInternally).toBe(0x14b941fn)
  })

  it('uses up exactly the limit when it runs out', () => {
    const checksum = store('cyberpunk')
    const host = hostWith('0')
    expect(instantiate(checksum, host, 'creator', {}).gas.usedInternally).toBe(0x7d1e41n)
    const spent = (gas: GasReport) => gas.usedInternally + gas.usedExternally
    const cpu = execute(checksum, host, 'fred', { cpu_loop: {} }, 40_000_000n)
    expect('error' in cpu && cpu.error.message).toContain('ran out of gas')
    expect(cpu.gas.usedInternally).toBe(40_000_000n)
    const storage = execute(checksum, host, 'fred', { storage_loop: {} }, 40_000_000n)
    expect('error' in storage && storage.error.message).toContain('ran out of gas')
    expect(spent(storage.gas)).toBe(40_000_000n)
  })

  it('gives the golden hash over 10,500 float operations', () => {
    const checksum = store('floaty_2.0')
    const host = hostWith('0')
    const query = (msg: string) => vm.query(checksum, wasmvmEnv, utf8ToBytes(msg), { host, gasLimit: limit })
    const decode = (result: CallResult) => atob(String(dataOf(result).ok))
    const instructions = JSON.parse(decode(query('{"instructions":{}}'))) as string[]
    expect(instructions).toHaveLength(70)
    let transcript = ''
    for (const instruction of instructions) {
      for (let seed = 0; seed < 150; seed++) {
        const args = decode(query(`{"random_args_for":{"instruction":"${instruction}","seed":${seed}}}`))
        const result = query(`{"run":{"instruction":"${instruction}","args":${args}}}`)
        transcript += `${instruction}${seed}${'error' in result ? trapText(result.error.message, args) : debugText(decode(result))}`
      }
    }
    expect(bytesToHex(sha256(utf8ToBytes(transcript)))).toBe(
      '95f70fa6451176ab04a9594417a047a1e4d8e2ff809609b8f81099496bee2393',
    )
  })
})

/** `{"f32":123}` as Rust's Debug prints the value. The number is a 64-bit pattern, so it stays text. */
function debugText(value: string): string {
  return value.replace(/^\{"([uf]\d\d)":(\d+)\}$/, (_, type: string, bits: string) => `${type.toUpperCase()}(${bits})`)
}

/** The words wasmer has for a trap. It tells NaN from too large where V8, and so our VM, does not. */
function trapText(message: string, args: string): string {
  const text = message.replace(/: contract trapped$/, '')
  if (text !== 'invalid conversion to integer') return `Wasmer runtime error: RuntimeError: ${text}`
  const bits = BigInt(/"f\d\d":(\d+)/.exec(args)?.[1] ?? '0')
  const isNan = args.includes('"f32"')
    ? (bits & 0x7fffffffn) > 0x7f800000n
    : (bits & 0x7fffffffffffffffn) > 0x7ff0000000000000n
  return `Wasmer runtime error: RuntimeError: ${isNan ? text : 'integer overflow'}`
}
