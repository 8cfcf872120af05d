import { bytesToHex, bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec } from '@coin/wire/addresses'
import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, genesisTime, type TestChain } from './testing/test-chain.js'

let alice: TestAccount
let bob: TestAccount
let chain: TestChain
const appHashes: Uint8Array[] = []

beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000' }) })
  appHashes.push(chain.deliver().appHash)
  for (let block = 2; block <= 4; block++) {
    appHashes.push(chain.deliver(await chain.sign(alice, [sendMsg(alice.address, bob.address, '10')])).appHash)
  }
})

const balanceKey = (address: string) => {
  const bytes = createAddressCodec('coin').decode(address)
  return concatBytes(Uint8Array.of(2, bytes.length), bytes, utf8ToBytes('ucoin'))
}
const prove = (key: Uint8Array, height: number) =>
  chain.app.query({ path: '/store/bank/key', data: key, height, prove: true })
const proofOf = (op: { readonly data: Uint8Array } | undefined) => ics23.CommitmentProof.decode(op!.data)

describe('an older height', () => {
  it('is read as it was, with its time', () => {
    const read = (height: number) => {
      const ctx = chain.app.readAt(height)
      const route = chain.app.queries.get('/cosmos.bank.v1beta1.Query/Balance')!
      const { balance } = route.handle(ctx, { address: bob.address, denom: 'ucoin' }) as { balance: { amount: string } }
      return [balance.amount, ctx.height, ctx.time - genesisTime]
    }
    expect(read(2)).toEqual(['10', 2, 2_000_000_000n])
    expect(read(0)).toEqual(['30', 4, 4_000_000_000n])
  })

  it('is proved against the app hash of its block, present and absent', () => {
    for (const height of [2, 3, 4]) {
      const { value, proofOps } = prove(balanceKey(bob.address), height)
      expect(bytesToUtf8(value)).toBe(`${10 * (height - 1)}`)
      const [entry, store] = proofOps.map(proofOf)
      const root = entry!.exist!
      const storeRoot = store!.exist!.value!
      expect(bytesToHex(root.key!)).toBe(bytesToHex(balanceKey(bob.address)))
      expect(verifyMembership(entry!, iavlSpec, storeRoot, balanceKey(bob.address), value)).toBe(true)
      const bank = utf8ToBytes('bank')
      expect(verifyMembership(store!, tendermintSpec, appHashes[height - 1]!, bank, storeRoot)).toBe(true)
      expect(verifyMembership(store!, tendermintSpec, appHashes[height % 4]!, bank, storeRoot)).toBe(false)
    }
    const nobody = balanceKey(createAddressCodec('coin').encode(new Uint8Array(20).fill(9)))
    const absent = prove(nobody, 3)
    expect(absent.value).toHaveLength(0)
    const [entry, store] = absent.proofOps.map(proofOf)
    expect(verifyNonMembership(entry!, iavlSpec, store!.exist!.value!, nobody)).toBe(true)
  })

  it('is refused where there is no proof or no such height', () => {
    expect(prove(balanceKey(bob.address), 1).log).toContain('cannot query with proof when height <= 1')
    expect(prove(balanceKey(bob.address), 5).log).toContain('height 5 is ahead of the chain (latest 4)')
    expect(prove(new Uint8Array(0), 2).log).toContain('query cannot be zero length')
  })
})
