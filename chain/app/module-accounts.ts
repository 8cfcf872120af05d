import type { AddressCodec } from '@coin/wire/addresses'
import { moduleAddress } from '@coin/wire/addresses'

/** Modules that have an account, with what it may do; names and rights are wasmd's. */
export const moduleAccounts = {
  fee_collector: [],
  distribution: [],
  mint: ['minter'],
  bonded_tokens_pool: ['burner', 'staking'],
  not_bonded_tokens_pool: ['burner', 'staking'],
  gov: ['burner'],
  wasm: ['burner'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Users may send to governance (deposits), and to no other module: what it would do with the coins is unknown. */
const mayReceive: ReadonlySet<string> = new Set(['gov'])

/** Bech32 addresses that transfers are refused to. */
export function blockedAddresses(addresses: AddressCodec): ReadonlySet<string> {
  const names = Object.keys(moduleAccounts).filter((name) => !mayReceive.has(name))
  return new Set(names.map((name) => addresses.encode(moduleAddress(name))))
}
