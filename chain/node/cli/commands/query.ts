import { moduleNames } from '@coin/app/order'
import { descriptors } from '@coin/wire/registry'
import type { Command } from 'commander'
import { servicesOf } from '../autocli/names.js'
import { addQueryCommands } from '../autocli/query-commands.js'
import { queryOptions } from '../autocli/query-options.js'
import type { Terminal } from '../terminal.js'
import { moduleGroup } from './module-groups.js'
import { addBlockQueries } from './query-block.js'
import { addTxQueries } from './query-tx.js'
import { addWasmQueries } from './query-wasm.js'

/** Modules whose commands are hand-made in the reference, which prints their answers in protobuf's JSON. */
const handMade: ReadonlySet<string> = new Set(['wasm'])

export function addQuery(program: Command, terminal: Terminal): void {
  const group = program.command('query').alias('q').description('read from the chain')
  const services = descriptors().services()
  for (const module of moduleNames) {
    const { query } = servicesOf(module, services)
    if (query === undefined) continue
    const form = handMade.has(module) ? 'protobuf' : 'derived'
    const path = `query ${module}`
    addQueryCommands(moduleGroup(group, module), path, query.methods, queryOptions, form, terminal)
  }
  const comet = descriptors().service('cosmos.base.tendermint.v1beta1.Service')?.methods ?? []
  const inConsensus = moduleGroup(group, 'consensus').command('comet').description('what the consensus engine knows')
  addQueryCommands(inConsensus, 'query consensus comet', comet, queryOptions, 'derived', terminal)
  const atTop = group.command('comet').description('what the consensus engine knows')
  addQueryCommands(atTop, 'query comet', comet, queryOptions, 'derived', terminal)
  addWasmQueries(moduleGroup(group, 'wasm'), terminal)
  addBlockQueries(group, terminal)
  addTxQueries(group, terminal)
}
