import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sendMsg, testAccount } from '@coin/app/testing/signing'
import { bytesToHex } from '@coin/base/bytes'
import { inspectState } from '@coin/store/inspect'
import { expect, it } from 'vitest'
import { newHome, openHome } from '../testing/home-chain.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const newFolder = temporaryFolders()

/** A home folder with `blocks` blocks, each with a transfer of its own amount. Answers the app hashes, by height. */
async function makeChain(root: string, blocks: number): Promise<readonly string[]> {
  const [alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  newHome(root, [alice, bob])
  const home = await openHome(root)
  const hashes = ['']
  for (let height = 1; height <= blocks; height++) {
    await home.block(alice, sendMsg(alice.address, bob.address, String(height)))
    hashes.push(bytesToHex(home.chain.store.appHash).toUpperCase())
  }
  await home.close()
  return hashes
}

const heights = (root: string) => inspectState(join(root, 'data/state')).log.last

it('runs the last block again, with the same result', async () => {
  const root = newFolder()
  const hashes = await makeChain(root, 4)
  mkdirSync(join(root, 'data/tx_index'))
  const { code, out, err } = await runInProcess(['rollback', '--home', root])
  expect({ code, out }).toEqual({ code: 0, out: `Rolled back state to height 3 and hash ${hashes[3]}` })
  expect(err).toContain('Block 4 is run again at the next start')
  expect(heights(root)).toBe(3)
  expect(existsSync(join(root, 'data/tx_index'))).toBe(false)
  const said: string[] = []
  const home = await openHome(root, { info: (_, message) => void said.push(message) })
  expect(said).toContain('running the last stored block')
  expect(bytesToHex(home.chain.store.appHash).toUpperCase()).toBe(hashes[4])
  await home.block()
  expect(home.chain.engine.blocks.height()).toBe(5)
  await home.close()
})

it('takes the block away as well, but none that would be signed twice', async () => {
  const root = newFolder()
  const hashes = await makeChain(root, 4)
  const rollback = () => runInProcess(['rollback', '--hard', '--home', root])
  const first = await rollback()
  expect(first.out).toBe(`Rolled back state to height 3 and hash ${hashes[3]}`)
  expect(first.err).toContain('Block 4 is gone')
  expect((await rollback()).err).toContain('height 4 was signed, and the next block would be 3')
  expect(heights(root)).toBe(3)
  const home = await openHome(root)
  const { blocks } = home.chain.engine
  expect(blocks.height()).toBe(3)
  expect([blocks.block(4), blocks.results(4), blocks.commit(4), blocks.validators(6)]).toEqual(Array(4).fill(undefined))
  await home.block()
  // The old block 4 was signed in round 0.
  expect([blocks.height(), blocks.commit(4)?.round]).toEqual([4, 1])
  await home.close()
})

it('refuses what it cannot do, and changes nothing', async () => {
  const root = newFolder()
  const rollback = async () => (await runInProcess(['rollback', '--hard', '--home', root])).err
  expect(await rollback()).toContain('run "coind init <moniker>" first')
  const hashes = await makeChain(root, 1)
  expect(await rollback()).toContain('block 1 is the first')
  const home = await openHome(root)
  expect(await rollback()).toContain(`belongs to process ${process.pid}`)
  expect(bytesToHex(home.chain.store.appHash).toUpperCase()).toBe(hashes[1])
  await home.close()
  expect(heights(root)).toBe(1)
})
