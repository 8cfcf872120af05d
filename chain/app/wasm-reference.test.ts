import { existsSync, readFileSync } from 'node:fs'
import { concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import type { TxResult } from '@coin/engine/application'
import type { AnteStep } from '@coin/runtime/ante/step'
import type { NodeApplication } from '@coin/runtime/application'
import type { Read } from '@coin/runtime/context'
import { consensusParamsOf } from '@coin/runtime/testing/contexts'
import { createMapStore } from '@coin/runtime/testing/map-store'
import { memoryFiles } from '@coin/vm/files'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { parseTimestamp, timestampToNs } from '@coin/wire/time'
import { describe, expect, it } from 'vitest'
import { type AddedModule, type AppParts, createApp, storeNames } from './app.js'
import { addWasm } from './wasm.js'

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
  readonly appState: { readonly auth: { readonly accounts: readonly object[] } }
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

/** wasmd looks up each message type in its circuit breaker's list twice: before the ante steps and when it runs. */
const askCircuitBreaker = (ctx: Read): unknown => ctx.store('wasm').has(Uint8Array.of(99))
const circuitBreaker: AnteStep = {
  name: 'circuit-breaker',
  run(ctx, { msgs }) {
    for (const _ of msgs) askCircuitBreaker(ctx)
    return undefined
  },
}

/** Our x/wasm, and what modules that are not built yet do to the figures: fees leave the collector before the next block. */
function referenceModules(parts: AppParts): AddedModule {
  const { bank, auth, msgs } = parts
  const collector = auth.moduleAddress('fee_collector')!
  const { run } = msgs
  const guarded: typeof run = (ctx, typeUrl, msg) => {
    askCircuitBreaker(ctx)
    return run(ctx, typeUrl, msg)
  }
  Object.assign(msgs, { run: guarded })
  const { module, steps = [] } = addWasm(new WasmVm({ files: memoryFiles() }))(parts)
  return {
    steps: [...steps, circuitBreaker],
    module: {
      ...module,
      beginBlock(ctx) {
        if (ctx.height === 1) ctx.store('wasm').set(Uint8Array.of(8), new Uint8Array(12))
        const fees = bank.balancesOf(ctx, collector)
        if (fees.length > 0) bank.sendModuleToModule(ctx, 'fee_collector', 'distribution', fees)
      },
    },
  }
}

/** Account numbers that the accounts of modules take which are not built yet. */
function withAccounts(state: { readonly auth: { readonly accounts: readonly object[] } }, count: number): object {
  const extra = Array.from({ length: count }, (_, index) => {
    const address = createAddressCodec('wasm').encode(new Uint8Array(20).fill(index + 1))
    return { '@type': '/cosmos.auth.v1beta1.BaseAccount', address }
  })
  return { ...state, auth: { ...state.auth, accounts: [...state.auth.accounts, ...extra] } }
}

function createReplay(): NodeApplication {
  const app = createApp({
    chain: { chainId: 'testing', bech32Prefix: 'wasm', denom: 'stake', minGasPrices: '0.001ucosm' },
    store: createMapStore(storeNames),
    logger: silentLogger,
    verifier: ({ pubKey, digest, signature }) => verifySecp256k1(pubKey, digest, signature),
    version: '0.0.0-test',
    wasm: referenceModules,
  })
  app.initChain({
    ...{
      time: timestampToNs(parseTimestamp('2026-01-01T00:00:00Z')),
      chainId: 'testing',
      initialHeight: 1,
      validators: [],
    },
    appState: utf8ToBytes(JSON.stringify(withAccounts(recording.appState, 5))),
    consensusParams: consensusParamsOf(-1n),
  })
  return app
}

/** Executes empty blocks up to the recorded one, then that. */
function deliverAt(app: NodeApplication, recorded: Recorded): TxResult {
  for (;;) {
    const height = app.info().lastHeight + 1
    const txs = height === recorded.height ? [bytesOf(recorded.tx)] : []
    const result = app.finalizeBlock({
      ...{
        height,
        time: timestampToNs(parseTimestamp(recorded.time)),
        txs,
        misbehavior: [],
        lastCommit: { round: 0, votes: [] },
      },
      ...{ hash: new Uint8Array(32), proposerAddress: new Uint8Array(20), nextValidatorsHash: new Uint8Array(32) },
    })
    app.commit()
    if (txs.length > 0) return result.txResults[0]!
  }
}

/** Where our VM or JSON reader says in its own words what is wrong. */
const ownWords = new Set(['store_old', 'cyberpunk_unreachable', 'cyberpunk_panic', 'cyberpunk_memory_loop'])

describe.skipIf(missing.length > 0)('a running wasmd and this chain', () => {
  const app = createReplay()

  it.each(recording.entries)('give $name the same result, gas, data and events', (recorded) => {
    const result = deliverAt(app, recorded)
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
