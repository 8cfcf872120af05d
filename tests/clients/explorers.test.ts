import { base64ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { Client, credentials, status as grpcStatus, type ServiceError } from '@grpc/grpc-js'
import { GetNodeInfoResponse } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Delivered, launchContract, readArtifact } from '../rest/rest-node.js'
import { executeMessage, sendMessage } from '../traffic/sender.js'
import { type ClientNode, startClientNode } from './client-node.js'

// What explorers in the manner of Ping.pub and Mintscan fetch for their pages, and what Hermes asks of a chain when it starts.

const chainId = 'explorers-1'
const sendCount = 7
let node: ClientNode
let alice: string
let bob: string
let contract: string
const sends: Delivered[] = []
beforeAll(async () => {
  node = await startClientNode(chainId, 2)
  const [first, second] = node.addresses
  alice = first!
  bob = second!
  const token = {
    name: 'Test token',
    symbol: 'TEST',
    decimals: 6,
    initial_balances: [{ address: alice, amount: '50' }],
  }
  contract = (await launchContract(node, node.senders[0]!, readArtifact('cw20_base'), token)).address
  for (let n = 1; n <= sendCount; n++) {
    const memo = `send ${n}`
    sends.push(await node.deliver(node.senders[0]!.sign([sendMessage(alice, bob, BigInt(n))], { memo })))
  }
  await node.deliver(
    node.senders[0]!.sign([executeMessage(alice, contract, { transfer: { recipient: bob, amount: '5' } })], {
      gas: 400_000n,
    }),
  )
})
afterAll(() => node?.close())

async function get(path: string) {
  const { status, json } = await node.get(path)
  expect(status, path).toBe(200)
  return json
}

const comet = '/cosmos/base/tendermint/v1beta1'

