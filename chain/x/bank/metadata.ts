import { genesisErrors } from '@coin/runtime/errors'
import { isDenom } from '@coin/wire/coins'
import type { DenomUnit, Metadata } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'

/**
 * Throws unless name and symbol are there, the first unit is the base with exponent 0, exponents rise, units are unique
 * and the display unit is among them.
 */
export function checkMetadata(metadata: Metadata): void {
  const { base, display, denomUnits } = metadata
  const fail = (why: string): never => {
    throw genesisErrors.invalid(`metadata of denom "${base}": ${why}`)
  }
  if (metadata.name.trim() === '') fail('name field cannot be blank')
  if (metadata.symbol.trim() === '') fail('symbol field cannot be blank')
  if (!isDenom(base)) fail('the base is no valid denom')
  if (!isDenom(display)) fail(`the display "${display}" is no valid denom`)
  const seen = new Set<string>()
  for (const [index, unit] of denomUnits.entries()) {
    const before = denomUnits[index - 1]
    if (before === undefined && (unit.denom !== base || unit.exponent !== 0)) {
      fail(`the first unit must be the base with exponent 0, got "${unit.denom}" with ${unit.exponent}`)
    }
    if (before !== undefined && before.exponent >= unit.exponent) fail('denom units should be sorted asc by exponent')
    if (seen.has(unit.denom)) fail(`duplicate denomination unit ${unit.denom}`)
    seen.add(unit.denom)
    checkUnit(unit, fail)
  }
  if (!seen.has(display)) fail(`metadata must contain a denomination unit with display denom "${display}"`)
}

function checkUnit({ denom, aliases }: DenomUnit, fail: (why: string) => never): void {
  if (!isDenom(denom)) fail(`unit "${denom}" is no valid denom`)
  if (new Set(aliases).size !== aliases.length) fail(`duplicate alias of unit ${denom}`)
  if (aliases.some((alias) => alias.trim() === '')) fail(`alias for denom unit ${denom} cannot be blank`)
}
