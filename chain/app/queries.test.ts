import { bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec } from '@coin/wire/addresses'
import { QueryAccountRequest } from '@coin/wire/gen/cosmos/auth/v1beta1/query'
import { SimulateRequest, SimulateResponse } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, type TestChain } from './testing/test-chain.js'

const auth = '/cosmos.auth.v1beta1.Query'
const bank = '/cosmos.bank.v1beta1.Query'
let alice: TestAccount
let bob: TestAccount
let chain: TestChain

beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000', [bob.address]: '50' }) })
  chain.deliver()
})

const abci = (path: string, data: Uint8Array = new Uint8Array(0), height = 0) =>
  chain.app.query({ path, data, height, prove: false })

describe('abci_query', () => {
  it('says what CosmJS looks for when an account is not there', () => {
    const address = createAddressCodec('coin').encode(new Uint8Array(20).fill(7))
    const answer = abci(`${auth}/Account`, QueryAccountRequest.encode({ address }).finish())
    const log = `rpc error: code = NotFound desc = account ${address} not found: key not found`
    expect(answer).toMatchObject({ code: 22, codespace: 'sdk', log })
  })

  it('reads a key of a store, present or absent', () => {
    const key = concatBytes(Uint8Array.of(0), utf8ToBytes('ucoin'))
    const found = abci('/store/bank/key', key)
    expect([bytesToUtf8(found.value), found.height]).toEqual(['1050', 1])
    expect(abci('/store/bank/key', Uint8Array.of(77))).toMatchObject({ code: 0, value: new Uint8Array(0) })
  })

  it.each([
    ['/p2p', 'path should be p2p filter', 6, 0],
    ['/cosmos.nothing.v1.Query/X', 'unknown query path', 6, 0],
    ['', 'no query path provided', 6, 0],
    ['/app', "expected second parameter to be either 'simulate' or 'version'", 6, 0],
    ['/app/else', 'unknown query: [app else]', 6, 0],
    [`${bank}/Params`, 'height 9 is ahead of the chain (latest 1)', 26, 9],
    [`${bank}/Params`, 'cannot query with height < 0', 18, -1],
  ])('refuses %s: %s', (path, text, code, height) => {
    const answer = abci(path, Uint8Array.of(1), height)
    expect(answer).toMatchObject({ code, codespace: 'sdk', height: 0 })
    expect(answer.log).toContain(text)
  })

  it.each([
    ['/store/nothing/key', 'no such store: nothing', 4, 1],
    ['/store/bank/subspace', 'unexpected query path: /subspace', 4, 1],
    ['/store/bank/key/more', 'unexpected query path: /key/more', 4, 1],
    ['/store/bank/key', 'query cannot be zero length', 3, 0],
  ])('refuses %s with an error of the store: %s', (path, text, code, length) => {
    const answer = abci(path, new Uint8Array(length))
    expect(answer).toMatchObject({ code, codespace: 'store', height: 0 })
    expect(answer.log).toContain(text)
  })

  it('refuses request bytes that are no request', () => {
    const answer = abci(`${bank}/Balance`, Uint8Array.of(10, 200))
    expect(answer).toMatchObject({ code: 18, codespace: 'sdk' })
    expect(answer.log).toMatch(/^rpc error: code = InvalidArgument desc = request of .*: invalid request$/)
  })

  it('tells the version, and simulates', async () => {
    expect(bytesToUtf8(abci('/app/version').value)).toBe('0.0.0-test')
    const txBytes = await chain.sign(alice, [sendMsg(alice.address, bob.address, '1')], { unsigned: true, fee: '' })
    const json = JSON.parse(bytesToUtf8(abci('/app/simulate', txBytes).value))
    expect(json.gas_info.gas_wanted).toBe('18446744073709551615')
    const request = SimulateRequest.encode({ tx: undefined, txBytes }).finish()
    const answer = SimulateResponse.decode(abci('/cosmos.tx.v1beta1.Service/Simulate', request).value)
    expect(String(answer.gasInfo!.gasUsed)).toBe(json.gas_info.gas_used)
    expect(answer.result!.msgResponses[0]!.typeUrl).toBe('/cosmos.bank.v1beta1.MsgSendResponse')
    const bad = await chain.sign(alice, [sendMsg(alice.address, bob.address, '9999')], { unsigned: true, fee: '' })
    const failed = abci(
      '/cosmos.tx.v1beta1.Service/Simulate',
      SimulateRequest.encode({ tx: undefined, txBytes: bad }).finish(),
    )
    expect(failed.log).toMatch(/spendable balance 1000ucoin is smaller than 9999ucoin.*with gas used: '\d+'/)
  })
})

