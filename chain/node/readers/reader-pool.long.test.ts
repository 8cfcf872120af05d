import { utf8ToBytes } from '@coin/base/bytes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  deployEndless,
  encodeRequest,
  firstContract,
  openReaderChain,
  type ReaderChain,
} from '../testing/reader-chain.js'

const smart = '/cosmwasm.wasm.v1.Query/SmartContractState'
const smartRequest = (query: string) => encodeRequest(smart, { address: firstContract, queryData: utf8ToBytes(query) })

let test: ReaderChain
beforeAll(async () => {
  test = await openReaderChain({ readers: 2, deadlineMs: 50, settings: { smartQueryGasLimit: 1e12 } })
  await test.block()
  await deployEndless(test)
})
afterAll(() => test.close())

const replaceReaders = async (count: number) => {
  for (let round = 0; round < count; round++) {
    await expect(test.pool.query(smart, smartRequest('{"a":1}'), undefined)).rejects.toThrow('longer than 50 ms')
    await test.block()
  }
}

it('memory is flat when readers are replaced again and again, and so are the files of the state', async () => {
  await replaceReaders(10)
  const before = process.memoryUsage.rss()
  await replaceReaders(50)
  const grownMb = (process.memoryUsage.rss() - before) / 2 ** 20
  expect(grownMb).toBeLessThan(60)
}, 120_000)
