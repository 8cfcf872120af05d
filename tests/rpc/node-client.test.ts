import { bytesToHex } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { Comet38Client, type comet38, HttpClient, WebsocketClient } from '@cosmjs/tendermint-rpc'
import { QueryParamsResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { GetLatestBlockResponse } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { GetTxRequest, GetTxResponse, SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { newTestHome, type StartedNode, startTestNode } from './started-node.js'

let node: StartedNode
let http: Comet38Client
let socket: Comet38Client

beforeAll(async () => {
  // Blocks come at once for transactions, otherwise slowly: what a test has seen stays the last for a while.
  node = await startTestNode(newTestHome('client-1'), { 'engine.block-time': '400ms' })
  http = Comet38Client.create(new HttpClient(`http://${node.rpc}`))
  socket = Comet38Client.create(new WebsocketClient(`ws://${node.rpc}`))
  await socket.health() // CosmJS loses what it is asked for the first time on a connection that is open already
})
afterAll(async () => {
  http.disconnect()
  socket.disconnect()
  await node.close()
})

/** A signed send of `amount` from one sender to the next. */
function sendTx(amount: bigint, from = 0): Uint8Array {
  const { senders } = node.home
  return senders[from]!.sign([sendMessage(senders[from]!.address, senders[(from + 1) % 4]!.address, amount)])
}

const upperHex = (bytes: Uint8Array) => bytesToHex(bytes).toUpperCase()

/** The next value of a subscription that `accept` likes. */
function nextOf<T>(
  stream: { subscribe(listener: object): { unsubscribe(): void } },
  accept: (value: T) => boolean = () => true,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const subscription = stream.subscribe({
      next(value: T) {
        if (!accept(value)) return
        subscription.unsubscribe()
        resolve(value)
      },
      error: reject,
    })
  })
}

describe.each(['HTTP', 'WebSocket'])("CosmJS's client over %s", (transport) => {
  const client = () => (transport === 'HTTP' ? http : socket)

  it('reads the node', async () => {
    expect(await client().health()).toBeNull()
    const status = await client().status()
    expect(status.nodeInfo).toMatchObject({ network: 'client-1', moniker: 'test' })
    expect(status.syncInfo.latestBlockHeight).toBeGreaterThanOrEqual(1)
    expect(status.syncInfo.catchingUp).toBe(false)
    expect(status.validatorInfo).toMatchObject({ votingPower: 1n })
    expect((await client().genesis()).chainId).toBe('client-1')
    const info = await client().abciInfo()
    expect(info.data).toBe('coind')
    expect(info.lastBlockHeight).toBeGreaterThanOrEqual(1)
  })

  it('broadcasts, and finds what it has sent in every way', async () => {
    const first = await client().broadcastTxCommit({ tx: sendTx(1001n) })
    expect([first.checkTx.code, first.txResult?.code]).toEqual([0, 0])
    const second = sendTx(1002n)
    const checked = await client().broadcastTxSync({ tx: second })
    expect([checked.code, upperHex(checked.hash)]).toEqual([0, upperHex(sha256(second))])
    const third = sendTx(1003n)
    expect(upperHex((await client().broadcastTxAsync({ tx: third })).hash)).toBe(upperHex(sha256(third)))
    await expect(client().broadcastTxSync({ tx: third })).rejects.toThrow('tx already exists in cache')

    const found = await expectTx(client(), sha256(third))
    expect(found).toMatchObject({ result: { code: 0 }, tx: third })
    expect(found.proof).toMatchObject({ data: third, proof: { total: expect.any(Number) } })
    expect((await client().tx({ hash: first.hash })).height).toBe(first.height)

    const { address } = node.home.senders[0]!
    const query = `transfer.sender='${address}' AND tx.height>=${first.height}`
    const { txs, totalCount } = await client().txSearch({ query, per_page: 2, page: 1, order_by: 'desc' })
    expect([totalCount, txs.map(({ hash }) => upperHex(hash))]).toEqual([
      3,
      [upperHex(sha256(third)), upperHex(sha256(second))],
    ])
    expect((await client().txSearchAll({ query, per_page: 1 })).txs).toHaveLength(3)

    const results = await client().blockResults(found.height)
    expect(results.results[found.index]).toEqual(found.result)
    expect((await client().block(found.height)).block.txs[found.index]).toEqual(third)
  })

  it('reads blocks that hang together', async () => {
    await http.broadcastTxCommit({ tx: sendTx(1n, 3) })
    const { block } = await client().block()
    const height = block.header.height
    const before = await client().block(height - 1)
    expect(block.header.lastBlockId).toEqual(before.blockId)
    const { commit, header, canonical } = await client().commit(height - 1)
    expect([canonical, upperHex(commit.blockId.hash)]).toEqual([true, upperHex(before.blockId.hash)])
    expect(header).toEqual(before.block.header)
    const { blockMetas } = await client().blockchain(height - 1, height)
    expect(blockMetas.map((meta) => meta.header.height)).toEqual([height, height - 1])
    const { validators, total } = await client().validators({ height })
    expect([total, validators[0]!.votingPower]).toEqual([1, 1n])
    expect((await client().validatorsAll(height)).validators).toEqual(validators)
    expect(upperHex(validators[0]!.address)).toBe(upperHex(block.header.proposerAddress))
    const search = await client().blockSearch({ query: `block.height >= ${height - 1} AND block.height <= ${height}` })
    expect(search.blocks.map((it) => it.block.header.height)).toEqual([height - 1, height])
    expect((await client().blockSearchAll({ query: `block.height <= ${height}`, per_page: 3 })).totalCount).toBe(height)
    expect(await client().numUnconfirmedTxs()).toMatchObject({ total: 0, totalBytes: 0 })
  })

  it('asks the application, and the services of the node in the same way', async () => {
    const ask = async (path: string, data: Uint8Array = new Uint8Array(0)) => {
      const answer = await client().abciQuery({ path, data })
      expect(answer.log).toBe('')
      return answer.value
    }
    const params = QueryParamsResponse.decode(await ask('/cosmos.bank.v1beta1.Query/Params'))
    expect(params.params?.defaultSendEnabled).toBe(true)
    const latest = GetLatestBlockResponse.decode(await ask('/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock'))
    expect(latest.sdkBlock?.header?.chainId).toBe('client-1')
    const { hash } = await http.broadcastTxCommit({ tx: sendTx(2n, 2) })
    const request = GetTxRequest.encode(GetTxRequest.fromPartial({ hash: upperHex(hash) })).finish()
    const { txResponse } = GetTxResponse.decode(await ask('/cosmos.tx.v1beta1.Service/GetTx', request))
    expect(txResponse).toMatchObject({ txhash: upperHex(hash), code: 0 })
    const { senders } = node.home
    const txBytes = senders[2]!.sign([sendMessage(senders[2]!.address, senders[3]!.address, 3n)], {
      sequence: senders[2]!.sequence,
    })
    const simulation = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish()
    const { gasInfo } = SimulateResponse.decode(await ask('/cosmos.tx.v1beta1.Service/Simulate', simulation))
    expect(gasInfo?.gasUsed).toBeGreaterThan(50_000n)
    const proven = await client().abciQuery({ path: '/store/bank/key', data: Uint8Array.of(0), prove: true })
    expect(proven.proof?.ops.map(({ type }) => type)).toEqual(['ics23:iavl', 'ics23:simple'])
  })

  it('gets errors as errors', async () => {
    await expect(client().block(900_000)).rejects.toThrow('must be less than or equal to the current blockchain height')
    await expect(client().tx({ hash: new Uint8Array(32) })).rejects.toThrow(`tx (${'0'.repeat(64)}) not found`)
    await expect(client().txSearch({ query: 'nonsense query' })).rejects.toThrow('offset 9')
    const failed = await client().broadcastTxSync({ tx: Uint8Array.of(1, 2, 3) })
    expect(failed.code).not.toBe(0)
  })
})