describe('the pages of an explorer', () => {
  it('show the latest block and any other', async () => {
    const latest = await get(`${comet}/blocks/latest`)
    const height = Number(latest.block.header.height)
    const first = await get(`${comet}/blocks/1`)
    expect([latest.block.header.chain_id, first.block.header.height]).toEqual([chainId, '1'])
    const second = await get(`${comet}/blocks/2`)
    expect(second.block.header.last_block_id.hash).toBe(first.block_id.hash)
    expect(second.block.last_commit.signatures[0].validator_address).toBe(first.block.header.proposer_address)
    expect(first.sdk_block.header.proposer_address).toMatch(/^coinvalcons1/)
    const ahead = await node.get(`${comet}/blocks/${height + 1_000_000}`)
    expect([ahead.status, ahead.json.code]).toEqual([400, 3])
    expect(await get(`${comet}/syncing`)).toEqual({ syncing: false })
    expect((await get('/cosmos/base/node/v1beta1/status')).height).toMatch(/^\d+$/)
  })

  it('show the validators', async () => {
    const latest = await get(`${comet}/validatorsets/latest?pagination.limit=100&pagination.offset=0`)
    expect(latest.validators).toMatchObject([{ address: expect.stringMatching(/^coinvalcons1/), voting_power: '1' }])
    expect(latest.pagination).toEqual({ next_key: null, total: '1' })
    const first = await get(`${comet}/validatorsets/1`)
    expect([first.block_height, first.validators]).toEqual(['1', latest.validators])
  })

  it.each(['query', 'events'])('list transactions by height and by sender with %s=', async (dialect) => {
    const search = (condition: string, more = '') =>
      get(`/cosmos/tx/v1beta1/txs?${dialect}=${encodeURIComponent(condition)}${more}`)
    const memos = (found: { txs: { body: { memo: string } }[] }) => found.txs.map(({ body }) => body.memo)
    const { height, hash } = sends[2]!
    const inBlock = await search(`tx.height=${height}`)
    expect(inBlock.tx_responses.map(({ txhash }: { txhash: string }) => txhash)).toEqual([hash])
    const mine = `message.sender='${alice}' AND message.action='/cosmos.bank.v1beta1.MsgSend'`
    const newest = await search(mine, '&order_by=ORDER_BY_DESC&limit=3&page=1')
    expect([newest.total, memos(newest)]).toEqual([String(sendCount), ['send 7', 'send 6', 'send 5']])
    expect(memos(await search(mine, '&order_by=ORDER_BY_DESC&limit=3&page=3'))).toEqual(['send 1'])
    expect(memos(await search(mine, '&order_by=2&limit=2&page=2'))).toEqual(['send 5', 'send 4'])
    const byOffset = await search(mine, '&pagination.limit=2&pagination.offset=2&pagination.count_total=true')
    expect([byOffset.pagination.total, memos(byOffset)]).toEqual([String(sendCount), ['send 3', 'send 4']])
    const calls = await search(`execute._contract_address='${contract}'`)
    expect(calls.tx_responses[0].tx.body.messages[0].msg).toEqual({ transfer: { recipient: bob, amount: '5' } })
    expect((await search(`transfer.recipient='${bob}'`, '&order_by=ORDER_BY_ASC')).total).toBe(String(sendCount))
  })

  it('show one transaction and the block around it', async () => {
    const { hash, height } = sends[0]!
    const { tx, tx_response } = await get(`/cosmos/tx/v1beta1/txs/${hash}`)
    expect([tx.body.memo, tx_response.height, tx_response.tx['@type']]).toEqual([
      'send 1',
      height,
      '/cosmos.tx.v1beta1.Tx',
    ])
    expect(Date.parse(tx_response.timestamp)).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'))
    const around = await get(`/cosmos/tx/v1beta1/txs/block/${height}?pagination.limit=10`)
    expect([around.block.header.height, around.txs, around.pagination.total]).toEqual([height, [tx], '1'])
    const missing = await node.get(`/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`)
    expect([missing.status, missing.json.code]).toEqual([404, 5])
  })

  it('show supply, parameters and contracts', async () => {
    expect((await get('/cosmos/bank/v1beta1/supply?pagination.limit=100')).supply).toHaveLength(1)
    expect((await get('/cosmos/bank/v1beta1/supply/by_denom?denom=ucoin')).amount.amount).toBe('200000000000000')
    expect((await get('/cosmos/bank/v1beta1/denom_owners/ucoin?pagination.limit=1')).denom_owners).toHaveLength(1)
    expect((await get('/cosmos/mint/v1beta1/inflation')).inflation).toBe('0.000000000000000000')
    expect((await get('/cosmos/gov/v1beta1/params/voting')).voting_params.voting_period).toBe('172800s')
    expect((await get('/cosmos/consensus/v1/params')).params.block.max_bytes).toBe('22020096')
    expect((await get('/cosmwasm/wasm/v1/code?pagination.reverse=true')).code_infos[0].code_id).toBe('1')
    expect((await get('/cosmwasm/wasm/v1/code/1/contracts')).contracts).toEqual([contract])
    expect((await get(`/cosmwasm/wasm/v1/contract/${contract}`)).contract_info.label).toBe('a contract')
    const query = Buffer.from(JSON.stringify({ balance: { address: bob } })).toString('base64')
    expect((await get(`/cosmwasm/wasm/v1/contract/${contract}/smart/${query}`)).data).toEqual({ balance: '5' })
  })
})

