import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { verifyEd25519 } from '@coin/wire/ed25519'
import { describe, expect, it } from 'vitest'
import type { Application } from '../application.js'
import { precommitSignBytes } from '../comet/sign-bytes.js'
import { defaultConsensusParams } from '../genesis.js'
import { emptyDisks, openEngine, testGenesis } from '../testing/open-engine.js'
import { createTally, emptyTallyDisk } from '../testing/tally-application.js'
import { verifyChain } from '../testing/verify-chain.js'
import type { CommittedBlock } from './engine.js'

const texts = (block: CommittedBlock) => block.block.txs.map(bytesToUtf8)

/** The tally with some methods changed. */
const tallyWith = (changes: (tally: Application) => Partial<Application>): Application => {
  const tally = createTally(emptyTallyDisk())
  return { ...tally, ...changes(tally) }
}

describe('blocks', () => {
  it('form a chain that a stranger can verify', async () => {
    const { engine, time, send } = openEngine()
    for (let height = 1; height <= 30; height++) {
      for (let i = 0; i < height % 4; i++) await send(`k${height}=${i}&gas=${i}&n=${i}`)
      engine.produceBlock()
      time.advance(1000)
    }
    expect(engine.blocks.height()).toBe(30)
    expect(verifyChain(engine.blocks, 'tally-1')).toBe(30)
  })

  it('take their time from the votes on the block before, strictly growing even while the clock stands still', () => {
    const { engine, time } = openEngine()
    const times = [engine.produceBlock(), engine.produceBlock(), engine.produceBlock()].map(
      ({ block }) => block.header.time,
    )
    time.advance(5000)
    engine.produceBlock()
    times.push(engine.produceBlock().block.header.time)
    const start = testGenesis.time
    expect(times).toEqual([start, start + 1_000_000n, start + 2_000_000n, start + 5_000_000_000n])
    expect(engine.blocks.commit(4)!.signatures[0]!.timestamp).toBe(start + 5_000_000_000n)
  })

  it('begin at the initial height of genesis', () => {
    const { engine } = openEngine({ genesis: { initialHeight: 1000 } })
    expect(engine.produceBlock().block.header.height).toBe(1000)
    expect(engine.produceBlock().block.lastCommit.height).toBe(1000)
    expect([engine.blocks.base(), engine.blocks.height()]).toEqual([1000, 1001])
    expect(verifyChain(engine.blocks, 'tally-1')).toBe(2)
  })

  it('can be read back whole: transactions, results and single entries of both', async () => {
    const { engine, send } = openEngine()
    for (let i = 0; i < 300; i++) await send(`k=${i}${i === 299 ? '&fail=1' : ''}`)
    const made = engine.produceBlock()
    expect(engine.blocks.block(1)).toEqual(made.block)
    expect(engine.blocks.results(1)).toEqual(made.results)
    expect(engine.blocks.tx(1, 137)).toEqual(utf8ToBytes('k=137'))
    expect(engine.blocks.txResult(1, 299)).toMatchObject({ code: 3, log: 'failed' })
    expect(engine.blocks.tx(1, 300)).toBeUndefined()
    expect(engine.blocks.heightOf(made.blockId.hash)).toBe(1)
    expect(engine.blocks.block(2)).toBeUndefined()
  })

  it('tell the application who signed the block before', () => {
    const seen: unknown[] = []
    const app = tallyWith((tally) => ({
      finalizeBlock(request) {
        seen.push(request.lastCommit)
        return tally.finalizeBlock(request)
      },
    }))
    const { engine } = openEngine({ dependencies: { app } })
    engine.produceBlock()
    engine.produceBlock()
    const { address } = engine.validator
    expect(seen).toEqual([
      { round: 0, votes: [] },
      { round: 0, votes: [{ address, power: 10n, flag: 'commit' }] },
    ])
  })

  it('are proposed by this validator even when others are in the set, in the round that is its own', () => {
    const other = { ...testGenesis.validators[0]!, pubKey: new Uint8Array(32).fill(3), power: 4n }
    const { engine } = openEngine({ genesis: { validators: [...testGenesis.validators, other] } })
    const rounds = [1, 2, 3, 4, 5, 6, 7].map(() => {
      const { header } = engine.produceBlock().block
      return engine.blocks.commit(header.height)!.round
    })
    expect(rounds).toContain(0)
    expect(rounds).toContain(1)
    expect(verifyChain(engine.blocks, 'tally-1')).toBe(7)
  })
})

