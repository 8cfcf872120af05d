import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { errors } from './errors.js'
import { memoryFiles } from './files.js'
import type { Host } from './host.js'
import { defaultStackUnits } from './instance.js'
import { cosmwasmVmEnv } from './testing/contract.js'
import { cosmwasmVmHost, type MockHost } from './testing/mock-hosts.js'
import {
  buildModule,
  type Code,
  executing,
  type FunctionSpec,
  type ModuleSpec,
  op,
  type,
} from './testing/module-builder.js'
import { type CallResult, WasmVm, type WasmVmOptions } from './vm.js'

const limit = 100_000_000_000n
const info = { sender: 'sender', funds: [] }
const noArgs = utf8ToBytes('{}')

function setUp(spec: ModuleSpec, options: Partial<WasmVmOptions> = {}) {
  const vm = new WasmVm({ files: memoryFiles(), ...options })
  const { checksum } = vm.storeCode(buildModule(spec))
  const host = cosmwasmVmHost([])
  const execute = (gasLimit = limit, given: Host = host) =>
    vm.execute(checksum, cosmwasmVmEnv, info, noArgs, { host: given, gasLimit })
  return { vm, checksum, host, execute }
}

const codeOf = (result: CallResult) => ('error' in result ? result.error.code : 0)
const textOf = (result: CallResult) => ('error' in result ? result.error.message : bytesToUtf8(result.data))
const used = ({ gas }: CallResult) => gas.usedInternally

/** `func` of these operators, called once by `execute`. */
const calling = (func: FunctionSpec, argument: Code = []): ModuleSpec =>
  executing([...argument, op.call(4), ...(func.results === undefined ? [] : [op.drop])], { functions: [func] })

describe('a contract call', () => {
  it('runs and answers', () => {
    const result = setUp(executing([])).execute()
    expect(textOf(result)).toBe('{"ok":{}}')
    expect(result.gas.remaining).toBe(limit - used(result))
  })

  it('is not told of more than its memory could ever hold', () => {
    const { vm, checksum, host } = setUp(executing([]))
    // Each of these is six characters when it is escaped; all of them are longer than a string may be.
    const attributes = Array.from({ length: 4 }, () => ({ key: 'k', value: '<'.repeat(30 * 2 ** 20) }))
    const ok = { events: [{ type: 'e', attributes }], data: undefined, msgResponses: [] }
    const reply = { gasUsed: 0, id: 1n, result: { ok }, payload: new Uint8Array(0) }
    const result = vm.reply(checksum, cosmwasmVmEnv, reply, { host, gasLimit: limit })
    expect([codeOf(result), used(result)]).toEqual([errors.protocol.code, 0n])
    expect(textOf(result)).toContain('reply of 125829125 bytes, a contract has at most 33554432')
  })

  it('charges every operator as the schedule says', () => {
    const plain = used(setUp(executing([])).execute())
    const cost = (...body: Code) => used(setUp(executing(body)).execute()) - plain
    expect(cost(op.nop)).toBe(115n)
    expect(cost(op.nop, op.nop, op.i32(1), op.drop)).toBe(4n * 115n)
    // `block` is an ordinary operator, its end is accounting.
    expect(cost(op.block(op.empty, op.nop))).toBe(115n + 115n + 1610n)
    expect(cost(op.loop(op.empty, op.nop))).toBe(1610n + 115n + 1610n)
    expect(cost(op.i32(1), op.if(op.empty, op.nop, op.else, op.nop, op.nop))).toBe(115n + 1610n + 115n + 1610n)
    expect(cost(op.i32(0), op.if(op.empty, op.nop, op.else, op.nop, op.nop))).toBe(115n + 1610n + 230n + 1610n)
    expect(cost(op.memorySize, op.drop)).toBe(230n)
    expect(cost(op.i32(1), op.memoryGrow, op.drop)).toBe(345n)
  })

  it('charges many locals only under 2.3.4', () => {
    const spec = (count: number) => executing([], {}, [[count, type.i32]])
    const cost = (count: number, gasSchedule: '2.3.0' | '2.3.4') => used(setUp(spec(count), { gasSchedule }).execute())
    expect(cost(100, '2.3.0')).toBe(cost(0, '2.3.0'))
    expect(cost(29, '2.3.4')).toBe(cost(0, '2.3.4'))
    expect(cost(30, '2.3.4') - cost(0, '2.3.4')).toBe(115n)
    expect(cost(100, '2.3.4') - cost(0, '2.3.4')).toBe(71n * 115n)
  })

  it('fails for what the contract does not export, and after the arguments were paid for', () => {
    const { vm, checksum, host } = setUp(executing([]))
    const missing = vm.query(checksum, cosmwasmVmEnv, noArgs, { host, gasLimit: limit })
    expect(textOf(missing)).toContain('does not export a function "query"')
    expect(used(missing)).toBeGreaterThan(0n)
    expect(() => vm.analyze(new Uint8Array(32))).toThrow('no such code')
  })
})

