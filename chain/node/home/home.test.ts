import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@coin/base/bytes'
import { lockFolder } from '@coin/store/folder-lock'
import { parseCoins } from '@coin/wire/coins'
import type { GenesisState as BankGenesis } from '@coin/wire/gen/cosmos/bank/v1beta1/genesis'
import type { GenesisState as MintGenesis } from '@coin/wire/gen/cosmos/mint/v1beta1/genesis'
import { messageFromJson } from '@coin/wire/json'
import { describe, expect, it } from 'vitest'
import { loadNodeConfig } from '../config/node-config.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { addGenesisAccounts } from './genesis-accounts.js'
import {
  addressPrefix,
  denomOfGenesis,
  type GenesisJson,
  prefixOfGenesis,
  readGenesisFile,
  writeGenesisFile,
} from './genesis-file.js'
import { initHome } from './init.js'
import { formatPrivValidatorKey, newEd25519Key, nodeIdOf, readKeyFile, signStateFile } from './key-files.js'
import { homePaths } from './paths.js'

const newFolder = temporaryFolders()
const alice = 'coin1pkptre7fdkl6gfrzlesjjvhxhlc3r4gm0k9kgd'
const bob = 'coin10d07y265gmmuvt4z0w9aw880jnsr700jqpwexr'

function init(root: string, overwrite = false) {
  return initHome({
    root,
    moniker: 'n "1"',
    chainId: 'coin-test-1',
    denom: 'ucoin',
    displayDenom: 'COIN',
    bech32Prefix: 'coin',
    appVersion: '0.1.0',
    genesisTime: '2026-01-01T00:00:00Z',
    overwrite,
  })
}

describe('a new home', () => {
  it('has every file of the reference, readable by its owner only', () => {
    const root = newFolder()
    const { nodeId } = init(root)
    const paths = homePaths(root)
    const files = [
      paths.appToml,
      paths.configToml,
      paths.clientToml,
      paths.genesis,
      paths.privValidatorKey,
      paths.privValidatorState,
      paths.nodeKey,
    ]
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(loadNodeConfig(root, {}).config.moniker).toBe('n "1"')
    expect(nodeIdOf(readKeyFile(paths.nodeKey))).toBe(nodeId)
    expect(nodeId).toMatch(/^[0-9a-f]{40}$/)
    expect(JSON.parse(readFileSync(paths.privValidatorState, 'utf8'))).toEqual({ height: '0', round: 0, step: 0 })
  })

  it('has a genesis with this node as validator and the parameters of the document', () => {
    const root = newFolder()
    init(root)
    const { genesis, json } = readGenesisFile(homePaths(root).genesis)
    const key = readKeyFile(homePaths(root).privValidatorKey)
    expect(genesis.chainId).toBe('coin-test-1')
    expect(genesis.validators.map(({ pubKey, power }) => [bytesToHex(pubKey), power])).toEqual([
      [bytesToHex(key.publicKey), 1n],
    ])
    const mint = messageFromJson<MintGenesis>('cosmos.mint.v1beta1.GenesisState', json.app_state!.mint as never)
    expect(mint.params).toMatchObject({
      mintDenom: 'ucoin',
      inflationMax: '0',
      goalBonded: '670000000000000000',
      blocksPerYear: 6_311_520n,
    })
    const bank = messageFromJson<BankGenesis>('cosmos.bank.v1beta1.GenesisState', json.app_state!.bank as never)
    expect(bank.denomMetadata[0]).toMatchObject({
      base: 'ucoin',
      display: 'COIN',
      denomUnits: [
        { denom: 'ucoin', exponent: 0 },
        { denom: 'COIN', exponent: 6 },
      ],
    })
    messageFromJson('cosmos.auth.v1beta1.GenesisState', json.app_state!.auth as never)
  })

  it('is not made over another one unless asked', () => {
    const root = newFolder()
    const first = init(root)
    expect(() => init(root)).toThrow('--overwrite replaces the node, its keys and its chain')
    expect(nodeIdOf(readKeyFile(homePaths(root).nodeKey))).toBe(first.nodeId)
    mkdirSync(join(root, 'data/state'), { recursive: true })
    const unlock = lockFolder(join(root, 'data/state'))
    expect(() => init(root, true)).toThrow(`belongs to process ${process.pid}`)
    expect(nodeIdOf(readKeyFile(homePaths(root).nodeKey))).toBe(first.nodeId)
    unlock()
    expect(init(root, true).nodeId).not.toBe(first.nodeId)
    expect(readdirSync(join(root, 'data'))).toEqual(['priv_validator_state.json'])
  })

  it('takes the genesis of another chain with its prefix, unless it was made for a prefix', () => {
    const wasm = { app_state: { bank: { balances: [{ address: 'wasm1y9e2kmjl6yxmsvpeyjpl58a0qt3t05agltvyuu' }] } } }
    const root = newFolder()
    init(root)
    const { bech32Prefix } = loadNodeConfig(root, {}).config
    expect(addressPrefix(bech32Prefix, wasm, 'genesis.json')).toBe('wasm')
    expect(addressPrefix(bech32Prefix, {}, 'genesis.json')).toBe('coin')
    expect(addressPrefix('osmo', {}, 'genesis.json')).toBe('osmo')
    expect(() => addressPrefix('coin', wasm, 'genesis.json')).toThrow(
      'bech32-prefix is "coin", but the addresses in genesis.json begin with "wasm"',
    )
  })
})

