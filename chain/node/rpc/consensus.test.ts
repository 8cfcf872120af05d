import { once } from 'node:events'
import { base64ToBytes, bytesToBase64 } from '@coin/base/bytes'
import { evidenceHash } from '@coin/engine/comet/evidence-codec'
import { doubleVote } from '@coin/engine/testing/double-vote'
import { GetLatestBlockResponse } from '@coin/wire/gen/cosmos/base/tendermint/v1beta1/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type OpenRpc, openRpc, testValidatorKey } from '../testing/open-rpc.js'
import { evidenceJson, toJsonText } from './comet-json.js'

let rpc: OpenRpc
beforeAll(async () => {
  rpc = await openRpc({ maxSubscriptionsPerClient: 20 })
  for (let i = 0; i < 3; i++) rpc.chain.engine.produceBlock()
})
afterAll(() => rpc.close())

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

describe('the state of consensus', () => {
  it('is short in consensus_state', async () => {
    const { address } = (await rpc.call('status')).validator_info
    const noVotes = { prevotes: ['nil-Vote'], prevotes_bit_array: 'BA{1:_} 0/1 = 0.00' }
    expect(await rpc.call('consensus_state')).toEqual({
      round_state: {
        'height/round/step': `${rpc.chain.engine.blocks.height() + 1}/0/1`,
        start_time: expect.stringMatching(time),
        proposal_block_hash: '',
        locked_block_hash: '',
        valid_block_hash: '',
        height_vote_set: [
          { round: 0, ...noVotes, precommits: noVotes.prevotes, precommits_bit_array: noVotes.prevotes_bit_array },
        ],
        proposer: { address, index: 0 },
      },
    })
  })

  it('is whole in dump_consensus_state, with the last commit as Go prints votes', async () => {
    const { round_state, peers } = await rpc.call('dump_consensus_state')
    const { block_id } = await rpc.call('block')
    const { validators } = await rpc.call('validators')
    const { commit } = (await rpc.call('commit')).signed_header
    expect(peers).toEqual([])
    const [sig] = commit.signatures
    const signature = Buffer.from(sig.signature, 'base64').toString('hex').toUpperCase()
    const vote =
      `Vote{0:${sig.validator_address.slice(0, 12)} ${commit.height}/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) ` +
      `${block_id.hash.slice(0, 12)} ${signature.slice(0, 12)} 000000000000 @ ${sig.timestamp}}`
    expect(round_state.last_commit).toEqual({
      votes: [vote],
      votes_bit_array: 'BA{1:x} 1/1 = 1.00',
      peer_maj_23s: {},
    })
    expect(round_state).toMatchObject({
      height: String(Number(commit.height) + 1),
      round: 0,
      step: 1,
      commit_time: expect.stringMatching(time),
      proposal: null,
      locked_round: -1,
      valid_round: -1,
      commit_round: -1,
      triggered_timeout_precommit: false,
    })
    expect(round_state.validators.validators).toEqual(validators)
    expect(round_state.validators.proposer).toEqual(validators[0])
    expect(Object.keys(round_state)).toEqual(roundStateKeys)
  })

  it('is told before the first block too', async () => {
    const young = await openRpc()
    const { round_state } = await young.call('dump_consensus_state')
    expect(round_state).toMatchObject({
      height: '1',
      commit_time: '0001-01-01T00:00:00Z',
      last_commit: null,
      last_validators: { validators: null, proposer: null },
    })
    await young.close()
  })
})

/** Of a CometBFT node, in its order. */
const roundStateKeys = [
  ...['height', 'round', 'step', 'start_time', 'commit_time', 'validators', 'proposal', 'proposal_block'],
  ...['proposal_block_parts', 'locked_round', 'locked_block', 'locked_block_parts', 'valid_round', 'valid_block'],
  ...['valid_block_parts', 'votes', 'commit_round', 'last_commit', 'last_validators', 'triggered_timeout_precommit'],
]

