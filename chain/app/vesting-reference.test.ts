import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createReplay, type RecordedState, replayTo } from './testing/reference-replay.js'

interface Recorded {
  readonly kind: 'tx' | 'check' | 'query'
  readonly name: string
  readonly tx?: string
  readonly method?: string
  readonly height: number
  readonly time: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly data: string
  readonly value?: string
  readonly gasUsed?: number
  readonly events?: readonly (readonly [type: string, ...attributes: (readonly [string, string])[]])[]
}

const recording = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/reference/vesting.json', import.meta.url), 'utf8'),
) as { readonly appState: RecordedState; readonly entries: readonly Recorded[] }

const bytesOf = (base64 = '') => new Uint8Array(Buffer.from(base64, 'base64'))
const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Where the reference's text has its own library in it, or is a crash; codes agree also there. */
const ownWords = /address|recovered: |tx parse error|unsuppored/

describe('a running wasmd and this chain', () => {
  const app = createReplay({ appState: recording.appState, strangers: 4, hasGentxs: true })

  it.each(recording.entries)('$kind: $name', (recorded) => {
    const expected = { code: recorded.code, codespace: recorded.codespace }
    const tx = bytesOf(recorded.tx)
    replayTo(app, { ...recorded, height: recorded.height - (recorded.kind === 'tx' ? 1 : 0) })
    if (recorded.kind === 'query') {
      const { code, codespace, log, value } = app.query({
        ...{ path: recorded.method!, data: bytesOf(recorded.data), height: 0, prove: false },
      })
      expect({ code, codespace, value: base64Of(value) }, log).toEqual({ ...expected, value: recorded.value })
      if (!ownWords.test(recorded.log)) expect(log).toBe(recorded.log)
      return
    }
    const result = recorded.kind === 'check' ? app.checkTx(tx, 'new') : replayTo(app, recorded, [tx])[0]!
    const { code, codespace, log } = result
    expect({ code, codespace }, log).toEqual(expected)
    if (!ownWords.test(recorded.log)) expect(log).toBe(recorded.log)
    if (recorded.kind === 'check') return
    const events = result.events.map(({ type, attributes }) => [type, ...attributes.map((it) => [it.key, it.value])])
    expect({ gasUsed: result.gasUsed, data: base64Of(result.data), events }).toEqual({
      ...{ gasUsed: recorded.gasUsed, data: recorded.data, events: recorded.events },
    })
  })
})
