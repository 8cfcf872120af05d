import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { bech32PrefixOf, loadClientConfig } from './client-config.js'
import { environmentName, homeFolder } from './environment.js'
import { appForm, cometForm, loadNodeConfig } from './node-config.js'
import { formatTomlFile } from './toml-file.js'

const newFolder = temporaryFolders()

/** A home folder with the given files, otherwise those that `init` writes. */
function home(files: { app?: string; config?: string; client?: string } = {}): string {
  const root = newFolder()
  mkdirSync(join(root, 'config'))
  writeFileSync(join(root, 'config/app.toml'), files.app ?? formatTomlFile(appForm, new Map()))
  writeFileSync(join(root, 'config/config.toml'), files.config ?? formatTomlFile(cometForm, new Map()))
  if (files.client !== undefined) writeFileSync(join(root, 'config/client.toml'), files.client)
  return root
}

describe('node configuration', () => {
  it('bounds queries', () => {
    const queries = (lines: string) =>
      loadNodeConfig(home({ app: `[queries]\n${lines}`, config: '' }), {}).config.queries
    expect(queries('')).toEqual({ timeoutMs: 10_000, readers: 0 })
    expect(queries('timeout = "2s"\nreaders = 3')).toEqual({ timeoutMs: 2000, readers: 3 })
    expect(() => queries('timeout = "1ms"')).toThrow('queries.timeout of app.toml is 1 ms, expected 100ms or more')
    expect(() => queries('readers = -1')).toThrow(/queries\.readers/)
  })

  it('never lets a query go on without end: lists are held in memory', () => {
    const limit = (app: string) => loadNodeConfig(home({ app }), {}).config.queryGasLimit
    expect(limit('')).toBe(300_000_000)
    expect(limit('query-gas-limit = "1000000000"')).toBe(1_000_000_000)
    expect(limit('[wasm]\nquery_gas_limit = 400000000')).toBe(400_000_000)
  })

  it('has its defaults in the files that it writes, and no others', () => {
    const written = loadNodeConfig(home(), {})
    const empty = loadNodeConfig(home({ app: '', config: '' }), {})
    expect(written.warnings).toEqual([])
    expect({ ...written.config, home: undefined }).toEqual({ ...empty.config, home: undefined })
    expect(written.config).toMatchObject({
      moniker: 'coin-node',
      log: { level: 'info', format: 'plain' },
      engine: { blockTimeMs: 1000, createBlocksOnDemand: true, createEmptyBlocks: true },
      api: {
        enable: true,
        address: { host: 'localhost', port: 1317 },
        maxBodyBytes: 1_000_000,
        unsafeCors: false,
        swagger: true,
      },
      grpc: { enable: true, address: { host: 'localhost', port: 9090 }, web: true },
      rpc: { address: { host: '127.0.0.1', port: 26_657 } },
      mempool: { maxTxs: 5000, maxTxBytes: 1_048_576, cacheSize: 10_000 },
      minimumGasPrices: [],
      pruning: { keepRecent: 362_880, interval: 10 },
      txIndex: 'kv',
    })
  })

  it('lets a broadcast wait for a block no longer than its answer may take', () => {
    const waits = (lines: string) =>
      loadNodeConfig(home({ app: lines, config: '' }), {}).config.api.broadcastBlockTimeoutMs
    expect(waits('')).toBe(30_000)
    expect(waits('[api]\nbroadcast-block-timeout = 5')).toBe(5000)
    expect(waits('[api]\nrpc-write-timeout = 10')).toBe(9500)
    expect(() => waits('[api]\nbroadcast-block-timeout = 0')).toThrow(/broadcast-block-timeout/)
  })

  it('reads files as the Go node writes them', () => {
    const app = [
      'minimum-gas-prices = "0.025uatom,0.001ibc/AB"',
      'pruning = "custom"',
      'pruning-keep-recent = "100"',
      'pruning-interval = "10"',
      'inter-block-cache = true',
      'iavl-cache-size = 781250',
      '[telemetry]',
      'service-name = ""',
      'global-labels = []',
      '[api]',
      'address = "tcp://0.0.0.0:1317"',
      '[state-sync]',
      'snapshot-interval = 0',
      '[streaming.abci]',
      'keys = []',
    ].join('\n')
    const config = [
      'proxy_app = "tcp://127.0.0.1:26658"',
      'moniker = "go"',
      'log_level = "state:info,*:error"',
      '[p2p]',
      'seeds = ""',
      '[consensus]',
      'timeout_commit = "5s"',
      'wal_file = "data/cs.wal/wal"',
    ].join('\n')
    const { config: read, warnings } = loadNodeConfig(home({ app, config }), {})
    expect(warnings).toEqual([])
    expect(read.engine.blockTimeMs).toBe(5000)
    expect(read.log.level).toBe('error')
    expect(read.pruning).toEqual({ keepRecent: 100, interval: 10 })
    expect(read.api.address).toEqual({ host: '0.0.0.0', port: 1317 })
    expect(read.minimumGasPrices.map(({ denom }) => denom)).toEqual(['ibc/AB', 'uatom'])
  })

  it('warns of unknown keys', () => {
    const app = 'minimum-gas-price = "1ucoin"\n[api]\nadress = "x"'
    const { warnings } = loadNodeConfig(home({ app, config: '[rpc]\nladr = "x"\npprof_laddr = ""' }), {})
    expect(warnings).toEqual([
      expect.stringMatching(/app\.toml: unknown key minimum-gas-price is ignored/),
      expect.stringMatching(/app\.toml: unknown key api\.adress is ignored/),
      expect.stringMatching(/config\.toml: unknown key rpc\.ladr is ignored/),
    ])
  })

  it.each([
    ['[api]\nenable = "maybe"', 'app.toml: api.enable is "maybe", expected true or false'],
    ['[api]\naddress = "localhost"', 'api.address is "localhost", expected an address like'],
    ['[api]\naddress = "localhost:70000"', 'expected an address like'],
    ['minimum-gas-prices = "cheap"', 'expected prices like "0.025ucoin"'],
    ['pruning = "some"', 'expected one of "default", "nothing", "everything", "custom"'],
    ['pruning = "custom"', 'expected at least 2 and 10'],
    ['halt-height = -1', 'halt-height is -1, expected an integer of at least 0'],
    ['halt-height = 1.5', 'expected an integer'],
    ['[engine]\nblock-time = "fast"', 'expected a duration like'],
    ['[engine]\nblock-time = "25h"', 'at most 24 hours'],
    ['index-events = [1]', 'expected a list of strings'],
    ['[wasm]\nsimulation_gas_limit = "x"', 'wasm.simulation_gas_limit is "x", expected an integer'],
    ['this is not toml', 'app.toml line 1'],
  ])('refuses %j', (app, reason) => {
    expect(() => loadNodeConfig(home({ app }), {})).toThrow(reason)
  })

  it('takes flags before the environment before files', () => {
    const app = '[api]\naddress = "localhost:1"'
    const environment = {
      COIND_API_ADDRESS: ':2',
      COIND_RPC_LADDR: 'tcp://[::1]:3',
      COIND_INDEX_EVENTS: 'a.b, c.d',
      COIND_API_ENABLE: 'false',
    }
    const { config } = loadNodeConfig(home({ app }), environment, { 'api.address': ':4' })
    expect(config.api).toMatchObject({ enable: false, address: { host: '0.0.0.0', port: 4 } })
    expect(config.rpc.address).toEqual({ host: '::1', port: 3 })
    expect(config.indexEvents).toEqual(['a.b', 'c.d'])
    expect(() => loadNodeConfig(home(), { COIND_API_ENABLE: 'x' })).toThrow('COIND_API_ENABLE is "x"')
    expect(() => loadNodeConfig(home(), {}, { 'api.enable': 'x' })).toThrow('--api.enable is "x"')
  })

  it('cannot be changed once read', () => {
    const { config } = loadNodeConfig(home(), {})
    expect(Object.isFrozen(config)).toBe(true)
    expect(() => Object.assign(config.api, { enable: false })).toThrow(TypeError)
  })

  it('says what to do when there is no node', () => {
    expect(() => loadNodeConfig(newFolder(), {})).toThrow('run "coind init <moniker>" first')
  })

  it('comments every key that it writes', () => {
    const text = formatTomlFile(appForm, new Map([['bech32-prefix', '"wasm"']]))
    expect(parse(text)).toMatchObject({ 'bech32-prefix': 'wasm', api: { enable: true } })
    for (const { about } of Object.values(appForm.settings)) expect(text).toContain(`# ${about}`)
  })
})

