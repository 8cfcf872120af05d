import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { rootOfProof } from '@coin/store/simple-merkle'
import { verifyEd25519 } from '@coin/wire/ed25519'
import { Comet38Client, type comet38, HttpBatchClient } from '@cosmjs/tendermint-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lightHash, lightSignBytes } from './light-check.js'
import { startTallyNode, type TallyNode, tallyGenesis } from './tally-node.js'

/** Twelve blocks with 0 to 3 transactions each, and one whose transaction failed. */
async function startFilledNode(): Promise<TallyNode> {
  const node = await startTallyNode()
  for (let height = 1; height <= 12; height++)
    await node.block(...Array.from({ length: height % 4 }, (_, i) => `h=${height}&i=${i}&sum=${height * 10 + i}`))
  await node.block('fail=1&h=13')
  return node
}

describe.each(['http', 'socket'] as const)('CosmJS over %s', (way) => {
  let node: TallyNode
  let client: Comet38Client
  beforeAll(async () => {
    node = await startFilledNode()
    client = await Comet38Client.connect(node[way])
  })
  afterAll(async () => {
    client?.disconnect()
    await node?.close()
  })

  it('sees a healthy node and its status', async () => {
    expect(await client.health()).toBeNull()
    const { nodeInfo, syncInfo, validatorInfo } = await client.status()
    expect(nodeInfo).toMatchObject({ network: 'tally-1', version: '0.38.17', moniker: 'tally' })
    expect(syncInfo).toMatchObject({ latestBlockHeight: 13, earliestBlockHeight: 1, catchingUp: false })
    expect(syncInfo.earliestBlockTime?.getTime()).toBe(Number(tallyGenesis.time / 1_000_000n))
    expect(validatorInfo.votingPower).toBe(10n)
    expect(validatorInfo.address).toEqual(node.engine.validator.address)
  })

  it('reads the genesis, the application and its data', async () => {
    const { chainId, initialHeight, consensusParams } = (await client.genesis()) as comet38.GenesisResponse & {
      initialHeight?: number
    }
    expect([chainId, initialHeight ?? 1]).toEqual(['tally-1', 1])
    expect(consensusParams.block?.maxBytes).toBe(22_020_096)
    const info = await client.abciInfo()
    expect([info.data, info.lastBlockHeight]).toEqual(['tallyd', 13])
    expect(info.lastBlockAppHash).toEqual(node.engine.state().appHash)
    const found = await client.abciQuery({ path: '/any', data: utf8ToBytes('sum') })
    expect([found.code, bytesToUtf8(found.value)]).toEqual([0, '112'])
    const missing = await client.abciQuery({ path: '/any', data: utf8ToBytes('nothing') })
    expect([missing.code, missing.log, missing.codespace]).toEqual([1, 'not known', 'tally'])
  })

  it('verifies every block by its own hash and the validator’s signature', async () => {
    const [validator] = (await client.validators({ height: 1 })).validators
    for (let height = 1; height <= 12; height++) {
      const { block, blockId } = await client.block(height)
      expect(lightHash(block.header)).toEqual(blockId.hash)
      expect(block.txs.map(bytesToUtf8)).toEqual(
        Array.from({ length: height % 4 }, (_, i) => `h=${height}&i=${i}&sum=${height * 10 + i}`),
      )
      const next = await client.block(height + 1)
      expect(next.block.header.lastBlockId?.hash).toEqual(blockId.hash)
      const { commit, canonical } = await client.commit(height)
      expect([canonical, commit.blockId.hash]).toEqual([true, blockId.hash])
      const [vote] = commit.signatures
      const signBytes = lightSignBytes('tally-1', commit, vote!.timestamp!)
      expect(verifyEd25519(validator!.pubkey!.data, signBytes, vote!.signature!)).toBe(true)
    }
    const latest = await client.commit()
    expect([latest.canonical, latest.header.height]).toEqual([false, 13])
  })

  it('reads the first block, headers, results and a list of blocks', async () => {
    const { block } = await client.block(1)
    expect([block.header.height, block.lastCommit, block.header.lastBlockId]).toEqual([1, null, null])
    const results = await client.blockResults(3)
    expect(results.results.map(({ code, gasWanted }) => [code, gasWanted])).toEqual([
      [0, 1n],
      [0, 1n],
      [0, 1n],
    ])
    expect(results.results[1]!.events[0]!.attributes).toContainEqual({ key: 'sum', value: '31' })
    expect(results.finalizeBlockEvents).toEqual([{ type: 'block_tally', attributes: [{ key: 'count', value: '3' }] }])
    const { lastHeight, blockMetas } = await client.blockchain(2, 5)
    expect([lastHeight, blockMetas.map(({ header }) => header.height)]).toEqual([13, [5, 4, 3, 2]])
    expect(blockMetas[2]!.numTxs).toBe(3)
    expect((await client.validatorsAll(14)).total).toBe(1)
  })

  it('finds transactions by hash, with a proof, and by what happened in them', async () => {
    const { txs, totalCount } = await client.txSearch({ query: "tally.h='7'" })
    expect([txs.length, totalCount]).toEqual([3, 3])
    const tx = await client.tx({ hash: txs[1]!.hash, prove: true })
    expect([tx.height, tx.index, bytesToUtf8(tx.tx)]).toEqual([7, 1, 'h=7&i=1&sum=71'])
    const { proof, rootHash } = tx.proof!
    expect(rootOfProof({ ...proof, aunts: proof.aunts })).toEqual(rootHash)
    expect((await client.block(7)).block.header.dataHash).toEqual(rootHash)
    const latest = await client.txSearch({ query: 'tx.height>5 AND tally.i=0', per_page: 2, order_by: 'desc' })
    expect([latest.txs.map(({ height }) => height), latest.totalCount]).toEqual([[11, 10], 5])
    const second = await client.txSearch({ query: 'tx.height>5 AND tally.i=0', page: 2, per_page: 2, order_by: 'desc' })
    expect(second.txs.map(({ height }) => height)).toEqual([9, 7])
    expect((await client.txSearchAll({ query: 'tally.sum EXISTS', per_page: 5 })).txs).toHaveLength(18)
    expect((await client.txSearch({ query: 'tally.h=13' })).txs.map(({ result }) => result.code)).toEqual([3])
    const { blocks } = await client.blockSearch({ query: "block_tally.count='2' AND block.height<11", order_by: 'asc' })
    expect(blocks.map(({ block }) => block.header.height)).toEqual([2, 6, 10])
  })

  it('is told what is wrong', async () => {
    await expect(client.block(99)).rejects.toThrow(
      'height 99 must be less than or equal to the current blockchain height 13',
    )
    await expect(client.block(-1)).rejects.toThrow('height must be greater than 0, but got -1')
    await expect(client.tx({ hash: new Uint8Array(32) })).rejects.toThrow(`tx (${'00'.repeat(32)}) not found`)
    await expect(client.txSearch({ query: 'tally' })).rejects.toThrow('-32603')
    await expect(client.txSearch({ query: "tally.h='7'", page: 2 })).rejects.toThrow(
      'page should be within [1, 1] range, given 2',
    )
  })

  it('broadcasts: checked, at once, and until it is in a block', async () => {
    const sync = await client.broadcastTxSync({ tx: utf8ToBytes(`a=${way}`) })
    expect([sync.code, sync.hash.length]).toEqual([0, 32])
    await expect(client.broadcastTxSync({ tx: utf8ToBytes(`a=${way}`) })).rejects.toThrow('tx already exists in cache')
    const refused = await client.broadcastTxSync({ tx: utf8ToBytes(`refuse=${way}`) })
    expect([refused.code, refused.codespace, refused.log]).toEqual([1, 'tally', 'refused'])
    const { hash } = await client.broadcastTxAsync({ tx: utf8ToBytes(`b=${way}`) })
    expect(hash).toHaveLength(32)
    expect((await client.numUnconfirmedTxs()).total).toBe(2)
    const commit = client.broadcastTxCommit({ tx: utf8ToBytes(`c=${way}`) })
    while (node.engine.mempool.size() < 3) await new Promise((resolve) => setImmediate(resolve))
    node.engine.produceBlock()
    const included = await commit
    expect([included.height, included.checkTx.code, included.txResult?.code]).toEqual([
      node.engine.blocks.height(),
      0,
      0,
    ])
    expect((await client.tx({ hash: sync.hash })).height).toBe(included.height)
    expect((await client.numUnconfirmedTxs()).total).toBe(0)
    await expect(client.broadcastTxCommit({ tx: utf8ToBytes(`late=${way}`) })).rejects.toThrow('timed out waiting')
    node.engine.produceBlock()
  })
})

