import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseSignState, type SignState } from '@coin/engine/embedded/signer'
import { loadClientConfig } from '../config/client-config.js'
import type { Environment } from '../config/environment.js'
import type { NodeConfig } from '../config/node-config.js'
import { checkGenesis } from '../home/genesis-check.js'
import { addressPrefix, readGenesisFile } from '../home/genesis-file.js'
import { type Ed25519Key, nodeIdOf, readKeyFile } from '../home/key-files.js'
import type { Findings } from './finding.js'

export type GenesisFile = ReturnType<typeof readGenesisFile>

export function checkSettings(
  config: NodeConfig,
  warnings: readonly string[],
  environment: Environment,
  findings: Findings,
): void {
  for (const warning of warnings) findings.warning('settings', warning, 'correct the name, or remove the line')
  const isFree = config.minimumGasPrices.every(({ amount }) => amount.isZero())
  const isPublic = [config.rpc.address, config.api.address].some(({ host }) => !isLoopback(host))
  if (isFree && isPublic)
    findings.warning(
      'settings',
      'transactions are free here (minimum-gas-prices), and others can reach this node: anybody can fill its blocks',
      'coind config set app minimum-gas-prices 0.025<denom>',
    )
  if (config.txIndex === 'null')
    findings.warning(
      'settings',
      'the tx index is off: transactions cannot be searched',
      'coind config set config tx_index.indexer kv',
    )
  const client = loadClientConfig(config.home.root, environment, {})
  for (const warning of client.warnings) findings.warning('settings', warning, 'correct the name, or remove the line')
  findings.ok('settings', `app.toml, config.toml and client.toml of ${config.home.root} are read`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** `whole`: also starts the chain in memory, which takes as long as its genesis is large. */
export async function checkGenesisFile(
  config: NodeConfig,
  environment: Environment,
  whole: boolean,
  findings: Findings,
): Promise<GenesisFile | undefined> {
  const path = config.home.genesis
  const advice = 'put the chain\'s genesis file there; "coind genesis validate" checks it'
  return findings.guard('genesis', advice, () => {
    const file = readGenesisFile(path)
    const prefix = addressPrefix(config.bech32Prefix, file.json, path)
    const warnings = whole ? checkGenesis(file, prefix, path) : []
    for (const warning of warnings) findings.warning('genesis', warning, 'nothing, if that is as it should be')
    const { chainId } = file.genesis
    const client = loadClientConfig(config.home.root, environment, {}).config['chain-id']
    if (client !== '' && client !== chainId)
      findings.warning(
        'genesis',
        `client.toml signs for chain "${client}", the genesis is of "${chainId}"`,
        `coind config set client chain-id ${chainId}`,
      )
    findings.ok('genesis', `${path} is of chain ${chainId}, addresses begin with "${prefix}"`)
    return file
  })
}

/** Answers the validator's key. */
export async function checkKeys(config: NodeConfig, findings: Findings): Promise<Ed25519Key | undefined> {
  const { nodeKey, privValidatorKey, root } = config.home
  const advice = 'restore the file from a copy; without one, a new node has other keys ("coind comet gen-node-key")'
  await findings.guard('keys', advice, () => {
    findings.ok('keys', `this node is ${nodeIdOf(readKeyFile(nodeKey))}`)
    checkPrivate(nodeKey, findings)
  })
  const folders = ['keyring-file', 'keyring-test'].map((name) => join(root, name)).filter((path) => existsSync(path))
  for (const folder of folders) for (const name of readdirSync(folder)) checkPrivate(join(folder, name), findings)
  const test = join(root, 'keyring-test')
  const openKeys = existsSync(test) ? readdirSync(test).filter((name) => name.endsWith('.info')).length : 0
  if (openKeys > 0)
    findings.warning('keys', `${openKeys} account keys in ${test} are not encrypted`, 'keep nothing of worth in them')
  return findings.guard('keys', advice, () => {
    const key = readKeyFile(privValidatorKey)
    checkPrivate(privValidatorKey, findings)
    return key
  })
}

function checkPrivate(path: string, findings: Findings): void {
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return
  findings.problem('keys', `${path} can be read by others (mode ${mode.toString(8)})`, `chmod 600 ${path}`)
}

/**
 * What the validator signed last against what is stored, 0 without a chain. A running node has signed more by the time that this is
 * read.
 */
export function checkSignState(
  config: NodeConfig,
  { stored, isRunning }: { readonly stored: number; readonly isRunning: boolean },
  findings: Findings,
): void {
  const path = config.home.privValidatorState
  let signed: SignState = { height: 0, round: 0, step: 0 }
  if (existsSync(path)) signed = parseSignState(readFileSync(path, 'utf8'))
  const text = `the validator signed height ${signed.height} last, block ${stored} is the last one stored`
  if (signed.height > stored + 1 && !isRunning)
    findings.problem(
      'sign state',
      `${text}: the blocks are older than the signatures`,
      'restore the newest copy of the data folder; blocks made again would be signed twice, which is refused',
    )
  else if (signed.height < stored)
    findings.problem(
      'sign state',
      `${text}: ${path} is older than the blocks`,
      'restore the file; never run two nodes with one validator key',
    )
  else findings.ok('sign state', text)
}
