import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import { holderOfFolder } from '@coin/store/folder-lock'
import type { StateInspection } from '@coin/store/inspect'
import type { Environment } from '../config/environment.js'
import { type LoadedConfig, loadNodeConfig, type NodeConfig } from '../config/node-config.js'
import type { Ed25519Key } from '../home/key-files.js'
import { openStateView, type StateView } from '../home/state-view.js'
import { checkBlocks, checkIndex, checkInvariants, checkStateFiles, checkValidator } from './chain.js'
import { createFindings, type Finding, type Findings } from './finding.js'
import { checkGenesisFile, checkKeys, checkSettings, checkSignState, type GenesisFile } from './home.js'
import { checkDisk, checkMachine, checkPorts } from './machine.js'
import { checkRunning } from './running.js'

export interface DoctorOptions {
  readonly root: string
  readonly environment: Environment
  /** Leaves out what takes long: the genesis in memory, the whole log, invariants. */
  readonly quick: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Looks at a home folder, whether its node runs or not, and says what is well and what is not. Writes nothing; beside a running node
 * it reads the databases as they are at that moment.
 */
export async function examine({ root, environment, quick, now }: DoctorOptions): Promise<readonly Finding[]> {
  const findings = createFindings()
  const loaded = await findings.guard('settings', 'correct the file that is named; "coind config view" shows it', () =>
    loadNodeConfig(root, environment),
  )
  if (loaded === undefined) return findings.list()
  const { config }: LoadedConfig = loaded
  checkMachine(config, findings)
  checkSettings(config, loaded.warnings, environment, findings)
  const genesis = await checkGenesisFile(config, environment, !quick, findings)
  const key = await checkKeys(config, findings)
  const state = join(config.home.dataDir, 'state')
  const pid = existsSync(state) ? holderOfFolder(state) : undefined
  if (pid === undefined) await checkPorts(config, findings)
  else await checkRunning(config, pid, findings)
  const blocks = await checkChain({ config, genesis, key, quick, isRunning: pid !== undefined }, findings)
  // Blocks that cannot be read tell nothing of what was signed.
  if (blocks !== undefined)
    await findings.guard('sign state', 'restore data/priv_validator_state.json', () =>
      checkSignState(config, { stored: blocks.stored, isRunning: pid !== undefined }, findings),
    )
  checkClock(blocks, genesis, now, findings)
  checkDisk(config, blocks && blocks.stored > 0 ? now - blocks.firstMs : undefined, findings)
  return findings.list()
}

interface Patient {
  readonly config: NodeConfig
  readonly genesis: GenesisFile | undefined
  readonly key: Ed25519Key | undefined
  readonly quick: boolean
  readonly isRunning: boolean
}

/** What else is judged by the blocks. Times are milliseconds since 1970. */
interface BlockFacts {
  readonly stored: number
  readonly firstMs: number
  readonly lastMs: number
}

const noBlocks: BlockFacts = { stored: 0, firstMs: 0, lastMs: 0 }

const restore = 'restore the data folder from a copy'

/** Answers undefined when the blocks cannot be read. */
async function checkChain(patient: Patient, findings: Findings): Promise<BlockFacts | undefined> {
  const { config, genesis, quick, isRunning } = patient
  const state = join(config.home.dataDir, 'state')
  const hasValues = existsSync(join(state, 'values/data.mdb'))
  if (!hasValues && !existsSync(join(config.home.dataDir, 'blocks/data.mdb'))) {
    findings.ok('chain', 'no block was made yet')
    return noBlocks
  }
  const inspection = await findings.guard('state log', restore, () =>
    quick || !existsSync(state) ? undefined : checkStateFiles(state, isRunning, findings),
  )
  if (!hasValues) {
    const text = `${state} has no values, which are made from its log and the blocks`
    const isWhole = (inspection?.log.before ?? 0) === 0
    if (isWhole)
      findings.warning('state', text, 'start the node: it makes them again, if the blocks go back to the first')
    else findings.problem('state', `${text}: the log does not go back to the first block`, restore)
    return undefined
  }
  if (genesis === undefined) return undefined
  const view = await findings.guard('state', restore, () => openStateView(config, genesis))
  if (view === undefined) return undefined
  try {
    return await findings.guard('blocks', restore, () => checkView(view, patient, inspection, findings))
  } finally {
    await view.close()
  }
}

async function checkView(
  view: StateView,
  { config, genesis, key, quick, isRunning }: Patient,
  inspection: StateInspection | undefined,
  findings: Findings,
): Promise<BlockFacts> {
  const chainId = view.chainState()?.chainId
  if (genesis !== undefined && chainId !== undefined && chainId !== genesis.genesis.chainId)
    findings.problem(
      'genesis',
      `it is of chain "${genesis.genesis.chainId}", the blocks are of "${chainId}"`,
      `put back the genesis file of "${chainId}"; a new chain takes "coind comet unsafe-reset-all" first`,
    )
  const other = 'put back the validator key that the chain was made with'
  const isNew = view.blocks.height() === 0 && view.available.latest === 0
  if (isNew) findings.ok('chain', 'no block was made yet')
  else {
    // A running node goes on while the files are read one after the other.
    if (inspection !== undefined && !isRunning)
      await findings.guard('blocks', restore, () => checkBlocks(view, inspection.log, findings))
    if (!quick) await findings.guard('invariants', restore, () => checkInvariants(view, findings))
    await findings.guard('tx index', 'remove data/tx_index: it is built again', () =>
      checkIndex(config, view.blocks.height(), findings),
    )
  }
  if (key !== undefined) await findings.guard('validator', other, () => checkValidator(view, key, findings))
  return isNew ? noBlocks : factsOf(view.blocks)
}

function factsOf(blocks: BlockReads): BlockFacts {
  const timeMs = (height: number) => Number((blocks.meta(height)?.header.time ?? 0n) / 1_000_000n)
  return { stored: blocks.height(), firstMs: timeMs(blocks.base()), lastMs: timeMs(blocks.height()) }
}

/** A block's time is not before the last one's: a clock that was set back stops the chain until it gets there. */
function checkClock(
  blocks: BlockFacts | undefined,
  genesis: GenesisFile | undefined,
  now: number,
  findings: Findings,
): void {
  const sayTime = (ms: number) => new Date(ms).toISOString()
  const beginMs = genesis === undefined ? 0 : Number(genesis.genesis.time / 1_000_000n)
  const lastMs = blocks?.lastMs ?? 0
  if (lastMs > now + 5000)
    findings.problem(
      'clock',
      `it is ${sayTime(now)} here, the last block says ${sayTime(lastMs)}`,
      'set the clock (NTP)',
    )
  else if (beginMs > now)
    findings.warning(
      'clock',
      `it is ${sayTime(now)} here, the chain begins at ${sayTime(beginMs)}`,
      'wait, or set the clock',
    )
  else findings.ok('clock', `${sayTime(now)}${lastMs === 0 ? '' : `; the last block is of ${sayTime(lastMs)}`}`)
}
