import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@coin/base/logger'
import { parseGenesis } from '@coin/engine/genesis'
import { type Chain, openChain } from '@coin/node/chain'
import { addGenesisAccounts } from '@coin/node/home/genesis-accounts'
import { newGenesis } from '@coin/node/home/genesis-file'
import { newEd25519Key, signStateFile } from '@coin/node/home/key-files'
import { createAddressCodec } from '@coin/wire/addresses'
import { createSender, privateKeyOf, type Sender } from '../traffic/sender.js'
import { createStages, type Stages } from './stages.js'

export const benchChainId = 'bench-1'
const coin = createAddressCodec('coin')

export interface BenchChain {
  readonly chain: Chain
  readonly senders: readonly Sender[]
  /** Accounts that never sign. */
  readonly idle: readonly string[]
  readonly stages: Stages
  close(): Promise<void>
}

/**
 * A real chain on a temporary folder: the node's own composition, commits synced to disk, every signature verified.
 * `senders` sign; `idle` more accounts only hold coins, so that trees and tables have a size.
 */
export async function openBenchChain(counts: {
  senders: number
  idle: number
  /** ucoin of the first sender, who pays for a graduation. */
  richest?: bigint
}): Promise<BenchChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coin-bench-'))
  const key = newEd25519Key()
  const json = newGenesis({
    chainId: benchChainId,
    time: '2026-01-01T00:00:00Z',
    appVersion: 'bench',
    denom: 'ucoin',
    displayDenom: 'COIN',
    validator: { publicKey: key.publicKey, address: key.address, name: 'bench' },
  })
  const chainFacts = (index: number) => ({ chainId: benchChainId, prefix: 'coin', accountNumber: BigInt(index) })
  const senders = Array.from({ length: counts.senders }, (_, index) =>
    createSender(privateKeyOf('bench', index), chainFacts(index)),
  )
  const idle = Array.from({ length: counts.idle }, (_, index) => idleAddress(index))
  const amount = 1_000_000_000_000n
  const addresses = [...senders.map(({ address }) => address), ...idle]
  addGenesisAccounts(
    json,
    addresses.map((address, index) => ({
      address,
      coins: [{ denom: 'ucoin', amount: index === 0 ? (counts.richest ?? amount) : amount }],
    })),
  )
  const stages = createStages()
  const chain = await openChain(
    {
      dataDir,
      genesis: parseGenesis(JSON.stringify(json)),
      bech32Prefix: 'coin',
      denom: 'ucoin',
      minGasPrices: '0.025ucoin',
      engine: {
        blockTimeMs: 1000,
        blockAtOnce: true,
        createEmptyBlocks: true,
        mempool: { size: 20_000, cacheSize: 200_000 },
      },
      privateKey: key.privateKey,
      signState: signStateFile(join(dataDir, 'priv_validator_state.json')),
    },
    {
      logger: silentLogger,
      onHalt: (error) => {
        throw error
      },
      measure: stages.measure,
      storeMeasure: stages.storeMeasure,
    },
  )
  const close = async () => {
    await chain.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { chain, senders, idle, stages, close }
}

/** Addresses of accounts that never sign: no key is needed. */
export function idleAddress(index: number): string {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(0, Math.imul(index + 1, 2654435761) >>> 0)
  new DataView(bytes.buffer).setUint32(4, index)
  return coin.encode(bytes)
}
