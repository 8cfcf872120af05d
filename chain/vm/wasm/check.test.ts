import { utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { buildModule, type Code, executing, type ModuleSpec, op, s, type, u } from '../testing/module-builder.js'
import { haveContracts, referenceContract } from '../testing/reference.js'
import { checkCode, defaultCodeLimits, hostFunctions } from './check.js'

const check = (spec: ModuleSpec) => checkCode(Uint8Array.from(buildModule(spec)))

/** A contract with one function of this body. */
const withBody = (...body: Code): ModuleSpec => ({ functions: [{ body }] })

describe('the static rules', () => {
  it('accept a minimal contract and say what it offers', () => {
    const { report } = check({ ...executing([]), markers: ['requires_iterator', 'requires_staking', 'requires_'] })
    expect(report.entryPoints).toEqual(['execute'])
    expect(report.requiredCapabilities).toEqual(['iterator', 'staking'])
    expect(report.hasIbcEntryPoints).toBe(false)
    expect(report.migrateVersion).toBeUndefined()
    expect(report.signatures.get('execute')).toBe('iii:i')
  })

  it('recognise IBC contracts by all six entry points', () => {
    const names = ['channel_open', 'channel_connect', 'channel_close', 'packet_receive', 'packet_ack', 'packet_timeout']
    const entry = (name: string) => ({
      ...{ params: [type.i32, type.i32], results: [type.i32], export: `ibc_${name}`, body: op.i32(0) },
    })
    expect(check({ functions: names.map(entry) }).report.hasIbcEntryPoints).toBe(true)
    expect(check({ functions: names.slice(1).map(entry) }).report.hasIbcEntryPoints).toBe(false)
  })

  it('read the migrate version', () => {
    const version = (text: string) => ({ custom: [{ name: 'cw_migrate_version', bytes: utf8ToBytes(text) }] })
    expect(check(version('18446744073709551615')).report.migrateVersion).toBe(18446744073709551615n)
    for (const bad of ['x', '', '18446744073709551616', '-1', '1.0']) {
      expect(() => check(version(bad))).toThrow(/"cw_migrate_version" at byte \d+ is not a 64-bit number/)
    }
  })

  const refused: readonly (readonly [what: string, spec: ModuleSpec, message: RegExp])[] = [
    [
      'an unknown import',
      { imports: [{ name: 'send_mail', params: 1, results: 0 }] },
      /import 0 "env\.send_mail" is not a function of the host/,
    ],
    [
      'a foreign module',
      { imports: [{ module: 'wasi', name: 'db_read', params: 1, results: 1 }] },
      /import 0 "wasi\.db_read"/,
    ],
    [
      'a wrong signature',
      { imports: [{ name: 'db_read', params: 2, results: 1 }] },
      /import 0 "env\.db_read" has signature ii:i, the host's is i:i/,
    ],
    [
      'too many imports',
      { imports: Array.from({ length: 101 }, () => ({ name: 'db_read', params: 1, results: 1 })) },
      /101 imports, at most 100/,
    ],
    ['no memory', { memory: null, without: ['memory'] }, /exactly one memory, it has 0/],
    ['two memories', { memories: 2 }, /exactly one memory, it has 2/],
    ['a large memory', { memory: { min: 513 } }, /memory starts with 513 pages, at most 512/],
    ['a maximum of memory', { memory: { min: 1, max: 10 } }, /maximum must be unset/],
    ['shared memory', { memory: { min: 1, max: 10, flag: 3 } }, /limits flag 3 .* at byte \d+/],
    ['a table without maximum', { table: { min: 1 } }, /table 0 has no maximum/],
    ['a large table', { table: { min: 1, max: 2501 } }, /table 0 may grow to 2501 elements, at most 2500/],
    ['a table of externref', { table: { min: 1, max: 2, type: 0x6f } }, /table of type 0x6f .* at byte \d+/],
    ['a start function', { start: 2 }, /start function/],
    ['no allocate', { without: ['allocate'] }, /required export "allocate" is missing/],
    ['no deallocate', { without: ['deallocate'] }, /required export "deallocate" is missing/],
    ['no memory export', { without: ['memory'] }, /required export "memory" is missing/],
    ['no marker', { without: ['version'] }, /marker export "interface_version_8" is missing/],
    ['two markers', { markers: ['interface_version_7'] }, /more than one marker export/],
    ['an old marker', { without: ['version'], markers: ['interface_version_7'] }, /"interface_version_7" is unknown/],
    [
      'an unavailable capability',
      { markers: ['requires_magic', 'requires_iterator'] },
      /unavailable capabilities: "magic"$|unavailable capabilities: "magic":/,
    ],
    [
      'a passive data segment',
      { data: [{ at: 0, bytes: new Uint8Array(1), flag: 1 }] },
      /data segment flag 1 .* at byte \d+/,
    ],
    ['a data count section', { raw: [12, 1, 0] }, /section 12 belongs to a feature .* at byte \d+/],
    [
      'too many parameters',
      { functions: [{ params: new Array<number>(101).fill(type.i32), body: [] }] },
      /type \d+ has 101 parameters, at most 100/,
    ],
    [
      'two results',
      { functions: [{ results: [type.i32, type.i32], body: [op.i32(1), op.i32(2)] }] },
      /type \d+ has 2 results, at most 1/,
    ],
    ['many locals', { functions: [{ locals: [[101, type.i32]], body: [] }] }, /function 3 has 101 locals, at most 100/],
    [
      'many locals in total',
      { functions: Array.from({ length: 101 }, () => ({ locals: [[100, type.i64]] as const, body: [] })) },
      /10\d\d\d locals in total, at most 10000/,
    ],
    [
      'many parameters in total',
      { functions: Array.from({ length: 101 }, () => ({ params: new Array<number>(100).fill(type.i32), body: [] })) },
      /10\d\d\d function parameters in total, at most 10000/,
    ],
    ['a huge function', withBody(new Array<number>(131_100).fill(op.nop)), /function 3 has \d+ bytes, at most 131072/],
    ['many globals', { globals: new Array<number>(1000).fill(0) }, /1001 globals, at most 1000/],
  ]
  it.each(refused)('refuse %s', (_, spec, message) => {
    expect(() => check(spec)).toThrow(message)
  })

  it('refuse too many functions', () => {
    const functions = Array.from({ length: 20_000 }, () => ({ body: [] }))
    expect(() => check({ functions })).toThrow(/20003 functions, at most 20000/)
  })

  const features: readonly (readonly [feature: string, body: Code])[] = [
    ['SIMD', [0xfd, 12, ...new Array<number>(16).fill(0), op.drop]],
    ['threads', [0xfe, 0x03, 0x00]],
    ['bulk memory or reference types', [op.i32(0), op.i32(0), op.i32(0), 0xfc, 0x0b, 0x00]],
    ['tail calls', [0x12, ...u(2)]],
    ['exceptions', [0x06, 0x40, op.end]],
    ['reference types', [0xd0, 0x70, op.drop]],
    ['garbage collection', [0xfb, 0x00, 0x00]],
    ['an unknown extension', [0xff]],
    ['multi-memory', [0x3f, 0x01, op.drop]],
  ]
  it.each(features)('refuse %s, naming the function and the place', (feature, body) => {
    expect(() => check(withBody(...body))).toThrow(
      new RegExp(`function 3: operator .* belongs to ${feature}, .* at byte \\d+`),
    )
  })

  it('refuse the long encoding of a table in call_indirect', () => {
    const spec = { ...withBody(op.i32(0), 0x11, 0x00, 0x80, 0x00), table: { min: 1, max: 1 } }
    expect(() => check(spec)).toThrow(/function 3: operator 0x11 belongs to reference types/)
  })

  it('refuse what V8 finds invalid before anything is rewritten', () => {
    // Both would be valid in the rewritten module, where this index is the gas counter: a contract could pay itself.
    const refill = withBody(op.i64(1_000_000), op.globalSet(1))
    expect(() => check(refill)).toThrow(/invalid WebAssembly/)
    const scratch = withBody(op.i64(1_000_000), op.localSet(0))
    expect(() => check(scratch)).toThrow(/invalid WebAssembly/)
    const hidden = withBody(op.call(4))
    expect(() => check(hidden)).toThrow(/invalid WebAssembly/)
  })

  it('refuse what is no module at all', () => {
    for (const bytes of [new Uint8Array(0), utf8ToBytes('foobar!!'), Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)]) {
      expect(() => checkCode(Uint8Array.from(bytes))).toThrow(/not a WebAssembly module|version is not 1/)
    }
    const whole = Uint8Array.from(buildModule(executing([])))
    const accepted: number[] = []
    for (let length = 8; length < whole.length; length++) {
      try {
        checkCode(whole.slice(0, length))
        accepted.push(length)
      } catch (error) {
        expect(String(error), `cut at ${length}`).toContain('static Wasm validation failed')
      }
    }
    // Cut right before the data section it is a whole module.
    expect(accepted).toHaveLength(1)
  })

  it('refuse or accept every damaged module without another error', () => {
    const whole = Uint8Array.from(buildModule(executing([op.loop(op.empty, op.localGet(0), op.brIf(0))])))
    let accepted = 0
    for (let at = 8; at < whole.length; at++) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = whole.slice()
        damaged[at]! ^= flip
        try {
          checkCode(damaged)
          accepted++
        } catch (error) {
          expect(String(error)).toContain('static Wasm validation failed')
        }
      }
    }
    expect(accepted).toBeGreaterThan(0)
  })

  it('know every host function of cosmwasm-vm 2.x', () => {
    expect(hostFunctions.size).toBe(24)
    expect(defaultCodeLimits.functions).toBe(20_000)
    expect(s(-1)).toEqual([0x7f])
  })
})

const old = 'cosmwasm-vm-2.2.2/hackatom_0.15.wasm'
const corrupted = 'cosmwasm-vm-2.2.2/corrupted.wasm'
describe.skipIf(!haveContracts(old, corrupted))("the reference's own bad contracts", () => {
  it('are refused', () => {
    expect(() => checkCode(Uint8Array.from(referenceContract(old)!))).toThrow(/marker export .* is unknown/)
    expect(() => checkCode(Uint8Array.from(referenceContract(corrupted)!))).toThrow(/static Wasm validation failed/)
  })
})
