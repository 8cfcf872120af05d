import { base64ToBytes, bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway, sendTx } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
})
afterEach(() => rest.close())

describe('blocks', () => {
  it('answers 503 before the first one', async () => {
    expect((await rest.call('/cosmos/base/tendermint/v1beta1/blocks/latest')).status).toBe(503)
    expect((await rest.call('/cosmos/base/node/v1beta1/status')).status).toBe(503)
  })

  it('come as the latest and by height', async () => {
    const tx = sendTx('in block 2')
    rest.twin.addBlock()
    rest.twin.addBlock({ bytes: tx })
    const latest = await rest.call('/cosmos/base/tendermint/v1beta1/blocks/latest')
    const second = await rest.call('/cosmos/base/tendermint/v1beta1/blocks/2')
    expect(second.json).toEqual(latest.json)
    const { block, block_id, sdk_block } = second.json as Record<string, Record<string, Record<string, unknown>>>
    expect(block!.header).toMatchObject({
      chain_id: 'twin-1',
      height: '2',
      time: '2023-11-14T22:13:22.500Z',
      version: { block: '11', app: '1' },
    })
    expect(block!.data).toEqual({ txs: [bytesToBase64(tx)] })
    expect(block_id).toMatchObject({ hash: expect.stringMatching(/=$/), part_set_header: { total: 1 } })
    expect(sdk_block!.header!.proposer_address).toMatch(/^coinvalcons1/)
    expect(base64ToBytes(String(block!.header!.proposer_address)).length).toBe(20)
  })

  it('refuses heights that have none, by name', async () => {
    rest.twin.addBlock()
    rest.twin.addBlock()
    rest.twin.addBlock()
    rest.twin.pruneBelow(2)
    const at = async (height: string) => {
      const { status: http, json } = await rest.call(`/cosmos/base/tendermint/v1beta1/blocks/${height}`)
      expect([http, json.code, json.details]).toEqual([400, 3, []])
      return json.message
    }
    expect(await at('900')).toBe('block height 900 is ahead of the chain (latest 3)')
    expect(await at('0')).toBe('invalid height 0, expected 1 to 3')
    expect(await at('-1')).toBe('invalid argument: height -1 is negative, expected 1 to 3')
    expect(await at('1')).toBe('block 1 has been pruned, blocks 2 to 3 are available')
    expect(await at('abc')).toMatch(/height.*abc/)
    expect(await at('99999999999999999999')).toMatch(/height/)
  })

  it('have validator sets', async () => {
    rest.twin.addBlock()
    const latest = await rest.call('/cosmos/base/tendermint/v1beta1/validatorsets/latest')
    expect(latest.json).toMatchObject({
      block_height: '2',
      validators: [
        { pub_key: { '@type': '/cosmos.crypto.ed25519.PubKey' }, voting_power: '10', proposer_priority: '0' },
      ],
      pagination: { next_key: null, total: '1' },
    })
    expect((await rest.call('/cosmos/base/tendermint/v1beta1/validatorsets/1')).json.block_height).toBe('1')
    expect((await rest.call('/cosmos/base/tendermint/v1beta1/validatorsets/2')).status).toBe(400)
    expect(
      (await rest.call('/cosmos/base/tendermint/v1beta1/validatorsets/latest?pagination.offset=1')).json.validators,
    ).toEqual([])
  })
})

describe('the node', () => {
  it('says who it is', async () => {
    rest.twin.addBlock()
    const { json } = await rest.call('/cosmos/base/tendermint/v1beta1/node_info')
    expect(json).toMatchObject({
      default_node_info: {
        protocol_version: { p2p: '8', block: '11', app: '1' },
        network: 'twin-1',
        version: '0.38.17',
        moniker: 'twin',
        other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' },
      },
      application_version: {
        name: 'coin',
        app_name: 'coind',
        cosmos_sdk_version: 'v0.53.4',
        build_deps: [{ path: 'a', version: '1', sum: '' }],
      },
    })
    expect((await rest.call('/cosmos/base/tendermint/v1beta1/syncing')).json).toEqual({ syncing: false })
    expect((await rest.call('/cosmos/base/node/v1beta1/config')).json.minimum_gas_price).toBe(
      '0.001000000000000000ucoin',
    )
    expect((await rest.call('/cosmos/base/node/v1beta1/status')).json).toMatchObject({
      height: '1',
      timestamp: '2023-11-14T22:13:21.500Z',
    })
  })

  it('passes raw ABCI queries on, but no others', async () => {
    const { json } = await rest.call(
      '/cosmos/base/tendermint/v1beta1/abci_query?path=/store/bank/key&data=AQI=&height=3',
    )
    expect(json).toMatchObject({
      code: 0,
      key: 'AQI=',
      value: bytesToBase64(utf8ToBytes('/store/bank/key')),
      height: '3',
      proof_ops: null,
    })
    for (const query of ['', '?path=/cosmos.bank.v1beta1.Query/Balance', '?path=/store/x&height=-1']) {
      expect((await rest.call(`/cosmos/base/tendermint/v1beta1/abci_query${query}`)).status).toBe(400)
    }
  })
})
