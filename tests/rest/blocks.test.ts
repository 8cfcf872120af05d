import { bytesToBase64 } from '@coin/base/bytes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { errorBody, type RestNode, startRestNode } from './rest-node.js'

const path = '/cosmos/base/tendermint/v1beta1/blocks'
const hash = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)

let rest: RestNode
let tx: Uint8Array
/** Height of the block that holds `tx`. */
let height: number

beforeAll(async () => {
  rest = await startRestNode('rest-blocks-1', 1, ['--engine.block-time', '300ms'])
  const [alice] = rest.senders
  tx = alice!.sign([sendMessage(alice!.address, alice!.address, 1n)])
  height = Number((await rest.deliver(tx)).height)
})
afterAll(() => rest.close())

describe('a block', () => {
  it('comes by its height in the documented form', async () => {
    const { status, json } = await rest.get(`${path}/${height}`)
    expect(status).toBe(200)
    expect(json.block_id).toEqual({ hash, part_set_header: { total: 1, hash } })
    const { header, data, last_commit, evidence } = json.block
    expect(header).toEqual({
      version: { block: '11', app: '0' },
      chain_id: 'rest-blocks-1',
      height: String(height),
      time,
      last_block_id: { hash, part_set_header: { total: 1, hash } },
      last_commit_hash: hash,
      data_hash: hash,
      validators_hash: hash,
      next_validators_hash: hash,
      consensus_hash: hash,
      app_hash: hash,
      last_results_hash: hash,
      evidence_hash: hash,
      proposer_address: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
    })
    expect(data).toEqual({ txs: [bytesToBase64(tx)] })
    expect(evidence).toEqual({ evidence: [] })
    expect(last_commit).toEqual({
      height: String(height - 1),
      round: 0,
      block_id: header.last_block_id,
      signatures: [
        {
          block_id_flag: 'BLOCK_ID_FLAG_COMMIT',
          validator_address: header.proposer_address,
          timestamp: time,
          signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        },
      ],
    })
    const { proposer_address, ...sdkHeader } = json.sdk_block.header
    const { proposer_address: bytes, ...plainHeader } = header
    expect(proposer_address).toMatch(/^coinvalcons1/)
    expect(bytes).not.toBe(proposer_address)
    expect(sdkHeader).toEqual(plainHeader)
  })

  it('is the one that the RPC shows', async () => {
    const { json } = await rest.get(`${path}/${height}`)
    const rpc = await rest.rpc<{ block_id: { hash: string } }>('block', { height: String(height) })
    expect(Buffer.from(json.block_id.hash, 'base64').toString('hex').toUpperCase()).toBe(rpc.block_id.hash)
  })

  it('links to the one before it', async () => {
    const { json: first } = await rest.get(`${path}/1`)
    const { json: second } = await rest.get(`${path}/2`)
    expect(first.block.last_commit).toEqual({
      height: '0',
      round: 0,
      block_id: { hash: null, part_set_header: { total: 0, hash: null } },
      signatures: [],
    })
    expect(second.block.header.last_block_id).toEqual(first.block_id)
  })

  it('comes as the latest, and grows', async () => {
    const { status, json } = await rest.get(`${path}/latest`)
    const latest = Number(json.block.header.height)
    expect([status, latest >= height]).toEqual([200, true])
    expect((await rest.get(`${path}/${latest}`)).json).toEqual(json)
    await rest.reach(latest + 1)
    expect(Number((await rest.get(`${path}/latest`)).json.block.header.height)).toBeGreaterThan(latest)
  })

  it('is 400 above the tip, with the latest height', async () => {
    const { status, json } = await rest.get(`${path}/1000000`)
    expect([status, json]).toEqual([
      400,
      errorBody(3, expect.stringMatching(/^block height 1000000 is ahead of the chain \(latest \d+\)$/)),
    ])
  })

  it('is 400 at height 0 and below', async () => {
    expect(await rest.get(`${path}/0`)).toMatchObject({
      status: 400,
      json: errorBody(3, expect.stringMatching(/^invalid height 0, expected 1 to \d+$/)),
    })
    for (const negative of ['-1', '-9223372036854775808']) {
      expect(await rest.get(`${path}/${negative}`)).toMatchObject({
        status: 400,
        json: errorBody(3, expect.stringMatching(/^invalid argument: height -\d+ is negative, expected 1 to \d+$/)),
      })
    }
  })

  it.each(['abc', '1e30', '1.5', '010', '99999999999999999999', '-9223372036854775809', 'NaN', '%20', '1%00'])(
    'is 400 at the height %s, which it names',
    async (text) => {
      const { status, json } = await rest.get(`${path}/${text}`)
      expect([status, json]).toEqual([400, errorBody(3, expect.stringMatching(/height/))])
    },
  )
})