describe('a hostile contract', () => {
  it('that loops for ever uses its gas and no more', () => {
    const result = setUp(executing([op.loop(op.empty, op.br(0))])).execute(50_000_000n)
    expect(codeOf(result)).toBe(errors.outOfGas.code)
    expect(result.gas).toMatchObject({ remaining: 0n, usedInternally: 50_000_000n })
  })

  it('that loops without accounting operators in between pays for the loop', () => {
    const body = [op.loop(op.empty, new Array<number>(200).fill(op.nop), op.i32(1), op.brIf(0))]
    expect(codeOf(setUp(executing(body)).execute(50_000_000n))).toBe(errors.outOfGas.code)
  })

  it('that asks for memory without end gets 512 pages, each time anew', () => {
    // Counts pages until memory.grow fails, then traps unless there were exactly 511 more.
    const count = executing(
      [
        op.loop(
          op.empty,
          op.i32(1),
          op.memoryGrow,
          op.i32(-1),
          0x47,
          op.if(op.empty, op.localGet(3), op.i32(1), op.i32Add, op.localSet(3), op.br(1)),
        ),
        ...[op.localGet(3), op.i32(511), 0x47, op.if(op.empty, op.unreachable)],
        ...[op.memorySize, op.i32(512), 0x47, op.if(op.empty, op.unreachable)],
      ],
      {},
      [[1, type.i32]],
    )
    const { execute } = setUp(count)
    const results = Array.from({ length: 3 }, () => execute())
    expect(results.map(textOf)).toEqual(Array(3).fill('{"ok":{}}'))
    expect(new Set(results.map(used)).size).toBe(1)
  })

  it('that asks for all memory at once gets -1', () => {
    const body = [op.i32(-1), op.memoryGrow, op.i32(-1), 0x47, op.if(op.empty, op.unreachable)]
    expect(textOf(setUp(executing(body)).execute())).toBe('{"ok":{}}')
  })

  it('that recurses meets the stack limit at the same depth every time, in every frame size', () => {
    const recursion = (locals: number): FunctionSpec => ({
      ...{ params: [type.i32], results: [type.i32], locals: [[locals, type.i64]] },
      body: [op.localGet(0), op.i32(1), op.i32Add, op.call(4)],
    })
    for (const locals of [0, 10, 100]) {
      const { execute } = setUp(calling(recursion(locals), [op.i32(0)]))
      const results = [execute(), execute(), execute()]
      expect(results.map(codeOf)).toEqual(Array(3).fill(errors.stackLimit.code))
      expect(new Set(results.map(used)).size).toBe(1)
      // One level: get, const, add, call; frame: 8 + 1 parameter + locals + 2 operands.
      const depth = Number(
        (used(results[0]!) - used(setUp(executing([op.nop, op.nop])).execute())) / (3n * 115n + 1610n),
      )
      // The finished call with which it is compared also read its answer, which costs as much as about 105 levels.
      expect(depth).toBeGreaterThan(defaultStackUnits / (11 + locals) - 125)
      expect(depth).toBeLessThan(defaultStackUnits / (11 + locals) - 85)
    }
  })

  it('that recurses within the limit may', () => {
    const down: FunctionSpec = {
      ...{ params: [type.i32], results: [type.i32] },
      body: [
        op.localGet(0),
        op.i32Eqz,
        op.if(op.empty, op.i32(7), op.return),
        op.localGet(0),
        op.i32(1),
        op.i32Sub,
        op.call(4),
      ],
    }
    const { execute } = setUp(calling(down, [op.i32(4000)]))
    expect(textOf(execute())).toBe('{"ok":{}}')
    // What `return` gives back to the budget is all there for the next call.
    expect(
      textOf(
        setUp(
          executing(
            Array.from({ length: 20 }, () => [op.i32(4000), op.call(4), op.drop]),
            { functions: [down] },
          ),
        ).execute(),
      ),
    ).toBe('{"ok":{}}')
  })

  it('that traps is told apart from one that runs out', () => {
    const trap = (...body: Code) => textOf(setUp(executing(body)).execute())
    expect(trap(op.unreachable)).toContain('unreachable: contract trapped')
    expect(trap(op.i32(1), op.i32(0), 0x6d, op.drop)).toContain('integer divide by zero')
    expect(trap(op.i32(-2147483648), op.i32(-1), 0x6d, op.drop)).toContain('integer overflow')
    expect(trap(op.i32(-4), op.i32Load(), op.drop)).toContain('out of bounds memory access')
    expect(trap(0x43, 0, 0, 0xc0, 0x7f, 0xa8, op.drop)).toContain('invalid conversion to integer')
  })

  it('keeps what a trap had used', () => {
    const result = setUp(
      executing([...new Array<number>(50).fill(op.nop), op.block(op.empty), op.unreachable]),
    ).execute()
    const plain = used(setUp(executing([op.block(op.empty)])).execute())
    // The 50 operators were charged at the block's end; what follows it was not reached.
    expect(used(result)).toBeLessThan(plain + 50n * 115n)
    expect(used(result)).toBeGreaterThan(50n * 115n)
  })

  it('that answers with a bad region is refused', () => {
    const answering = (pointer: number, region: readonly number[] = []): string => {
      const bytes = new Uint8Array(12)
      const view = new DataView(bytes.buffer)
      for (const [index, value] of region.entries()) view.setUint32(index * 4, value, true)
      const execute: FunctionSpec = {
        params: [type.i32, type.i32, type.i32],
        results: [type.i32],
        export: 'execute',
        body: [op.i32(pointer)],
      }
      return textOf(setUp({ functions: [execute], data: [{ at: 200, bytes }] }).execute())
    }
    expect(answering(0)).toContain('offset zero')
    expect(answering(65_530)).toContain('no region at 65530: outside of the memory')
    expect(answering(-1)).toContain('no region at 4294967295')
    expect(answering(200, [300, 4, 5])).toContain('length 5 exceeds capacity 4')
    expect(answering(200, [0xffffffff, 10, 5])).toContain('exceeds the address space')
    expect(answering(200, [65_000, 10_000, 9_000])).toContain('9000 bytes at 65000 are outside of the memory')
    expect(answering(200, [300, 0xf0000000, 0xe0000000])).toMatch(/has 3758096384 bytes, at most|ran out of gas/)
  })

  it('whose allocate gives nothing is refused', () => {
    const spec: ModuleSpec = {
      without: ['allocate'],
      functions: [{ params: [type.i32], results: [type.i32], export: 'allocate', body: [op.i32(0)] }],
    }
    expect(textOf(setUp(spec).execute())).toContain('zero address')
  })

  it('whose allocate calls the host again is stopped at the second level', () => {
    const imports = [{ name: 'db_read', params: 1, results: 1 }]
    const spec = executing([op.i32(64), op.call(0), op.drop], {
      imports,
      without: ['allocate'],
      functions: [
        {
          ...{ params: [type.i32], results: [type.i32], export: 'allocate' },
          // The arguments get memory; what db_read finds does not before it has read again.
          body: [
            op.globalGet(1),
            op.if(op.empty, op.i32(64), op.call(0), op.drop),
            op.i32(1),
            op.globalSet(1),
            op.localGet(0),
            op.call(1),
          ],
        },
      ],
      globals: [0],
    })
    const { execute, host } = setUp(spec)
    host.storage.entries.set('7b226f6b223a7b7d7d', utf8ToBytes('value'))
    expect(textOf(execute())).toContain('call depth exceeds the limit')
  })
})

