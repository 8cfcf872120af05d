import { utf8ToBytes } from '@coin/base/bytes'
import { type Logger, silentLogger } from '@coin/base/logger'
import type { FinalizeBlockResult, TxResult } from '@coin/engine/application'
import type { NodeApplication } from '@coin/runtime/application'
import { consensusParamsOf } from '@coin/runtime/testing/contexts'
import { memoryMultiStore } from '@coin/store/memory-multi-store'
import type { MultiStore } from '@coin/store/multi-store'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type AppOptions, type ChainOptions, createApp, storeNames } from '../app.js'
import { type SignOptions, signTx, type TestAccount } from './signing.js'

export const chainOptions: ChainOptions = { chainId: 'test-1', bech32Prefix: 'coin', denom: 'ucoin' }

/** 2026-01-01T00:00:00Z */
export const genesisTime = 1_767_225_600_000_000_000n
const second = 1_000_000_000n

export const authParams = {
  max_memo_characters: '256',
  tx_sig_limit: '7',
  tx_size_cost_per_byte: '10',
  sig_verify_cost_ed25519: '590',
  sig_verify_cost_secp256k1: '1000',
}

/** `app_state` with these balances. */
export function appStateOf(
  balances: Readonly<Record<string, string>>,
  denom = 'ucoin',
  extra: object = {},
): Uint8Array {
  const list = Object.entries(balances)
  const accounts = list.map(([address]) => ({ '@type': '/cosmos.auth.v1beta1.BaseAccount', address }))
  const units = [
    { denom, exponent: 0, aliases: [] },
    { denom: 'COIN', exponent: 6, aliases: [] },
  ]
  const metadata = { description: 'The coin', base: denom, display: 'COIN', name: 'Coin', symbol: 'COIN' }
  return utf8ToBytes(
    JSON.stringify({
      auth: { accounts, params: authParams },
      bank: {
        params: { default_send_enabled: true },
        balances: list.map(([address, amount]) => ({ address, coins: [{ denom, amount }] })),
        denom_metadata: [{ ...metadata, denom_units: units }],
      },
      ...extra,
    }),
  )
}

export interface TestChain {
  readonly app: NodeApplication
  /** Runs one block of these transactions and commits it. */
  deliver(...txs: readonly Uint8Array[]): FinalizeBlockResult
  deliverOne(tx: Uint8Array): TxResult
  balance(address: string, denom?: string): bigint
  sequence(address: string): bigint
  /** The answer of a query method, through bytes as a client gets it. */
  query(method: string, request: object): Record<string, unknown>
  sign(from: TestAccount, msgs: readonly EncodeObject[], options?: Partial<SignOptions>): Promise<Uint8Array>
}

export interface TestChainOptions {
  readonly appState: Uint8Array
  readonly chain?: Partial<ChainOptions>
  /** Gas of a block; -1 is unlimited. */
  readonly maxGas?: bigint
  readonly logger?: Logger
  readonly wasm?: AppOptions['wasm']
  readonly store?: MultiStore
  /** What the engine says, when it is not the chain's own id. */
  readonly initChainId?: string
  /** Told of every signature that the application verifies by itself. */
  readonly onVerify?: () => unknown
}

export function createTestChain(options: TestChainOptions): TestChain {
  const chain = { ...chainOptions, ...options.chain }
  const app = createApp({
    chain,
    store: options.store ?? memoryMultiStore({ stores: storeNames }),
    logger: options.logger ?? silentLogger,
    verifier({ pubKey, digest, signature }) {
      options.onVerify?.()
      return verifySecp256k1(pubKey, digest, signature)
    },
    version: '0.0.0-test',
    ...(options.wasm === undefined ? {} : { wasm: options.wasm }),
  })
  app.initChain({
    time: genesisTime,
    chainId: options.initChainId ?? chain.chainId,
    initialHeight: 1,
    validators: [],
    appState: options.appState,
    consensusParams: consensusParamsOf(options.maxGas ?? -1n),
  })
  const query = (method: string, request: object): Record<string, unknown> => {
    const route = app.queries.get(method)
    if (route === undefined) throw new TypeError(`no query ${method}`)
    const codec = route.request as typeof route.request & { fromPartial(message: object): unknown }
    const bytes = app.queries.handle(app.readAt(0), method, codec.encode(codec.fromPartial(request)).finish())
    return route.response.decode(bytes) as Record<string, unknown>
  }
  const account = (address: string) =>
    query('/cosmos.auth.v1beta1.Query/AccountInfo', { address }).info as { accountNumber: bigint; sequence: bigint }
  const deliver = createDeliver(app)
  return {
    app,
    deliver,
    deliverOne: (tx) => deliver(tx).txResults[0]!,
    query,
    balance(address, denom = 'ucoin') {
      const { balance } = query('/cosmos.bank.v1beta1.Query/Balance', { address, denom })
      return BigInt((balance as { amount: string }).amount)
    },
    sequence: (address) => account(address).sequence,
    sign(from, msgs, given = {}) {
      const known = given.accountNumber === undefined || given.sequence === undefined ? account(from.address) : {}
      return signTx(from, msgs, { chainId: chain.chainId, accountNumber: 0n, sequence: 0n, ...known, ...given })
    },
  }
}

function createDeliver(app: NodeApplication): (...txs: readonly Uint8Array[]) => FinalizeBlockResult {
  let height = 0
  return (...txs) => {
    height++
    const result = app.finalizeBlock({
      height,
      time: genesisTime + BigInt(height) * second,
      hash: new Uint8Array(32),
      proposerAddress: new Uint8Array(20),
      nextValidatorsHash: new Uint8Array(32),
      txs,
      lastCommit: { round: 0, votes: [] },
      misbehavior: [],
    })
    app.commit()
    return result
  }
}