describe('the application', () => {
  it('changes parameters from the next block and validators from the one after', () => {
    const newcomer = { keyType: 'ed25519', pubKey: new Uint8Array(32).fill(5), power: 1n } as const
    const params = { ...defaultConsensusParams, block: { maxBytes: 2_000_000n, maxGas: 77n }, version: { app: 9n } }
    const app = tallyWith((tally) => ({
      finalizeBlock: (request) => ({
        ...tally.finalizeBlock(request),
        ...(request.height === 2 && { validatorUpdates: [newcomer], consensusParamUpdates: params }),
      }),
    }))
    const { engine } = openEngine({ dependencies: { app } })
    for (let i = 0; i < 6; i++) engine.produceBlock()
    expect([1, 2, 3, 4, 5].map((height) => engine.blocks.validators(height)!.validators.length)).toEqual([
      1, 1, 1, 2, 2,
    ])
    expect([2, 3].map((height) => engine.blocks.consensusParams(height)!.block.maxGas)).toEqual([-1n, 77n])
    expect([2, 3].map((height) => engine.blocks.meta(height)!.header.version.app)).toEqual([0n, 9n])
    expect(verifyChain(engine.blocks, 'tally-1')).toBe(6)
  })

  it('halts the node when it throws, gives too few results or bad updates, and no block follows', () => {
    const stranger = { keyType: 'ed25519', pubKey: new Uint8Array(32), power: 0n } as const
    const faults: [Partial<ReturnType<Application['finalizeBlock']>> | 'throw', string][] = [
      ['throw', 'broken'],
      [{ txResults: [{} as never] }, '1 results for 0 transactions'],
      [{ validatorUpdates: [stranger] }, 'is to be removed but not in the set'],
      [{ consensusParamUpdates: { ...defaultConsensusParams, block: { maxBytes: 0n, maxGas: 0n } } }, 'max_bytes is 0'],
    ]
    for (const [fault, message] of faults) {
      const app = tallyWith((tally) => ({
        finalizeBlock(request) {
          if (fault === 'throw') throw new RangeError('broken')
          return { ...tally.finalizeBlock(request), ...fault }
        },
      }))
      const { engine, halts } = openEngine({ dependencies: { app } })
      expect(() => engine.produceBlock()).toThrow(message)
      expect(halts.map((error) => error.message).join()).toContain(message)
      expect(() => engine.produceBlock()).toThrow('the node has stopped making blocks')
      expect(() => engine.mempool.submit(utf8ToBytes('a=1'))).toThrow('the node has stopped making blocks')
    }
  })

  it('that refuses its own proposal gets an empty block; refusing that too halts', async () => {
    const picky = tallyWith(() => ({ processProposal: ({ txs }) => txs.length === 0 }))
    const { engine, send } = openEngine({ dependencies: { app: picky } })
    await send('a=1')
    expect(engine.produceBlock().block.txs).toEqual([])
    const impossible = openEngine({ dependencies: { app: tallyWith(() => ({ processProposal: () => false })) } })
    expect(() => impossible.engine.produceBlock()).toThrow('refused an empty block at height 1')
  })

  it('keeps as many blocks as it asks for', () => {
    const app = tallyWith((tally) => ({
      commit() {
        tally.commit()
        return { retainHeight: tally.info().lastHeight - 4 }
      },
    }))
    const { engine } = openEngine({ dependencies: { app } })
    for (let i = 0; i < 20; i++) engine.produceBlock()
    expect([engine.blocks.base(), engine.blocks.height()]).toEqual([16, 20])
    expect(engine.blocks.meta(15)).toBeUndefined()
    expect(engine.blocks.block(16)?.lastCommit.height).toBe(15)
    expect(verifyChain(engine.blocks, 'tally-1')).toBe(5)
  })
})

describe('starting', () => {
  it('goes on with the same chain', async () => {
    const disks = emptyDisks()
    const first = openEngine({ disks })
    await first.send('a=1')
    first.engine.produceBlock()
    first.engine.produceBlock()
    const second = openEngine({ disks, time: first.time })
    expect(second.engine.state()).toEqual(first.engine.state())
    second.engine.produceBlock()
    expect(verifyChain(second.engine.blocks, 'tally-1')).toBe(3)
  })

  it('runs all blocks again for an application that lost its data', async () => {
    const disks = emptyDisks()
    const first = openEngine({ disks })
    for (let i = 0; i < 5; i++) {
      await first.send(`a=${i}`)
      first.engine.produceBlock()
    }
    const tally = emptyTallyDisk()
    openEngine({ disks: { ...disks, tally } })
    expect([tally.height, bytesToHex(tally.appHash)]).toEqual([5, bytesToHex(disks.tally.appHash)])
  })

  it('refuses what does not belong together', async () => {
    const disks = emptyDisks()
    const { engine, send } = openEngine({ disks })
    await send('a=1')
    engine.produceBlock()
    engine.produceBlock()
    const ahead = { ...emptyDisks(), tally: disks.tally }
    expect(() => openEngine({ disks: ahead })).toThrow('the application is at height 2, the block store at 0')
    expect(() => openEngine({ disks, genesis: { chainId: 'other' } })).toThrow('genesis is of chain "other"')
    const stranger = tallyWith((tally) => ({
      finalizeBlock: (request) => ({ ...tally.finalizeBlock(request), appHash: new Uint8Array(32) }),
    }))
    expect(() => openEngine({ disks, dependencies: { app: stranger } })).toThrow('block 1 gives app hash 0000')
    disks.tally.appHash = new Uint8Array(32)
    expect(() => openEngine({ disks })).toThrow('with app hash 0000')
  })

  it('refuses to be a small part of a larger set, and to start without validators', () => {
    const other = { ...testGenesis.validators[0]!, pubKey: new Uint8Array(32).fill(3), power: 5n }
    expect(() => openEngine({ genesis: { validators: [...testGenesis.validators, other] } })).toThrow(
      'has power 10 of 15 at height 1, needed are more than two thirds',
    )
    expect(() => openEngine({ genesis: { validators: [other] } })).toThrow(
      /key [0-9A-F]{40} of this node is none of the 1 at/,
    )
    expect(() => openEngine({ genesis: { validators: [] } })).toThrow('no validators')
  })
})

