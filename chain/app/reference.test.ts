import { readFileSync } from 'node:fs'
import { concatBytes, utf8ToBytes } from '@coin/base/bytes'
import type { AnteStep } from '@coin/runtime/ante/step'
import type { Read } from '@coin/runtime/context'
import { decodeUint64, encodeUint64 } from '@coin/runtime/keys'
import { describe, expect, it } from 'vitest'
import type { AddedModule, AppParts } from './app.js'
import { createTestChain, type TestChain } from './testing/test-chain.js'

interface Recorded {
  readonly name: string
  readonly tx: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly gasWanted: number
  readonly gasUsed: number
  readonly simulated: number | null
}

interface RecordedTx extends Recorded {
  readonly data: string | null
  readonly events: readonly { readonly type: string; readonly attributes: readonly (readonly [string, string])[] }[]
}

/** Recorded from a running wasmd; see `source` in the file. */
const reference = JSON.parse(readFileSync(new URL('../testing/reference.json', import.meta.url), 'utf8')) as {
  readonly appState: object
  readonly txs: readonly RecordedTx[]
  readonly checks: readonly Recorded[]
}

/** wasmd's ante step that counts the transactions of a block in the wasm store: 13 bytes of key, 12 of value. */
const countTx: AnteStep = {
  name: 'count-tx',
  run(ctx) {
    if (ctx.mode === 'simulate') return undefined
    const key = Uint8Array.of(8)
    const known = ctx.store('wasm').get(key)
    const isSame = known !== undefined && decodeUint64(known) === BigInt(ctx.height)
    const counter = isSame ? new DataView(known.buffer, known.byteOffset).getUint32(8) : 0
    const next = new Uint8Array(4)
    new DataView(next.buffer).setUint32(0, counter + 1)
    ctx.store('wasm').set(key, concatBytes(encodeUint64(BigInt(ctx.height)), next))
    return undefined
  },
}

/** wasmd looks up each message type in its circuit breaker's list twice: before the ante steps and when it runs. */
const askCircuitBreaker = (ctx: Read): unknown => ctx.store('wasm').has(Uint8Array.of(99))
const circuitBreaker: AnteStep = {
  name: 'circuit-breaker',
  run(ctx, { msgs }) {
    for (const _ of msgs) askCircuitBreaker(ctx)
    return undefined
  },
}

/** What the modules that are not built yet do to the figures: fees leave the collector before the next block. */
function referenceModules({ bank, auth, msgs }: AppParts): AddedModule {
  const collector = auth.moduleAddress('fee_collector')!
  const { run } = msgs
  const guarded: typeof run = (ctx, typeUrl, msg) => {
    askCircuitBreaker(ctx)
    return run(ctx, typeUrl, msg)
  }
  Object.assign(msgs, { run: guarded })
  return {
    steps: [countTx, circuitBreaker],
    module: {
      name: 'wasm',
      stores: ['wasm'],
      beginBlock(ctx) {
        if (ctx.height === 1) ctx.store('wasm').set(Uint8Array.of(8), new Uint8Array(12))
        const fees = bank.balancesOf(ctx, collector)
        if (fees.length > 0) bank.sendModuleToModule(ctx, 'fee_collector', 'distribution', fees)
      },
    },
  }
}

function start(): TestChain {
  const chain = createTestChain({
    appState: utf8ToBytes(JSON.stringify(reference.appState)),
    chain: { chainId: 'testing', bech32Prefix: 'wasm', denom: 'stake', minGasPrices: '0.001ucosm' },
    wasm: referenceModules,
  })
  chain.deliver()
  return chain
}

const bytesOf = (tx: string): Uint8Array => new Uint8Array(Buffer.from(tx, 'base64'))
const figures = ({ code, codespace, gasWanted, gasUsed }: Omit<Recorded, 'tx'>) => ({
  code,
  codespace,
  gasWanted,
  gasUsed,
})

/** The reason for a bad address is said in our own words. */
const ownWords = new Set(['bad_recipient'])

describe('the reference node and this one', () => {
  const chain = start()

  it.each(reference.txs)('give $name the same result, gas, data and events', (recorded) => {
    const simulated = chain.app.simulate(bytesOf(recorded.tx))
    if (recorded.simulated !== null) expect(simulated.gasUsed).toBe(recorded.simulated)
    const checked = chain.app.checkTx(bytesOf(recorded.tx), 'new')
    expect(checked.code).toBe(0)
    const result = chain.deliverOne(bytesOf(recorded.tx))
    expect(figures({ name: recorded.name, simulated: null, ...result })).toEqual(figures(recorded))
    if (!ownWords.has(recorded.name)) expect(result.log).toBe(recorded.log)
    expect(Buffer.from(result.data).toString('base64')).toBe(recorded.data ?? '')
    const events = result.events.map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(({ key, value }) => [key, value]),
    }))
    expect(events).toEqual(recorded.events)
  })

  it.each(reference.checks)('refuse $name with the same code and gas', (recorded) => {
    const checked = chain.app.checkTx(bytesOf(recorded.tx), 'new')
    expect(figures({ name: recorded.name, simulated: null, ...checked })).toEqual(figures(recorded))
  })
})
