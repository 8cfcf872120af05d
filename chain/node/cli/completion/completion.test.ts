import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../../testing/run-cli.js'
import { temporaryFolders } from '../../testing/temporary-folder.js'
import { completionScripts } from './scripts.js'

const newFolder = temporaryFolders()

/** A home folder with the keys alice and bob. */
async function newHome(): Promise<string> {
  const home = newFolder()
  for (const name of ['alice', 'bob'])
    await runInProcess(['keys', 'add', name, '--home', home, '--keyring-backend', 'test'])
  mkdirSync(join(home, 'config'))
  writeFileSync(join(home, 'config/client.toml'), 'keyring-backend = "test"\n')
  return home
}

async function complete(home: string, ...words: string[]): Promise<readonly string[]> {
  const { out } = await runInProcess(['__complete', '--', ...words], { COIND_HOME: home })
  return out === '' ? [] : out.split('\n').map((line) => line.split('\t')[0]!)
}

describe('completion', () => {
  it('knows commands, flags, choices and keys', async () => {
    const home = await newHome()
    const at = (...words: string[]) => complete(home, ...words)
    expect(await at('ro')).toEqual(['rollback'])
    expect(await at('keys', 're')).toEqual(['rename'])
    expect(await at('keys', 'add', '--multisig-')).toEqual(['--multisig-threshold'])
    expect(await at('keys', 'add', '--multisig', '')).toEqual(['alice', 'bob'])
    expect(await at('keys', 'add', '')).toEqual([])
    expect(await at('keys', 'show', 'alice', 'b')).toEqual(['bob'])
    expect(await at('tx', 'bank', 'send', 'al')).toEqual(['alice'])
    expect(await at('tx', 'wasm', 'execute', '--from', '')).toEqual(['alice', 'bob'])
    expect(await at('keys', 'show', '--keyring-backend', 'file', '')).toEqual([])
    expect(await at('status', '-o', '')).toEqual(['text', 'json'])
    expect(await at('status', '--output=j')).toEqual(['--output=json'])
    expect(await at('start', '--api.enable=')).toEqual(['--api.enable=true', '--api.enable=false'])
    expect(await at('--home', '')).toEqual([':folders'])
    expect(await at('genesis', 'validate', '')).toEqual([':files'])
    expect(await at('doctor', '--quick', '--q')).toEqual([])
    expect(await at('frobnicate', '')).toEqual([])
  })

  it('has a script for every shell', async () => {
    for (const shell of Object.keys(completionScripts))
      expect((await runInProcess(['completion', shell])).out).toContain('__complete')
  })

  it('completes in bash', async () => {
    const home = await newHome()
    const coind = fileURLToPath(new URL('../../../coind.mjs', import.meta.url))
    const script = [
      `coind() { "${process.execPath}" "${coind}" "$@"; }`,
      'source <(coind completion bash)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
      'at() { COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; _coind_complete; echo "${COMPREPLY[*]}"; }',
      'complete -p coind',
      'at "coind doc"',
      'at "coind keys delete "',
      'at "coind start --api.enable=t"',
      `at "coind genesis validate ${home}/conf"`,
    ]
    const out = execFileSync('bash', ['--norc', '-c', script.join('\n')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, COIND_HOME: home },
    })
    expect(out.trim().split('\n')).toEqual([
      'complete -F _coind_complete coind',
      'doctor',
      'alice bob',
      'true',
      `${home}/config`,
    ])
  })
})
