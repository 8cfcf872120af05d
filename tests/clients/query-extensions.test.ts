import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import {
  accountFromAny,
  checkDynamicGasPriceSupport,
  QueryClient,
  setupAuthExtension,
  setupAuthzExtension,
  setupBankExtension,
  setupDistributionExtension,
  setupFeegrantExtension,
  setupGovExtension,
  setupIbcExtension,
  setupMintExtension,
  setupSlashingExtension,
  setupStakingExtension,
  setupTxExtension,
} from '@cosmjs/stargate'
import { connectComet } from '@cosmjs/tendermint-rpc'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, firstAsked, startClientNode, strangerAddress } from './client-node.js'

// CosmJS's QueryClient: each extension for a module of this chain, and the answer of those whose module it does not have.

let node: ClientNode
let alice: string
beforeAll(async () => {
  node = await startClientNode('extensions-1', 2)
  alice = node.addresses[0]!
})
afterAll(() => node?.close())

async function connect(url: string) {
  const comet = await firstAsked(connectComet(url), (it) => it.status())
  const query = QueryClient.withExtensions(
    ...([comet, setupAuthExtension, setupBankExtension, setupTxExtension, setupMintExtension] as const),
    ...([setupGovExtension, setupStakingExtension, setupAuthzExtension, setupFeegrantExtension] as const),
    ...([setupDistributionExtension, setupSlashingExtension, setupIbcExtension] as const),
  )
  return { query, close: () => comet.disconnect() }
}

describe.each(['HTTP', 'WebSocket'] as const)('QueryClient over %s', (way) => {
  let opened: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    opened = await connect(way === 'HTTP' ? node.rpcUrl : node.socketUrl)
  })
  afterAll(() => opened?.close())

  it('auth', async () => {
    const account = await opened.query.auth.account(node.addresses[1]!)
    const expected = { address: node.addresses[1], pubkey: null, accountNumber: 1, sequence: 0 }
    expect(accountFromAny(account!)).toEqual(expected)
    await expect(opened.query.auth.account(strangerAddress)).rejects.toThrow('rpc error: code = NotFound')
  })

  it('bank', async () => {
    const { bank } = opened.query
    const ucoin = { denom: 'ucoin', amount: '100000000000000' }
    const total = { denom: 'ucoin', amount: '200000000000000' }
    expect(await bank.balance(node.addresses[1]!, 'ucoin')).toEqual(ucoin)
    expect(await bank.balance(node.addresses[1]!, 'other')).toEqual({ denom: 'other', amount: '0' })
    expect(await bank.allBalances(node.addresses[1]!)).toEqual([ucoin])
    const { supply, pagination } = await bank.totalSupply()
    expect([supply, pagination!.nextKey.length]).toEqual([[total], 0])
    expect(await bank.supplyOf('ucoin')).toEqual(total)
    const [metadata] = await bank.denomsMetadata()
    expect(metadata).toMatchObject({ base: 'ucoin', display: 'COIN', symbol: 'COIN' })
    expect(await bank.denomMetadata('ucoin')).toEqual(metadata)
    await expect(bank.denomMetadata('nothing')).rejects.toThrow('code = NotFound')
  })

  it('tx', async () => {
    const sender = node.senders[0]!
    const { hash } = await node.deliver(sender.sign([sendMessage(alice, alice, 1n)], { memo: way }))
    const { tx, txResponse } = await opened.query.tx.getTx(hash)
    expect([tx!.body!.memo, txResponse!.txhash]).toEqual([way, hash])
    await expect(opened.query.tx.getTx('00'.repeat(32))).rejects.toThrow(`tx not found: ${'00'.repeat(32)}`)
    const message = MsgSend.fromPartial({
      fromAddress: alice,
      toAddress: alice,
      amount: [{ denom: 'ucoin', amount: '1' }],
    })
    const messages = [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: MsgSend.encode(message).finish() }]
    const key = encodeSecp256k1Pubkey(sender.publicKey)
    const { gasInfo, result } = await opened.query.tx.simulate(messages, way, key, Number(sender.sequence))
    expect([gasInfo!.gasUsed > 50_000n, result!.msgResponses.length]).toEqual([true, 1])
    await expect(opened.query.tx.simulate(messages, way, key, 77)).rejects.toThrow('account sequence mismatch')
  })

  it('mint', async () => {
    const { mint } = opened.query
    const params = await mint.params()
    expect([params.mintDenom, params.goalBonded.toString()]).toEqual(['ucoin', '0.67'])
    expect([await mint.inflation(), await mint.annualProvisions()].map(String)).toEqual(['0', '0'])
  })

  it('gov: its parameters', async () => {
    const { gov } = opened.query
    expect((await gov.params('deposit')).depositParams.minDeposit).toEqual([{ denom: 'ucoin', amount: '10000000' }])
    expect((await gov.params('voting')).votingParams.votingPeriod.seconds).toBe(172_800n)
    expect(new TextDecoder().decode((await gov.params('tallying')).tallyParams.quorum)).toBe('334000000000000000')
  })

  it('reads grants of fees and authorizations', async () => {
    const { query } = opened
    expect((await query.authz.grants(alice, strangerAddress, '')).grants).toEqual([])
    expect((await query.feegrant.allowances(alice)).allowances).toEqual([])
    await expect(query.feegrant.allowance(alice, strangerAddress)).rejects.toThrow('fee-grant not found')
  })

  it('names the query that this chain does not have', async () => {
    const { query } = opened
    const unknown = (path: string) => `Query failed with (6): unknown query path: /${path}: unknown request`
    const asked: readonly [() => Promise<unknown>, string][] = [
      [() => query.staking.params(), 'cosmos.staking.v1beta1.Query/Params'],
      [() => query.staking.validators('BOND_STATUS_BONDED'), 'cosmos.staking.v1beta1.Query/Validators'],
      [() => query.staking.pool(), 'cosmos.staking.v1beta1.Query/Pool'],
      [() => query.distribution.communityPool(), 'cosmos.distribution.v1beta1.Query/CommunityPool'],
      [() => query.slashing.params(), 'cosmos.slashing.v1beta1.Query/Params'],
      [() => query.gov.proposal(1), 'cosmos.gov.v1beta1.Query/Proposal'],
      [() => query.ibc.client.states(), 'ibc.core.client.v1.Query/ClientStates'],
      [() => query.ibc.channel.channels(), 'ibc.core.channel.v1.Query/Channels'],
    ]
    for (const [ask, path] of asked) await expect(ask()).rejects.toThrow(unknown(path))
    expect(await checkDynamicGasPriceSupport(query, 'ucoin', 'extensions-1')).toBe(false)
  })

  it('reads an earlier height, with the answer’s own height', async () => {
    const request = Uint8Array.of()
    const path = '/cosmos.auth.v1beta1.Query/Params'
    const now = await opened.query.queryAbci(path, request)
    expect(now.height).toBeGreaterThan(0)
    expect(await opened.query.queryAbci(path, request, 1)).toMatchObject({ height: 1, value: now.value })
    await expect(opened.query.queryAbci(path, request, 1_000_000)).rejects.toThrow('1000000')
  })
})
