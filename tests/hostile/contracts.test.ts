import { gzipSync } from 'node:zlib'
import { utf8ToBytes } from '@coin/base/bytes'
import {
  answerData,
  buildModule,
  type Code,
  type FunctionSpec,
  type ModuleSpec,
  op,
  type,
} from '@coin/vm/testing/module-builder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attribute,
  type Delivered,
  errorBody,
  instantiateMessage,
  launchContract,
  readArtifact,
  storeMessage,
} from '../rest/rest-node.js'
import { executeMessage, type Sender } from '../traffic/sender.js'
import { expectOnlyFees, type HostileNode, type StateView, startHostileNode } from './hostile-node.js'

let node: HostileNode
let owner: Sender
let attacker: Sender

const gas = 1_500_000n
const fee = 15_000n
const i32s = (count: number) => Array.from({ length: count }, () => type.i32)
/** `answerData` puts its region there. */
const answerAt = 64

const entry = (name: string, params: number, body: Code): FunctionSpec => ({
  ...{ params: i32s(params), results: [type.i32], export: name, locals: [[1, type.i32]] },
  body: [...body, op.i32(answerAt)],
})

/** A contract that can be made and asked, and does `body` in every entry point named. */
function contract(bodies: Readonly<Record<string, Code>>, extra: ModuleSpec = {}): Uint8Array {
  const all = { instantiate: [], execute: [], ...bodies }
  const functions = Object.entries(all).map(([name, body]) => entry(name, name === 'query' ? 2 : 3, body))
  const data = [...answerData('{"ok":{}}'), ...(extra.data ?? [])]
  return buildModule({ ...extra, functions: [...functions, ...(extra.functions ?? [])], data })
}

beforeAll(async () => {
  node = await startHostileNode('hostile-wasm-1', 3)
  ;[owner, attacker] = node.senders as [Sender, Sender]
  await node.deliver(attacker.sign([storeMessage(attacker.address, contract({}))], { gas, fee }))
})
afterAll(() => node?.close())

/** Sends what must fail, and checks that nothing but the fee happened. */
async function expectHarmless(
  messages: readonly { readonly name: string; readonly tx: Uint8Array; readonly code: number; readonly log: RegExp }[],
  before: StateView,
): Promise<readonly Delivered[]> {
  const wrong = []
  const all: Delivered[] = []
  for (const { name, tx, code, log } of messages) {
    const delivered = await node.deliver(tx)
    all.push(delivered)
    if (delivered.code !== code || !log.test(delivered.log)) wrong.push([name, delivered.code, delivered.log])
    if (/TypeError|RangeError|\.js:|node:|undefined/.test(delivered.log)) wrong.push([name, delivered.log])
  }
  expect(wrong).toEqual([])
  const count = BigInt(messages.length)
  await expectOnlyFees(node, before, [{ address: attacker.address, fee: fee * count, count }])
  return all
}

