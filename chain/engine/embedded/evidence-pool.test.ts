import { bytesToHex } from '@coin/base/bytes'
import { signEd25519 } from '@coin/wire/ed25519'
import { describe, expect, it } from 'vitest'
import type { FinalizeBlock } from '../application.js'
import {
  type DuplicateVoteEvidence,
  type LightClientAttackEvidence,
  misbehaviorOf,
  voteTypes,
} from '../comet/evidence.js'
import { evidenceHash, evidenceListHash } from '../comet/evidence-codec.js'
import { headerHash } from '../comet/hashes.js'
import { voteSignBytes } from '../comet/sign-bytes.js'
import { blockIdFlags, type Header } from '../comet/types.js'
import { defaultConsensusParams } from '../genesis.js'
import { doubleVote as doubleVoteOf } from '../testing/double-vote.js'
import { type Disks, emptyDisks, openEngine, testGenesis, testKey } from '../testing/open-engine.js'
import { createTally } from '../testing/tally-application.js'
import { verifyChain } from '../testing/verify-chain.js'
import type { EmbeddedEngine } from './engine.js'

const doubleVote = (engine: EmbeddedEngine, height: number, seed?: number) =>
  doubleVoteOf(engine, testKey, height, seed)

/** A block that the validator has signed and that is not in the chain: one of its own with something changed. */
function attack(engine: EmbeddedEngine, common: number, changes: Partial<Header>): LightClientAttackEvidence {
  const real = engine.blocks.meta(Math.min(changes.height ?? 3, engine.blocks.height()))!.header
  const header: Header = { ...real, ...changes }
  const { height, time: timestamp, chainId } = header
  const blockId = { hash: headerHash(header), parts: { total: 1, hash: new Uint8Array(32) } }
  const { round } = engine.blocks.commit(real.height)!
  const { address: validatorAddress } = engine.validator
  const signature = signEd25519(
    testKey,
    voteSignBytes(voteTypes.precommit, { chainId, height, round, blockId, timestamp }),
  )
  const signatures = [{ flag: blockIdFlags.commit, validatorAddress, timestamp, signature }]
  const { validators } = engine.blocks.validators(real.height)!
  return {
    kind: 'light_client_attack',
    conflictingBlock: { header, commit: { height, round, blockId, signatures }, validators, proposer: validators[0]! },
    commonHeight: common,
    byzantineValidators: validators,
    totalPower: 10n,
    timestamp: engine.blocks.meta(common)!.header.time,
  }
}

/** An engine with `blocks` blocks, and what its application was asked to run. */
function open(
  blocks: number,
  changes: { disks?: Disks; evidence?: Partial<(typeof defaultConsensusParams)['evidence']> } = {},
) {
  const disks = changes.disks ?? emptyDisks()
  const tally = createTally(disks.tally)
  const seen: FinalizeBlock[] = []
  const app = {
    ...tally,
    finalizeBlock(request: FinalizeBlock) {
      seen.push(request)
      return tally.finalizeBlock(request)
    },
  }
  const evidence = { ...defaultConsensusParams.evidence, ...changes.evidence }
  const consensusParams = { ...defaultConsensusParams, evidence }
  const opened = openEngine({ disks, genesis: { consensusParams }, dependencies: { app } })
  for (let i = 0; i < blocks; i++) opened.engine.produceBlock()
  return { ...opened, disks, seen }
}

