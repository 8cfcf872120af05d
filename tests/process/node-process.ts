import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { addGenesisAccounts } from '@coin/node/home/genesis-accounts'
import { readGenesisFile, writeGenesisFile } from '@coin/node/home/genesis-file'
import { initHome } from '@coin/node/home/init'
import { homePaths } from '@coin/node/home/paths'
import { createSender, privateKeyOf, type Sender } from '../traffic/sender.js'

const coind = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'chain', 'node', 'coind.mjs')

/** A home folder in a temporary place, with funded accounts that sign. */
export interface TestHome {
  readonly root: string
  readonly chainId: string
  readonly senders: readonly Sender[]
  remove(): void
}

export function createTestHome(chainId: string, accounts: number, amount = 100_000_000_000_000n): TestHome {
  const root = mkdtempSync(join(tmpdir(), 'coin-home-'))
  initHome({
    root,
    moniker: 'test',
    chainId,
    denom: 'ucoin',
    displayDenom: 'COIN',
    bech32Prefix: 'coin',
    appVersion: 'test',
    genesisTime: '2026-01-01T00:00:00Z',
    overwrite: false,
  })
  const senders = Array.from({ length: accounts }, (_, index) =>
    createSender(privateKeyOf(chainId, index), { chainId, prefix: 'coin', accountNumber: BigInt(index) }),
  )
  const path = homePaths(root).genesis
  const { json } = readGenesisFile(path)
  addGenesisAccounts(
    json,
    senders.map(({ address }) => ({ address, coins: [{ denom: 'ucoin', amount }] })),
  )
  writeGenesisFile(path, json)
  return { root, chainId, senders, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A real `coind start` on free ports. */
export interface NodeProcess {
  readonly rpc: string
  readonly rest: string
  readonly child: ChildProcess
  /** Everything it has logged. */
  log(): string
  /** Ends it with a signal and waits until it is gone; answers its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves when both doors are open. Rejects with the log when it ends before that. `filesMax`: files that it may have open. */
export function startNodeProcess(root: string, flags: readonly string[] = [], filesMax?: number): Promise<NodeProcess> {
  const ports = ['--rpc.laddr', 'tcp://127.0.0.1:0', '--api.address', 'tcp://127.0.0.1:0', '--api.enable', 'true']
  const args = [coind, 'start', '--home', root, ...ports, '--grpc.enable', 'false', ...flags]
  const [command, ...start] =
    filesMax === undefined
      ? [process.execPath, ...args]
      : ['sh', '-c', `ulimit -n ${filesMax}; exec "$@"`, 'sh', process.execPath, ...args]
  const child = spawn(command!, start, { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return new Promise((resolve, reject) => {
    const open = new Map<string, string>()
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      const found = /\b(RPC|REST) is open address=(\S+)/.exec(line)
      if (found === null) return
      open.set(found[1]!, `http://${found[2]}`)
      const [rpc, rest] = [open.get('RPC'), open.get('REST')]
      if (rpc !== undefined && rest !== undefined) resolve({ rpc, rest, child, end, log: () => lines.join('\n') })
    })
    void exited.then((code) => reject(new Error(`coind ended with code ${code}:\n${lines.join('\n')}`)))
  })
}

/** The `result` of an RPC method; throws its error. */
export async function callRpc<T>(rpc: string, method: string, params: object = {}): Promise<T> {
  const response = await fetch(rpc, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result?: T; error?: { message: string; data?: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message} ${answer.error.data ?? ''}`)
  return answer.result as T
}

/** Status and body of a REST path. */
export async function callRest(rest: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(
    `${rest}${path}`,
    body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  )
  return { status: response.status, body: await response.json() }
}