describe('a contract that misbehaves', () => {
  const forever: Code = [op.loop(op.empty, op.br(0))]
  const grow: Code = [op.loop(op.empty, op.i32(1), op.memoryGrow, op.drop, op.br(0))]
  const growToTrap: Code = [
    op.loop(op.empty, op.i32(16), op.memoryGrow, op.i32(-1), 0x47, op.if(op.empty, op.br(1))),
    op.unreachable,
  ]
  const divide: Code = [op.i32(1), op.i32(0), 0x6d, op.drop]
  const outOfBounds: Code = [op.i32(-4), op.i32Load(), op.drop]
  /** Index of `execute` and of the first function behind it: three standard ones, then `instantiate`. */
  const execute = 4
  const misbehaviours = (): readonly (readonly [name: string, code: Uint8Array, abci: number, log: RegExp])[] => [
    ['loops for ever', contract({ execute: forever }), 11, /out of gas/],
    ['grows memory for ever', contract({ execute: grow }), 11, /out of gas/],
    ['grows memory until it may not', contract({ execute: growToTrap }), 29, /unreachable/],
    ['traps', contract({ execute: [op.unreachable] }), 29, /unreachable/],
    ['divides by zero', contract({ execute: divide }), 29, /divi|zero/],
    ['reads behind its memory', contract({ execute: outOfBounds }), 29, /out of bounds/],
    ['calls itself for ever', contract({ execute: [...callSelf(execute)] }), 29, /stack/],
    ['answers at no region', answering([op.i32(-64)]), 29, /./],
    ['answers at null', answering([op.i32(0)]), 29, /./],
    ['answers a region that it cannot pay for', withAnswer('{"ok":{}}', 0x7fffffff), 11, /out of gas/],
    ['answers a region that is too long', withAnswer('{"ok":{}}', 70_000_000), 29, /length|long|region/],
    ['answers a region behind its memory', withAnswer('{"ok":{}}', 200_000), 29, /memory|region|bounds/],
    ['answers no JSON', withAnswer('no JSON'), 29, /./],
    ['answers JSON of another form', withAnswer('[1,2,3]'), 29, /./],
    ['answers deep JSON', withAnswer('['.repeat(30_000)), 29, /./],
    ['answers no UTF-8', withAnswer('{"ok":{"data":"\u00ff\u00fe"}}', undefined, 'latin1'), 29, /./],
    ['answers an event without a type', withAnswer('{"ok":{"events":[{"type":"","attributes":[]}]}}'), 21, /./],
    ['sends what it does not have', withAnswer(sending('1000000000000000000')), 5, /insufficient funds/],
    ['sends less than nothing', withAnswer(sending('-5')), 10, /./],
    ['sends a message of no kind', withAnswer(message('{"no_such_kind":{}}')), 20, /./],
  ]

  /** `execute` that calls itself with its own arguments. */
  function callSelf(index: number): Code {
    return [op.localGet(0), op.localGet(1), op.localGet(2), op.call(index), op.drop]
  }

  function answering(pointer: Code): Uint8Array {
    return contract({ execute: [...pointer, op.return] })
  }

  /** Answers this text; the region may claim another length. */
  function withAnswer(text: string, length?: number, encoding: 'utf8' | 'latin1' = 'utf8'): Uint8Array {
    const at = 1 << 15
    const bytes = new Uint8Array(Buffer.from(text, encoding))
    const region = new DataView(new ArrayBuffer(12))
    region.setUint32(0, at + 12, true)
    region.setUint32(4, length ?? bytes.length, true)
    region.setUint32(8, length ?? bytes.length, true)
    const data = [
      { at, bytes: new Uint8Array(region.buffer) },
      { at: at + 12, bytes },
    ]
    return contract({ execute: [op.i32(at), op.return] }, { data, memory: { min: 2 } })
  }

  function message(msg: string): string {
    return `{"ok":{"messages":[{"id":1,"msg":${msg},"gas_limit":null,"reply_on":"never"}]}}`
  }

  function sending(amount: string): string {
    const send = { to_address: attacker.address, amount: [{ denom: 'ucoin', amount }] }
    return message(JSON.stringify({ bank: { send } }))
  }

  it('ends with an error, and nothing but the fee is gone', async () => {
    const cases = misbehaviours()
    const addresses = new Map<string, string>()
    for (const [name, code] of cases) {
      const { address } = await launchContract(node, owner, code, {})
      addresses.set(name, address)
    }
    const before = await node.view()
    const messages = cases.map(([name, , code, log]) => {
      const msg = executeMessage(attacker.address, addresses.get(name)!, {}, 5n)
      return { name, code, log, tx: attacker.sign([msg], { gas, fee }) }
    })
    const delivered = await expectHarmless(messages, before)
    for (const { gas_used } of delivered) expect(Number(gas_used)).toBeLessThan(Number(gas) * 1.1)
    for (const address of addresses.values()) {
      const held = await node.get(`/cosmos/bank/v1beta1/balances/${address}`)
      expect(held.json.balances).toEqual([])
      const state = await node.get(`/cosmwasm/wasm/v1/contract/${address}/state`)
      expect(state.json.models).toEqual([])
    }
  })

  it('is not made when it misbehaves while it is made', async () => {
    const bodies: readonly (readonly [string, Code, number, RegExp])[] = [
      ['loop', forever, 11, /out of gas/],
      ['trap', [op.unreachable], 29, /unreachable/],
      ['memory', growToTrap, 29, /unreachable/],
    ]
    const codeIds: bigint[] = []
    for (const [, body] of bodies) {
      const stored = await node.deliver(
        owner.sign([storeMessage(owner.address, contract({ instantiate: body }))], { gas, fee }),
      )
      codeIds.push(BigInt(attribute(stored, 'store_code', 'code_id')))
    }
    const before = await node.view()
    const messages = bodies.map(([name, , code, log], index) => {
      const msg = instantiateMessage(attacker.address, codeIds[index]!, {})
      return { name, code, log, tx: attacker.sign([msg], { gas, fee }) }
    })
    await expectHarmless(messages, before)
    for (const codeId of codeIds) {
      expect((await node.get(`/cosmwasm/wasm/v1/code/${codeId}/contracts`)).json.contracts).toEqual([])
    }
  })

  it('cannot hold up queries', async () => {
    const queries: readonly (readonly [Code, RegExp])[] = [
      [forever, /gas/],
      [grow, /gas/],
      [[op.unreachable], /unreachable/],
    ]
    for (const [body, text] of queries) {
      const { address } = await launchContract(node, owner, contract({ query: body }), {})
      const before = await node.view()
      const { status, json } = await node.get(`/cosmwasm/wasm/v1/contract/${address}/smart/e30=`)
      expect([400, 500]).toContain(status)
      expect(json).toEqual(errorBody(expect.any(Number), expect.stringMatching(text)))
      await node.expectAlive()
      expect(await node.view()).toEqual(before)
    }
  })

  it('cannot hold up simulations', async () => {
    const { address } = await launchContract(node, owner, contract({ execute: forever }), {})
    const before = await node.view()
    const { sequence } = attacker
    const tx = attacker.sign([executeMessage(attacker.address, address, {})], { gas: 1n, sequence })
    const { status, json } = await node.post('/cosmos/tx/v1beta1/simulate', {
      tx_bytes: Buffer.from(tx).toString('base64'),
    })
    expect([status, json]).toEqual([500, errorBody(2, expect.stringMatching(/out of gas/))])
    await node.expectAlive()
    expect(await node.view()).toEqual(before)
  })

  it('leaves other contracts as they are', async () => {
    const { address } = await launchContract(node, owner, readArtifact('cw20_base'), {
      ...{ name: 'Moon', symbol: 'MOON', decimals: 6, mint: null },
      initial_balances: [{ address: owner.address, amount: '5' }],
    })
    const before = await node.view()
    const token = (msg: object) => executeMessage(attacker.address, address, msg)
    const cases = [
      ['takes what it has not', { transfer: { recipient: owner.address, amount: '1' } }, 5, /Overflow|Cannot Sub/],
      ['mints without leave', { mint: { recipient: attacker.address, amount: '1' } }, 5, /Unauthorized/],
      ['says nonsense', { no_such_message: {} }, 5, /unknown variant/],
      ['sends a number too large', { transfer: { recipient: owner.address, amount: '9'.repeat(60) } }, 5, /parsing/],
    ] as const
    await expectHarmless(
      cases.map(([name, msg, code, log]) => ({ name, code, log, tx: attacker.sign([token(msg)], { gas, fee }) })),
      before,
    )
  })
})

