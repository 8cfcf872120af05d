import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, equalBytes } from '@coin/base/bytes'
import { headerHash } from '@coin/engine/comet/hashes'
import { requireOwnMajority } from '@coin/engine/embedded/block-execution'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import { inspectState, type StateInspection } from '@coin/store/inspect'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import type { NodeConfig } from '../config/node-config.js'
import type { Ed25519Key } from '../home/key-files.js'
import type { StateView } from '../home/state-view.js'
import { requireWholeDatabase } from '../home/whole-database.js'
import { readIndexedHeight } from '../index/tables.js'
import type { Findings } from './finding.js'
import { gibText } from './machine.js'

const restoreAdvice = 'restore the data folder from a copy of it; ask before you remove anything'

/** Log and snapshots of the state, with every checksum. `isRunning`: the end of the log is being written. */
export function checkStateFiles(path: string, isRunning: boolean, findings: Findings): StateInspection {
  const inspection = inspectState(path)
  const { log, snapshots } = inspection
  const range = log.blocks === 0 ? 'no block' : `blocks ${log.first} to ${log.last}`
  if (log.problem !== undefined) findings.problem('state log', log.problem, restoreAdvice)
  else if (log.tornBytes > 0 && !isRunning)
    findings.warning(
      'state log',
      `${range}, and ${log.tornBytes} bytes of a block that a crash cut off`,
      'nothing: the next start leaves them out, and makes the block again',
    )
  else findings.ok('state log', `${range} in ${gibText(log.bytes)}, every checksum is right`)
  const good = snapshots.filter(({ problem }) => problem === undefined)
  const newest = good.at(-1)?.height ?? 0
  for (const { height, problem } of snapshots) {
    if (problem === undefined) findings.ok('snapshots', `height ${height}: every hash is right`)
    else findings.warning('snapshots', problem, 'nothing: the one before is taken, and a start takes longer')
  }
  if (log.blocks > 0 && log.before > newest)
    findings.problem(
      'snapshots',
      `no good snapshot reaches the log, which begins behind height ${log.before}; the newest is of ${newest}`,
      restoreAdvice,
    )
  else if (snapshots.length === 0) findings.ok('snapshots', 'none yet: the log goes back to the genesis')
  return inspection
}

/** The blocks by themselves, and against the state. */
export function checkBlocks(
  { blocks, chainState, available }: StateView,
  log: StateInspection['log'],
  findings: Findings,
): void {
  const [base, stored] = [blocks.base(), blocks.height()]
  const state = chainState()
  const last = state?.lastHeight ?? 0
  findings.ok(
    'blocks',
    `${base} to ${stored} are kept; the state of ${available.earliest} to ${available.latest} can be read`,
  )
  const broken = brokenBlock(blocks)
  if (broken !== undefined) findings.problem('blocks', broken, restoreAdvice)
  const heights = `block store ${stored}, results ${last}, state ${log.last}`
  if (available.latest > log.last)
    findings.problem(
      'heights',
      `${heights}: the log has lost blocks, the values are of ${available.latest}`,
      restoreAdvice,
    )
  else if (stored < last || stored > last + 1 || log.last > last || log.last < last - 1)
    findings.problem('heights', `${heights} do not fit together`, restoreAdvice)
  else if (stored > last || log.last < last)
    findings.warning(
      'heights',
      `${heights}: the node stopped in the middle of a block`,
      'nothing: the next start ends it',
    )
  else findings.ok('heights', heights)
  const expected = log.last === last ? state?.appHash : blocks.meta(log.last + 1)?.header.appHash
  if (log.appHash !== undefined && expected !== undefined && !equalBytes(log.appHash, expected))
    findings.problem(
      'app hash',
      `the state of height ${log.last} is ${bytesToHex(log.appHash)}, the blocks say ${bytesToHex(expected)}`,
      'another program has executed these blocks: run that version, or "coind rollback" and start this one',
    )
  else if (log.appHash !== undefined) findings.ok('app hash', `blocks and state agree on ${bytesToHex(log.appHash)}`)
}

const blocksChecked = 100

/** The last blocks: each has its own hash, and names that of the one before. */
function brokenBlock(blocks: BlockReads): string | undefined {
  const from = Math.max(blocks.base(), blocks.height() - blocksChecked + 1, 1)
  let before: Uint8Array | undefined
  for (let height = from; height <= blocks.height(); height++) {
    const meta = blocks.meta(height)
    if (meta === undefined) return `block ${height} is missing`
    if (!equalBytes(headerHash(meta.header), meta.blockId.hash)) return `block ${height} has another hash than it says`
    if (before !== undefined && !equalBytes(meta.header.lastBlockId.hash, before))
      return `block ${height} does not follow block ${height - 1}`
    before = meta.blockId.hash
  }
  return undefined
}

/** Whether this node may make the next block. */
export function checkValidator({ blocks }: StateView, key: Ed25519Key, findings: Findings): void {
  const height = blocks.height() + 1
  const set = blocks.validators(height)
  if (set === undefined) return
  requireOwnMajority(set, key.address, height)
  findings.ok('validator', `${bytesToHex(key.address).toUpperCase()} makes block ${height}`)
}

/** What modules say must always be true. */
export function checkInvariants({ app }: StateView, findings: Findings): void {
  const checks = app.checkInvariants()
  for (const { module, name, broken } of checks) {
    if (broken === undefined) continue
    findings.problem('invariants', `${module}/${name}: ${broken}`, 'stop the node and report it: the state is wrong')
  }
  const good = checks.filter(({ broken }) => broken === undefined).map(({ module, name }) => `${module}/${name}`)
  if (good.length > 0) findings.ok('invariants', `${good.join(', ')} hold at height ${app.height()}`)
}

const lagFew = 100

export async function checkIndex(config: NodeConfig, stored: number, findings: Findings): Promise<void> {
  const path = join(config.home.dataDir, 'tx_index')
  const file = join(path, 'data.mdb')
  if (config.txIndex === 'null') return
  const rebuilt = 'nothing: the next start builds it again from the blocks'
  if (!existsSync(file)) {
    if (stored > 0) findings.warning('tx index', `${path} is not there`, rebuilt)
    return
  }
  const mark = join(path, 'in-use')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === 'broken') {
    findings.warning('tx index', 'it could not be read or written', rebuilt)
    return
  }
  requireWholeDatabase(file)
  const db = openKvDatabase(path)
  try {
    const indexed = readIndexedHeight(db)
    const text = `it has the blocks up to ${indexed} of ${stored}`
    if (indexed > stored) findings.warning('tx index', `${text}: it knows more than the chain`, rebuilt)
    else if (stored - indexed > lagFew)
      findings.warning('tx index', text, 'let the node run until it has caught up; searches wait for it')
    else findings.ok('tx index', text)
  } finally {
    await db.close()
  }
}