describe('signing', () => {
  it('never signs two blocks at one height and round', () => {
    const disks = emptyDisks()
    const { engine } = openEngine({ disks })
    engine.produceBlock()
    const copy = { ...emptyDisks(), signState: disks.signState }
    const again = openEngine({ disks: copy, genesis: { appHash: new Uint8Array(3) } })
    // The block store is gone, the signature is not: another block at height 1 goes into the next round.
    again.engine.produceBlock()
    expect(again.engine.blocks.commit(1)?.round).toBe(1)
    expect(
      verifyEd25519(engine.validator.pubKey, precommitSignBytes({ ...voteOf(again), round: 0 }), signatureOf(again)),
    ).toBe(false)
    const behind = openEngine({
      disks: { ...emptyDisks(), signState: { load: () => ({ height: 9, round: 0, step: 3 }), save() {} } },
    })
    expect(() => behind.engine.produceBlock()).toThrow('height 1 round 0 is behind height 9 round 0: refusing to sign')
  })
})

const voteOf = ({ engine }: ReturnType<typeof openEngine>) => {
  const { blockId, signatures } = engine.blocks.commit(1)!
  return { chainId: 'tally-1', height: 1, blockId, timestamp: signatures[0]!.timestamp }
}
const signatureOf = ({ engine }: ReturnType<typeof openEngine>) => engine.blocks.commit(1)!.signatures[0]!.signature

describe('block production', () => {
  it('makes a block each block time, empty ones too', () => {
    const { engine, time } = openEngine()
    engine.start()
    time.advance(0)
    expect(engine.blocks.height()).toBe(1)
    time.advance(10_000)
    expect(engine.blocks.height()).toBe(11)
    engine.stop()
    time.advance(10_000)
    expect(engine.blocks.height()).toBe(11)
  })

  it('waits for the genesis time', () => {
    const { engine, time } = openEngine({
      genesis: { time: testGenesis.time + 60_000_000_000n },
      time: openEngine().time,
    })
    engine.start()
    time.advance(59_999)
    expect(engine.blocks.height()).toBe(0)
    time.advance(1)
    expect(engine.blocks.height()).toBe(1)
  })

  it('begins at once when transactions come, if it is told to', async () => {
    const { engine, time, send } = openEngine({ options: { blockAtOnce: true } })
    engine.start()
    time.advance(0)
    await send('a=1')
    time.advance(0)
    expect(engine.blocks.txs(2)).toHaveLength(1)
    time.advance(999)
    expect(engine.blocks.height()).toBe(2)
    time.advance(1)
    expect(engine.blocks.height()).toBe(3)
  })

  it('without empty blocks makes one for the transactions and one for the new app hash', async () => {
    const steady = tallyWith((tally) => {
      let pending = tally.info().lastAppHash
      return {
        finalizeBlock(request) {
          const result = tally.finalizeBlock(request)
          if (request.txs.length > 0 || pending.length === 0) pending = result.appHash
          return { ...result, appHash: pending }
        },
      }
    })
    const { engine, time, send } = openEngine({ options: { createEmptyBlocks: false }, dependencies: { app: steady } })
    engine.start()
    time.advance(60_000)
    const quiet = engine.blocks.height()
    expect(quiet).toBeLessThan(4)
    await send('a=1')
    time.advance(60_000)
    expect(engine.blocks.height()).toBe(quiet + 2)
    expect(engine.blocks.txs(quiet + 1)).toHaveLength(1)
  })

  it('delivers blocks to listeners in order, whatever one of them does', async () => {
    const { engine, send } = openEngine()
    const seen: string[][] = []
    engine.onBlock(() => {
      throw new RangeError('listener')
    })
    const end = engine.onBlock((committed) => seen.push(texts(committed)))
    await send('a=1')
    engine.produceBlock()
    engine.produceBlock()
    end()
    engine.produceBlock()
    expect(seen).toEqual([['a=1'], []])
  })
})