describe('a code that breaks a rule', () => {
  const withBody = (...body: Code): Uint8Array => buildModule({ functions: [{ body }] })
  const cases: readonly (readonly [name: string, code: Uint8Array, log: RegExp])[] = [
    [
      'imports an unknown function',
      buildModule({ imports: [{ name: 'send_mail', params: 1, results: 0 }] }),
      /import 0 "env\.send_mail" is not a function of the host/,
    ],
    [
      'imports from another module',
      buildModule({ imports: [{ module: 'wasi_snapshot_preview1', name: 'fd_write', params: 4, results: 1 }] }),
      /import 0 "wasi_snapshot_preview1\.fd_write"/,
    ],
    [
      'imports with another signature',
      buildModule({ imports: [{ name: 'db_read', params: 2, results: 1 }] }),
      /import 0 "env\.db_read" has signature ii:i/,
    ],
    ['uses SIMD', withBody(0xfd, 12, new Array<number>(16).fill(0), op.drop), /function 3.* SIMD.* at byte \d+/],
    ['uses threads', withBody(0xfe, 3, 0), /function 3.* threads.* at byte \d+/],
    ['uses bulk memory', withBody(op.i32(0), op.i32(0), op.i32(0), 0xfc, 11, 0), /function 3.* bulk memory.* at byte/],
    ['uses tail calls', withBody(0x12, 2), /function 3.* tail calls.* at byte \d+/],
    ['uses exceptions', withBody(0x06, 0x40, op.end), /function 3.* exceptions.* at byte \d+/],
    ['uses reference types', withBody(0xd0, 0x70, op.drop), /function 3.* reference types.* at byte \d+/],
    [
      'has two results',
      buildModule({ functions: [{ results: [type.i32, type.i32], body: [op.i32(1), op.i32(2)] }] }),
      /2 results/,
    ],
    ['starts with too much memory', buildModule({ memory: { min: 513 } }), /513 pages, at most 512/],
    ['has a maximum of memory', buildModule({ memory: { min: 1, max: 2 } }), /maximum must be unset/],
    ['has two memories', buildModule({ memories: 2 }), /exactly one memory, it has 2/],
    ['has a large table', buildModule({ table: { min: 1, max: 2501 } }), /table 0 .*2501 elements, at most 2500/],
    [
      'has too many imports',
      buildModule({ imports: Array(101).fill({ name: 'db_read', params: 1, results: 1 }) }),
      /101 imports, at most 100/,
    ],
    [
      'has too many parameters',
      buildModule({ functions: [{ params: i32s(101), body: [] }] }),
      /101 parameters, at most 100/,
    ],
    ['has a start function', buildModule({ start: 2 }), /start function/],
    ['has no allocate', buildModule({ without: ['allocate'] }), /"allocate" is missing/],
    ['has no marker', buildModule({ without: ['version'] }), /"interface_version_8" is missing/],
    ['needs what is not there', buildModule({ markers: ['requires_magic'] }), /"magic"/],
    ['is not valid', withBody(op.i32Add, op.drop), /invalid WebAssembly|function/],
    ['is cut off', buildModule({}).subarray(0, 40), /byte|end|section/],
    ['is no WebAssembly', utf8ToBytes('not a contract'), /not a WebAssembly module/],
    ['is of another version', Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0), /version|WebAssembly/],
    ['is broken gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3), /gzip|archive/],
    ['unpacks to too much', new Uint8Array(gzipSync(new Uint8Array(50_000_000))), /limit|max/],
  ]

  it('is refused, and the message says which and where', async () => {
    const before = await node.view()
    const messages = cases.map(([name, code, log]) => ({
      ...{ name, code: 2, log },
      tx: attacker.sign([storeMessage(attacker.address, code)], { gas, fee }),
    }))
    await expectHarmless(messages, before)
    expect(before.codes.length).toBeGreaterThan(0)
  })

  it('is refused before it is in a block when it is empty or too large', async () => {
    const before = await node.view()
    for (const [code, log] of [
      [new Uint8Array(0), /empty/],
      [new Uint8Array(820_000), /limit|819200/],
    ] as const) {
      const tx = attacker.sign([storeMessage(attacker.address, code)], { gas, fee, sequence: attacker.sequence })
      const body = { tx_bytes: Buffer.from(tx).toString('base64'), mode: 'BROADCAST_MODE_SYNC' }
      const { json } = await node.post('/cosmos/tx/v1beta1/txs', body)
      expect(json.tx_response).toMatchObject({ codespace: 'sdk', raw_log: expect.stringMatching(log) })
    }
    await node.expectAlive()
    expect(await node.view()).toEqual(before)
  })
})
