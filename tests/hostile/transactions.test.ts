import { createRandom } from '@coin/base/testing/random'
import { TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody } from '../rest/rest-node.js'
import { createSender, privateKeyOf, type SignOptions, sendMessage } from '../traffic/sender.js'
import {
  blockGasMax,
  checkByRest,
  checkByRpc,
  expectOnlyFees,
  expectRefusal,
  expectUnchanged,
  type HostileNode,
  type StateView,
  startHostileNode,
} from './hostile-node.js'

const seed = Number(process.env.COIN_SEED ?? 20261121)
const chainId = 'hostile-txs-1'

let node: HostileNode
let before: StateView
/** A valid transaction of alice that is never sent: what is made of it must not work either. */
let valid: Uint8Array

beforeAll(async () => {
  node = await startHostileNode(chainId, 4)
  const [alice, bob] = node.senders
  // Both have a public key on the chain and a sequence above 0.
  for (const sender of [alice!, bob!])
    await node.deliver(sender.sign([sendMessage(sender.address, alice!.address, 1n)]))
  valid = alice!.sign([sendMessage(alice!.address, bob!.address, 5n)], { sequence: alice!.sequence, memo: 'valid' })
  await node.expectAlive()
  before = await node.view()
})
afterAll(() => node?.close())

/** Sends each, by RPC and REST in turn, some at a time; all must be refused. */
async function expectAllRefused(txs: readonly (readonly [context: string, tx: Uint8Array])[]): Promise<void> {
  const inTurn = [...txs.entries()]
  const work = async () => {
    for (let next = inTurn.shift(); next !== undefined; next = inTurn.shift()) {
      const [index, [context, tx]] = next
      const check = index % 2 === 0 || tx.length === 0 ? checkByRpc : checkByRest
      expectRefusal(await check(node, tx), context)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  await expectUnchanged(node, before)
}

describe('bytes that are no transaction', () => {
  it(`are refused when they are random (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const bytes = (length: number) => Uint8Array.from({ length }, () => random.int(256))
    const txs = Array.from(
      { length: 150 },
      (_, index) => [`random ${index}, seed ${seed}`, bytes(random.int(400))] as const,
    )
    await expectAllRefused([...txs, ['nothing', new Uint8Array(0)], ['long', bytes(50_000)]])
  })

  it('are refused wherever a valid one is cut off, or goes on', async () => {
    const cut = Array.from({ length: valid.length - 1 }, (_, index) => valid.subarray(0, index + 1))
    const longer = [Uint8Array.of(0), Uint8Array.of(8, 1), Uint8Array.of(0x22, 0)].map((tail) => [...valid, ...tail])
    await expectAllRefused([
      ...cut.map((tx) => [`cut to ${tx.length} of ${valid.length} bytes`, tx] as const),
      ...longer.map((tx) => [`with ${tx.length - valid.length} bytes more`, Uint8Array.from(tx)] as const),
      ['twice', Uint8Array.from([...valid, ...valid])],
    ])
  })

  it(`are refused when any bit of a valid one is turned (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const flip = (count: number) => {
      const tx = Uint8Array.from(valid)
      const bits = Array.from({ length: count }, () => random.int(tx.length * 8))
      for (const bit of bits) tx[bit >> 3]! ^= 1 << (bit & 7)
      return [`bits ${bits.join(', ')} turned, seed ${seed}`, tx] as const
    }
    const singles = Array.from({ length: 250 }, () => flip(1))
    const several = Array.from({ length: 100 }, () => flip(2 + random.int(6)))
    // Each once: the mempool has other words for what it sees twice at the same time.
    const different = new Map([...singles, ...several].map((one) => [Buffer.from(one[1]).toString('hex'), one]))
    different.delete(Buffer.from(valid).toString('hex'))
    await expectAllRefused([...different.values()])
  })
})

describe('a transaction that may not be included', () => {
  const raw = (tx: Uint8Array, change: Partial<TxRaw>) => TxRaw.encode({ ...TxRaw.decode(tx), ...change }).finish()

  it('is refused with the reason, and nothing is written', async () => {
    const [alice, bob] = node.senders
    const { sequence } = alice!
    const one = [sendMessage(alice!.address, bob!.address, 1n)]
    const sign = (options: SignOptions) => alice!.sign(one, { sequence, ...options })
    const stranger = createSender(privateKeyOf('stranger', 0), { chainId, prefix: 'coin', accountNumber: 0n })
    const foreign = createSender(privateKeyOf(chainId, 0), { chainId, prefix: 'cosmos', accountNumber: 0n })
    const highS = TxRaw.decode(valid).signatures[0]!.slice()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = order - BigInt(`0x${Buffer.from(highS.subarray(32)).toString('hex')}`)
    highS.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex'), 32)
    const cases: readonly (readonly [name: string, tx: Uint8Array, code: number, log: RegExp])[] = [
      ['wrong chain id', sign({ chainId: 'other-1' }), 4, /chain-id \(hostile-txs-1\)/],
      [
        'sequence too low',
        sign({ sequence: sequence - 1n }),
        32,
        new RegExp(`expected ${sequence}, got ${sequence - 1n}`),
      ],
      [
        'sequence too high',
        sign({ sequence: sequence + 1n }),
        32,
        new RegExp(`expected ${sequence}, got ${sequence + 1n}`),
      ],
      ['sequence without end', sign({ sequence: 2n ** 64n - 1n }), 32, /incorrect account sequence/],
      ['fee too low', sign({ fee: 1_999n }), 13, /got: 1999ucoin required: 2000ucoin/],
      ['no fee', sign({ fee: 0n }), 13, /required: 2000ucoin/],
      ['fee in another denom', sign({ feeDenom: 'other' }), 13, /got: 5000other required: 2000ucoin/],
      ['fee above the balance', sign({ fee: 10n ** 40n }), 5, /insufficient funds/],
      ['fee of too many bits', sign({ fee: 2n ** 256n }), 2, /tx parse error/],
      ['fee below zero', sign({ fee: -5_000n }), 13, /-5000ucoin/],
      ['no gas', sign({ gas: 0n }), 11, /out of gas in location: \w+; gasWanted: 0/],
      ['gas for half the way', sign({ gas: 20_000n }), 11, /out of gas/],
      ['more gas than a block has', sign({ gas: blockGasMax + 1n, fee: 10n ** 9n }), 41, /60000001.*60000000/],
      ['more gas than there is', sign({ gas: 2n ** 64n - 1n, fee: 10n ** 12n }), 18, /18446744073709551615 > /],
      ['long memo', sign({ memo: 'm'.repeat(257) }), 12, /256 but received 257/],
      ['huge memo', sign({ memo: 'm'.repeat(700_000) }), 12, /256 but received 700000/],
      ['expired', sign({ timeoutHeight: 1n }), 30, /block height: \d+, timeout height: 1/],
      ['no messages', alice!.sign([], { sequence }), 18, /at least one message/],
      ['no signature', raw(valid, { signatures: [] }), 15, /no signatures/],
      ['two signatures', raw(valid, { signatures: Array(2).fill(TxRaw.decode(valid).signatures[0]) }), 4, /signer/],
      ['an empty signature', raw(valid, { signatures: [new Uint8Array(0)] }), 4, /signature verification failed/],
      ['a signature of zeros', raw(valid, { signatures: [new Uint8Array(64)] }), 4, /signature verification failed/],
      [
        "the signature's other half of the curve",
        raw(valid, { signatures: [highS] }),
        4,
        /signature verification failed/,
      ],
      ['signed by another', bob!.sign(one, { sequence }), 8, /pubKey does not match signer/],
      ['nobody', stranger.sign([sendMessage(stranger.address, bob!.address, 1n)]), 9, /does not exist/],
      [
        'another prefix',
        foreign.sign([sendMessage(foreign.address, bob!.address, 1n)], { sequence }),
        2,
        /prefix "cosmos", expected "coin"/,
      ],
      ['sender that is no address', alice!.sign([sendMessage('nobody', bob!.address, 1n)], { sequence }), 2, /nobody/],
      [
        'unknown message',
        alice!.sign([{ typeUrl: '/no.such.Msg', value: new Uint8Array(9) }], { sequence }),
        2,
        /no\.such\.Msg/,
      ],
      [
        'not a message',
        alice!.sign([{ typeUrl: '/cosmos.bank.v1beta1.Params', value: new Uint8Array(0) }], { sequence }),
        6,
        /no message handler/,
      ],
      [
        'garbage in a message',
        alice!.sign([{ ...one[0]!, value: Uint8Array.of(9, 9, 9) }], { sequence }),
        2,
        /tx parse error/,
      ],
      ['too many bytes', alice!.sign([sendMessage('x'.repeat(1_100_000), '', 1n)], { sequence }), 21, /./],
    ]
    const answers = []
    for (const [name, tx, code, log] of cases) {
      // The RPC tells what the mempool refuses by itself as an error of the call.
      const checked = await (code === 21 ? checkByRest : checkByRpc)(node, tx)
      expectRefusal(checked, name)
      if (checked.code !== code || !log.test(checked.log)) answers.push([name, code, String(log), checked])
    }
    expect(answers).toEqual([])
    await expectUnchanged(node, before)
  })

  it('is refused when it was included before', async () => {
    const [, , carol, dave] = node.senders
    const tx = carol!.sign([sendMessage(carol!.address, dave!.address, 7n)])
    expect((await node.deliver(tx)).code).toBe(0)
    await node.expectAlive()
    before = await node.view()
    expect(await checkByRest(node, tx)).toMatchObject({ code: 19, codespace: 'sdk', log: 'tx already in mempool' })
    await expect(checkByRpc(node, tx)).rejects.toThrow('tx already exists in cache')
    const simulated = await node.post('/cosmos/tx/v1beta1/simulate', { tx_bytes: Buffer.from(tx).toString('base64') })
    expect(simulated.json).toEqual(
      errorBody(2, expect.stringContaining('account sequence mismatch, expected 1, got 0')),
    )
    // Signed anew with the sequence that is used up.
    const again = carol!.sign([sendMessage(carol!.address, dave!.address, 7n)], { sequence: 0n, memo: 'again' })
    expectRefusal(await checkByRpc(node, again), 'replayed sequence')
    await expectUnchanged(node, before)
  })

  it('is refused when its bytes are another encoding of the same', async () => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(valid)
    const field = (tag: number, bytes: Uint8Array, pad = 0) => {
      const length = bytes.length >= 128 ? [(bytes.length & 127) | 128, bytes.length >> 7] : [bytes.length]
      if (pad > 0) length[length.length - 1]! |= 128
      return [tag, ...length, ...Array.from({ length: pad }, (_, i) => (i === pad - 1 ? 0 : 128)), ...bytes]
    }
    const [body, auth, signature] = [field(10, bodyBytes), field(18, authInfoBytes), field(26, signatures[0]!)]
    expect(Uint8Array.from([...body, ...auth, ...signature])).toEqual(valid)
    await expectAllRefused([
      ['fields in another order', Uint8Array.from([...auth, ...body, ...signature])],
      ['a length with a needless byte', Uint8Array.from([...field(10, bodyBytes, 1), ...auth, ...signature])],
      ['a tag with a needless byte', Uint8Array.from([0x8a, 0x00, ...body.slice(1), ...auth, ...signature])],
      ['an unknown field', Uint8Array.from([...body, ...auth, ...signature, 0x2a, 1, 65])],
      ['a critical field of the body', raw(valid, { bodyBytes: Uint8Array.from([...bodyBytes, 0x2a, 1, 65]) })],
      ['a group', Uint8Array.from([...body, ...auth, ...signature, 0x2b, 0x2c])],
    ])
  })

  it('is refused when it nests without end', async () => {
    const [alice] = node.senders
    // Any in Any in Any ...
    let value = new Uint8Array(0)
    for (let depth = 0; depth < 3_000; depth++) {
      value = TxBody.encode(
        TxBody.fromPartial({ messages: [{ typeUrl: '/cosmos.tx.v1beta1.TxBody', value }] }),
      ).finish()
    }
    const tx = alice!.sign([{ typeUrl: '/cosmos.tx.v1beta1.TxBody', value }], { sequence: alice!.sequence })
    await expectAllRefused([['nested', tx]])
  })
})

describe('a transaction that fails in its block', () => {
  it('pays its fee and does nothing else', async () => {
    const [alice, bob] = node.senders
    before = await node.view()
    const send = (to: string, amount: bigint, denom?: string) => sendMessage(alice!.address, to, amount, denom)
    const cases = [
      ['more than it has', [send(bob!.address, 10n ** 30n)], 5, /insufficient funds/],
      ['another denom', [send(bob!.address, 1n, 'nothing')], 5, /insufficient funds/],
      ['nothing', [send(bob!.address, 0n)], 10, /invalid coins|amount/],
      ['less than nothing', [send(bob!.address, -5n)], 10, /invalid coins|amount/],
      ['to no address', [send('coin1nobody', 1n)], 7, /coin1nobody|invalid address/],
      ['to another chain', [send('cosmos1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3rkhcfr', 1n)], 7, /cosmos|invalid address/],
      ['the second of two', [send(bob!.address, 1n), send(bob!.address, 10n ** 30n)], 5, /message index: 1/],
      ['a bad denom', [send(bob!.address, 1n, '!')], 10, /!|invalid coins/],
    ] as const
    const wrong = []
    for (const [name, messages, code, log] of cases) {
      const delivered = await node.deliver(alice!.sign(messages))
      if (delivered.code !== code || !log.test(delivered.log)) wrong.push([name, delivered.code, delivered.log])
    }
    expect(wrong).toEqual([])
    const out = await node.deliver(alice!.sign([send(bob!.address, 1n), send(bob!.address, 1n)], { gas: 60_000n }))
    expect(out).toMatchObject({ code: 11, log: expect.stringMatching(/out of gas in location/) })
    const count = BigInt(cases.length + 1)
    await expectOnlyFees(node, before, [{ address: alice!.address, fee: 5_000n * count, count }])
  })
})
