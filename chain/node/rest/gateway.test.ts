import { bytesToBase64 } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway } from '../testing/open-gateway.js'
import { createGateway } from './gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
})
afterEach(() => rest.close())

describe('limits', () => {
  it('answers 413 with the error body to 10 MB, and goes on', async () => {
    rest.twin.addBlock()
    const big = JSON.stringify({ tx_bytes: 'A'.repeat(10_000_000), mode: 'BROADCAST_MODE_SYNC' })
    const { status: http, json } = await rest.post('/cosmos/tx/v1beta1/txs', big)
    expect([http, json]).toEqual([
      413,
      { code: 8, message: 'request body too large, expected at most 2000000 bytes', details: [] },
    ])
    expect((await rest.call('/cosmos/base/tendermint/v1beta1/syncing')).status).toBe(200)
  })

  it('answers 413 to a body without a length, and to one that is announced first', async () => {
    const chunked = await rest.raw(
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n',
      `200000\r\n${'a'.repeat(0x200000)}\r\n0\r\n\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":8/)
    const announced = await rest.raw(
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 10000000\r\n\r\n',
    )
    expect(announced).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close/)
  })

  it('answers bytes that are no HTTP, headers without end and bodies that are no UTF-8', async () => {
    expect(await rest.raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":3/)
    expect(await rest.raw(`GET /${'a'.repeat(1_100_000)} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 431/)
    const response = await fetch(`${rest.base}/cosmos/tx/v1beta1/txs`, {
      method: 'POST',
      body: Uint8Array.of(0xff, 0xfe),
    })
    expect(response.status).toBe(400)
  })

  it('answers 504 when a query takes too long', async () => {
    await rest.close()
    rest = await openGateway({ answerTimeoutMs: 50 })
    rest.twin.addBlock()
    rest.twin.ports.txs.get = () => new Promise(() => {})
    const { status: http, json } = await rest.call(`/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`)
    expect([http, json.code]).toEqual([504, 4])
  })

  it('keeps random requests away from the node', async () => {
    rest.twin.addBlock()
    let state = 1
    const random = (below: number): number => {
      state = (state * 48271) % 2147483647
      return state % below
    }
    const paths = ['/cosmos/tx/v1beta1/txs', '/cosmos/tx/v1beta1/decode', '/cosmos/tx/v1beta1/encode']
    for (let round = 0; round < 200; round++) {
      const body = JSON.stringify({
        tx_bytes: bytesToBase64(Uint8Array.from({ length: random(80) }, () => random(256))),
        mode: [0, 2, 3, 4, 5][random(5)],
        tx: [null, 1, {}, { body: 3 }][random(4)],
      })
      const cut = random(3) === 0 ? body.slice(0, random(body.length)) : body
      const { status: http, json } = await rest.post(paths[random(paths.length)]!, cut)
      expect([200, 400], `${cut} ${JSON.stringify(json)}`).toContain(http)
    }
  })
})

describe('CORS', () => {
  it('is closed by default and open when the operator says so', async () => {
    rest.twin.addBlock()
    expect(
      (await rest.call('/cosmos/base/tendermint/v1beta1/syncing')).headers.get('access-control-allow-origin'),
    ).toBeNull()
    await rest.close()
    rest = await openGateway({ cors: true })
    const { headers } = await rest.call('/cosmos/base/tendermint/v1beta1/syncing')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('x-cosmos-block-height')
    expect((await rest.call('/nope')).headers.get('access-control-allow-origin')).toBe('*')
    const preflight = (asked?: string) =>
      fetch(`${rest.base}/cosmos/tx/v1beta1/txs`, {
        method: 'OPTIONS',
        headers: asked === undefined ? {} : { 'access-control-request-headers': asked },
      })
    const usual = await preflight()
    expect([usual.status, usual.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(usual.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS')
    expect(usual.headers.get('access-control-allow-headers')).toContain('x-cosmos-block-height')
    const asked = 'x-grpc-web, x-user-agent,grpc-timeout'
    expect((await preflight(asked)).headers.get('access-control-allow-headers')).toBe(asked)
    expect((await preflight('a b;c')).headers.get('access-control-allow-headers')).toContain('content-type')
  })
})

describe('closing', () => {
  it('ends the listener and frees the port', async () => {
    const { port } = new URL(rest.base)
    await rest.close()
    await expect(fetch(rest.base)).rejects.toThrow()
    const again = createGateway(
      { host: '127.0.0.1', port: Number(port) },
      { services: new Map(), app: rest.twin.ports.app, log: silentLogger },
    )
    await again.listen()
    const third = createGateway(
      { host: '127.0.0.1', port: Number(port) },
      { services: new Map(), app: rest.twin.ports.app, log: silentLogger },
    )
    await expect(third.listen()).rejects.toThrow(/EADDRINUSE/)
    await again.close()
  })
})
