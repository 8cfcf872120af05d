import { bytesToBase64 } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import { txHash } from '@coin/wire/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRpc, createTestHome, type NodeProcess, startNodeProcess, type TestHome } from '../process/node-process.js'
import { sendMessage } from '../traffic/sender.js'

const kills = 50
const seed = Number(process.env.COIN_SEED ?? 20261121)

interface HeaderJson {
  readonly height: string
  readonly app_hash: string
  readonly last_block_id: { readonly hash: string }
}

interface BlockJson {
  readonly block_id: { readonly hash: string }
  readonly block: { readonly header: HeaderJson }
}

interface Status {
  readonly sync_info: { readonly latest_block_height: string; readonly latest_app_hash: string }
}

describe('a node that is killed', () => {
  let home: TestHome
  beforeAll(() => {
    home = createTestHome('crash-1', 8)
  })
  afterAll(() => home.remove())

  it(`loses no accepted block in ${kills} kills under load (seed ${seed})`, { timeout: 900_000 }, async () => {
    const random = createRandom(seed)
    /** Height -> block hash, as a client was told. */
    const seen = new Map<number, string>()
    /** Hash of a transaction -> height, as the broadcast answered. */
    const accepted = new Map<string, number>()
    for (let kill = 0; kill < kills; kill++) {
      const context = `kill ${kill}, seed ${seed}`
      const node = await startNodeProcess(home.root, ['--engine.block-time', '100ms'])
      await checkSurvival(node, seen, accepted, context)
      await syncSequences(node, home)
      const delayMs = 100 + random.int(900)
      const killed = new Promise<void>((resolve) =>
        setTimeout(() => void node.end('SIGKILL').then(() => resolve()), delayMs),
      )
      await Promise.all([
        killed,
        ...home.senders.map((_, index) => sendUntilDead(node, home, index, accepted)),
        watch(node, seen),
      ])
    }
    const node = await startNodeProcess(home.root)
    await checkSurvival(node, seen, accepted, `the end, seed ${seed}`)
    await checkChain(node)
    expect(accepted.size).toBeGreaterThan(kills)
    expect(await node.end('SIGINT')).toBe(0)
  })
})

/** Everything that a client was told before the kill is still so. */
async function checkSurvival(
  node: NodeProcess,
  seen: ReadonlyMap<number, string>,
  accepted: ReadonlyMap<string, number>,
  context: string,
): Promise<void> {
  const { sync_info } = await callRpc<Status>(node.rpc, 'status')
  const latest = Number(sync_info.latest_block_height)
  for (const [height, hash] of [...seen].slice(-40)) {
    expect(latest, `${context}: height ${height} was seen`).toBeGreaterThanOrEqual(height)
    const { block_id } = await callRpc<BlockJson>(node.rpc, 'block', { height: String(height) })
    expect(block_id.hash, `${context}: block ${height}`).toBe(hash)
  }
  for (const [hash, height] of [...accepted].slice(-40)) {
    const tx = await callRpc<{ height: string; tx_result: { code: number } }>(node.rpc, 'tx', {
      hash: Buffer.from(hash, 'hex').toString('base64'),
    })
    expect(Number(tx.height), `${context}: transaction ${hash}`).toBe(height)
    expect(tx.tx_result.code).toBe(0)
  }
}

/** From the first block to the last: each names the one before and the state after it, and none is missing. */
async function checkChain(node: NodeProcess): Promise<void> {
  const { sync_info } = await callRpc<Status>(node.rpc, 'status')
  const latest = Number(sync_info.latest_block_height)
  let before: BlockJson | undefined
  let appHash: string | undefined
  for (let height = 1; height <= latest; height++) {
    const block = await callRpc<BlockJson>(node.rpc, 'block', { height: String(height) })
    expect(Number(block.block.header.height)).toBe(height)
    expect(block.block.header.app_hash).toMatch(/^[0-9A-F]{64}$/)
    if (before !== undefined) expect(block.block.header.last_block_id.hash).toBe(before.block_id.hash)
    if (appHash !== undefined) expect(block.block.header.app_hash, `app hash in block ${height}`).toBe(appHash)
    const results = await callRpc<{ app_hash: string }>(node.rpc, 'block_results', { height: String(height) })
    appHash = Buffer.from(results.app_hash, 'base64').toString('hex').toUpperCase()
    before = block
  }
}

async function syncSequences(node: NodeProcess, home: TestHome): Promise<void> {
  for (const sender of home.senders) {
    const answer = await fetch(`${node.rest}/cosmos/auth/v1beta1/accounts/${sender.address}`)
    const { account } = (await answer.json()) as { account: { sequence: string } }
    sender.sequence = BigInt(account.sequence)
  }
}

/** Sends one transaction after the other and remembers what was committed, until the node no longer answers. */
async function sendUntilDead(
  node: NodeProcess,
  home: TestHome,
  index: number,
  accepted: Map<string, number>,
): Promise<void> {
  const sender = home.senders[index]!
  const to = home.senders[(index + 1) % home.senders.length]!
  while (true) {
    const tx = sender.sign([sendMessage(sender.address, to.address, 1n)])
    try {
      const answer = await callRpc<{
        height: string
        check_tx: { code: number; log: string }
        tx_result: { code: number }
      }>(node.rpc, 'broadcast_tx_commit', { tx: bytesToBase64(tx) })
      if (answer.check_tx.code !== 0 || answer.tx_result.code !== 0)
        throw new RangeError(`refused: ${answer.check_tx.log}`)
      accepted.set(txHash(tx), Number(answer.height))
    } catch (error) {
      if (error instanceof RangeError) throw error
      return // the node is dead, or died while it answered
    }
  }
}

/** Remembers the blocks that the node shows, until it no longer answers. */
async function watch(node: NodeProcess, seen: Map<number, string>): Promise<void> {
  try {
    while (true) {
      const { block_id, block } = await callRpc<BlockJson>(node.rpc, 'block')
      seen.set(Number(block.header.height), block_id.hash)
    }
  } catch {
    // the node is dead
  }
}
