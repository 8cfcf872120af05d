import { AssertionError } from '@coin/base/assert'
import type { Logger } from '@coin/base/logger'
import { createAnteSteps } from '@coin/runtime/ante/ante'
import type { AnteStep } from '@coin/runtime/ante/step'
import { type AppReader, createAppReader, type ReadSources } from '@coin/runtime/app-reader'
import { createApplication, type NodeApplication } from '@coin/runtime/application'
import { createAuthorizationKinds } from '@coin/runtime/authorization'
import type { BlockTime } from '@coin/runtime/chain-state'
import type { Module } from '@coin/runtime/module'
import { createMsgRouter, type MsgRouter } from '@coin/runtime/msg-router'
import type { ReadPayers } from '@coin/runtime/pending'
import { createQueryRouter, type QueryRouter } from '@coin/runtime/query-router'
import { createSignatureCache, type SignatureCache, type Verifier } from '@coin/runtime/signature-cache'
import { createTxDecoder } from '@coin/runtime/tx'
import type { MultiStore } from '@coin/store/multi-store'
import { type AddressCodec, createAddressCodec } from '@coin/wire/addresses'
import { parseDecCoins } from '@coin/wire/coins'
import { feeCollector } from '@coin/x/auth/genesis'
import { type AuthKeeper, createAuthKeeper } from '@coin/x/auth/keeper'
import { createAuthModule } from '@coin/x/auth/module'
import { createVestingModule } from '@coin/x/auth/vesting-module'
import { createAuthzKeeper } from '@coin/x/authz/keeper'
import { createAuthzModule } from '@coin/x/authz/module'
import { type BankKeeper, createBankKeeper } from '@coin/x/bank/keeper'
import { createBankModule } from '@coin/x/bank/module'
import { consensusKeeper } from '@coin/x/consensus/keeper'
import { consensusModule } from '@coin/x/consensus/module'
import { createFeegrantKeeper } from '@coin/x/feegrant/keeper'
import { createFeegrantModule } from '@coin/x/feegrant/module'
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
  /**
   * Takes transactions without a sequence, which hold a timeout instead. Off when left out, as in wasmd. Part of consensus: all nodes
   * of the chain must agree.
   */
  readonly takesUnordered?: boolean
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

export interface AppReaderOptions {
  readonly chain: ChainOptions
  readonly logger: Logger
  readonly version: string
  /** x/wasm, with the machine that runs contracts; left out, the chain has none. */
  readonly wasm?: (parts: AppParts) => AddedModule
}

export interface AppOptions extends AppReaderOptions {
  readonly store: MultiStore
  /** Verifies what the node's worker did not verify ahead. */
  readonly verifier: Verifier
  /** Header times of older blocks; the node has them. */
  readonly blockTime?: BlockTime
}

/** Stores that the chain mounts. Their names are hashed into the app hash. */
export const storeNames: readonly string[] = ['acc', 'authz', 'bank', 'consensus', 'feegrant', 'gov', 'mint', 'wasm']

/** The chain: which modules, how they know each other, in which order they run. */
export function createApp(options: AppOptions): NodeApplication {
  const { chain, store, blockTime } = options
  const signatures = createSignatureCache(options.verifier)
  const { bank, ...parts } = assemble(options, signatures)
  return createApplication({
    ...chain,
    ...parts,
    appVersion: 0n,
    store,
    order: blockOrder(parts.modules),
    signatures,
    readPayers: readPayers(chain, bank),
    ...(blockTime === undefined ? {} : { blockTime }),
  })
}

/** The same chain for a thread that makes no blocks. */
export function createChainReader(options: AppReaderOptions, sources: ReadSources): AppReader {
  const { bank, accounts, ...parts } = assemble(options, createSignatureCache(noSignatures))
  return createAppReader({ ...options.chain, ...parts }, sources)
}

/** Queries and simulations verify none. */
const noSignatures: Verifier = () => {
  throw new AssertionError('a signature is verified by an application that makes no blocks')
}

function assemble({ chain, logger, version, wasm: addWasm }: AppReaderOptions, signatures: SignatureCache) {
  const addresses = createAddressCodec(chain.bech32Prefix)
  const msgs = createMsgRouter()
  const queries = createQueryRouter()
  const auth = createAuthKeeper({
    ...{ addresses, permissions: moduleAccounts },
    takesUnordered: chain.takesUnordered ?? false,
  })
  const bank = createBankKeeper({ accounts: auth, addresses, blocked: blockedAddresses(addresses) })
  const kinds = createAuthorizationKinds()
  const authz = createAuthzKeeper({ accounts: auth, bank, addresses, router: msgs, kinds })
  const feegrant = createFeegrantKeeper({ accounts: auth, bank, addresses })
  const wasm = addWasm?.({ addresses, auth, bank, msgs, queries, logger })
  const modules = sortForGenesis([
    createAuthModule(auth),
    createVestingModule(auth, bank),
    createBankModule(bank),
    createMintModule({ accounts: auth, denom: chain.denom }),
    createGovModule({ accounts: auth, denom: chain.denom }),
    createAuthzModule(authz),
    createFeegrantModule(feegrant),
    consensusModule,
    ...(wasm === undefined ? [] : [wasm.module]),
  ])
  for (const module of modules) {
    msgs.add(module)
    queries.add(module)
    kinds.add(module)
  }
  const steps = createAnteSteps({
    accounts: auth,
    fees: { collect: (ctx, payer, fee) => bank.sendToModule(ctx, payer, feeCollector, fee) },
    feeGrants: feegrant,
    addresses,
    signatures,
    unordered: auth.unordered,
    minGasPrices: parseDecCoins(chain.minGasPrices ?? ''),
    afterSetUp: wasm?.steps ?? [],
  })
  const decode = createTxDecoder(msgs, addresses)
  return { version, logger, bank, accounts: auth, modules, msgs, queries, decode, steps, params: consensusKeeper }
}

/** A transaction with more signers fails before it reads them. */
const payersMax = 16

/** Earlier transactions took their fees from the balances of those who sign. */
function readPayers(chain: ChainOptions, bank: Pick<BankKeeper, 'balanceOf'>): ReadPayers {
  const usual = [chain.denom, ...parseDecCoins(chain.minGasPrices ?? '').map(({ denom }) => denom)]
  return (ctx, { signers }) => {
    for (const signer of signers.slice(0, payersMax)) for (const denom of usual) bank.balanceOf(ctx, signer, denom)
  }
}
