import { assert } from '@coin/base/assert'
import type { BlockOrder } from '@coin/runtime/block'
import type { Module } from '@coin/runtime/module'

/** The order is consensus: it is wasmd's, with what is not built left out. */
const genesisOrder = ['auth', 'bank', 'gov', 'mint', 'authz', 'feegrant', 'vesting', 'consensus', 'wasm']
const preBlockOrder = ['auth']
const beginBlockOrder = ['mint', 'authz', 'wasm']
const endBlockOrder = ['gov', 'feegrant', 'wasm']

/** Modules of this program, sorted as people look for them. */
export const moduleNames: readonly string[] = [...genesisOrder].sort()

/** The given modules by name in the order of `names`; a name that is not built is skipped. */
function pick(modules: readonly Module[], names: readonly string[]): readonly Module[] {
  return names.flatMap((name) => modules.filter((module) => module.name === name))
}

export function sortForGenesis(modules: readonly Module[]): readonly Module[] {
  const sorted = pick(modules, genesisOrder)
  assert(sorted.length === modules.length, 'a module is missing in the genesis order')
  return sorted
}

export function blockOrder(modules: readonly Module[]): BlockOrder {
  const order = {
    preBlock: pick(modules, preBlockOrder),
    beginBlock: pick(modules, beginBlockOrder),
    endBlock: pick(modules, endBlockOrder),
  }
  for (const module of modules) {
    const isListed = (step: keyof BlockOrder) => module[step] === undefined || order[step].includes(module)
    assert(isListed('preBlock') && isListed('beginBlock') && isListed('endBlock'), `${module.name} has no place`)
  }
  return order
}
