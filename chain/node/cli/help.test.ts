import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../testing/run-cli.js'
import { createProgram } from './program.js'

const quiet = {
  environment: {},
  out: () => {},
  err: () => {},
  ask: () => Promise.reject(new TypeError('nobody is asked')),
  readAll: () => Promise.reject(new TypeError('nobody is asked')),
  close: () => {},
}

/** Every command that does something, by the words that lead to it. */
function leavesOf(command: Command, path: readonly string[] = []): readonly { path: string; command: Command }[] {
  const subs = command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== 'help')
  if (subs.length === 0) return [{ path: path.join(' '), command }]
  return subs.flatMap((sub) => leavesOf(sub, [...path, sub.name()]))
}

function helpOf(command: Command): string {
  let text = ''
  const writeOut = (part: string) => {
    text += part
  }
  command.configureOutput({ writeOut }).outputHelp()
  return text
}

describe('help', () => {
  const leaves = leavesOf(createProgram(quiet))

  it('knows the commands of the reference', () => {
    const paths = leaves.map(({ path }) => path)
    for (const path of [
      'init',
      'start',
      'export',
      'rollback',
      'status',
      'version',
      'doctor',
      'keys add',
      'keys import-hex',
      'genesis gentx',
      'genesis collect-gentxs',
      'comet show-validator',
      'comet unsafe-reset-all',
      'config set',
      'completion zsh',
      'tx bank send',
      'tx wasm store',
      'query bank balances',
      'query tx',
    ])
      expect(paths).toContain(path)
  })

  it('has a description and an example for every command', () => {
    const without = leaves.flatMap(({ path, command }) => {
      const help = helpOf(command)
      const hasExample = new RegExp(`\\$ coind ${path.replaceAll(/[-]/g, '\\-')}(?: |$)`, 'm').test(help)
      return hasExample && command.description() !== '' ? [] : [path]
    })
    expect(without).toEqual([])
  })

  it('comes at every wrong turn, with what was meant', async () => {
    const errorOf = async (...words: string[]) => (await runInProcess(words)).err
    expect(await errorOf('strat')).toMatch(/unknown command 'strat'\n\(Did you mean start\?\)/)
    expect(await errorOf('keys', 'ad')).toContain('Did you mean add?')
    expect(await errorOf('keys', 'add')).toContain("missing required argument 'name'")
    expect(await errorOf('init', 'x', '--chain-idd', 'y')).toContain('Did you mean --chain-id?')
    const { code, out } = await runInProcess(['--help'])
    expect(code).toBe(0)
    for (const text of ['Look after a node:', 'COIND_HOME', 'COIND_KEYRING_PASSPHRASE']) expect(out).toContain(text)
  })
})
