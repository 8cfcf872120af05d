import { existsSync, readFileSync } from 'node:fs'
import { concatBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { createReplay, type RecordedState, replayTo } from './testing/reference-replay.js'

type Piece = string | { readonly contract: string }

interface Recorded {
  readonly name: string
  readonly tx: readonly Piece[]
  readonly height: number
  readonly time: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly data: string
  readonly gasUsed: number
  readonly events: readonly (readonly [type: string, ...attributes: (readonly [string, string])[]])[]
}

const tests = new URL('../../../tests/', import.meta.url)
const recording = JSON.parse(readFileSync(new URL('vectors/reference/contracts.json', tests), 'utf8')) as {
  readonly appState: RecordedState
  readonly entries: readonly Recorded[]
}

const contractFile = (path: string) => new URL(`reference/.cache/contracts/${path}`, tests)
const needed = new Set(
  recording.entries.flatMap(({ tx }) => tx.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.contract]))),
)
const missing = [...needed].filter((path) => !existsSync(contractFile(path)))
if (missing.length > 0) {
  process.stderr.write(`SKIPPED: needs ${missing.join(', ')}; run tests/reference/fetch-contracts.sh\n`)
}

function bytesOf(tx: readonly Piece[]): Uint8Array {
  return concatBytes(
    ...tx.map(
      (piece) =>
        new Uint8Array(
          typeof piece === 'string' ? Buffer.from(piece, 'base64') : readFileSync(contractFile(piece.contract)),
        ),
    ),
  )
}

/** Where our VM or JSON reader says in its own words what is wrong. */
const ownWords = new Set(['store_old', 'cyberpunk_unreachable', 'cyberpunk_panic', 'cyberpunk_memory_loop'])

describe.skipIf(missing.length > 0)('a running wasmd and this chain', () => {
  const app = createReplay({ appState: recording.appState, strangers: 5, hasGentxs: true })

  it.each(recording.entries)('give $name the same result, gas, data and events', (recorded) => {
    const result = replayTo(app, recorded, [bytesOf(recorded.tx)])[0]!
    const { code, codespace, gasUsed } = result
    const summary = { code, codespace, gasUsed, data: Buffer.from(result.data).toString('base64') }
    const { code: c, codespace: s, gasUsed: g, data } = recorded
    expect({ ...summary, log: code === c ? '' : result.log }).toEqual({
      code: c,
      codespace: s,
      gasUsed: g,
      data,
      log: '',
    })
    if (!ownWords.has(recorded.name)) expect(result.log).toBe(recorded.log)
    const events = result.events.map(({ type, attributes }) => [
      type,
      ...attributes.map(({ key, value }) => [key, value]),
    ])
    expect(events).toEqual(recorded.events)
  })
})