describe('Hermes, when it starts,', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
  const rpc = (method: string, params: object = {}) => node.rpc<any>(method, params)

  it('checks health, status and consensus parameters', async () => {
    expect(await rpc('health')).toEqual({})
    const { node_info, sync_info } = await rpc('status')
    expect([node_info.network, node_info.other.tx_index, sync_info.catching_up]).toEqual([chainId, 'on', false])
    expect((await rpc('abci_info')).response.last_block_height).toMatch(/^\d+$/)
    const height = sync_info.latest_block_height
    const { block_height, consensus_params } = await rpc('consensus_params', { height })
    expect([block_height, consensus_params.evidence.max_age_duration]).toEqual([height, '172800000000000'])
    const { genesis } = await rpc('genesis')
    expect([genesis.chain_id, genesis.consensus_params.block.max_bytes]).toEqual([chainId, '22020096'])
  })

  it('reads light blocks: header, commit and validators of one height', async () => {
    const { header } = await rpc('header', { height: '3' })
    const { signed_header, canonical } = await rpc('commit', { height: '3' })
    expect([signed_header.header, canonical]).toEqual([header, true])
    const { validators, total } = await rpc('validators', { height: '3', page: '1', per_page: '100' })
    expect([total, validators[0].address]).toEqual(['1', signed_header.commit.signatures[0].validator_address])
    const { header: next } = await rpc('header', { height: '4' })
    expect(next.last_block_id.hash).toBe(signed_header.commit.block_id.hash)
    expect((await rpc('block', { height: '3' })).block.header).toEqual(header)
  })

  it('reads results and searches by event', async () => {
    const { hash, height } = sends[1]!
    const results = await rpc('block_results', { height })
    const named = results.txs_results[0].events.map(({ type }: { type: string }) => type)
    expect(named).toContain('transfer')
    const search = {
      query: `message.action='/cosmos.bank.v1beta1.MsgSend'`,
      prove: false,
      page: '1',
      per_page: '1',
      order_by: 'asc',
    }
    const found = await rpc('tx_search', search)
    expect([found.total_count, found.txs[0].hash]).toEqual([String(sendCount), sends[0]!.hash])
    const blocks = await rpc('block_search', {
      query: `block.height=${height}`,
      page: '1',
      per_page: '1',
      order_by: 'desc',
    })
    expect(blocks.blocks[0].block.header.height).toBe(height)
    const { tx, proof } = await rpc('tx', { hash: Buffer.from(hash, 'hex').toString('base64'), prove: true })
    expect(Buffer.from(proof.proof.leaf_hash, 'base64')).toEqual(leafOf(tx))
    const none = await rpc('tx_search', { ...search, query: "update_client.client_id='07-tendermint-0'" })
    expect(none).toEqual({ txs: [], total_count: '0' })
  })

  it('proves a stored value, and hears that there is no IBC store', async () => {
    const bank = await rpc('abci_query', { path: '/store/bank/key', data: '05', height: '0', prove: true })
    expect(bank.response.proofOps.ops.map(({ type }: { type: string }) => type)).toEqual(['ics23:iavl', 'ics23:simple'])
    const { response } = await rpc('abci_query', { path: '/store/ibc/key', data: '00', height: '0', prove: true })
    expect(response).toMatchObject({ code: 4, codespace: 'store', log: 'no such store: ibc: unknown request' })
    const query = await rpc('abci_query', { path: '/ibc.core.client.v1.Query/ClientStates', data: '', prove: false })
    expect(query.response).toMatchObject({
      ...{ code: 6, codespace: 'sdk' },
      log: 'unknown query path: /ibc.core.client.v1.Query/ClientStates: unknown request',
    })
  })

  it('asks the version over gRPC, and hears that there are no clients and no staking', async () => {
    const client = new Client(node.grpc, credentials.createInsecure())
    const same = (bytes: Uint8Array) => Buffer.from(bytes)
    const ask = (path: string) =>
      new Promise<Buffer | ServiceError>((resolve) => {
        client.makeUnaryRequest(path, same, same, new Uint8Array(), (error, value) => resolve(error ?? value!))
      })
    const info = GetNodeInfoResponse.decode(
      (await ask('/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo')) as Buffer,
    )
    expect(info.applicationVersion?.cosmosSdkVersion).toMatch(/^v0\.53/)
    for (const service of ['ibc.core.client.v1.Query', 'cosmos.staking.v1beta1.Query']) {
      const error = (await ask(`/${service}/Params`)) as ServiceError
      expect([error.code, error.details]).toEqual([grpcStatus.UNIMPLEMENTED, `unknown service ${service}`])
    }
    client.close()
  })
})

/** Leaf of a block's data hash: a transaction's own hash, hashed as a leaf of the tree. */
const leafOf = (tx: string): Buffer => Buffer.from(sha256(Uint8Array.of(0, ...sha256(base64ToBytes(tx)))))
