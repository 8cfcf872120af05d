import { type Bytes, bytesToHex, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import { emptyBlock } from '@coin/runtime/chain-state'
import { type BlockInfo, createWrite, type Write } from '@coin/runtime/context'
import { GasMeter } from '@coin/runtime/gas'
import { createMsgRouter } from '@coin/runtime/msg-router'
import { createQueryRouter } from '@coin/runtime/query-router'
import { consensusParamsOf } from '@coin/runtime/testing/contexts'
import { createMapStore } from '@coin/runtime/testing/map-store'
import { memoryFiles } from '@coin/vm/files'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import type { Coins } from '@coin/wire/coins'
import { createWasmKeeper, type WasmKeeper, type WasmOptions } from '../keeper.js'
import { createWasmModule } from '../module.js'
import type { AccountsPort, BankPort } from '../ports.js'

export const addresses = createAddressCodec('coin')

/** An account address of 20 equal bytes. */
export const account = (byte: number): Bytes => new Uint8Array(20).fill(byte)
export const [alice, bob, governance] = [account(1), account(2), account(9)]
export const text = (address: Bytes): string => addresses.encode(address)
export const json = (value: unknown): Bytes => utf8ToBytes(JSON.stringify(value))

/** Balances in a map: what the bank port has to do, and nothing else. */
export function createTestBank(): BankPort & { readonly balances: Map<string, bigint> } {
  const balances = new Map<string, bigint>()
  const key = (holder: Bytes, denom: string) => `${bytesToHex(holder)}/${denom}`
  const add = (holder: Bytes, coins: Coins, sign: bigint) => {
    for (const { denom, amount } of coins) {
      balances.set(key(holder, denom), (balances.get(key(holder, denom)) ?? 0n) + sign * amount)
    }
  }
  return {
    balances,
    balanceOf: (_, holder, denom) => balances.get(key(holder, denom)) ?? 0n,
    balancesOf: (_, holder) =>
      [...balances]
        .filter(([name, amount]) => name.startsWith(`${bytesToHex(holder)}/`) && amount > 0n)
        .map(([name, amount]) => ({ denom: name.split('/')[1]!, amount })),
    supplyOf: (_, denom) =>
      [...balances].filter(([name]) => name.endsWith(`/${denom}`)).reduce((sum, [, amount]) => sum + amount, 0n),
    isBlocked: () => false,
    checkSendEnabled: () => undefined,
    send(_, from, to, coins) {
      add(from, coins, -1n)
      add(to, coins, 1n)
    },
    sendToModule: (_, from, __, coins) => add(from, coins, -1n),
    burn: () => undefined,
  }
}

export interface WasmChain {
  readonly ctx: Write
  readonly keeper: WasmKeeper
  readonly bank: ReturnType<typeof createTestBank>
  /** Runs a message through the module's routes, all or nothing, and gives the response. */
  run(name: string, msg: object, gas?: number): Record<string, unknown>
  query(name: string, request: object): Record<string, unknown>
  /** SDK gas of a smart query that a transaction makes. */
  queryGas(contract: Bytes, msg: object): number
  smart(contract: Bytes, msg: object): unknown
}

/** x/wasm alone, over an empty store, with the smallest bank and accounts that do. */
export function createWasmChain({
  block,
  ...options
}: Partial<WasmOptions> & { block?: Partial<BlockInfo> } = {}): WasmChain {
  const ctx = createWrite(createMapStore(['wasm']).branch(), {
    block: { ...emptyBlock('test-1'), height: 7, ...block },
    mode: 'finalize',
    consensusParams: consensusParamsOf(-1n),
  })
  const known = new Map<string, Account>()
  const accounts: AccountsPort = {
    get: (_, address) => known.get(text(address)),
    create(_, address) {
      const fresh = { address: text(address), pubKey: undefined, accountNumber: BigInt(known.size), sequence: 0n }
      known.set(text(address), fresh)
      return fresh
    },
  }
  const bank = createTestBank()
  const [router, queries] = [createMsgRouter(), createQueryRouter()]
  const vm = new WasmVm({ files: memoryFiles() })
  const keeper = createWasmKeeper({
    vm,
    accounts,
    bank,
    addresses,
    router,
    queries,
    authority: text(governance),
    ...options,
  })
  const module = createWasmModule(keeper)
  router.add(module)
  queries.add(module)
  module.genesis!.init(ctx, module.genesis!.default())
  const run: WasmChain['run'] = (name, msg, gas) => {
    const typeUrl = `/cosmwasm.wasm.v1.Msg${name}`
    const route = router.route(typeUrl)
    route.check?.(msg)
    const metered = gas === undefined ? ctx : ctx.with({ gas: new GasMeter(gas) })
    return metered.branch((inner) => route.run(inner, msg)) as Record<string, unknown>
  }
  return {
    ctx,
    keeper,
    bank,
    run,
    query: (name, request) =>
      queries.get(`/cosmwasm.wasm.v1.Query/${name}`)!.handle(ctx, request) as Record<string, unknown>,
    queryGas(contract, msg) {
      const gas = new GasMeter(100_000_000)
      const tx = { bytes: new Uint8Array(0), hash: new Uint8Array(32), index: 0 }
      keeper.querySmart(ctx.with({ gas, tx }), contract, json(msg))
      return gas.consumed
    },
    smart: (contract, msg) => JSON.parse(bytesToUtf8(keeper.querySmart(ctx, contract, json(msg)))),
  }
}