describe('broadcast_evidence', () => {
  it('puts evidence into the next block, for everybody to see', async () => {
    const { engine } = rpc.chain
    const evidence = doubleVote(engine, testValidatorKey, 2)
    const json = JSON.parse(toJsonText(evidenceJson(evidence)))
    const hash = bytesToBase64(evidenceHash(evidence))
    const client = await subscribed('NewEvidence')
    expect(await rpc.call('broadcast_evidence', { evidence: json })).toEqual({ hash })
    expect(await rpc.call('broadcast_evidence', [json])).toEqual({ hash })
    const uri = await rpc.get(`/broadcast_evidence?evidence=${encodeURIComponent(JSON.stringify(json))}`)
    expect(uri.json.result).toEqual({ hash })
    const { header } = engine.produceBlock().block
    const { block } = await rpc.call('block')
    expect(block.evidence.evidence).toEqual([json])
    expect(block.header.evidence_hash).not.toBe((await rpc.call('block', { height: '1' })).block.header.evidence_hash)
    const request = { path: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', data: '' }
    const { value } = (await rpc.call('abci_query', request)).response
    const { sdkBlock } = GetLatestBlockResponse.decode(base64ToBytes(value))
    expect(sdkBlock?.evidence?.evidence[0]?.duplicateVoteEvidence?.voteA?.height).toBe(2n)
    const [event] = await client.take(1)
    expect(event.result.data).toEqual({
      type: 'tendermint/event/NewEvidence',
      value: { height: String(header.height), evidence: json },
    })
    client.socket.terminate()
  })

  it('says what is wrong', async () => {
    const evidence = doubleVote(rpc.chain.engine, testValidatorKey, 1)
    const call = async (changes: Partial<typeof evidence>) => {
      const json = JSON.parse(toJsonText(evidenceJson({ ...evidence, ...changes })))
      return rpc.call('broadcast_evidence', { evidence: json })
    }
    const { voteA, voteB } = evidence
    expect(await call({ voteA: voteB, voteB: voteA })).toMatchObject({
      code: -32603,
      data: expect.stringMatching(/^evidence.ValidateBasic failed: duplicate votes in invalid order/),
    })
    expect(await call({ validatorPower: 5n })).toMatchObject({
      code: -32603,
      data: expect.stringMatching(/^failed to add evidence: validator power is 5, at height 1 it was 1/),
    })
    expect(await rpc.call('broadcast_evidence', {})).toMatchObject({ code: -32603, data: 'no evidence was provided' })
    expect(await rpc.call('broadcast_evidence', { evidence: 'x' })).toMatchObject({ code: -32602 })
    expect((await rpc.get('/broadcast_evidence?evidence={')).json.error).toMatchObject({ code: -32602 })
  })
})

describe('the steps of a round', () => {
  it('are told in their order', async () => {
    const steps =
      'NewRound NewRoundStep CompleteProposal ValidBlock Polka Lock Vote TimeoutPropose TimeoutWait Relock Unlock'
    const client = await subscribed(...steps.split(' '), 'NewBlockHeader')
    const { block, blockId } = rpc.chain.engine.produceBlock()
    const events = await client.take(12)
    const height = String(block.header.height)
    expect(events.map(({ id, result }) => [id, result.data.value.step])).toEqual([
      ['NewRound', 'RoundStepNewRound'],
      ['NewRoundStep', 'RoundStepPropose'],
      ['CompleteProposal', 'RoundStepPropose'],
      ['NewRoundStep', 'RoundStepPrevote'],
      ['ValidBlock', 'RoundStepPrevote'],
      ['Polka', 'RoundStepPrevote'],
      ['Lock', 'RoundStepPrevote'],
      ['NewRoundStep', 'RoundStepPrecommit'],
      ['Vote', undefined],
      ['NewRoundStep', 'RoundStepCommit'],
      ['NewBlockHeader', undefined],
      ['NewRoundStep', 'RoundStepNewHeight'],
    ])
    const value = (at: number) => events[at].result.data.value
    const { commit } = (await rpc.call('commit')).signed_header
    const [sig] = commit.signatures
    expect(value(0)).toEqual({
      height,
      round: 0,
      step: 'RoundStepNewRound',
      proposer: { address: sig.validator_address, index: 0 },
    })
    expect(value(2).block_id.hash).toBe(Buffer.from(blockId.hash).toString('hex').toUpperCase())
    expect(value(8)).toEqual({
      Vote: {
        type: 2,
        height,
        round: 0,
        block_id: commit.block_id,
        timestamp: sig.timestamp,
        validator_address: sig.validator_address,
        validator_index: 0,
        signature: sig.signature,
        extension: null,
        extension_signature: null,
      },
    })
    expect(value(11).height).toBe(String(block.header.height + 1))
    expect(events[4].result).toMatchObject({
      query: "tm.event='ValidBlock'",
      data: { type: 'tendermint/event/RoundState' },
      events: { 'tm.event': ['ValidBlock'] },
    })
    client.socket.terminate()
  })
})

describe('unsafe methods', () => {
  it('are not there', async () => {
    expect(await rpc.call('unsafe_flush_mempool')).toMatchObject({ code: -32601 })
    expect((await rpc.get('/dial_seeds')).status).toBe(404)
  })

  it('are there when the operator says so', async () => {
    const unsafe = await openRpc({ unsafe: true })
    expect(await unsafe.call('unsafe_flush_mempool')).toEqual({})
    expect(await unsafe.call('dial_seeds', { seeds: [] })).toMatchObject({ data: 'no seeds provided' })
    expect(await unsafe.call('dial_peers', { peers: ['a@b:1'] })).toMatchObject({
      data: expect.stringMatching(/no peers:/),
    })
    expect((await unsafe.get('/dial_seeds?seeds=["a"]')).json.error.data).toMatch(/no peers:/)
    expect(await unsafe.call('dial_seeds', { seeds: 'a' })).toMatchObject({ code: -32602 })
    await unsafe.close()
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
type Message = any

/** A client that follows these events, each subscription with the event's name as its id. */
async function subscribed(...names: readonly string[]) {
  const socket = new WebSocket(`ws://127.0.0.1:${rpc.port}/websocket`)
  const messages: Message[] = []
  let wake: () => void = () => undefined
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)))
    wake()
  })
  await once(socket, 'open')
  const take = async (count: number): Promise<Message[]> => {
    while (messages.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return messages.splice(0, count)
  }
  for (const name of names)
    socket.send(JSON.stringify({ id: name, method: 'subscribe', params: { query: `tm.event='${name}'` } }))
  await take(names.length)
  return { socket, take }
}
