import { connect } from 'node:net'
import { bytesToBase64, bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendTx, upperHex } from '../testing/open-gateway.js'
import { type OpenRpc, openRpc } from '../testing/open-rpc.js'

let rpc: OpenRpc

beforeAll(async () => {
  rpc = await openRpc({ corsAllowedOrigins: ['https://app.example', 'https://*.wallet.example'] })
  for (let i = 0; i < 25; i++) rpc.chain.engine.produceBlock()
})
afterAll(() => rpc.close())

const failure = (code: number, message: string, data?: string) => ({ code, message, ...(data && { data }) })
const internal = (data: string) => failure(-32603, 'Internal error', data)

describe('JSON-RPC over HTTP', () => {
  it.each([
    ['a number', 7, 7],
    ['a text', 'x"<', 'x"<'],
    ['a fraction, cut off', 1.9, 1],
    ['zero', 0, 0],
  ])('echoes an id that is %s', async (_, id, echoed) => {
    const { status, json, headers } = await rpc.post({ jsonrpc: '2.0', id, method: 'health' })
    expect(status).toBe(200)
    expect(json).toEqual({ jsonrpc: '2.0', id: echoed, result: {} })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-server-time')).toMatch(/^\d{10}$/)
  })

  it('answers nothing to notifications, alone and in batches', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'health' },
      { id: null, method: 5 },
      {},
      [],
      [{ method: 'health' }, { method: 'x' }],
    ]) {
      const { status, text } = await rpc.post(body)
      expect([status, text]).toEqual([200, ''])
    }
  })

  it('answers a batch in order, a batch with one answer as one request', async () => {
    const { json } = await rpc.post([
      { id: 1, method: 'health' },
      { method: 'health' },
      { id: 'two', method: 'nothing' },
      { id: 3, method: 'block', params: { height: '0' } },
    ])
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'two', error: failure(-32601, 'Method not found') },
      { jsonrpc: '2.0', id: 3, error: internal('height must be greater than 0, but got 0') },
    ])
    const one = await rpc.post([{ id: 1, method: 'health' }, { method: 'health' }])
    expect(one.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('refuses a batch that is too long', async () => {
    const { status, json } = await rpc.post(Array.from({ length: 11 }, (_, id) => ({ id, method: 'health' })))
    expect(status).toBe(200)
    const data = 'batch request exceeds maximum (10) allowed number of requests'
    expect(json).toEqual({ jsonrpc: '2.0', error: failure(-32600, 'Invalid Request', data) })
  })

  it.each(['{', 'x', '5', '"a"', '[5]', '[{"id":1},5]', '{"id":{}}', '{"id":1,"method":5}', '{"id":true}', 'null x'])(
    'tells that %s is no request',
    async (body) => {
      const { status, json } = await rpc.post(body)
      expect(status).toBe(500)
      expect(json).toEqual({
        jsonrpc: '2.0',
        error: failure(
          -32700,
          'Parse error. Invalid JSON',
          expect.stringContaining('error unmarshaling request: ') as never,
        ),
      })
    },
  )

  it.each([
    ['block', { height: 'x' }],
    ['block', { height: '99999999999999999999' }],
    ['block', { height: 1.5 }],
    ['block', ['1', '2']],
    ['block', 'x'],
    ['block_by_hash', { hash: '!' }],
    ['abci_query', { data: 'xyz' }],
    ['tx', { hash: '', prove: 'yes' }],
    ['broadcast_tx_sync', { tx: 5 }],
  ])('tells what is wrong with the parameters of %s: %j', async (method, params) => {
    const { status, json } = await rpc.post({ id: 1, method, params })
    expect(status).toBe(200)
    expect(json.error).toMatchObject({ code: -32602, message: 'Invalid params' })
    expect(json.error.data).toMatch(/^error converting json params to arguments: .+/)
  })

  it('takes parameters by place, and those that are null as left out', async () => {
    expect((await rpc.call('block', ['3'])).block.header.height).toBe('3')
    expect((await rpc.call('blockchain', ['2', '4'])).block_metas).toHaveLength(3)
    expect((await rpc.call('block', { height: null, unknown: 5 })).block.header.height).toBe('25')
  })

  it('gives a body of 10 MB a clear answer and goes on', async () => {
    const { status, json } = await rpc.post(`{"id":1,"method":"${'x'.repeat(10_000_000)}"}`)
    expect(status).toBe(400)
    const data = 'error reading request body: http: request body too large (at most 1000000 bytes)'
    expect(json).toEqual({ jsonrpc: '2.0', error: failure(-32600, 'Invalid Request', data) })
    expect(await rpc.call('health')).toEqual({})
  })

  it('survives what is no HTTP, half requests and bytes that are no text', async () => {
    expect(await raw('\x00\x01\x02 nonsense\r\n\r\n')).toContain('400 Bad Request')
    expect(await raw(`GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toContain(' 431 ')
    const notText = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1')
    expect(await raw(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n${notText}`)).toContain(' 400 ')
    const half = connect(rpc.port, '127.0.0.1', () =>
      half.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'),
    )
    await new Promise((resolve) => half.once('ready', resolve))
    half.destroy()
    expect(await rpc.call('health')).toEqual({})
  })
})