describe('evidence that is added', () => {
  it('is in the next block, is told to the application, and the chain verifies', () => {
    const { engine, seen } = open(3)
    const evidence = doubleVote(engine, 2)
    expect(engine.addEvidence(evidence)).toEqual(evidenceHash(evidence))
    const { block } = engine.produceBlock()
    expect(block.evidence).toEqual([evidence])
    expect(block.header.evidenceHash).toEqual(evidenceListHash([evidence]))
    expect(seen.at(-1)?.misbehavior).toEqual(misbehaviorOf(evidence))
    expect(seen.at(-1)?.misbehavior).toMatchObject([{ kind: 'duplicate_vote', height: 2, power: 10n, totalPower: 10n }])
    expect(engine.blocks.block(4)).toEqual(block)
    expect(engine.produceBlock().block.evidence).toEqual([])
    expect(verifyChain(engine.blocks, testGenesis.chainId)).toBe(5)
  })

  it('is known the second time, waiting or committed, and comes into one block only', () => {
    const { engine } = open(3)
    const evidence = doubleVote(engine, 2)
    const hash = engine.addEvidence(evidence)
    expect(engine.addEvidence(evidence)).toEqual(hash)
    expect(engine.produceBlock().block.evidence).toHaveLength(1)
    expect(engine.addEvidence(evidence)).toEqual(hash)
    expect(engine.produceBlock().block.evidence).toEqual([])
  })

  it('makes a block come, also when empty ones are off', () => {
    const { engine, time } = openEngine({ options: { createEmptyBlocks: false, blockAtOnce: true } })
    engine.start()
    time.advance(10_000)
    const height = engine.blocks.height()
    engine.addEvidence(doubleVote(engine, height))
    time.advance(1)
    expect(engine.blocks.block(height + 1)?.evidence).toHaveLength(1)
  })

  it('is there after a restart, waiting or committed', () => {
    const disks = emptyDisks()
    const before = open(3, { disks })
    const [waiting, committed] = [doubleVote(before.engine, 2), doubleVote(before.engine, 1)]
    before.engine.addEvidence(committed)
    before.engine.produceBlock()
    before.engine.addEvidence(waiting)
    const after = open(0, { disks })
    after.engine.addEvidence(committed)
    expect(after.engine.produceBlock().block.evidence).toEqual([waiting])
    expect(open(1, { disks }).engine.blocks.block(6)?.evidence).toEqual([])
  })

  it('is told again when blocks are run again from the beginning', () => {
    const disks = emptyDisks()
    const { engine } = open(2, { disks })
    const evidence = doubleVote(engine, 1)
    engine.addEvidence(evidence)
    engine.produceBlock()
    engine.produceBlock()
    const { seen } = open(0, { disks: { ...disks, tally: emptyDisks().tally } })
    expect(seen.map(({ misbehavior }) => misbehavior.length)).toEqual([0, 0, 1, 0])
  })

  it('comes in the order of its height, as much as a block may have', () => {
    const one = doubleVote(open(3).engine, 1)
    const { engine } = open(4, { evidence: { maxBytes: 1000n } })
    const [second, first, third] = [doubleVote(engine, 2), one, doubleVote(engine, 3)]
    for (const evidence of [third, second, first]) engine.addEvidence(evidence)
    const heights = () =>
      engine.produceBlock().block.evidence.map((it) => it.kind === 'duplicate_vote' && it.voteA.height)
    expect([heights(), heights(), heights()]).toEqual([[1, 2], [3], []])
  })
})

describe('an attack on a light client', () => {
  const other = new Uint8Array(32).fill(66)

  it.each([
    ['two blocks of a height', 3, { height: 3, dataHash: other }],
    ['a made-up state', 1, { height: 3, appHash: other }],
    ['a block of the future with a time of the past', 2, { height: 50, appHash: other }],
  ])('%s, is in the next block and told to the application', (_, common, changes) => {
    const { engine, seen } = open(4)
    const evidence = attack(engine, common, changes)
    expect(engine.addEvidence(evidence)).toEqual(evidenceHash(evidence))
    expect(engine.produceBlock().block.evidence).toEqual([evidence])
    expect(engine.blocks.block(5)?.evidence).toEqual([evidence])
    expect(seen.at(-1)?.misbehavior).toMatchObject([{ kind: 'light_client_attack', height: common, power: 10n }])
    expect(verifyChain(engine.blocks, testGenesis.chainId)).toBe(5)
  })

  it('is refused where there is none', () => {
    const { engine } = open(4)
    const add = (common: number, changes: Partial<Header>) => () => engine.addEvidence(attack(engine, common, changes))
    const { time } = engine.blocks.meta(4)!.header
    expect(add(3, { height: 3 })).toThrow('is in the chain: nothing conflicts')
    expect(add(3, { height: 3, appHash: other })).toThrow('must be derived from the same state')
    expect(add(2, { height: 50, time: time + 1n })).toThrow('is before conflicting block time')
    expect(add(2, { height: 1, appHash: other })).toThrow("common height 2 is ahead of the conflicting block's 1")
    const { byzantineValidators, ...rest } = attack(engine, 1, { appHash: other })
    expect(() => engine.addEvidence({ ...rest, byzantineValidators: [] })).toThrow('expected 1 byzantine validators')
    expect(byzantineValidators).toHaveLength(1)
  })
})

