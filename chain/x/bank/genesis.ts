import { compareBytes } from '@coin/base/bytes'
import type { Read, Write } from '@coin/runtime/context'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import {
  type Coin,
  type Coins,
  checkDenom,
  coinsFromProto,
  coinsOf,
  coinsToProto,
  equalCoins,
  formatCoins,
} from '@coin/wire/coins'
import type { SendEnabled } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'
import type { Balance, GenesisState } from '@coin/wire/gen/cosmos/bank/v1beta1/genesis'
import { type BankKeeper, checkAmount } from './keeper.js'
import { checkMetadata } from './metadata.js'
import { balances, denomMetadata, params, sendEnabled, supply } from './state.js'

export function createBankGenesis(keeper: BankKeeper): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmos.bank.v1beta1.GenesisState',
    default: () => ({
      params: { sendEnabled: [], defaultSendEnabled: true },
      balances: [],
      supply: [],
      denomMetadata: [],
      sendEnabled: [],
    }),
    init(ctx, state) {
      params.set(ctx, { sendEnabled: [], defaultSendEnabled: state.params.defaultSendEnabled })
      initSendEnabled(ctx, state)
      const total = initBalances(ctx, keeper, state.balances)
      const said = coinsFromProto(state.supply)
      if (said.length > 0 && !equalCoins(said, total)) {
        const [expected, found] = [formatCoins(said), formatCoins(total)]
        throw genesisErrors.invalid(`bank supply is ${expected}, but the balances sum up to ${found}`)
      }
      for (const { denom, amount } of total) supply.set(ctx, denom, amount)
      initMetadata(ctx, state)
      return undefined
    },
    export: (ctx) => ({
      params: params.get(ctx) ?? { sendEnabled: [], defaultSendEnabled: true },
      balances: exportBalances(ctx, keeper),
      supply: coinsToProto([...supply.entries(ctx)].map(([denom, amount]) => ({ denom, amount }))),
      denomMetadata: [...denomMetadata.entries(ctx)].map(([, metadata]) => metadata),
      sendEnabled: [...sendEnabled.entries(ctx)].map(([denom, enabled]) => ({ denom, enabled })),
    }),
  })
}

/** Newer genesis files have the list beside the params, older ones in them; a denom in both is taken from beside. */
function initSendEnabled(ctx: Write, state: GenesisState): void {
  const entries = new Map<string, SendEnabled>()
  for (const entry of state.sendEnabled) {
    if (entries.has(entry.denom)) throw genesisErrors.invalid(`bank send_enabled of ${entry.denom} is given twice`)
    entries.set(entry.denom, entry)
  }
  for (const entry of state.params.sendEnabled) if (!entries.has(entry.denom)) entries.set(entry.denom, entry)
  for (const { denom, enabled } of entries.values()) {
    checkDenom(denom)
    sendEnabled.set(ctx, denom, enabled)
  }
}

function initBalances(ctx: Write, keeper: BankKeeper, given: readonly Balance[]): Coins {
  const sorted = given
    .map(({ address, coins }) => ({ text: address, address: keeper.addresses.decode(address), coins }))
    .sort((a, b) => compareBytes(a.address, b.address))
  const all: Coin[] = []
  for (const [index, { text, address, coins: proto }] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && compareBytes(before.address, address) === 0)
      throw genesisErrors.invalid(`bank balance of ${text} is given twice`)
    const coins = [...coinsFromProto(proto)].sort((a, b) => (a.denom < b.denom ? -1 : 1))
    checkAmount(coins)
    for (const { denom, amount } of coins) balances.set(ctx, [address, denom], amount)
    for (const coin of coins) all.push(coin)
  }
  return coinsOf(all)
}

function initMetadata(ctx: Write, { denomMetadata: given }: GenesisState): void {
  const seen = new Set<string>()
  for (const metadata of given) {
    checkMetadata(metadata)
    if (seen.has(metadata.base)) throw genesisErrors.invalid(`metadata of denom "${metadata.base}" is given twice`)
    seen.add(metadata.base)
    denomMetadata.set(ctx, metadata.base, metadata)
  }
}

function exportBalances(ctx: Read, keeper: BankKeeper): Balance[] {
  const exported: Balance[] = []
  let last: { readonly address: Uint8Array; readonly balance: Balance } | undefined
  for (const [[address, denom], amount] of balances.entries(ctx)) {
    if (last === undefined || compareBytes(last.address, address) !== 0) {
      last = { address, balance: { address: keeper.addresses.encode(address), coins: [] } }
      exported.push(last.balance)
    }
    last.balance.coins.push({ denom, amount: amount.toString() })
  }
  return exported
}