describe('client configuration', () => {
  it('comes from client.toml, the environment and flags', () => {
    const root = home({ client: 'chain-id = "a-1"\nnode = "tcp://x:1"\noutput = "json"' })
    expect(loadClientConfig(root, {}, {}).config).toMatchObject({
      'chain-id': 'a-1',
      node: 'tcp://x:1',
      output: 'json',
      'keyring-backend': 'file',
    })
    expect(loadClientConfig(root, { COIND_CHAIN_ID: 'b-1' }, { node: 'tcp://y:2' }).config).toMatchObject({
      'chain-id': 'b-1',
      node: 'tcp://y:2',
    })
    expect(() => loadClientConfig(root, {}, { 'keyring-backend': 'cloud' })).toThrow(
      '--keyring-backend is "cloud", expected one of "file", "test"',
    )
    expect(loadClientConfig(newFolder(), {}, {}).config.node).toBe('tcp://localhost:26657')
  })

  it('finds the home folder and the address prefix', () => {
    expect(homeFolder(undefined, { COIND_HOME: '/a' })).toBe('/a')
    expect(homeFolder('/b', { COIND_HOME: '/a' })).toBe('/b')
    expect(environmentName('grpc.max-recv-msg-size')).toBe('COIND_GRPC_MAX_RECV_MSG_SIZE')
    const root = home()
    expect(bech32PrefixOf(root, {}, undefined)).toBe('coin')
    const address = 'wasm1pkptre7fdkl6gfrzlesjjvhxhlc3r4gm32kke3'
    const genesis = {
      chain_id: 'w-1',
      genesis_time: '2026-01-01T00:00:00Z',
      app_state: { bank: { balances: [{ address, coins: [] }] } },
    }
    writeFileSync(join(root, 'config/genesis.json'), JSON.stringify(genesis))
    expect(bech32PrefixOf(root, {}, undefined)).toBe('wasm')
    expect(bech32PrefixOf(root, { COIND_BECH32_PREFIX: 'env' }, undefined)).toBe('env')
    expect(bech32PrefixOf(root, {}, 'flag')).toBe('flag')
    expect(readFileSync(join(root, 'config/app.toml'), 'utf8')).toContain('bech32-prefix = ""')
  })
})