describe('key files', () => {
  it('are those of CometBFT', () => {
    // What CometBFT v0.38.17 wrote for the key of the secret "coin".
    const written = {
      address: '902BE845048E3F42E548573819C18F5EB8BF84C6',
      pub_key: { type: 'tendermint/PubKeyEd25519', value: 'mMXqT2lwGA5DvPr4huEL81jWJP2vsczjBTkGzd26YfA=' },
      priv_key: {
        type: 'tendermint/PrivKeyEd25519',
        value: 's6GYS6Cx2K1/nciB39nJ3HjHbGR6dpL7v9b83LnZoSGYxepPaXAYDkO8+viG4QvzWNYk/a+xzOMFOQbN3bph8A==',
      },
    }
    const path = join(newFolder(), 'key.json')
    writeFileSync(path, JSON.stringify(written))
    const key = readKeyFile(path)
    expect(nodeIdOf(key)).toBe('902be845048e3f42e548573819c18f5eb8bf84c6')
    expect(formatPrivValidatorKey(key)).toBe(`${JSON.stringify(written, undefined, 2)}\n`)
    expect(newEd25519Key(key.privateKey.slice(0, 32))).toEqual(key)
  })

  it('are refused when broken, without showing the key', () => {
    const path = join(newFolder(), 'key.json')
    const refuse = (text: string, reason: string) => {
      writeFileSync(path, text)
      expect(() => readKeyFile(path)).toThrow(reason)
    }
    refuse('{', 'not JSON')
    refuse('null', 'priv_key.type')
    refuse('{"priv_key":{"type":"tendermint/PrivKeySecp256k1","value":""}}', 'expected "tendermint/PrivKeyEd25519"')
    refuse('{"priv_key":{"type":"tendermint/PrivKeyEd25519","value":"c2VjcmV0"}}', 'not 64 bytes')
    const value = Buffer.alloc(64, 1).toString('base64')
    refuse(
      JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value } }),
      'does not end in its own public key',
    )
  })

  it('keep what was signed last', () => {
    const state = signStateFile(join(newFolder(), 'data/priv_validator_state.json'))
    expect(state.load()).toBeUndefined()
    const signed = { height: 5, round: 1, step: 3, signature: Uint8Array.of(1), signBytes: Uint8Array.of(2, 255) }
    state.save(signed)
    expect(state.load()).toEqual(signed)
  })
})

describe('genesis accounts', () => {
  it('are added with their coins to balances and supply', () => {
    const root = newFolder()
    const { genesis } = init(root)
    addGenesisAccounts(genesis, [
      { address: alice, coins: parseCoins('5ucoin,2aaa') },
      { address: bob, coins: parseCoins('7ucoin') },
    ])
    const bank = genesis.app_state!.bank as { supply: unknown; balances: unknown }
    expect(bank.supply).toEqual([
      { denom: 'aaa', amount: '2' },
      { denom: 'ucoin', amount: '12' },
    ])
    expect(() => addGenesisAccounts(genesis, [{ address: alice, coins: [] }])).toThrow(
      `account ${alice} is there already`,
    )
    writeGenesisFile(homePaths(root).genesis, genesis)
    expect(prefixOfGenesis(readGenesisFile(homePaths(root).genesis).json)).toBe('coin')
    expect(denomOfGenesis(genesis)).toBe('ucoin')
  })

  it('tell prefix and denom of chains made elsewhere', () => {
    const account = {
      '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      base_vesting_account: { base_account: { address: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6' } },
    }
    const genesis: GenesisJson = {
      app_state: { auth: { accounts: [account] }, staking: { params: { bond_denom: 'uatom' } } },
    }
    expect(prefixOfGenesis(genesis)).toBe('cosmos')
    expect(denomOfGenesis(genesis)).toBe('uatom')
    expect(prefixOfGenesis({})).toBe('coin')
    expect(denomOfGenesis({})).toBe('ucoin')
  })

  it('are refused with the file and the field', () => {
    const path = join(newFolder(), 'genesis.json')
    expect(() => readGenesisFile(path)).toThrow('is not there')
    writeFileSync(path, '{"chain_id":""}')
    expect(() => readGenesisFile(path)).toThrow(/genesis\.json: chain_id is "", expected 1 to 50 characters/)
  })
})