describe('what only the thread that makes blocks knows', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
  const call = async (method: string, params: object = {}): Promise<any> => {
    const body = JSON.stringify({ id: 1, method, params })
    return (await fetch(`http://${node.rpc}`, { method: 'POST', body })).json()
  }

  it('is told by the doors: where consensus stands', async () => {
    const { result } = await call('dump_consensus_state')
    expect(result.round_state).toMatchObject({
      round: 0,
      step: 1,
      last_commit: { votes_bit_array: 'BA{1:x} 1/1 = 1.00' },
    })
    const { round_state } = (await call('consensus_state')).result
    expect(round_state['height/round/step']).toMatch(/^\d+\/0\/1$/)
  })

  it('is told by the doors: why evidence is refused', async () => {
    const { header, commit } = (await call('commit', { height: '1' })).result.signed_header
    const [sig] = commit.signatures
    const vote = (digit: string) => {
      const hash = digit.repeat(64)
      const block_id = { hash, parts: { total: 1, hash } }
      const { validator_address, timestamp, signature } = sig
      return { type: 2, height: '1', round: 0, block_id, timestamp, validator_address, validator_index: 0, signature }
    }
    const powers = { TotalVotingPower: '1', ValidatorPower: '1', Timestamp: header.time }
    const value = { vote_a: vote('1'), vote_b: vote('2'), ...powers }
    const { error } = await call('broadcast_evidence', {
      evidence: { type: 'tendermint/DuplicateVoteEvidence', value },
    })
    expect([error.code, error.data]).toEqual([
      -32603,
      'failed to add evidence: verifying VoteA: invalid signature: invalid evidence',
    ])
  })
})

/** The transaction, as soon as a block has it. */
async function expectTx(client: Comet38Client, hash: Uint8Array): Promise<comet38.TxResponse> {
  let found: comet38.TxResponse | undefined
  await expect
    .poll(async () => {
      found = await client.tx({ hash, prove: true }).catch(() => undefined)
      return found
    })
    .toBeDefined()
  return found!
}

describe("CosmJS's subscriptions", () => {
  it('tell each block', async () => {
    const first = await nextOf<comet38.NewBlockEvent>(socket.subscribeNewBlock())
    const known = await socket.block(first.header.height)
    expect(first.header).toEqual(known.block.header)
    expect(first.txs).toEqual(known.block.txs)
  })

  it('tell each header', async () => {
    const header = await nextOf<comet38.NewBlockHeaderEvent>(socket.subscribeNewBlockHeader())
    expect(header).toEqual((await socket.block(header.height)).block.header)
  })

  it('tell the transactions that a query asks for', async () => {
    const { senders } = node.home
    const seen: comet38.TxEvent[] = []
    const mine = socket.subscribeTx(`transfer.recipient='${senders[2]!.address}'`)
    const subscription = mine.subscribe({ next: (it) => void seen.push(it) })
    await socket.health() // the subscription was sent before this
    await http.broadcastTxCommit({ tx: sendTx(5n, 0) })
    const wanted = sendTx(6n, 1)
    const { height } = await http.broadcastTxCommit({ tx: wanted })
    await expect.poll(() => seen.length).toBe(1)
    subscription.unsubscribe()
    expect(seen[0]).toMatchObject({ height, tx: wanted, hash: sha256(wanted), result: { code: 0 } })
    expect(seen[0]!.result.events).toEqual((await socket.tx({ hash: sha256(wanted) })).result.events)
    await http.broadcastTxCommit({ tx: sendTx(7n, 1) })
    expect(seen).toHaveLength(1)
  })
})
