import type { NodeApplication } from '@coin/runtime/application'
import { describe, expect, it } from 'vitest'
import {
  type AppState,
  bytesOf,
  createReplay,
  deliverAt,
  type Executed,
  eventsOf,
  figuresOf,
  goTo,
  missingContracts,
  type Piece,
  readRecording,
} from './testing/grants-replay.js'

interface Query {
  readonly path: string
  readonly data: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly value: string
}

interface Refused {
  readonly refused: true
  readonly name: string
  readonly tx: readonly Piece[]
  /** The last block when the mempool refused it. */
  readonly height: number
  readonly time: string
  readonly code: number
  readonly codespace: string
}

interface Included extends Executed {
  readonly refused: false
  /** Asked behind its block. */
  readonly queries: readonly Query[]
}

const recording = readRecording<{ readonly appState: AppState; readonly entries: readonly (Refused | Included)[] }>(
  'grants.json',
)

/** Texts that are Go's own: of bech32, of coins, of a crash, of a message or of a key as bytes. */
const ownWords =
  /bech32|\ufffd|empty address string|^recovered: |failed to execute message; message \w+:"|failed to delete grant with key|denomination \w+ is not sorted|amount is not positive/i

const grantsOf = (app: NodeApplication) => {
  const { authz, feegrant } = app.exportGenesis()
  return { authz, feegrant }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe.skipIf(missingContracts(recording.entries).length > 0)('a running wasmd and this chain', () => {
  const app = createReplay(recording.appState)

  it.each(recording.entries)('do the same with $name', (recorded) => {
    if (recorded.refused) {
      goTo(app, recorded)
      const { code, codespace, log } = app.checkTx(bytesOf(recorded.tx), 'new')
      expect({ code, codespace }, log).toEqual({ code: recorded.code, codespace: recorded.codespace })
      return
    }
    goTo(app, { height: recorded.height - 1, time: recorded.time })
    const before = grantsOf(app)
    const result = deliverAt(app, recorded)
    if (recorded.code !== 0) expect(grantsOf(app)).toEqual(before)
    const { code, codespace, gasUsed, data } = recorded
    expect(figuresOf(result), result.log).toEqual({ code, codespace, gasUsed, data })
    if (!ownWords.test(recorded.log)) expect(result.log).toBe(recorded.log)
    expect(eventsOf(result)).toEqual(recorded.events)
    for (const query of recorded.queries) {
      const code = codeHere(query)
      const answer = app.query({ path: query.path, data: Buffer.from(query.data, 'base64'), height: 0, prove: false })
      const found = { code: answer.code, codespace: answer.codespace, value: base64(answer.value) }
      expect({ path: query.path, ...found }, answer.log).toEqual({
        ...{ path: query.path, code, codespace: query.codespace, value: query.value },
      })
      if (code === query.code && !ownWords.test(query.log)) expect(answer.log).toBe(query.log)
    }
  })
})

/** What is not there is not found here, and a page that cannot be is a bad request; the SDK calls both internal. */
function codeHere({ path, log, code }: { readonly path: string; readonly log: string; readonly code: number }): number {
  if (log.includes('fee-grant not found')) return 22
  return path.includes('feegrant') && log.includes('either offset or key') ? 18 : code
}
