import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SignOptions, signTx, type TestAccount, testAccount } from '@coin/app/testing/signing'
import { instantiateMsg, storeMsg } from '@coin/app/testing/wasm-messages'
import { type Logger, silentLogger } from '@coin/base/logger'
import type { TxResult } from '@coin/engine/application'
import { parseGenesis } from '@coin/engine/genesis'
import { buildModule, op, regionAt, type } from '@coin/vm/testing/module-builder'
import { createAddressCodec } from '@coin/wire/addresses'
import { codecOf, descriptors } from '@coin/wire/registry'
import { classicAddress } from '@coin/x/wasm/contract-address'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Chain, type ChainSettings, openChain } from '../chain.js'
import { addGenesisAccounts } from '../home/genesis-accounts.js'
import { newGenesis } from '../home/genesis-file.js'
import { newEd25519Key, signStateFile } from '../home/key-files.js'
import { appSettingsOf } from '../open-app.js'
import { createPendingFor } from '../readers/pending-values.js'
import type { StartReader } from '../readers/reader.js'
import { createReaderPool, type ReaderPool, type ReaderPoolOptions } from '../readers/reader-pool.js'
import { createAppQueries, type SyncAppQueries } from '../services/app-queries.js'

/** A real chain on a temporary folder, with the queries of its own thread and those of a pool of readers beside it. */
export interface ReaderChain {
  readonly chain: Chain
  /** Answered in this thread. */
  readonly here: SyncAppQueries
  readonly pool: ReaderPool
  /** Errors that the pool has logged. */
  readonly errors: readonly string[]
  readonly alice: TestAccount
  readonly bob: TestAccount
  /** Signs for an account with the next sequence, or the given one. */
  sign(from: TestAccount, msgs: readonly EncodeObject[], options?: Partial<SignOptions>): Promise<Uint8Array>
  /** Makes a block of these transactions and waits until the readers can see it; answers their results. */
  block(...txs: readonly Uint8Array[]): Promise<readonly TxResult[]>
  close(): Promise<void>
}

export const readerChainId = 'reader-1'

export async function openReaderChain(
  options: Partial<ReaderPoolOptions> & { readonly settings?: Partial<ChainSettings> } = {},
  start?: StartReader,
): Promise<ReaderChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coind-readers-'))
  const [alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  const settings = { ...settingsOf(dataDir, [alice.address, bob.address]), ...options.settings }
  const chain = await openChain(settings, {
    logger: silentLogger,
    onHalt: (error) => {
      throw error
    },
  })
  const { app, engine, store } = chain
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (fields) => void errors.push(JSON.stringify(fields)) }
  const poolOptions: ReaderPoolOptions = {
    app: appSettingsOf(settings),
    logger,
    height: () => store.written,
    pendingFor: createPendingFor(app, store),
    provePath: async (height, name, key) => store.provePath(height, name, key),
    ...options,
  }
  const pool = await createReaderPool(poolOptions, start)
  const here = createAppQueries(app)
  const written = (height: number) =>
    new Promise<void>((resolve) => {
      if (store.written >= height) resolve()
      else store.onWritten((reached) => reached >= height && resolve())
    })
  return {
    ...{ chain, here, pool, errors, alice, bob },
    async sign(from, msgs, given = {}) {
      const account = here.query(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        encodeRequest('/cosmos.auth.v1beta1.Query/AccountInfo', { address: from.address }),
        undefined,
      )
      const { info } = decodeResponse('/cosmos.auth.v1beta1.Query/AccountInfo', account.response) as {
        info: { accountNumber: bigint; sequence: bigint }
      }
      return signTx(from, msgs, { chainId: readerChainId, ...info, ...given })
    },
    async block(...txs) {
      const checks = await Promise.all(txs.map((tx) => engine.mempool.submit(tx).checked))
      const bad = checks.find(({ code }) => code !== 0)
      if (bad !== undefined) throw new TypeError(`a transaction of the test was refused: ${bad.log}`)
      const { results } = engine.produceBlock()
      await written(store.height)
      return results.txResults
    },
    async close() {
      await pool.close()
      await chain.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function settingsOf(dataDir: string, addresses: readonly string[]): ChainSettings {
  const key = newEd25519Key(new Uint8Array(32).fill(9))
  const json = newGenesis({
    chainId: readerChainId,
    time: '2026-01-01T00:00:00Z',
    appVersion: 'test',
    denom: 'ucoin',
    displayDenom: 'COIN',
    initialHeight: 1,
    validator: { publicKey: key.publicKey, address: key.address, name: 'test' },
  })
  addGenesisAccounts(
    json,
    addresses.map((address) => ({ address, coins: [{ denom: 'ucoin', amount: 1_000_000_000n }] })),
  )
  return {
    dataDir,
    genesis: parseGenesis(JSON.stringify(json)),
    bech32Prefix: 'coin',
    denom: 'ucoin',
    minGasPrices: '',
    engine: { blockTimeMs: 3_600_000, blockAtOnce: false, createEmptyBlocks: true },
    privateKey: key.privateKey,
    signState: signStateFile(join(dataDir, 'priv_validator_state.json')),
  }
}

/** A request of a query method from the fields that are not at their defaults. */
export function encodeRequest(method: string, fields: object): Uint8Array {
  const codec = codecOf(descriptors().method(method)!.input) as ReturnType<typeof codecOf> & {
    fromPartial(fields: object): object
  }
  return codec.encode(codec.fromPartial(fields)).finish()
}

export function decodeResponse(method: string, response: Uint8Array): object {
  return codecOf(descriptors().method(method)!.output).decode(response) as object
}

/** Address of the first contract of the first code. */
export const firstContract = createAddressCodec('coin').encode(classicAddress(1n, 1n))

/** Stores and instantiates the contract that answers the query `{}` and never comes to an end with any other. */
export async function deployEndless({ sign, block, alice }: ReaderChain): Promise<void> {
  for (const msg of [storeMsg(alice.address, endless()), instantiateMsg(alice.address, 1n)]) {
    const [result] = await block(await sign(alice, [msg], { gas: 2_000_000 }))
    if (result?.code !== 0) throw new TypeError(`the contract of the test was refused: ${result?.log}`)
  }
}

function endless(): Uint8Array {
  const [instantiated, answered] = [64, 256]
  const lengthOf = [op.i32Load(8)]
  return buildModule({
    functions: [
      {
        params: [type.i32, type.i32, type.i32],
        results: [type.i32],
        export: 'instantiate',
        body: [op.i32(instantiated)],
      },
      {
        ...{ params: [type.i32, type.i32], results: [type.i32], export: 'query' },
        body: [
          ...[op.localGet(1), ...lengthOf, op.i32(2), op.i32Sub],
          op.if(op.empty, op.loop(op.empty, op.br(0))),
          op.i32(answered),
        ],
      },
    ],
    data: [...regionAt(instantiated, '{"ok":{}}'), ...regionAt(answered, '{"ok":"e30="}')],
  })
}