describe('bank queries', () => {
  const coins = (amount: string, denom = 'ucoin') => [{ denom, amount }]

  it('answer balances, supply and owners', () => {
    const { address } = alice
    expect(chain.query(`${bank}/AllBalances`, { address })).toMatchObject({
      balances: coins('1000'),
      pagination: { total: 1n },
    })
    const display = chain.query(`${bank}/AllBalances`, { address, resolveDenom: true })
    expect(display).toMatchObject({ balances: coins('1000', 'COIN') })
    expect(chain.query(`${bank}/SpendableBalances`, { address })).toMatchObject({ balances: coins('1000') })
    expect(chain.query(`${bank}/TotalSupply`, {})).toMatchObject({ supply: coins('1050') })
    expect(chain.query(`${bank}/SupplyOf`, { denom: 'nothing' })).toMatchObject({ amount: coins('0', 'nothing')[0] })
    const owners = chain.query(`${bank}/DenomOwners`, { denom: 'ucoin' }).denomOwners as { address: string }[]
    expect(owners.map((owner) => owner.address).sort()).toEqual([alice.address, bob.address].sort())
  })

  it('page through owners by key, by offset and backwards', () => {
    const page = (pagination: object) =>
      chain.query(`${bank}/DenomOwners`, { denom: 'ucoin', pagination }) as {
        denomOwners: { address: string }[]
        pagination: { nextKey: Uint8Array; total: bigint }
      }
    const all = page({ limit: 10n, countTotal: true })
    const [first, second] = all.denomOwners.map((owner) => owner.address)
    expect(all.pagination).toMatchObject({ total: 2n, nextKey: new Uint8Array(0) })
    const one = page({ limit: 1n, countTotal: true })
    expect([one.denomOwners.length, one.pagination.total]).toEqual([1, 2n])
    expect(page({ limit: 1n, key: one.pagination.nextKey }).denomOwners[0]!.address).toBe(second)
    expect(page({ limit: 1n, offset: 1n }).denomOwners[0]!.address).toBe(second)
    const back = page({ limit: 1n, reverse: true })
    expect(back.denomOwners[0]!.address).toBe(second)
    expect(page({ limit: 1n, reverse: true, key: back.pagination.nextKey }).denomOwners[0]!.address).toBe(first)
    expect(page({ limit: 1n, offset: 5n, countTotal: true })).toMatchObject({
      denomOwners: [],
      pagination: { total: 0n },
    })
    expect(() => page({ offset: 1n, key: Uint8Array.of(1) })).toThrow('either offset or key is expected')
  })

  it('answer denom metadata by path and by query string', () => {
    const metadata = { base: 'ucoin', display: 'COIN', denomUnits: [{ exponent: 0 }, { exponent: 6 }] }
    expect(chain.query(`${bank}/DenomsMetadata`, {})).toMatchObject({
      metadatas: [metadata],
      pagination: { total: 1n },
    })
    expect(chain.query(`${bank}/DenomMetadata`, { denom: 'ucoin' })).toMatchObject({ metadata })
    expect(chain.query(`${bank}/DenomMetadataByQueryString`, { denom: 'ucoin' })).toMatchObject({ metadata })
    expect(() => chain.query(`${bank}/DenomMetadata`, { denom: 'nothing' })).toThrow(
      'client metadata for denom nothing',
    )
    expect(() => chain.query(`${bank}/DenomMetadata`, { denom: '?' })).toThrow('invalid denom: ?')
  })

  it('refuse addresses of another chain', () => {
    const address = createAddressCodec('cosmos').encode(new Uint8Array(20))
    expect(() => chain.query(`${bank}/Balance`, { address, denom: 'ucoin' })).toThrow(
      'has the prefix "cosmos", expected "coin"',
    )
  })
})

describe('auth queries', () => {
  it('answer accounts by address, by number and by module', () => {
    expect(chain.query(`${auth}/AccountInfo`, { address: bob.address })).toMatchObject({
      info: { accountNumber: 1n, sequence: 0n },
    })
    const byNumber = chain.query(`${auth}/AccountAddressByID`, { accountId: 1n })
    expect(byNumber).toMatchObject({ accountAddress: bob.address })
    expect((chain.query(`${auth}/Accounts`, {}).accounts as unknown[]).length).toBe(5)
    const modules = chain.query(`${auth}/ModuleAccounts`, {}).accounts as { typeUrl: string }[]
    expect(modules.map((account) => account.typeUrl)).toEqual(Array(3).fill('/cosmos.auth.v1beta1.ModuleAccount'))
    expect(() => chain.query(`${auth}/ModuleAccountByName`, { name: 'x' })).toThrow('account x not found')
  })

  it('translate addresses', () => {
    expect(chain.query(`${auth}/Bech32Prefix`, {})).toMatchObject({ bech32Prefix: 'coin' })
    const { addressBytes } = chain.query(`${auth}/AddressStringToBytes`, { addressString: bob.address })
    expect(chain.query(`${auth}/AddressBytesToString`, { addressBytes })).toMatchObject({ addressString: bob.address })
    expect(() => chain.query(`${auth}/AddressStringToBytes`, { addressString: 'x' })).toThrow()
  })
})

describe('parameter queries', () => {
  it('answer mint with no inflation', () => {
    const { params } = chain.query('/cosmos.mint.v1beta1.Query/Params', {})
    expect(params).toMatchObject({
      mintDenom: 'ucoin',
      inflationMax: '0',
      goalBonded: `67${'0'.repeat(16)}`,
      blocksPerYear: 6311520n,
    })
    expect(bytesToUtf8(chain.query('/cosmos.mint.v1beta1.Query/Inflation', {}).inflation as Uint8Array)).toBe('0')
  })

  it('answer governance by kind, old and new', () => {
    const v1 = chain.query('/cosmos.gov.v1.Query/Params', { paramsType: 'voting' })
    expect(v1).toMatchObject({
      votingParams: { votingPeriod: { seconds: 172800n } },
      params: { threshold: '0.500000000000000000' },
    })
    expect(v1.tallyParams).toBeUndefined()
    const old = chain.query('/cosmos.gov.v1beta1.Query/Params', { paramsType: 'tallying' })
    expect(bytesToUtf8((old.tallyParams as { quorum: Uint8Array }).quorum)).toBe('334000000000000000')
    expect(() => chain.query('/cosmos.gov.v1.Query/Params', { paramsType: 'x' })).toThrow('unknown params type: x')
    expect(() => chain.query('/cosmos.gov.v1beta1.Query/Params', { paramsType: '' })).toThrow(
      'not a valid parameter type',
    )
  })

  it('answer consensus as the engine gave them', () => {
    const { params } = chain.query('/cosmos.consensus.v1.Query/Params', {})
    expect(params).toMatchObject({ block: { maxGas: -1n }, evidence: { maxAgeDuration: { seconds: 172_800n } } })
  })
})
