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
import { type AddedModule, type AppParts, createApp, storeNames } from '../app.js'
import { addWasm } from '../wasm.js'

/** Bytes of a transaction, base64; a contract in it is named by its file. */
export type Piece = string | { readonly contract: string }

/** A transaction that the reference has executed, in a block of its own. */
export interface Executed {
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

export interface AppState {
  readonly auth: { readonly accounts: readonly object[] }
}

const tests = new URL('../../../../tests/', import.meta.url)

/** A recording in tests/vectors/reference. */
export function readRecording<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`vectors/reference/${name}`, tests), 'utf8')) as T
}

const contractFile = (path: string) => new URL(`reference/.cache/contracts/${path}`, tests)

/** Contracts that the transactions need and that are not there; says so. */
export function missingContracts(entries: readonly { readonly tx: readonly Piece[] }[]): readonly string[] {
  const needed = new Set(
    entries.flatMap(({ tx }) => tx.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.contract]))),
  )
  const missing = [...needed].filter((path) => !existsSync(contractFile(path)))
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: needs ${missing.join(', ')}; run tests/reference/fetch-contracts.sh\n`)
  }
  return missing
}

export function bytesOf(tx: readonly Piece[]): Uint8Array {
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
        if (ctx.height === 1) {
          auth.moduleAccount(ctx, 'distribution')
          ctx.store('wasm').set(Uint8Array.of(8), new Uint8Array(12))
        }
        const fees = bank.balancesOf(ctx, collector)
        if (fees.length > 0) bank.sendModuleToModule(ctx, 'fee_collector', 'distribution', fees)
      },
    },
  }
}

/** Account numbers that the accounts of modules take which are not built yet. */
function withAccounts(state: AppState, count: number): object {
  const extra = Array.from({ length: count }, (_, index) => {
    const address = createAddressCodec('wasm').encode(new Uint8Array(20).fill(index + 1))
    return { '@type': '/cosmos.auth.v1beta1.BaseAccount', address }
  })
  return { ...state, auth: { ...state.auth, accounts: [...state.auth.accounts, ...extra] } }
}

/** This chain from the genesis of a recording. */
export function createReplay(appState: AppState): NodeApplication {
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
    appState: utf8ToBytes(JSON.stringify(withAccounts(appState, 4))),
    consensusParams: consensusParamsOf(-1n),
  })
  return app
}

function deliver(app: NodeApplication, time: string, txs: readonly Uint8Array[]): readonly TxResult[] {
  const result = app.finalizeBlock({
    ...{
      height: app.info().lastHeight + 1,
      time: timestampToNs(parseTimestamp(time)),
      txs,
      misbehavior: [],
      lastCommit: { round: 0, votes: [] },
    },
    ...{ hash: new Uint8Array(32), proposerAddress: new Uint8Array(20), nextValidatorsHash: new Uint8Array(32) },
  })
  app.commit()
  return result.txResults
}

/** Executes empty blocks until `height` is committed. */
export function goTo(app: NodeApplication, { height, time }: { readonly height: number; readonly time: string }): void {
  while (app.info().lastHeight < height) deliver(app, time, [])
}

/** Executes empty blocks up to the recorded one, then that. */
export function deliverAt(app: NodeApplication, { tx, height, time }: Executed): TxResult {
  goTo(app, { height: height - 1, time })
  return deliver(app, time, [bytesOf(tx)])[0]!
}

/** What is compared of every transaction but for the log. */
export function figuresOf({ code, codespace, gasUsed, data }: TxResult) {
  return { code, codespace, gasUsed, data: Buffer.from(data).toString('base64') }
}

/** Events in the form of the recordings. */
export function eventsOf({ events }: TxResult): Executed['events'] {
  return events.map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => [key, value] as const)])
}
