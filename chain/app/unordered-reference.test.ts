import { readFileSync } from 'node:fs'
import type { TxResult } from '@coin/engine/application'
import { describe, expect, it } from 'vitest'
import { createReplay, type RecordedState, replayTo } from './testing/reference-replay.js'

interface Outcome {
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly gasUsed: number
  /** Type, then keys and values in turn. */
  readonly events: readonly (readonly string[])[]
}

interface Recorded {
  readonly name: string
  readonly tx: string
  readonly height: number
  readonly time: string
  readonly check: Outcome
  readonly block: Outcome
}

const recording = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/reference/unordered.json', import.meta.url), 'utf8'),
) as { readonly appState: RecordedState; readonly entries: readonly Recorded[] }

function outcomeOf({ code, codespace, log, gasUsed, events }: TxResult): Outcome {
  const flat = events.map(({ type, attributes }) => [type, ...attributes.flatMap(({ key, value }) => [key, value])])
  return { code, codespace, log, gasUsed, events: flat }
}

describe("wasmd's application with unordered transactions switched on, and this chain", () => {
  const app = createReplay({ ...recording, strangers: 0, hasGentxs: false, chain: { takesUnordered: true } })
  replayTo(app, { height: 1, time: '2026-01-01T00:00:10Z' })

  it.each(recording.entries)('$name', ({ tx, check, block, ...at }) => {
    const bytes = new Uint8Array(Buffer.from(tx, 'base64'))
    expect(outcomeOf(app.checkTx(bytes, 'new'))).toEqual(check)
    expect(outcomeOf(replayTo(app, at, [bytes])[0]!)).toEqual(block)
  })
})
