import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeAll(async () => {
  rest = await openGateway({}, { site: true })
  rest.twin.answerQuery('/cosmos.bank.v1beta1.Query/Params', () => ({}))
  rest.twin.addBlock()
})
afterAll(() => rest.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(rest.base + path, { headers, redirect: 'manual' })

describe('the pages beside the API', () => {
  it('have the document of what is served', async () => {
    const response = await get('/openapi.json')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    const { info, paths } = (await response.json()) as { info: { title: string }; paths: object }
    expect(info.title).toBe('twin-1 REST API')
    expect(Object.keys(paths)).toContain('/cosmos/bank/v1beta1/params')
    expect(Object.keys(paths)).toContain('/cosmos/base/tendermint/v1beta1/blocks/{height}')
    expect(Object.keys(paths)).not.toContain('/cosmos/mint/v1beta1/params')
  })

  it('are sent once, and zipped to those who take it', async () => {
    const first = await get('/openapi.json', { 'accept-encoding': 'identity' })
    const tag = first.headers.get('etag')!
    expect([first.headers.get('content-encoding'), tag]).toEqual([null, expect.stringMatching(/^"[\w-]{22}"$/)])
    const zipped = await get('/openapi.json', { 'accept-encoding': 'gzip' })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.json()).toEqual(await first.json())
    const again = await get('/openapi.json', { 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(`${rest.base}/openapi.json`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('have a page to try it, whole and from this server alone', async () => {
    const redirect = await get('/swagger')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'swagger/'])
    const page = await get('/swagger/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const html = await page.text()
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!)
    expect(links).toEqual([
      'swagger-ui.css',
      'favicon-32x32.png',
      '../openapi.json',
      'swagger-ui-bundle.js',
      'start.js',
    ])
    const types = ['text/css', 'image/png', 'application/json', 'text/javascript', 'text/javascript']
    for (const [index, link] of links.entries()) {
      const file = await fetch(new URL(link, `${rest.base}/swagger/`))
      expect([file.status, file.headers.get('content-type')?.split(';')[0]], link).toEqual([200, types[index]])
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  it('lead to no other file', async () => {
    const dots = ['../../package.json', '%2e%2e/package.json', '..%2f..%2fpackage.json', '..\\package.json']
    for (const name of ['package.json', 'index.html', 'constructor', 'x/', 'swagger-ui.css/', ...dots]) {
      const text = await rest.raw(`GET /swagger/${name} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(text, name).toMatch(/^HTTP\/1\.1 404/)
    }
    expect((await fetch(`${rest.base}/swagger/`, { method: 'POST' })).status).toBe(501)
  })

  it('greet browsers at the root, and answer API clients as before', async () => {
    const home = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await home.text()
    expect(html).toContain('twin-1')
    expect(html).toContain('1, 2023-11-14T22:13:21.500Z')
    for (const [, link] of html.matchAll(/href="([^"]+)"/g)) expect((await get(`/${link}`)).status, link).toBe(200)
    const json = await rest.call('/')
    expect([json.status, json.json]).toEqual([501, { code: 12, message: 'Not Implemented', details: [] }])
  })

  it('are not there when the operator does not want them', async () => {
    const plain = await openGateway()
    for (const path of ['/openapi.json', '/swagger', '/swagger/', '/'])
      expect((await plain.call(path, { headers: { accept: 'text/html' } })).status, path).toBe(501)
    await plain.close()
  })
})
