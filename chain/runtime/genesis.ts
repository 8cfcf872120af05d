import { bytesToUtf8 } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import type { ValidatorUpdate } from '@coin/engine/application'
import { type Json, messageFromJson, messageToJson } from '@coin/wire/json'
import type { Read, Write } from './context.js'
import { genesisErrors } from './errors.js'
import type { Genesis, Module } from './module.js'

type AppState = Readonly<Record<string, Json>>

/**
 * Writes the state of height 0, module by module in the given order. A module without an entry gets its default; an entry whose
 * module is not built is named in a warning and left alone, so that a genesis of another chain's node starts here.
 */
export function initGenesis(
  ctx: Write,
  modules: readonly Module[],
  appState: Uint8Array,
  logger: Logger,
): readonly ValidatorUpdate[] {
  const state = parseAppState(appState)
  warnOfStrangers(state, modules, logger)
  const updates: ValidatorUpdate[] = []
  for (const { name, genesis } of modules) {
    if (genesis === undefined) continue
    const own = readOwn(name, genesis, state[name])
    for (const warning of genesis.warnings?.(own) ?? []) logger.warn({ module: name }, warning)
    updates.push(...inModule(name, () => genesis.init(ctx, own) ?? []))
  }
  return updates
}

/** The inverse of `initGenesis`: `app_state` as a JSON value, modules in the given order. */
export function exportGenesis(ctx: Read, modules: readonly Module[]): AppState {
  const state: Record<string, Json> = {}
  for (const { name, genesis } of modules) {
    if (genesis !== undefined) state[name] = messageToJson(genesis.type, genesis.export(ctx) as object)
  }
  return state
}

function readOwn(name: string, genesis: Genesis, given: Json | undefined): unknown {
  if (given === undefined || given === null) return genesis.default()
  return inModule(name, () => messageFromJson(genesis.type, given))
}

function parseAppState(bytes: Uint8Array): AppState {
  let state: unknown
  try {
    state = bytes.length === 0 ? {} : JSON.parse(bytesToUtf8(bytes))
  } catch {
    throw genesisErrors.invalid('app_state is not JSON')
  }
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw genesisErrors.invalid('app_state is not a JSON object')
  }
  return state as AppState
}

function warnOfStrangers(state: AppState, modules: readonly Module[], logger: Logger): void {
  const built = new Set(modules.map(({ name }) => name))
  const strangers = Object.keys(state).filter((name) => !built.has(name) && !isEmpty(state[name]))
  if (strangers.length > 0) {
    logger.warn(
      { modules: strangers },
      `genesis: no such modules here, their state is ignored: ${strangers.join(', ')}`,
    )
  }
  const genutil = state.genutil
  const signed = isObject(genutil) ? genutil.gen_txs : undefined
  if (Array.isArray(signed) && signed.length > 0) {
    logger.warn({ count: signed.length }, 'genesis: gen_txs are ignored, validators come from the genesis file')
  }
}

function isObject(json: Json | undefined): json is { readonly [key: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function isEmpty(json: Json | undefined): boolean {
  return json === null || json === undefined || (isObject(json) && Object.keys(json).length === 0)
}

function inModule<T>(name: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(`genesis of module ${name}`) : error
  }
}
