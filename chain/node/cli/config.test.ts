import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadNodeConfig } from '../config/node-config.js'
import { setTomlValue } from '../config/toml-edit.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { hasWasmd, wasmd } from '../testing/wasmd.js'

const newFolder = temporaryFolders()

function configOf(home: string) {
  return async (...line: string[]) => {
    const { code, out, err } = await runInProcess(['config', ...line, '--home', home])
    return code === 0 ? out : err
  }
}

async function newHome(): Promise<string> {
  const home = newFolder()
  await runInProcess(['init', 'one', '--home', home])
  return home
}

describe('config', () => {
  it('shows and changes one setting, and leaves the rest as it is', async () => {
    const home = await newHome()
    const config = configOf(home)
    const path = join(home, 'config/app.toml')
    const before = readFileSync(path, 'utf8')
    expect(await config('get', 'app', 'api.address')).toBe('"tcp://localhost:1317"')
    await config('set', 'app', 'api.address', 'tcp://127.0.0.1:5000')
    await config('set', 'app', 'index-events', 'message.sender,transfer.recipient')
    await config('set', 'app', 'halt-height', '7')
    const after = readFileSync(path, 'utf8').split('\n')
    const changed = after.filter((line, at) => line !== before.split('\n')[at])
    expect(changed).toEqual([
      'halt-height = 7',
      'index-events = ["message.sender", "transfer.recipient"]',
      'address = "tcp://127.0.0.1:5000"',
    ])
    expect(loadNodeConfig(home, {}).config).toMatchObject({
      api: { address: { port: 5000 } },
      haltHeight: 7,
      indexEvents: ['message.sender', 'transfer.recipient'],
    })
    expect(await config('diff', 'app')).toContain('halt-height = 7, default 0')
    expect(await config('home')).toBe(home)
    expect(await config('view', 'client', '--output-format', 'json')).toContain('"broadcast-mode": "sync"')
    expect(await config('set', 'app', 'halt-height', '9', '--stdout')).toContain('halt-height = 9')
    expect(await config('get', 'app', 'halt-height')).toBe('7')
  })

  it('refuses what a start would refuse', async () => {
    const config = configOf(await newHome())
    expect(await config('set', 'app', 'halt-height', 'soon')).toContain('expected an integer of at least 0')
    expect(await config('set', 'app', 'grpc.adress', 'x')).toContain('no key "grpc.adress"')
    expect(await config('get', 'app', 'enable')).toContain('but api.enable, ')
    expect(await config('get', 'other', 'x')).toContain('expected app, config or client')
    expect(await configOf(newFolder())('view', 'app')).toContain('run "coind init <moniker>" first')
    expect(await config('set', 'app', 'own.key', 'x', '--skip-validate')).toBe('')
    expect(await config('get', 'app', 'own.key')).toBe('"x"')
  })

  it('edits TOML of any shape', () => {
    const text = 'a = [\n  1, # one\n  2,\n]\n[s] # section\n"b" = "x" # why\n\n[t]\nb = 1\n'
    expect(setTomlValue(text, 'a', '[3]')).toBe('a = [3]\n[s] # section\n"b" = "x" # why\n\n[t]\nb = 1\n')
    expect(setTomlValue(text, 's.b', '"y"')).toContain('[s] # section\nb = "y"\n\n[t]\nb = 1\n')
    expect(setTomlValue(text, 's.c', 'true', 'new')).toContain('"b" = "x" # why\n\n# new\nc = true\n\n[t]')
    expect(setTomlValue(text, 'u.d', '1')).toContain('b = 1\n\n[u]\n\nd = 1\n')
    expect(setTomlValue(text, 'z', '1')).toContain(']\n\nz = 1\n[s]')
    expect(() => setTomlValue(text, 't.b', '1 2')).toThrow('is no TOML')
  })
})

describe.skipIf(!hasWasmd)('a home folder of the Go reference', () => {
  it('is brought up to date, and both read it', async () => {
    const home = newFolder()
    wasmd(home, ['init', 'one', '--chain-id', 'test-1'])
    const config = configOf(home)
    expect(await config('migrate', 'app')).toBe('')
    expect(await config('get', 'app', 'bech32-prefix')).toBe('""')
    expect(await config('set', 'client', 'keyring-backend', 'test')).toBe('')
    expect(wasmd(home, ['config', 'get', 'client', 'keyring-backend'])).toContain('test')
    expect(await config('set', 'app', 'telemetry.service-name', 'here')).toBe('')
    expect(wasmd(home, ['config', 'get', 'app', 'telemetry.service-name'])).toContain('here')
    // Its own block time stays: engine.block-time would go before consensus.timeout_commit.
    expect(loadNodeConfig(home, {}).config.engine.blockTimeMs).toBe(5000)
    expect(existsSync(join(home, 'config/app.toml.new'))).toBe(false)
    writeFileSync(join(home, 'config/app.toml'), readFileSync(join(home, 'config/app.toml'), 'utf8'))
    expect(loadNodeConfig(home, {}).warnings).toEqual([])
  })
})
