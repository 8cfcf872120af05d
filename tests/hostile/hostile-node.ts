import { readFileSync, writeFileSync } from 'node:fs'
import { readGenesisFile, writeGenesisFile } from '@coin/node/home/genesis-file'
import { homePaths } from '@coin/node/home/paths'
import { expect } from 'vitest'
import { type RestNode, startRestNode } from '../rest/rest-node.js'

/** Gas of a block; a transaction may not ask for more. */
export const blockGasMax = 60_000_000n

/** What a smart query may use; small, so that one without end is over soon. */
export const queryGasMax = 100_000

/** Largest request body at both doors. */
export const bodyBytesMax = 3_000_000

/** Everything that a client can see of the state; the app hash covers the rest. */
export interface StateView {
  /** Upper-case hexadecimal: of every store's every key and value. */
  readonly appHash: string
  readonly supply: readonly object[]
  /** ucoin by address. */
  readonly balances: Readonly<Record<string, bigint>>
  readonly sequences: Readonly<Record<string, bigint>>
  readonly codes: readonly object[]
}

export interface HostileNode extends RestNode {
  /** What the chain says now. */
  view(): Promise<StateView>
  /** Makes another block, answers at both doors, and has logged no failure of its own. */
  expectAlive(): Promise<void>
}

/** A node to be mistreated, with a least gas price of 0.01ucoin. */
export async function startHostileNode(chainId: string, accounts: number): Promise<HostileNode> {
  const flags = ['--minimum-gas-prices', '0.01ucoin', '--engine.block-time', '100ms']
  const rest = await startRestNode(chainId, accounts, flags, prepare)
  const { account } = (await rest.get('/cosmos/auth/v1beta1/module_accounts/fee_collector')).json
  const watched = [...rest.senders.map(({ address }) => address), account.base_account.address as string]
  let seen = 0
  return {
    ...rest,
    view: () => viewOf(rest, watched),
    async expectAlive() {
      await rest.reach((await rest.height()) + 1)
      expect(await rest.get('/cosmos/base/tendermint/v1beta1/syncing')).toMatchObject({ status: 200 })
      expect(await rest.rpc('health')).toEqual({})
      expect(rest.process.child.exitCode).toBeNull()
      const lines = rest.process.log().split('\n')
      const failures = lines.slice(seen).filter((line) => / ERR |Unhandled|Warning|^\s+at /.test(line))
      seen = lines.length
      expect(failures.map((line) => line.slice(0, 1_000))).toEqual([])
    },
  }
}

function prepare(root: string): void {
  const { genesis, appToml, configToml } = homePaths(root)
  const { json } = readGenesisFile(genesis)
  const { params } = json.consensus as { params: { block: { max_gas: string } } }
  params.block.max_gas = String(blockGasMax)
  writeGenesisFile(genesis, json)
  configure(appToml, 'query_gas_limit', queryGasMax)
  // Larger than the largest transaction, so that the mempool's own limit is reached.
  configure(appToml, 'rpc-max-body-bytes', bodyBytesMax)
  configure(configToml, 'max_body_bytes', bodyBytesMax)
}

/** Sets a number in a configuration file. */
function configure(path: string, key: string, value: number): void {
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`)
  if (changed === text) throw new Error(`no ${key} in ${path}`)
  writeFileSync(path, changed)
}

async function viewOf(rest: RestNode, watched: readonly string[]): Promise<StateView> {
  const { response } = await rest.rpc<{ response: { last_block_app_hash: string } }>('abci_info')
  const balances: Record<string, bigint> = {}
  const sequences: Record<string, bigint> = {}
  for (const address of watched) {
    const held = await rest.get(`/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=ucoin`)
    balances[address] = BigInt(held.json.balance.amount)
    const found = await rest.get(`/cosmos/auth/v1beta1/account_info/${address}`)
    if (found.status === 200) sequences[address] = BigInt(found.json.info.sequence)
  }
  return {
    appHash: Buffer.from(response.last_block_app_hash, 'base64').toString('hex').toUpperCase(),
    supply: (await rest.get('/cosmos/bank/v1beta1/supply')).json.supply,
    balances,
    sequences,
    codes: (await rest.get('/cosmwasm/wasm/v1/code')).json.code_infos,
  }
}

/** Nothing at all was written: the very same state. */
export async function expectUnchanged(node: HostileNode, before: StateView): Promise<void> {
  await node.expectAlive()
  expect(await node.view()).toEqual(before)
}

export interface Paid {
  readonly address: string
  /** ucoin, all of it to the fee collector. */
  readonly fee: bigint
  /** Transactions that were included. */
  readonly count: bigint
}

/** Only fees were paid and sequences raised. */
export async function expectOnlyFees(node: HostileNode, before: StateView, paid: readonly Paid[]): Promise<void> {
  await node.expectAlive()
  const { appHash: _, ...expected } = structuredClone(before)
  const { balances, sequences } = expected as { balances: Record<string, bigint>; sequences: Record<string, bigint> }
  const collector = Object.keys(balances).at(-1)!
  for (const { address, fee, count } of paid) {
    balances[address]! -= fee
    balances[collector]! += fee
    sequences[address]! += count
  }
  const { appHash, ...now } = await node.view()
  expect(now).toEqual(expected)
  expect(appHash).toMatch(/^[0-9A-F]{64}$/)
}

/** An answer of CheckTx, however it was asked for. */
export interface Checked {
  readonly code: number
  readonly codespace: string
  readonly log: string
}

/** What CheckTx says of these bytes over the RPC. */
export function checkByRpc(node: RestNode, tx: Uint8Array): Promise<Checked> {
  return node.rpc('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') })
}

/** What CheckTx says of these bytes over REST. */
export async function checkByRest(node: RestNode, tx: Uint8Array): Promise<Checked> {
  const body = { tx_bytes: Buffer.from(tx).toString('base64'), mode: 'BROADCAST_MODE_SYNC' }
  const { status, json } = await node.post('/cosmos/tx/v1beta1/txs', body)
  expect(status).toBe(200)
  const { code, codespace, raw_log: log } = json.tx_response
  return { code, codespace, log }
}

/** A refusal with a reason in words, and nothing of the program's inside in it. */
export function expectRefusal({ code, codespace, log }: Checked, context: string): void {
  expect(code, context).toBeGreaterThan(0)
  expect(codespace, context).toMatch(/^[a-z]+$/)
  expect(log, context).toMatch(/\S/)
  expect(log, context).not.toMatch(/undefined|\[object|TypeError|RangeError|\.js:|\.ts:|node:/)
}
