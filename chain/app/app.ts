import type { Logger } from '@coin/base/logger'
import { createAnteSteps } from '@coin/runtime/ante/ante'
import type { AnteStep } from '@coin/runtime/ante/step'
import { createApplication, type NodeApplication } from '@coin/runtime/application'
import type { BlockTime } from '@coin/runtime/chain-state'
import type { Module } from '@coin/runtime/module'
import { createMsgRouter, type MsgRouter } from '@coin/runtime/msg-router'
import { createQueryRouter, type QueryRouter } from '@coin/runtime/query-router'
import { createSignatureCache, type Verifier } from '@coin/runtime/signature-cache'
import { createTxDecoder } from '@coin/runtime/tx'
import type { MultiStore } from '@coin/store/multi-store'
import { type AddressCodec, createAddressCodec } from '@coin/wire/addresses'
import { parseDecCoins } from '@coin/wire/coins'
import { feeCollector } from '@coin/x/auth/genesis'
import { type AuthKeeper, createAuthKeeper } from '@coin/x/auth/keeper'
import { createAuthModule } from '@coin/x/auth/module'
import { type BankKeeper, createBankKeeper } from '@coin/x/bank/keeper'
import { createBankModule } from '@coin/x/bank/module'
import { consensusKeeper } from '@coin/x/consensus/keeper'
import { consensusModule } from '@coin/x/consensus/module'
import { createGovModule } from '@coin/x/gov/module'
import { createMintModule } from '@coin/x/mint/module'
import { blockedAddresses, moduleAccounts } from './module-accounts.js'
import { blockOrder, sortForGenesis } from './order.js'

/** What names the chain: data, so that one program runs any chain. */
export interface ChainOptions {
  readonly chainId: string
  /** Of account addresses, for example `coin`. */
  readonly bech32Prefix: string
  /** Base denom that a genesis without mint or gov entries gets, for example `ucoin`. */
  readonly denom: string
  /** This node's own floor as app.toml has it, for example `0.025ucoin`; empty takes any fee. */
  readonly minGasPrices?: string
  /** Blocks that the engine keeps; 0 keeps all. */
  readonly minRetainBlocks?: number
  /** Gas that one query may use; unlimited when left out. */
  readonly queryGasLimit?: number
}

/** What a module gets that is built on top of the others. */
export interface AppParts {
  readonly addresses: AddressCodec
  readonly auth: AuthKeeper
  readonly bank: BankKeeper
  /** All messages of the chain; filled once the modules are there. */
  readonly msgs: MsgRouter
  /** All queries of the chain; filled once the modules are there. */
  readonly queries: QueryRouter
  readonly logger: Logger
}

/** A module that brings its own ante steps. */
export interface AddedModule {
  readonly module: Module
  readonly steps?: readonly AnteStep[]
}

export interface AppOptions {
  readonly chain: ChainOptions
  readonly store: MultiStore
  readonly logger: Logger
  /** Verifies what the node's worker did not verify ahead. */
  readonly verifier: Verifier
  readonly version: string
  /** Header times of older blocks; the node has them. */
  readonly blockTime?: BlockTime
  /** x/wasm, with the machine that runs contracts; left out, the chain has none. */
  readonly wasm?: (parts: AppParts) => AddedModule
}

/** Stores that the chain mounts. Their names are hashed into the app hash. */
export const storeNames: readonly string[] = ['acc', 'bank', 'consensus', 'gov', 'mint', 'wasm']

/** The chain: which modules, how they know each other, in which order they run. */
export function createApp(options: AppOptions): NodeApplication {
  const { chain, store, logger, version } = options
  const addresses = createAddressCodec(chain.bech32Prefix)
  const msgs = createMsgRouter()
  const queries = createQueryRouter()
  const auth = createAuthKeeper({ addresses, permissions: moduleAccounts })
  const bank = createBankKeeper({ accounts: auth, addresses, blocked: blockedAddresses(addresses) })
  const wasm = options.wasm?.({ addresses, auth, bank, msgs, queries, logger })
  const modules = sortForGenesis([
    createAuthModule(auth),
    createBankModule(bank),
    createMintModule({ accounts: auth, denom: chain.denom }),
    createGovModule({ accounts: auth, denom: chain.denom }),
    consensusModule,
    ...(wasm === undefined ? [] : [wasm.module]),
  ])
  for (const module of modules) {
    msgs.add(module)
    queries.add(module)
  }
  const signatures = createSignatureCache(options.verifier)
  const steps = createAnteSteps({
    accounts: auth,
    fees: { collect: (ctx, payer, fee) => bank.sendToModule(ctx, payer, feeCollector, fee) },
    signatures,
    minGasPrices: parseDecCoins(chain.minGasPrices ?? ''),
    afterSetUp: wasm?.steps ?? [],
  })
  return createApplication({
    ...chain,
    version,
    appVersion: 0n,
    store,
    logger,
    modules,
    order: blockOrder(modules),
    msgs,
    queries,
    decode: createTxDecoder(msgs, addresses),
    steps,
    accounts: auth,
    params: consensusKeeper,
    signatures,
    ...(options.blockTime === undefined ? {} : { blockTime: options.blockTime }),
  })
}