describe('evidence is refused, with the reason', () => {
  it('when it does not fit to the chain', () => {
    const { engine } = open(3)
    const good = doubleVote(engine, 2)
    const add = (changes: Partial<DuplicateVoteEvidence>) => () => engine.addEvidence({ ...good, ...changes })
    const at = (height: number) => ({
      voteA: { ...good.voteA, height },
      voteB: { ...good.voteB, height },
    })
    expect(add({ timestamp: good.timestamp + 1n })).toThrow('different time to the block it is associated with')
    expect(add(at(4))).toThrow("don't have header #4")
    expect(add(at(1))).toThrow('different time')
    expect(add({ validatorPower: 11n })).toThrow('validator power is 11, at height 2 it was 10')
    expect(add({ totalPower: 11n })).toThrow('total voting power is 11')
    expect(add({ voteB: { ...good.voteB, signature: good.voteA.signature } })).toThrow('verifying VoteB')
    expect(add({ voteA: good.voteB, voteB: good.voteA })).toThrow('invalid order')
    expect(engine.produceBlock().block.evidence).toEqual([])
  })

  it('when it is too old in blocks and in time, and then what waits goes too', () => {
    const age = { maxAgeNumBlocks: 3n, maxAgeDurationNs: 3_000_000n }
    const { engine } = open(2, { evidence: { ...age, maxBytes: 500n } })
    const [old, young, younger] = [doubleVote(engine, 1), doubleVote(engine, 2), doubleVote(engine, 2, 5)]
    for (const evidence of [young, younger]) engine.addEvidence(evidence)
    for (let i = 0; i < 2; i++) engine.produceBlock()
    expect(engine.blocks.block(3)?.evidence).toHaveLength(1)
    expect(engine.blocks.block(4)?.evidence).toHaveLength(1)
    engine.produceBlock()
    expect(() => engine.addEvidence(old)).toThrow(
      /^evidence from height 1 \(created at: .*\) is too old; min height is 2 and/,
    )
    const waiting = doubleVote(engine, 2, 9)
    expect(engine.addEvidence(waiting)).toEqual(evidenceHash(waiting))
  })

  it('when one of it would never fit into a block, and when too much waits', () => {
    const small = open(2, { evidence: { maxBytes: 100n } }).engine
    expect(() => small.addEvidence(doubleVote(small, 1))).toThrow(
      /^it takes \d+ bytes of a block, which has at most 100/,
    )
    const { engine } = open(2)
    const vote = doubleVote(engine, 1)
    // Signatures are costly to make: other validator indices are other evidence with the same signatures.
    const other = (validatorIndex: number) => ({ ...vote, voteA: { ...vote.voteA, validatorIndex } })
    for (let i = 0; i < 1000; i++) engine.addEvidence(other(i))
    expect(() => engine.addEvidence(other(1000))).toThrow(/^1000 pieces wait, .*too much evidence waits$/)
  })

  it('when the node has halted', () => {
    const broken = () => {
      throw new RangeError('broken')
    }
    const app = { ...createTally(emptyDisks().tally), finalizeBlock: broken }
    const { engine } = openEngine({ dependencies: { app } })
    expect(() => engine.produceBlock()).toThrow()
    expect(() => engine.addEvidence({} as DuplicateVoteEvidence)).toThrow('the node has stopped making blocks')
  })
})

describe('evidence that waits too long', () => {
  it('is forgotten', () => {
    const disks = emptyDisks()
    const age = { maxAgeNumBlocks: 2n, maxAgeDurationNs: 1_000_000n }
    const { engine } = open(2, { disks, evidence: { ...age, maxBytes: 500n } })
    const all = [1, 3, 5, 7, 9].map((seed) => doubleVote(engine, 2, seed))
    const byHash = all.map((evidence) => bytesToHex(engine.addEvidence(evidence))).sort()
    const taken = Array.from({ length: 5 }, () => engine.produceBlock().block.evidence)
    expect(taken.flat().map((evidence) => bytesToHex(evidenceHash(evidence)))).toEqual(byHash.slice(0, 3))
    expect(open(1, { disks, evidence: { ...age, maxBytes: 500n } }).engine.blocks.block(8)?.evidence).toEqual([])
  })
})

describe('where consensus stands', () => {
  it('is between two blocks, with the last commit and when the next is due', () => {
    const { engine, time } = openEngine()
    expect(engine.round()).toMatchObject({ height: 1, startTime: time.clock.nowNs(), lastCommit: undefined })
    expect(engine.round().lastValidators).toBeUndefined()
    engine.start()
    time.advance(2500)
    const { height, commitTime, startTime, lastCommit, validators } = engine.round()
    expect([height, lastCommit?.height, validators.validators.length]).toEqual([4, 3, 1])
    expect(startTime - commitTime).toBe(1_000_000_000n)
    expect(time.clock.nowNs() - commitTime).toBe(500_000_000n)
  })
})

describe('a mempool that is flushed', () => {
  it('forgets what waits and what it has seen', async () => {
    const { engine, send } = openEngine()
    expect(await send('a=1')).toBe(0)
    await expect(send('a=1')).rejects.toThrow('tx already exists in cache')
    engine.flushMempool()
    expect([engine.mempool.size(), engine.mempool.sizeBytes(), engine.mempool.list(9)]).toEqual([0, 0, []])
    expect(await send('a=1')).toBe(0)
    expect(engine.produceBlock().block.txs).toHaveLength(1)
  })
})