describe('host functions', () => {
  const storing = (name: string, params: number, results: number, args: Code): ModuleSpec =>
    executing([...args, op.call(0), ...(results === 0 ? [] : [op.drop])], { imports: [{ name, params, results }] })

  it('are not let near the storage while answering a query', () => {
    const write = storing('db_write', 2, 0, [op.i32(64), op.i32(64)])
    const entry = { ...write.functions![0]!, params: [type.i32, type.i32], export: 'query' }
    const { vm, checksum, host } = setUp({ ...write, functions: [entry] })
    expect(textOf(vm.query(checksum, cosmwasmVmEnv, noArgs, { host, gasLimit: limit }))).toContain(
      'cannot write to the storage during a query',
    )
    expect(host.storage.entries.size).toBe(0)
  })

  it('charge the call, the regions and what the chain says', () => {
    const { execute } = setUp(storing('db_write', 2, 0, [op.i32(64), op.i32(64)]))
    const plain = used(setUp(executing([op.i32(0), op.drop, op.i32(0), op.drop])).execute())
    const result = execute()
    // Key and value are the 9 bytes of the answer: twice 200,000 + 9 * 115, the host call, and the call operator.
    expect(result.gas.usedExternally).toBe(18n)
    expect(used(result) - plain).toBe(18_000n + 2n * (200_000n + 9n * 115n) + 1610n - 2n * 115n)
  })

  it('end the call when the chain has no gas left, or fails', () => {
    const { execute, host } = setUp(storing('db_read', 1, 1, [op.i32(64)]))
    const throwing = (error: Error): MockHost => ({
      ...host,
      storage: Object.assign(Object.create(host.storage), {
        get: () => {
          throw error
        },
      }),
    })
    expect(codeOf(execute(limit, throwing(errors.outOfGas('ReadFlat'))))).toBe(errors.outOfGas.code)
    expect(textOf(execute(limit, throwing(errors.host('disk is gone'))))).toContain('disk is gone')
    // Our own bugs are nobody's error: they go through.
    expect(() => execute(limit, throwing(new TypeError('bug')))).toThrow(TypeError)
    expect(textOf(execute())).toBe('{"ok":{}}')
  })

  it('refuse keys and values that are too long', () => {
    const region = new Uint8Array(12)
    const view = new DataView(region.buffer)
    view.setUint32(0, 1000, true)
    view.setUint32(4, 65_537, true)
    view.setUint32(8, 65_537, true)
    const spec = { ...storing('db_read', 1, 1, [op.i32(300)]), memory: { min: 2 } }
    expect(textOf(setUp({ ...spec, data: [...spec.data!, { at: 300, bytes: region }] }).execute())).toContain(
      'key has 65537 bytes, at most 65536',
    )
  })

  it("abort with the contract's words and pay for reading them", () => {
    const result = setUp(storing('abort', 1, 0, [op.i32(64)])).execute()
    expect(textOf(result)).toBe('{"ok":{}}: aborted')
    expect(used(result)).toBeGreaterThan(18_000n + 200_000n + 28_700n)
  })

  it('hand out iterators by number', () => {
    const scan = { name: 'db_scan', params: 3, results: 1 }
    const next = { name: 'db_next', params: 1, results: 1 }
    const body: Code = [op.i32(0), op.i32(0), op.i32(1), op.call(0), op.call(1), op.drop]
    expect(textOf(setUp(executing(body, { imports: [scan, next] })).execute())).toBe('{"ok":{}}')
    const unknown: Code = [op.i32(5), op.call(1), op.drop]
    expect(textOf(setUp(executing(unknown, { imports: [scan, next] })).execute())).toContain(
      'iterator with ID 5 does not exist',
    )
    const order: Code = [op.i32(0), op.i32(0), op.i32(3), op.call(0), op.drop]
    expect(textOf(setUp(executing(order, { imports: [scan, next] })).execute())).toContain('order of a scan is 3')
  })
})