/** Bytes as they are; answers the first of what comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(rpc.port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.once('data', (chunk) => {
      resolve(String(chunk))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(''))
  })
}

describe('URIs', () => {
  it.each(['/health', '/health?', '/health?x=1'])('%s', async (path) => {
    const { status, text } = await rpc.get(path)
    expect([status, text]).toEqual([200, '{"jsonrpc":"2.0","id":-1,"result":{}}'])
  })

  it('take numbers plain and quoted, bytes as 0x, strings quoted', async () => {
    for (const height of ['3', '"3"']) {
      const { json } = await rpc.get(`/block?height=${encodeURIComponent(height)}`)
      expect(json.result.block.header.height).toBe('3')
    }
    const { hash } = (await rpc.call('block', { height: '3' })).block_id
    expect((await rpc.get(`/block_by_hash?hash=0x${hash}`)).json.result.block.header.height).toBe('3')
    expect((await rpc.get(`/header_by_hash?hash=0x${hash}`)).json.result.header.height).toBe('3')
    const path = encodeURIComponent('"/app/version"')
    expect((await rpc.get(`/abci_query?path=${path}`)).json.result.response.value).toBe('MC4xLjA=')
    const hex = bytesToHex(utf8ToBytes('/app/version'))
    expect((await rpc.get(`/abci_query?path=0x${hex}`)).json.result.response.value).toBe('MC4xLjA=')
  })

  it('take POST with a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { json } = await rpc.get('/block', { method: 'POST', headers, body: 'height=4' })
    expect(json.result.block.header.height).toBe('4')
  })

  it.each([
    '/block?height=x',
    '/block?height=0x01',
    '/tx?hash=xyz',
    '/tx?hash=0x1',
    '/tx_search?query=a',
    '/tx?prove=1',
  ])('%s is a wrong parameter', async (path) => {
    const { status, json } = await rpc.get(path)
    expect(status).toBe(500)
    expect(json).toMatchObject({ id: -1, error: { code: -32602, message: 'Invalid params' } })
    expect(json.error.data).toMatch(/^error converting http params to arguments: .+/)
  })

  it('fail with 500, 404 for what is not there or only on the WebSocket, 400 for a WebSocket without one', async () => {
    const low = await rpc.get('/block?height=0')
    expect([low.status, low.json.error]).toEqual([500, internal('height must be greater than 0, but got 0')])
    const none = await rpc.get('/nothing')
    expect([none.status, none.text]).toEqual([404, '404 page not found\n'])
    const socketOnly = await rpc.get('/subscribe?query="a"')
    expect([socketOnly.status, socketOnly.json]).toEqual([
      404,
      { jsonrpc: '2.0', id: -1, error: failure(-32601, 'Method not found') },
    ])
    expect((await rpc.get('/websocket')).status).toBe(400)
  })

  it('tell caches what does not change', async () => {
    const cacheOf = async (path: string) => (await rpc.get(path)).headers.get('cache-control')
    expect(await cacheOf('/block?height=3')).toBe('public, max-age=86400')
    expect(await cacheOf('/genesis')).toBe('public, max-age=86400')
    expect(await cacheOf('/block')).toBeNull()
    expect(await cacheOf('/status')).toBeNull()
    expect(await cacheOf('/block?height=900')).toBeNull()
  })

  it('let the pages of named origins in, and no others', async () => {
    const allowed = async (origin: string) =>
      (await rpc.get('/health', { headers: { origin } })).headers.get('access-control-allow-origin')
    expect(await allowed('https://app.example')).toBe('https://app.example')
    expect(await allowed('https://my.wallet.example')).toBe('https://my.wallet.example')
    expect(await allowed('https://evil.example')).toBeNull()
    const preflight = await rpc.get('/', { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('HEAD, GET, POST')
  })

  it('list the methods at /', async () => {
    const { status, text, headers } = await rpc.get('/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('/blockchain?minHeight=_&amp;maxHeight=_')
  })
})

describe('methods', () => {
  it('refuse heights that are not there, in the words of CometBFT', async () => {
    const above = (height: number, latest: number) =>
      internal(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
    for (const method of ['block', 'header', 'commit', 'block_results']) {
      expect(await rpc.call(method, { height: '26' })).toEqual(above(26, 25))
      expect(await rpc.call(method, { height: '-1' })).toEqual(internal('height must be greater than 0, but got -1'))
    }
    for (const method of ['validators', 'consensus_params']) {
      expect(await rpc.call(method, { height: '26' })).toMatchObject({ block_height: '26' })
      expect(await rpc.call(method, { height: '27' })).toEqual(above(27, 26))
    }
  })

  it('blockchain answers the last twenty of the range, newest first', async () => {
    const heights = async (params: object) =>
      (await rpc.call('blockchain', params)).block_metas.map((meta: { header: { height: string } }) =>
        Number(meta.header.height),
      )
    expect(await heights({})).toEqual(Array.from({ length: 20 }, (_, i) => 25 - i))
    expect(await heights({ minHeight: '3', maxHeight: '5' })).toEqual([5, 4, 3])
    expect(await heights({ maxHeight: '900', minHeight: '24' })).toEqual([25, 24])
    expect(await rpc.call('blockchain', { minHeight: '5', maxHeight: '3' })).toEqual(
      internal("min height 5 can't be greater than max height 3"),
    )
    expect(await rpc.call('blockchain', { minHeight: '-1' })).toEqual(internal('heights must be non-negative'))
  })

  it('commit is canonical once the next block carries it', async () => {
    expect((await rpc.call('commit', { height: '24' })).canonical).toBe(true)
    expect((await rpc.call('commit')).canonical).toBe(false)
    const { last_commit } = (await rpc.call('block', { height: '25' })).block
    expect((await rpc.call('commit', { height: '24' })).signed_header.commit).toEqual(last_commit)
  })

  it('header_by_hash takes hexadecimal, block_by_hash base64; unknown ones are null', async () => {
    const { hash } = (await rpc.call('block', { height: '7' })).block_id
    expect((await rpc.call('header_by_hash', { hash })).header.height).toBe('7')
    const base64 = Buffer.from(hash, 'hex').toString('base64')
    expect((await rpc.call('block_by_hash', { hash: base64 })).block.header.height).toBe('7')
    expect(await rpc.call('header_by_hash', { hash: '00'.repeat(32) })).toEqual({ header: null })
    expect((await rpc.call('block_by_hash', { hash: 'AA==' })).block).toBeNull()
  })

  it('pages are checked', async () => {
    expect(await rpc.call('validators', { page: '2', per_page: '1' })).toEqual(
      internal('page should be within [1, 1] range, given 2'),
    )
    const search = { query: 'block.height > 3', per_page: '10', page: '4' }
    expect(await rpc.call('block_search', search)).toEqual(internal('page should be within [1, 3] range, given 4'))
    const third = await rpc.call('block_search', { ...search, page: '3', order_by: 'asc' })
    expect(third.total_count).toBe('22')
    expect(third.blocks.map((it: { block: { header: { height: string } } }) => it.block.header.height)).toEqual([
      '24',
      '25',
    ])
    expect(await rpc.call('tx_search', { query: 'tx.height>0', order_by: 'up' })).toEqual(
      internal('expected order_by to be either `asc` or `desc` or empty'),
    )
    expect(await rpc.call('tx_search', { query: `a='${'x'.repeat(512)}'` })).toEqual(
      internal('maximum query length exceeded'),
    )
    expect(await rpc.call('tx_search', { query: 'tx.height>0' })).toEqual({ txs: [], total_count: '0' })
  })

  it('genesis comes whole and in chunks', async () => {
    const { genesis } = await rpc.call('genesis')
    expect(genesis.chain_id).toBe('rpc-1')
    const { chunk, total, data } = await rpc.call('genesis_chunked', { chunk: '0' })
    expect([chunk, total]).toEqual(['0', '1'])
    expect(JSON.parse(Buffer.from(data, 'base64').toString())).toEqual(genesis)
    expect(await rpc.call('genesis_chunked', { chunk: '1' })).toEqual(internal('there are 0 chunks, 1 is invalid'))
  })

  it('a transaction that CheckTx refuses is answered with its code, and is in no block', async () => {
    const bytes = sendTx('refused')
    const tx = bytesToBase64(bytes)
    const sync = await rpc.call('broadcast_tx_sync', { tx })
    expect(sync.code).toBeGreaterThan(0)
    expect(sync.log).not.toBe('')
    const commit = await rpc.call('broadcast_tx_commit', { tx })
    expect(commit).toMatchObject({
      check_tx: { code: sync.code },
      tx_result: { code: 0 },
      height: '0',
      hash: sync.hash,
    })
    expect(await rpc.call('check_tx', { tx })).toMatchObject({ code: sync.code, data: null, events: [] })
    expect((await rpc.call('broadcast_tx_async', { tx })).code).toBe(0)
    expect(await rpc.call('num_unconfirmed_txs')).toEqual({ n_txs: '0', total: '0', total_bytes: '0', txs: null })
    expect(await rpc.call('unconfirmed_txs')).toEqual({ n_txs: '0', total: '0', total_bytes: '0', txs: [] })
  })

  it('what is larger than a transaction may be is refused', async () => {
    const tx = bytesToBase64(new Uint8Array(700_000))
    expect((await rpc.call('broadcast_tx_sync', { tx })).code).toBeGreaterThan(0)
    expect((await rpc.call('broadcast_tx_sync', { tx: '' })).code).toBeGreaterThan(0)
  })

  it('abci_query asks the node for what the node knows, the application for the rest', async () => {
    const latest = await rpc.call('abci_query', { path: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock' })
    expect(latest.response).toMatchObject({ code: 0, height: '25', key: null, proofOps: null })
    expect(Buffer.from(latest.response.value, 'base64').includes('rpc-1')).toBe(true)
    const data = bytesToHex(Uint8Array.of(0x0a, 4, 0x61, 0x62, 0x63, 0x64)) // hash: "abcd"
    const none = await rpc.call('abci_query', { path: '/cosmos.tx.v1beta1.Service/GetTx', data })
    expect(none.response).toMatchObject({ code: 22, codespace: 'sdk', value: null, height: '25' })
    expect(none.response.log).toContain('code = NotFound desc = tx not found: abcd')
    const bad = await rpc.call('abci_query', { path: '/cosmos.tx.v1beta1.Service/GetTx', data: 'ff' })
    expect(bad.response.code).toBeGreaterThan(0)
    const params = await rpc.call('abci_query', { path: '/cosmos.bank.v1beta1.Query/Params', height: '20' })
    expect(params.response).toMatchObject({
      code: 0,
      value: 'CgIQAQ==' === params.response.value ? 'CgIQAQ==' : 'EAE=',
    })
    expect(
      (await rpc.call('abci_query', { path: '/cosmos.bank.v1beta1.Query/Params', height: '-1' })).response.code,
    ).toBe(18)
    expect((await rpc.call('abci_query', { path: '/cosmos.bank.v1beta1.Query/Nothing' })).response.code).toBe(6)
    expect(
      (await rpc.call('abci_query', { path: '/cosmos.tx.v1beta1.Service/Simulate', data: '' })).response.log,
    ).toContain('empty txBytes')
  })

  it('tx tells the hash that it does not find', async () => {
    const hash = new Uint8Array(32).fill(171)
    expect(await rpc.call('tx', { hash: bytesToBase64(hash) })).toEqual(internal(`tx (${upperHex(hash)}) not found`))
  })
})

describe('a node without an index', () => {
  it('says so, and has everything else', async () => {
    const bare = await openRpc({}, false)
    bare.chain.engine.produceBlock()
    const disabled = internal('transaction indexing is disabled')
    expect(await bare.call('tx', { hash: '' })).toEqual(disabled)
    expect(await bare.call('tx_search', { query: 'tx.height=1' })).toEqual(disabled)
    expect(await bare.call('block_search', { query: 'block.height=1' })).toEqual(internal('block indexing is disabled'))
    expect((await bare.call('status')).node_info.other.tx_index).toBe('off')
    const data = `0a40${'61'.repeat(64)}`
    const { response } = await bare.call('abci_query', { path: '/cosmos.tx.v1beta1.Service/GetTx', data })
    expect(response.log).toContain('transaction indexing is disabled')
    await bare.close()
  })
})

describe('a chain without a block', () => {
  it('is told as such', async () => {
    const young = await openRpc()
    const { sync_info } = await young.call('status')
    expect(sync_info).toMatchObject({ latest_block_height: '0', latest_block_hash: '', latest_app_hash: '' })
    expect(sync_info.latest_block_time).toBe('1970-01-01T00:00:00Z')
    expect((await young.call('block')).block).toBeNull()
    expect((await young.call('header')).header).toBeNull()
    expect(await young.call('commit')).toEqual(internal('no commit for height 0'))
    expect(await young.call('block_results')).toEqual(internal('could not find results for height #0'))
    expect(await young.call('blockchain')).toEqual(internal("min height 1 can't be greater than max height 0"))
    expect((await young.call('validators')).block_height).toBe('1')
    await young.close()
  })
})
