import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sendMsg, testAccount } from '@coin/app/testing/signing'
import { silentLogger } from '@coin/base/logger'
import { openMultiStore } from '@coin/store/disk-multi-store'
import { inspectState } from '@coin/store/inspect'
import { describe, expect, it } from 'vitest'
import { newHome, openHome } from '../testing/home-chain.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { checkStateFiles } from './chain.js'
import { createFindings, type Finding } from './finding.js'

const newFolder = temporaryFolders()

/** A home folder of a few blocks whose doors take free ports. */
async function makeHome(): Promise<string> {
  const root = newFolder()
  const [alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  newHome(root, [alice, bob])
  for (const [file, key] of [
    ['app', 'api.address'],
    ['app', 'grpc.address'],
    ['config', 'rpc.laddr'],
  ] as const)
    await runInProcess(['config', 'set', file, key, 'tcp://127.0.0.1:0', '--home', root])
  const home = await openHome(root)
  await home.block(alice, sendMsg(alice.address, bob.address, '3'))
  for (let height = 2; height <= 3; height++) await home.block()
  await home.close()
  return root
}

interface Report {
  readonly code: number
  readonly problems: readonly string[]
  readonly findings: readonly Finding[]
}

async function examine(root: string, ...flags: string[]): Promise<Report> {
  const { code, out } = await runInProcess(['doctor', '--output', 'json', '--home', root, ...flags])
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] }
  const problems = findings.filter(({ level }) => level === 'problem').map(({ check, text }) => `${check}: ${text}`)
  for (const { level, advice } of findings) expect(advice !== undefined, level).toBe(level !== 'ok')
  return { code, problems, findings }
}

/** What every file holds and when it was changed, but for LMDB's table of readers. */
function filesBelow(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('lock.mdb') && statSync(join(path, name)).isFile())
    .map((name) => `${name} ${statSync(join(path, name)).mtimeMs} ${readFileSync(join(path, name)).length}`)
    .sort()
}

const logOf = (root: string) => {
  const folder = join(root, 'data/state/log')
  return join(folder, readdirSync(folder)[0]!)
}