describe('used instances', () => {
  it('are as good as new: memory, globals, page count and gas', () => {
    // Traps unless memory and global are what a fresh instance has; then spoils both and grows by one page.
    const spec = executing(
      [
        ...[op.globalGet(1), op.i32(41), 0x47, op.if(op.empty, op.unreachable)],
        ...[op.i32(3000), op.i32Load(), op.if(op.empty, op.unreachable)],
        ...[op.i32(2000), op.i32Load(), op.i32(0x04030201), 0x47, op.if(op.empty, op.unreachable)],
        ...[op.i32(1), op.memoryGrow, op.i32(1), 0x47, op.if(op.empty, op.unreachable)],
        ...[op.i32(70_000), op.i32Load(), op.if(op.empty, op.unreachable)],
        ...[op.i32(3000), op.i32(-1), op.i32Store(), op.i32(2000), op.i32(-1), op.i32Store()],
        ...[op.i32(70_000), op.i32(-1), op.i32Store(), op.i32(7), op.globalSet(1)],
      ],
      { globals: [41], data: [{ at: 2000, bytes: Uint8Array.of(1, 2, 3, 4) }] },
    )
    const { vm, execute } = setUp(spec)
    const results = Array.from({ length: 5 }, () => execute())
    expect(results.map(textOf)).toEqual(Array(5).fill('{"ok":{}}'))
    expect(new Set(results.map(used)).size).toBe(1)
    expect(vm.idleInstances()).toBe(1)
  })

  it('that have grown beyond their start are thrown away', () => {
    const { vm, execute } = setUp(executing([op.i32(3), op.memoryGrow, op.drop]))
    expect(textOf(execute())).toBe('{"ok":{}}')
    expect(vm.idleInstances()).toBe(0)
  })

  it('are kept up to the limits', () => {
    const pool = { perCode: 1, total: 2, pagesMax: 64 }
    const vm = new WasmVm({ files: memoryFiles(), pool })
    const host = cosmwasmVmHost([])
    for (const marker of ['requires_iterator', 'requires_staking', 'requires_stargate']) {
      const { checksum } = vm.storeCode(buildModule({ ...executing([]), markers: [marker] }))
      for (let i = 0; i < 2; i++) vm.execute(checksum, cosmwasmVmEnv, info, noArgs, { host, gasLimit: limit })
    }
    expect(vm.idleInstances()).toBe(2)
    const large = vm.storeCode(buildModule({ ...executing([]), memory: { min: 100 } }))
    vm.execute(large.checksum, cosmwasmVmEnv, info, noArgs, { host, gasLimit: limit })
    expect(vm.idleInstances()).toBe(2)
  })
})
