import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bytesToHex } from '@coin/base/bytes'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { privateKeyOf } from '../traffic/sender.js'
import type { PageReport, PageSettings } from './browser-page.js'
import { type ClientNode, startClientNode, strangerAddress } from './client-node.js'

// A page in a real browser, with CosmJS and protobuf-ts in it as they come from the registry, on another origin than the node's.

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const chromium = places.find((path) => existsSync(path))
const why = chromium === undefined ? ` (SKIPPED: no Chromium in ${places.join(', ')})` : ''

const chainId = 'browser-1'
let node: ClientNode
let browser: ChildProcess | undefined
let server: Server | undefined
const profile = mkdtempSync(join(tmpdir(), 'coin-browser-'))

beforeAll(async () => {
  if (chromium !== undefined) node = await startClientNode(chainId, 1)
})
afterAll(async () => {
  if (browser !== undefined) {
    const gone = new Promise((resolve) => browser!.once('exit', resolve))
    browser.kill('SIGKILL')
    await gone
  }
  server?.closeAllConnections()
  server?.close()
  await node?.close()
  rmSync(profile, { recursive: true, force: true })
})

async function bundlePage(): Promise<string> {
  const page = fileURLToPath(new URL('./browser-page.js', import.meta.url))
  const bundle = await rolldown({ input: page, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm' })
  return output[0].code
}

/** Serves the page and its script; resolves with the page's origin and with what the page reports in the end. */
async function servePage(
  settings: PageSettings,
  script: string,
): Promise<{ url: string; report: Promise<PageReport> }> {
  const html = `<!doctype html><script>pageSettings = ${JSON.stringify(settings)}</script><script type="module" src="/page.js"></script>`
  let told: (report: PageReport) => void
  const report = new Promise<PageReport>((resolve) => {
    told = resolve
  })
  server = createServer((request, response) => {
    if (request.url === '/report') void text(request).then((body) => told(JSON.parse(body)))
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : html)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, report }
}

it.skipIf(chromium === undefined)(`a page in Chromium uses every door of the node${why}`, async () => {
  const settings: PageSettings = {
    ...{ rest: node.restUrl, rpc: node.rpcUrl, socket: node.socketUrl, recipient: strangerAddress },
    key: bytesToHex(privateKeyOf(chainId, 0)),
  }
  const { url, report } = await servePage(settings, await bundlePage())
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`]
  browser = spawn(chromium!, [...flags, url], { stdio: 'ignore' })
  const ended = new Promise<never>((_, reject) => {
    browser!.once('exit', (code) => reject(new Error(`Chromium ended with code ${code} before the page reported`)))
  })
  const seen = await Promise.race([report, ended])
  expect(seen).toEqual({
    ...{ origin: url, network: chainId, rpcNetwork: chainId, postedHeight: '1' },
    refusal: expect.stringContaining('tx parse error'),
    balances: '100000000000000ucoin',
    sent: { code: 0, hash: expect.stringMatching(/^[0-9A-F]{64}$/), height: expect.any(Number) },
    event: { hash: seen.sent.hash, height: seen.sent.height },
    block: expect.any(Number),
    grpcWeb: '7ucoin',
  })
})