describe('CosmJS', () => {
  let node: TallyNode
  beforeAll(async () => {
    node = await startFilledNode()
  })
  afterAll(() => node?.close())

  it('sends batches', async () => {
    const batch = new HttpBatchClient(node.http, { batchSizeLimit: 3, dispatchInterval: 5 })
    const client = Comet38Client.create(batch)
    const answers = await Promise.all([client.block(1), client.block(2), client.block(3), client.block(4)])
    expect(answers.map(({ block }) => block.header.height)).toEqual([1, 2, 3, 4])
    client.disconnect()
  })

  it('follows blocks, headers and transactions over a WebSocket', async () => {
    const client = await Comet38Client.connect(node.socket)
    const seen: unknown[] = []
    const all = new Promise<void>((resolve) => {
      const add = (entry: unknown) => {
        seen.push(entry)
        if (seen.length === 4) resolve()
      }
      client.subscribeNewBlock().addListener({ next: ({ header, txs }) => add(['block', header.height, txs.length]) })
      client.subscribeNewBlockHeader().addListener({ next: ({ height }) => add(['header', height]) })
      client
        .subscribeTx("tally.who='me'")
        .addListener({ next: ({ height, tx, result }) => add(['tx', height, bytesToUtf8(tx), result.code]) })
    })
    await client.status() // answers come in order: the subscriptions stand now
    await node.block('who=you', 'who=me&n=1', 'who=me&fail=1')
    await all
    const height = node.engine.blocks.height()
    expect(seen).toEqual([
      ['block', height, 3],
      ['header', height],
      ['tx', height, 'who=me&n=1', 0],
      ['tx', height, 'who=me&fail=1', 3],
    ])
    client.disconnect()
  })
})
