import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** From tests/dist/e2e to the built programs of `npm start` and `npm run demo`. */
const programs = fileURLToPath(new URL('../../../devnet/dist/', import.meta.url))

export interface DevnetAccount {
  readonly name: string
  readonly address: string
  readonly mnemonic: string
}

export interface DevnetContracts {
  readonly cw20_code_id: number
  readonly launchpad: string
  readonly amm: string
}

/** What `npm start` runs, on free ports and in a folder of its own. */
export interface DevnetProcess {
  readonly rpc: string
  readonly rest: string
  readonly accounts: readonly DevnetAccount[]
  readonly contracts: DevnetContracts
  /** Everything it has said. */
  output(): string
  /** Ends it with Ctrl-C's signal; answers its exit code. */
  stop(): Promise<number | null>
}

/** Resolves when the chain has its contracts. Rejects with what it said when it ends before that. */
export function startDevnetProcess(home: string, flags: readonly string[] = []): Promise<DevnetProcess> {
  const ports = ['--rpc-port', '0', '--rest-port', '0', '--grpc-port', '0', '--block-time', '250ms']
  const { child, exited, lines } = run('start.js', ['--home', home, ...ports, ...flags])
  return new Promise((resolve, reject) => {
    const doors = new Map<string, string>()
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line)
      const door = /^\s+(RPC|REST)\s+(http\S+)/.exec(line)
      if (door !== null) doors.set(door[1]!, door[2]!)
      if (!line.startsWith('Try it:')) return
      resolve({
        rpc: doors.get('RPC')!,
        rest: doors.get('REST')!,
        accounts: readJson(join(home, 'accounts.json')),
        contracts: readJson(join(home, 'contracts.json')),
        output: () => lines.join('\n'),
        stop: () => {
          child.kill('SIGINT')
          return exited
        },
      })
    })
    void exited.then((code) => reject(new Error(`the devnet ended with code ${code}:\n${lines.join('\n')}`)))
  })
}

/** What `npm run demo` plays: its exit code and its words. */
export async function runDemo(
  home: string,
  rpc: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, exited, lines } = run('demo.js', ['--home', home, '--rpc', rpc])
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  const code = await exited
  return { code, output: lines.join('\n') }
}

function run(program: string, args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [join(programs, program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => lines.push(line))
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, exited, lines }
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
