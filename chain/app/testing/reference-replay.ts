import { utf8ToBytes } from '@coin/base/bytes'
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
import { type AddedModule, type AppParts, type ChainOptions, createApp, storeNames } from '../app.js'
import { addWasm } from '../wasm.js'

/** The parts of a recorded genesis that this chain has modules for. */
export interface RecordedState {
  readonly auth: { readonly accounts: readonly object[] }
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
const referenceModules =
  (hasGentxs: boolean) =>
  (parts: AppParts): AddedModule => {
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
          // Transactions of the genesis have been counted.
          if (hasGentxs && ctx.height === 1) ctx.store('wasm').set(Uint8Array.of(8), new Uint8Array(12))
          const fees = bank.balancesOf(ctx, collector)
          if (fees.length > 0) bank.sendModuleToModule(ctx, 'fee_collector', 'distribution', fees)
        },
      },
    }
  }

/** Account numbers that the accounts of modules take which are not built yet. */
function withAccounts(state: RecordedState, count: number): object {
  const extra = Array.from({ length: count }, (_, index) => {
    const address = createAddressCodec('wasm').encode(new Uint8Array(20).fill(index + 1))
    return { '@type': '/cosmos.auth.v1beta1.BaseAccount', address }
  })
  return { ...state, auth: { ...state.auth, accounts: [...state.auth.accounts, ...extra] } }
}

export interface ReplayOptions {
  readonly appState: RecordedState
  /** How many accounts wasmd's other modules had opened when the recording began. */
  readonly strangers: number
  /** Whether its genesis held transactions of validators. */
  readonly hasGentxs: boolean
  readonly chain?: Partial<ChainOptions>
}

/** This chain from the genesis of a recording by tests/reference, with the gas that wasmd's other modules cost. */
export function createReplay({ appState, strangers, hasGentxs, chain }: ReplayOptions): NodeApplication {
  const app = createApp({
    chain: { chainId: 'testing', bech32Prefix: 'wasm', denom: 'stake', minGasPrices: '0.001ucosm', ...chain },
    store: createMapStore(storeNames),
    logger: silentLogger,
    verifier: ({ pubKey, digest, signature }) => verifySecp256k1(pubKey, digest, signature),
    version: '0.0.0-test',
    wasm: referenceModules(hasGentxs),
  })
  app.initChain({
    ...{
      time: timestampToNs(parseTimestamp('2026-01-01T00:00:00Z')),
      chainId: 'testing',
      initialHeight: 1,
      validators: [],
    },
    appState: utf8ToBytes(JSON.stringify(withAccounts(appState, strangers))),
    consensusParams: consensusParamsOf(-1n),
  })
  return app
}

export interface RecordedBlock {
  readonly height: number
  readonly time: string
}

/** Executes empty blocks up to this one, and this one with the transactions. Nothing when it is there already. */
export function replayTo(
  app: NodeApplication,
  block: RecordedBlock,
  txs: readonly Uint8Array[] = [],
): readonly TxResult[] {
  let results: readonly TxResult[] = []
  for (let height = app.info().lastHeight + 1; height <= block.height; height++) {
    const result = app.finalizeBlock({
      ...{ height, time: timestampToNs(parseTimestamp(block.time)), txs: height === block.height ? txs : [] },
      ...{ misbehavior: [], lastCommit: { round: 0, votes: [] } },
      ...{ hash: new Uint8Array(32), proposerAddress: new Uint8Array(20), nextValidatorsHash: new Uint8Array(32) },
    })
    app.commit()
    results = result.txResults
  }
  return results
}
