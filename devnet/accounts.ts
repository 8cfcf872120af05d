import { existsSync, readFileSync } from 'node:fs'
import { addGenesisAccounts } from '@coin/node/home/genesis-accounts'
import { readGenesisFile, writeGenesisFile } from '@coin/node/home/genesis-file'
import { initHome } from '@coin/node/home/init'
import { homePaths } from '@coin/node/home/paths'
import { formatJsonFile, writeFileWhole } from '@coin/node/home/write-file'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { devnetChainId, devnetPaths } from './options.js'

/** An account of the devnet. Its mnemonic stands in a file: it is for play money. */
export interface DevnetAccount {
  readonly name: string
  readonly address: string
  readonly mnemonic: string
}

const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'] as const

/** 100,000,000 COIN in ucoin. */
const accountAmount = 100_000_000_000_000n
/** The operator only pays for the deployment. */
const operatorAmount = 1_000_000_000n

async function newAccount(name: string): Promise<DevnetAccount> {
  const wallet = await DirectSecp256k1HdWallet.generate(24, { prefix: 'coin' })
  const [account] = await wallet.getAccounts()
  return { name, address: account!.address, mnemonic: wallet.mnemonic }
}

export function walletOf({ mnemonic }: DevnetAccount): Promise<DirectSecp256k1HdWallet> {
  return DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'coin' })
}

export interface DevnetKeys {
  readonly accounts: readonly DevnetAccount[]
  /** Deploys the contracts and is their admin, oracle and treasury. */
  readonly operator: DevnetAccount
}

/** The accounts of the chain in `home`; makes the chain's home folder, keys and genesis when there is none. */
export async function prepareHome(home: string): Promise<DevnetKeys> {
  const paths = devnetPaths(home)
  const genesis = homePaths(paths.node).genesis
  // The operator's file is written last: when it is there, everything is.
  if (existsSync(paths.operator)) return { accounts: readJson(paths.accounts), operator: readJson(paths.operator) }
  const operator = await newAccount('operator')
  const accounts = await Promise.all(names.map(newAccount))
  initHome({
    root: paths.node,
    moniker: 'devnet',
    chainId: devnetChainId,
    denom: 'ucoin',
    displayDenom: 'COIN',
    bech32Prefix: 'coin',
    appVersion: '0.1.0',
    genesisTime: new Date().toISOString(),
    overwrite: true,
  })
  const { json } = readGenesisFile(genesis)
  const funded =
    (amount: bigint) =>
    ({ address }: DevnetAccount) => ({ address, coins: [{ denom: 'ucoin', amount }] })
  addGenesisAccounts(json, [...accounts.map(funded(accountAmount)), funded(operatorAmount)(operator)])
  writeGenesisFile(genesis, json)
  writeFileWhole(paths.accounts, formatJsonFile(accounts))
  writeFileWhole(paths.operator, formatJsonFile(operator))
  return { accounts, operator }
}

/** The accounts that a running devnet has written. */
export function readAccounts(home: string): readonly DevnetAccount[] {
  return readJson(devnetPaths(home).accounts)
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
