import { signTx, type TestAccount } from '@coin/app/testing/signing'
import { type Logger, silentLogger } from '@coin/base/logger'
import type { TxResult } from '@coin/engine/application'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Chain, openChain } from '../chain.js'
import { addGenesisAccounts } from '../home/genesis-accounts.js'
import {
  denomOfGenesis,
  type GenesisJson,
  prefixOfGenesis,
  readGenesisFile,
  writeGenesisFile,
} from '../home/genesis-file.js'
import { initHome } from '../home/init.js'
import { readKeyFile, signStateFile } from '../home/key-files.js'
import { homePaths } from '../home/paths.js'

/** The chain of a home folder, without doors; blocks are made when the test says so. */
export interface HomeChain {
  readonly chain: Chain
  /** Makes a block of these messages of one account, in one transaction; none makes an empty block. */
  block(from?: TestAccount, ...msgs: readonly EncodeObject[]): Promise<TxResult | undefined>
  close(): Promise<void>
}

export const homeChainId = 'home-1'

/** A new home folder whose accounts own a billion ucoin each. */
export function newHome(root: string, accounts: readonly TestAccount[]): void {
  const { genesis } = initHome({
    root,
    moniker: 'test',
    chainId: homeChainId,
    denom: 'ucoin',
    displayDenom: 'COIN',
    bech32Prefix: 'coin',
    appVersion: 'test',
    genesisTime: '2026-01-01T00:00:00Z',
    overwrite: false,
  })
  const coins = [{ denom: 'ucoin', amount: 1_000_000_000n }]
  addGenesisAccounts(
    genesis,
    accounts.map(({ address }) => ({ address, coins })),
  )
  writeGenesisFile(homePaths(root).genesis, genesis)
}

/** Opens it as `coind start` does. */
export async function openHome(root: string, log: Partial<Logger> = {}): Promise<HomeChain> {
  const paths = homePaths(root)
  const { genesis, json } = readGenesisFile(paths.genesis)
  const chain = await openChain(
    {
      dataDir: paths.dataDir,
      genesis,
      bech32Prefix: prefixOfGenesis(json),
      denom: denomOfGenesis(json),
      minGasPrices: '',
      engine: { blockTimeMs: 3_600_000, blockAtOnce: false, createEmptyBlocks: true },
      privateKey: readKeyFile(paths.privValidatorKey).privateKey,
      signState: signStateFile(paths.privValidatorState),
    },
    {
      logger: { ...silentLogger, ...log },
      onHalt: (error) => {
        throw error
      },
    },
  )
  return {
    chain,
    async block(from, ...msgs) {
      if (from !== undefined) {
        const account = accountOf(chain, from, json)
        const { chainId } = genesis
        const tx = await signTx(from, msgs, { chainId, gas: 5_000_000, ...account })
        const checked = await chain.engine.mempool.submit(tx).checked
        if (checked.code !== 0) throw new TypeError(`a transaction of the test was refused: ${checked.log}`)
      }
      return chain.engine.produceBlock().results.txResults[0]
    },
    close: () => chain.close(),
  }
}

/** Before the first block nothing can be asked: accounts of a new genesis are numbered as they stand there. */
function accountOf({ app, store }: Chain, { address }: TestAccount, genesis: GenesisJson) {
  const state = store.height === 0 ? genesis.app_state : app.exportGenesis()
  const { accounts } = state!.auth as unknown as { readonly accounts: readonly AccountJson[] }
  const index = accounts.findIndex((account) => account.address === address)
  const { account_number: number = '0', sequence = '0' } = accounts[index] ?? {}
  return { accountNumber: store.height === 0 ? BigInt(index) : BigInt(number), sequence: BigInt(sequence) }
}

interface AccountJson {
  readonly address?: string
  readonly account_number?: string
  readonly sequence?: string
}
