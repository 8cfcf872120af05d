import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Something that is served as it is. */
export interface Page {
  readonly type: string
  readonly bytes: Uint8Array
  /** The same, for callers that take gzip. */
  readonly zipped: Uint8Array
  /** Changes with the bytes. */
  readonly tag: string
}

const zip = promisify(gzip)

export async function createPage(type: string, content: string | Uint8Array): Promise<Page> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { type, bytes, zipped: await zip(bytes), tag }
}

/** Files of swagger-ui-dist that the page to try it needs, and no others. */
const uiTypes: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
}

const tryHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REST API</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The document that it shows is <a href="../openapi.json">openapi.json</a>.</noscript>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</body>
</html>
`

/** No validator: it would send the document's address to a server of others. */
const startScript = `window.ui = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Pages below `/swagger/` by name; the page itself has none. Undefined for a name that there is not. */
export async function readTryPage(name: string): Promise<Page | undefined> {
  if (name === '') return createPage('text/html; charset=utf-8', tryHtml)
  if (name === 'start.js') return createPage('text/javascript; charset=utf-8', startScript)
  const type = Object.hasOwn(uiTypes, name) ? uiTypes[name] : undefined
  if (type === undefined) return undefined
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return createPage(type, await readFile(join(folder, name)))
}

export interface HomeFacts {
  readonly chainId: string
  readonly moniker: string
  /** `coind 0.1.0, Cosmos SDK v0.53.4` */
  readonly software: string
  readonly height: number
  /** RFC 3339, or empty before the first block. */
  readonly time: string
  /** Where the node listens for RPC: `tcp://127.0.0.1:26657`. */
  readonly rpcAddress: string
}

/** What a browser gets that opens the REST port. */
export function homeHtml({ chainId, moniker, software, height, time, rpcAddress }: HomeFacts): string {
  const rows = [
    ['Chain', chainId],
    ['Node', moniker],
    ['Latest block', height === 0 ? 'none yet' : `${height}, ${time}`],
    ['Software', software],
    ['RPC', rpcAddress],
  ]
  const links = [
    ['swagger/', 'Try the REST API'],
    ['openapi.json', 'OpenAPI document'],
    ['cosmos/base/tendermint/v1beta1/blocks/latest', 'Latest block'],
    ['cosmos/base/tendermint/v1beta1/node_info', 'Node info'],
    ['cosmos/base/tendermint/v1beta1/syncing', 'Syncing'],
  ]
  const cells = rows.map(([name, value]) => `<tr><th>${name}</th><td>${escapeHtml(value!)}</td></tr>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(chainId)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; margin: 1rem 0 }
th { text-align: left; padding: .2rem 1.5rem .2rem 0; font-weight: 500; opacity: .7 }
</style>
</head>
<body>
<h1>${escapeHtml(chainId)}</h1>
<table>${cells.join('')}</table>
<ul>${links.map(([href, text]) => `<li><a href="${href}">${text}</a></li>`).join('')}</ul>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
