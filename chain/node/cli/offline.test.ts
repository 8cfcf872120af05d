import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { version } from '../version.js'

const newFolder = temporaryFolders()
const coind = fileURLToPath(new URL('../../coind.mjs', import.meta.url))

/** Runs the real process. */
async function run(words: readonly string[], options: { home: string; input?: string; env?: Record<string, string> }) {
  const running = promisify(execFile)(process.execPath, [coind, ...words], {
    env: { PATH: process.env.PATH, COIND_HOME: options.home, ...options.env },
  })
  running.child.stdin!.end(options.input ?? '')
  try {
    return { code: 0, ...(await running) }
  } catch (error) {
    const failed = error as { code: number; stdout: string; stderr: string }
    return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr }
  }
}

describe('coind as a process', () => {
  it('says its version, which is that of the package', async () => {
    const { stdout } = await run(['version'], { home: newFolder() })
    const packageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(stdout).toBe(`${version}\n`)
    expect(packageJson.version).toBe(version)
    const long = await run(['version', '--long', '-o', 'json'], { home: newFolder() })
    expect(JSON.parse(long.stdout)).toMatchObject({
      name: 'coin',
      server_name: 'coind',
      version,
      cosmos_sdk_version: 'v0.53.4',
    })
  })

  it('makes a node and its accounts', async () => {
    const home = newFolder()
    const init = await run(['init', 'one', '--chain-id', 'coin-test-1'], { home })
    expect(JSON.parse(init.stdout)).toMatchObject({
      moniker: 'one',
      chain_id: 'coin-test-1',
      node_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const added = await run(['keys', 'add', 'alice', '-o', 'json'], { home, input: 'correct horse\ncorrect horse\n' })
    const alice = JSON.parse(added.stdout) as { address: string; mnemonic: string }
    expect(alice.address).toMatch(/^coin1/)
    expect(added.stderr).toContain('Type it again')
    const env = { COIND_KEYRING_PASSPHRASE: 'correct horse' }
    const given = await run(['genesis', 'add-genesis-account', 'alice', '5ucoin'], { home, env })
    expect(given).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(home, 'config/genesis.json'), 'utf8')).toContain(alice.address)
    expect((await run(['genesis', 'validate'], { home })).stdout).toContain(
      'is a valid genesis file of chain coin-test-1',
    )
    const again = await run(['keys', 'add', 'carol', '--recover', '--keyring-backend', 'test', '-o', 'json'], {
      home,
      input: `${alice.mnemonic}\n`,
    })
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'carol', address: alice.address })
    expect(again.stdout).not.toContain('mnemonic')
  })

  it('fails with a message and a code, never with a stack', async () => {
    const home = newFolder()
    const cases: readonly [string[], string][] = [
      [['start'], 'run "coind init <moniker>" first'],
      [['keys', 'show', 'nobody'], 'which has no keys; --keyring-backend and --home name another: key not found'],
      [['keys', 'add', 'x'], 'the input ended: cancelled'],
      [['frobnicate'], "unknown command 'frobnicate'"],
      [
        ['keys', 'add', 'x', '--keyring-backend', 'os'],
        'keyring backend "os" is not available, expected file, test, memory',
      ],
    ]
    for (const [words, reason] of cases) {
      const { code, stderr } = await run(words, { home })
      expect(code).toBe(1)
      expect(stderr).toContain(reason)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})

describe('keys', () => {
  it('list, show, export and delete', async () => {
    const home = newFolder()
    const keys = (...words: string[]) => runInProcess(['keys', ...words, '--home', home, '--keyring-backend', 'test'])
    const added = await keys('add', 'alice')
    expect(added.out).toMatch(/^- name: alice\n {2}type: local\n {2}address: coin1/)
    expect(added.err).toContain('Write these words down')
    expect(added.err).toContain('NOT encrypted')
    const address = (await keys('show', 'alice', '-a')).out
    expect(JSON.parse((await keys('list', '-o', 'json')).out)).toMatchObject([{ name: 'alice', address }])
    expect(JSON.parse((await keys('show', 'alice', '-p')).out)).toMatchObject({
      '@type': '/cosmos.crypto.secp256k1.PubKey',
    })
    expect((await keys('show', 'alice', '-a', '--bech32-prefix', 'wasm')).out).toMatch(/^wasm1/)
    expect(await keys('export', 'alice')).toMatchObject({ code: 1, out: '' })
    expect((await keys('export', 'alice', '--unsafe', '--unarmored-hex', '-y')).out).toMatch(/^[0-9a-f]{64}$/)
    expect(await keys('delete', 'alice', 'bob', '-y')).toMatchObject({ code: 1 })
    expect((await keys('show', 'alice', '-a')).out).toBe(address)
    expect(await keys('delete', 'alice', '--force')).toMatchObject({ code: 0, err: 'Key "alice" is removed' })
    expect((await keys('list', '-o', 'json')).out).toBe('[]')
  })
})

describe('help', () => {
  it('has an example for every command', async () => {
    const commands = [
      'init',
      'start',
      'keys add',
      'keys list',
      'keys show',
      'keys delete',
      'keys export',
      'genesis add-genesis-account',
      'genesis validate',
      'tx bank send',
      'tx wasm store',
      'tx wasm instantiate',
      'tx wasm execute',
      'query bank balances',
      'query wasm contract-state smart',
      'query tx',
      'status',
      'version',
    ]
    for (const command of commands) {
      const { code, out } = await runInProcess([...command.split(' '), '--help'])
      expect(code).toBe(0)
      expect(out).toContain(`$ coind ${command}`)
      expect(out).toContain('--home')
    }
  })
})