describe('doctor', () => {
  it('finds a healthy node healthy, and changes nothing', async () => {
    const root = await makeHome()
    const before = filesBelow(root)
    const { code, problems, findings } = await examine(root)
    expect({ code, problems }).toEqual({ code: 0, problems: [] })
    expect(filesBelow(root)).toEqual(before)
    const text = findings.map((finding) => `${finding.check}: ${finding.text}`).join('\n')
    for (const part of [
      'state log: blocks 1 to 3',
      'heights: block store 3, results 3, state 3',
      'invariants: bank/totalSupply, bank/positiveBalances, ',
      'sign state: the validator signed height 3 last, block 3',
      'disk: ',
      'clock: ',
      'open files: ',
    ])
      expect(text).toContain(part)
    const plain = await runInProcess(['doctor', '--home', root])
    expect(plain.code).toBe(0)
    expect(plain.out).toMatch(/^ok {6}heights: [\s\S]*No problem, \d+ warnings/m)
  })

  it('knows a home folder without a chain, and none at all', async () => {
    const root = newFolder()
    newHome(root, [])
    expect((await examine(root, '--quick')).findings).toContainEqual({
      check: 'chain',
      level: 'ok',
      text: 'no block was made yet',
    })
    const nowhere = await examine(newFolder())
    expect(nowhere.code).toBe(1)
    expect(nowhere.problems[0]).toContain('run "coind init <moniker>" first')
  })

  it('takes a node that was stopped before its first block for a new one', async () => {
    const root = newFolder()
    newHome(root, [])
    await (await openHome(root)).close()
    const { findings, problems } = await examine(root)
    expect(problems.filter((problem) => !problem.startsWith('ports'))).toEqual([])
    expect(findings).toContainEqual({ check: 'chain', level: 'ok', text: 'no block was made yet' })
  })

  it('tells what the next start makes again from what it refuses', async () => {
    const root = await makeHome()
    const blocks = join(root, 'data/blocks/data.mdb')
    const whole = readFileSync(blocks)
    writeFileSync(blocks, Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192, 0x84)]))
    expect((await examine(root)).problems.join('\n')).toMatch(/a database is damaged \(MDB_/)
    writeFileSync(blocks, Buffer.alloc(whole.length, 0x5a))
    await expect(openHome(root)).rejects.toThrow('data/blocks/data.mdb is no LMDB database')
    writeFileSync(blocks, whole)

    const genesis = join(root, 'config/genesis.json')
    const own = readFileSync(genesis, 'utf8')
    writeFileSync(genesis, own.replace(/"chain_id": ".*"/, '"chain_id": "other-9"'))
    expect((await examine(root)).problems).toEqual([
      expect.stringContaining('genesis: it is of chain "other-9", the blocks'),
    ])
    writeFileSync(genesis, own)

    // The values are written behind the log: a log that ends before them has lost blocks.
    const log = readFileSync(logOf(root))
    truncateSync(logOf(root), log.length - 10)
    expect((await examine(root)).problems).toEqual([
      expect.stringMatching(/heights: .*state 2: the log has lost blocks/),
    ])
    writeFileSync(logOf(root), log)

    rmSync(join(root, 'data/state'), { recursive: true })
    const { findings, problems } = await examine(root)
    expect(problems).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ check: 'state', level: 'warning' }))
    await (await openHome(root)).close()
    expect((await examine(root)).problems).toEqual([])
  })

  it('tells a torn log from a damaged one', async () => {
    const root = await makeHome()
    appendFileSync(logOf(root), Buffer.alloc(50, 1))
    const torn = await examine(root)
    expect(torn.problems).toEqual([])
    expect(torn.findings).toContainEqual(
      expect.objectContaining({
        check: 'state log',
        level: 'warning',
        text: expect.stringContaining('50 bytes of a block'),
      }),
    )
    const file = openSync(logOf(root), 'r+')
    writeSync(file, Buffer.of(255, 255), 0, 2, 60)
    const damaged = await examine(root)
    expect(damaged.code).toBe(1)
    expect(damaged.problems.join('\n')).toMatch(/state log: .* is damaged at byte 20/)
  })

  it('sees what is missing, and who may read keys', async () => {
    const root = await makeHome()
    chmodSync(join(root, 'config/priv_validator_key.json'), 0o644)
    rmSync(join(root, 'config/node_key.json'))
    writeFileSync(join(root, 'data/priv_validator_state.json'), '{"height":"9","round":0,"step":3}')
    const { problems } = await examine(root)
    expect(problems).toEqual([
      expect.stringContaining('node_key.json'),
      expect.stringContaining('priv_validator_key.json can be read by others (mode 644)'),
      expect.stringContaining('signed height 9 last, block 3 is the last one stored: the blocks are older'),
    ])
    rmSync(join(root, 'data/blocks'), { recursive: true })
    expect((await examine(root)).problems.join('\n')).toContain('data/blocks has no database')
  })

  it('sees snapshots that are damaged, and when none is left that reaches the log', async () => {
    const root = await makeHome()
    const state = join(root, 'data/state')
    // As after a snapshot: the log begins behind it.
    expect(inspectState(state).log.before).toBe(0)
    const folder = join(state, 'snapshots/000000000000002')
    mkdirSync(folder)
    writeFileSync(join(folder, 'manifest.json'), '{"format":1}')
    const { findings, problems } = await examine(root)
    expect(problems).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ check: 'snapshots', level: 'warning' }))

    const path = newFolder()
    const written: (() => void)[] = []
    const info = (_: object, message: string) => message.startsWith('snapshot') && written.shift()?.()
    const store = openMultiStore({ path, stores: ['a'], snapshotBlocks: 3, logger: { ...silentLogger, info } })
    for (let height = 1; height <= 7; height++) {
      const branch = store.branch()
      branch.store('a').set(Uint8Array.of(height), Uint8Array.of(height))
      store.stage(branch, height)
      const snapshot = height % 3 === 0 && new Promise<void>((resolve) => written.push(resolve))
      store.commit()
      await snapshot
      await new Promise((resolve) => setImmediate(resolve))
    }
    await store.close()
    rmSync(join(path, 'snapshots'), { recursive: true })
    const bare = createFindings()
    checkStateFiles(path, false, bare)
    expect(bare.list()).toContainEqual(
      expect.objectContaining({ level: 'problem', text: expect.stringContaining('begins behind height 3') }),
    )
  })

  it('notices a genesis that is wrong, a port that is taken and another validator', async () => {
    const root = await makeHome()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await runInProcess(['config', 'set', 'config', 'rpc.laddr', `tcp://127.0.0.1:${port}`, '--home', root])
    const key = join(root, 'config/priv_validator_key.json')
    const own = readFileSync(key, 'utf8')
    writeFileSync(key, (await runInProcess(['comet', 'gen-validator'])).out, { mode: 0o600 })
    expect((await examine(root)).problems.join('\n')).toContain('validator: ')
    writeFileSync(key, own)
    const genesis = join(root, 'config/genesis.json')
    writeFileSync(genesis, readFileSync(genesis, 'utf8').replace('"amount": "2000000000"', '"amount": "1"'))
    const { problems } = await examine(root)
    await new Promise((resolve) => server.close(resolve))
    expect(problems.join('\n')).toContain('genesis of module bank')
    expect(problems.join('\n')).toContain(`RPC on 127.0.0.1:${port}: another program has that port`)
  })

  it('looks at a running node', async () => {
    const root = await makeHome()
    const home = await openHome(root)
    try {
      const { problems, findings } = await examine(root)
      expect(problems).toEqual([])
      expect(findings).toContainEqual(
        expect.objectContaining({ check: 'node', level: 'ok', text: `process ${process.pid} runs on this folder` }),
      )
      expect(findings.map(({ check }) => check)).toContain('invariants')
      await home.block()
    } finally {
      await home.close()
    }
  })
})
