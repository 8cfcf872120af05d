import { readVectors } from '@coin/engine/testing/comet-vectors'
import { openRpc } from '@coin/node/testing/open-rpc'
import { expect, it } from 'vitest'

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly cache: string | null
  // biome-ignore lint/suspicious/noExplicitAny: fields of any answer
  readonly body: any
}

interface Edges {
  listEdges(url: string): Promise<readonly { readonly name: string }[]>
  observe(url: string, edge: object): Promise<Answer>
}

/** Recorded from the reference by tests/reference/record-rpc-edges.mjs. */
const recorded = readVectors<readonly { readonly name: string; readonly answer: Answer }[]>('rpc-edges.json')

/** Where this node answers otherwise, and why. */
const accepted: readonly { readonly at: RegExp; readonly why: string }[] = [
  { at: /^GET \/abci_info/, why: 'the height of the application is not cached for a day' },
  { at: /^GET \/blockchain$/, why: 'the last blocks are not cached for a day' },
  { at: /^GET \/blockchain\?(minHeight=\d+|minHeight=0&maxHeight=0)$/, why: 'nor are those up to the last one' },
  { at: /^POST .*"height":"(0|-1|999999999)"/, why: 'failures of JSON-RPC calls are not cached for a day' },
  { at: /^GET \/genesis$/, why: "this chain's genesis names its validator; the reference's has a genesis transaction" },
  { at: /^GET \/block_results/, why: 'other modules, other events; parameters stand in the block that changes them' },
]

it('odd requests are answered as the reference answers them', async () => {
  const rpc = await openRpc()
  for (let i = 0; i < 12; i++) rpc.chain.engine.produceBlock()
  const url = `http://127.0.0.1:${rpc.port}`
  const { listEdges, observe } = (await import(
    new URL('../../reference/recording/rpc-edges.mjs', import.meta.url).href
  )) as Edges
  const edges = await listEdges(url)
  expect(edges.map(({ name }) => name)).toEqual(recorded.map(({ name }) => name))
  const different: unknown[] = []
  for (const [index, edge] of edges.entries()) {
    const answer = plain(await observe(url, edge))
    const expected = plain(recorded[index]!.answer)
    const isSame = JSON.stringify(answer) === JSON.stringify(expected)
    if (!isSame && !accepted.some(({ at }) => at.test(edge.name))) different.push({ name: edge.name, answer, expected })
  }
  expect(different).toEqual([])
  await rpc.close()
})

/** Texts about parameters, queries and JSON that cannot be read are our own: they name the value and what was expected. */
function plain(answer: Answer): Answer {
  if (answer.type !== 'application/json') return { ...answer, type: answer.type?.split(';')[0] ?? null, body: '' }
  const body = JSON.parse(JSON.stringify(answer.body), (key, value) => (key === 'data' ? ownText(value) : value))
  return { ...answer, body: withoutParamTexts(body) }
}

const ownText = (data: unknown) => (typeof data === 'string' ? data.replace(/^offset (\d+): .*/, 'offset $1') : data)

// biome-ignore lint/suspicious/noExplicitAny: fields of any answer
function withoutParamTexts(body: any): any {
  if (Array.isArray(body)) return body.map(withoutParamTexts)
  const { error } = body
  return error && [-32602, -32700].includes(error.code) ? { ...body, error: { ...error, data: '' } } : body
}
