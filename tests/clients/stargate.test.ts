import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  type OfflineAminoSigner,
  pubkeyToAddress,
} from '@cosmjs/amino'
import { type DirectSecp256k1Wallet, decodeTxRaw, type OfflineSigner } from '@cosmjs/proto-signing'
import {
  assertIsDeliverTxFailure,
  assertIsDeliverTxSuccess,
  BroadcastTxError,
  calculateFee,
  coin,
  coins,
  GasPrice,
  isDeliverTxFailure,
  makeMultisignedTxBytes,
  SigningStargateClient,
  StargateClient,
  TimeoutError,
} from '@cosmjs/stargate'
import { Comet38Client, HttpBatchClient } from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, firstAsked, startClientNode, strangerAddress } from './client-node.js'

const chainId = 'stargate-1'
const ways = ['HTTP', 'WebSocket'] as const
const gasPrice = GasPrice.fromString('0.025ucoin')
const fee = calculateFee(200_000, gasPrice)
const pollMs = 20
const wrongValidator = 'coinvaloper1qyqszqgpqyqszqgpqyqszqgpqyqszqgpu6mw80'

let node: ClientNode
let alice: string
let bob: string
beforeAll(async () => {
  node = await startClientNode(chainId, 4)
  const [first, second] = node.addresses
  alice = first!
  bob = second!
})
afterAll(() => node?.close())

const endpoint = (way: (typeof ways)[number]) => (way === 'HTTP' ? node.rpcUrl : node.socketUrl)

const signWith = (signer: OfflineSigner, url = node.rpcUrl) =>
  SigningStargateClient.connectWithSigner(url, signer, { gasPrice, broadcastPollIntervalMs: pollMs })

const send = (from: string, to: string, amount: number) => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: { fromAddress: from, toAddress: to, amount: coins(amount, 'ucoin') },
})

describe.each(ways)('StargateClient over %s', (way) => {
  let client: StargateClient
  beforeAll(async () => {
    client = await firstAsked(StargateClient.connect(endpoint(way)), (it) => it.getChainId())
  })
  afterAll(() => client?.disconnect())

  it('reads the chain and its blocks', async () => {
    expect(await client.getChainId()).toBe(chainId)
    const height = await client.getHeight()
    expect(height).toBeGreaterThan(0)
    const block = await client.getBlock(1)
    expect(block).toMatchObject({ header: { height: 1, chainId, version: { block: '11', app: '0' } }, txs: [] })
    expect(block.header.time).toBe('2026-01-01T00:00:00.000000000Z')
    expect(block.id).toMatch(/^[0-9A-F]{64}$/)
    expect((await client.getBlock()).header.height).toBeGreaterThanOrEqual(height)
    await expect(client.getBlock(1_000_000)).rejects.toThrow(
      'must be less than or equal to the current blockchain height',
    )
  })

  it('reads accounts, and knows who has none', async () => {
    const account = await client.getAccount(node.addresses[3]!)
    expect(account).toEqual({ address: node.addresses[3], pubkey: null, accountNumber: 3, sequence: 0 })
    expect(await client.getSequence(node.addresses[3]!)).toEqual({ accountNumber: 3, sequence: 0 })
    expect(await client.getAccount(strangerAddress)).toBeNull()
    await expect(client.getSequence(strangerAddress)).rejects.toThrow(`'${strangerAddress}' does not exist on chain`)
    await expect(client.getAccount('cosmos1abc')).rejects.toThrow('rpc error: code = InvalidArgument')
  })

  it('reads balances', async () => {
    const whole = coin('100000000000000', 'ucoin')
    expect(await client.getBalance(node.addresses[3]!, 'ucoin')).toEqual(whole)
    expect(await client.getBalance(strangerAddress, 'ucoin')).toEqual(coin(0, 'ucoin'))
    expect(await client.getAllBalances(node.addresses[3]!)).toEqual([whole])
    expect(await client.getAllBalances(strangerAddress)).toEqual([])
  })

  it('is told what this chain does not have', async () => {
    const unknown = /unknown query path: \/cosmos\.staking\.v1beta1\.Query\/\w+: unknown request/
    await expect(client.getBalanceStaked(alice)).rejects.toThrow(unknown)
    await expect(client.getDelegation(alice, wrongValidator)).rejects.toThrow(unknown)
  })

  it('broadcasts, waits for the block, and finds the transaction again', async () => {
    const tx = node.senders[0]!.sign([sendMessage(alice, bob, 7n)], { memo: 'found again' })
    const delivered = await client.broadcastTx(tx, 30_000, pollMs)
    assertIsDeliverTxSuccess(delivered)
    expect(delivered.msgResponses).toEqual([
      { typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse', value: new Uint8Array() },
    ])
    const found = await client.getTx(delivered.transactionHash)
    expect(found).toMatchObject({ height: delivered.height, txIndex: delivered.txIndex, code: 0, rawLog: '' })
    expect(found!.tx).toEqual(new Uint8Array(tx))
    expect([found!.gasUsed, found!.gasWanted]).toEqual([delivered.gasUsed, 200_000n])
    expect((await client.getBlock(found!.height)).txs).toContainEqual(found!.tx)
    expect(await client.getTx('00'.repeat(32))).toBeNull()
  })

  it('searches with words and with pairs', async () => {
    const tx = node.senders[0]!.sign([sendMessage(alice, bob, 1n)])
    const { height, transactionHash } = await client.broadcastTx(tx, 30_000, pollMs)
    const hashes = async (query: Parameters<StargateClient['searchTx']>[0]) =>
      (await client.searchTx(query)).map(({ hash }) => hash)
    expect(await hashes(`tx.height=${height} AND message.sender='${alice}'`)).toEqual([transactionHash])
    expect(await hashes(`transfer.recipient='${bob}' AND tx.height>${height - 1}`)).toEqual([transactionHash])
    expect(
      await hashes([
        { key: 'message.sender', value: alice },
        { key: 'message.action', value: '/cosmos.bank.v1beta1.MsgSend' },
        { key: 'tx.height', value: height },
      ]),
    ).toEqual([transactionHash])
    expect(await hashes([{ key: 'message.sender', value: strangerAddress }])).toEqual([])
    await expect(client.searchTx('foo bar')).rejects.toThrow('invalid query')
  })

  it('gives up when told to, with the hash of a transaction that arrives all the same', async () => {
    const first = node.senders[0]!.sign([sendMessage(alice, bob, 2n)])
    const error = await client.broadcastTx(first, 0, pollMs).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TimeoutError)
    const next = node.senders[0]!.sign([sendMessage(alice, bob, 3n)])
    await client.broadcastTx(next, 30_000, pollMs)
    expect(await client.getTx((error as TimeoutError).txId)).toMatchObject({ code: 0 })
  })

  it('broadcasts without waiting, and hears why a transaction is refused', async () => {
    const old = node.senders[0]!.sign([sendMessage(alice, bob, 4n)], { sequence: 0n })
    const error = await client.broadcastTxSync(old).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BroadcastTxError)
    expect(error).toMatchObject({ code: 32, codespace: 'sdk' })
    expect((error as BroadcastTxError).log).toMatch(/^account sequence mismatch, expected \d+, got 0: incorrect/)
    const good = node.senders[0]!.sign([sendMessage(alice, bob, 5n)])
    expect(await client.broadcastTxSync(good)).toMatch(/^[0-9A-F]{64}$/)
  })
})

describe.each(ways)('SigningStargateClient over %s', (way) => {
  let wallet: DirectSecp256k1Wallet
  let client: SigningStargateClient
  beforeAll(async () => {
    wallet = await node.direct(1)
    client = await firstAsked(signWith(wallet, endpoint(way)), (it) => it.getChainId())
  })
  afterAll(() => client?.disconnect())

  it('simulates, and sends with the gas it learned', async () => {
    const gas = await client.simulate(bob, [send(bob, alice, 5)], 'with gas')
    expect(gas).toBeGreaterThan(50_000)
    const before = await client.getBalance(alice, 'ucoin')
    const sent = await client.sendTokens(bob, alice, coins(5, 'ucoin'), 'auto', 'with gas')
    assertIsDeliverTxSuccess(sent)
    expect(Number(sent.gasUsed)).toBeLessThanOrEqual(Number(sent.gasWanted))
    expect(BigInt((await client.getBalance(alice, 'ucoin')).amount)).toBe(BigInt(before.amount) + 5n)
    const multiplied = await client.sendTokens(bob, alice, coins(5, 'ucoin'), 2)
    expect(Number(multiplied.gasWanted)).toBeGreaterThan(Number(multiplied.gasUsed) * 1.5)
    await expect(client.simulate(bob, [send(bob, alice, 9e15)], '')).rejects.toThrow('insufficient funds')
  })

  it('signs and broadcasts several messages in one transaction', async () => {
    const messages = [send(bob, alice, 1), send(bob, strangerAddress, 2)]
    const sent = await client.signAndBroadcast(bob, messages, 'auto', 'two')
    expect(sent.msgResponses).toHaveLength(2)
    const found = await client.getTx(sent.transactionHash)
    const { body } = decodeTxRaw(found!.tx)
    expect([
      body.memo,
      body.messages.map(({ value }) => client.registry.decode({ typeUrl: messages[0]!.typeUrl, value })),
    ]).toEqual(['two', messages.map(({ value }) => value)])
  })

  it('does not wait when it need not', async () => {
    const { accountNumber, sequence } = await client.getSequence(bob)
    const hash = await client.signAndBroadcastSync(bob, [send(bob, alice, 1)], fee, 'no wait')
    const next = { accountNumber, sequence: sequence + 1, chainId }
    const signed = await client.sign(bob, [send(bob, alice, 2)], fee, 'right after it', next)
    assertIsDeliverTxSuccess(await client.broadcastTx(TxRaw.encode(signed).finish(), 30_000, pollMs))
    expect(await client.getTx(hash)).toMatchObject({ code: 0 })
  })

  it('keeps a height until which the transaction is good', async () => {
    const height = BigInt(await client.getHeight())
    await expect(client.signAndBroadcast(bob, [send(bob, alice, 1)], fee, '', 1n)).rejects.toThrow('tx timeout height')
    assertIsDeliverTxSuccess(await client.signAndBroadcast(bob, [send(bob, alice, 1)], fee, '', height + 1000n))
  })

  it('is told of a message that failed in its block', async () => {
    const failed = await client.signAndBroadcast(bob, [send(bob, alice, 9e15)], fee)
    expect(isDeliverTxFailure(failed)).toBe(true)
    assertIsDeliverTxFailure(failed)
    expect(failed).toMatchObject({ code: 5, msgResponses: [] })
    expect(failed.rawLog).toMatch(/is smaller than 9000000000000000ucoin: insufficient funds$/)
  })

  it('is told of messages of modules that this chain does not have', async () => {
    const none = (type: string) => `no message handler found for ${type}`
    const one = coin(1, 'ucoin')
    const staking = '/cosmos.staking.v1beta1.Msg'
    await expect(client.delegateTokens(bob, wrongValidator, one, 'auto')).rejects.toThrow(none(`${staking}Delegate`))
    await expect(client.undelegateTokens(bob, wrongValidator, one, fee)).rejects.toThrow(none(`${staking}Undelegate`))
    await expect(client.withdrawRewards(bob, wrongValidator, fee)).rejects.toThrow(
      none('/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'),
    )
    const never = { revisionNumber: 1n, revisionHeight: 9n }
    await expect(
      client.sendIbcTokens(bob, 'osmo1other', one, 'transfer', 'channel-0', never, undefined, fee),
    ).rejects.toThrow('"ibc.applications.transfer.v1.MsgTransfer": unknown type: tx parse error')
  })

  it('signs beforehand, also without a node', async () => {
    const { accountNumber, sequence } = await client.getSequence(bob)
    const online = await client.sign(bob, [send(bob, alice, 1)], fee, 'before')
    const offline = await SigningStargateClient.offline(wallet)
    const signed = await offline.sign(bob, [send(bob, alice, 1)], fee, 'before', { accountNumber, sequence, chainId })
    expect(signed).toEqual(online)
    assertIsDeliverTxSuccess(await client.broadcastTx(TxRaw.encode(signed).finish(), 30_000, pollMs))
  })
})

describe('other ways to sign and to connect', () => {
  it('takes amino JSON as a Ledger signs it', async () => {
    const client = await signWith(await node.amino(2))
    const carol = node.addresses[2]!
    const memo = 'amino < & > "quoted" é'
    assertIsDeliverTxSuccess(await client.sendTokens(carol, bob, coins(3, 'ucoin'), fee, memo))
    const multiSend = '/cosmos.bank.v1beta1.MsgMultiSend'
    const inputs = [{ address: carol, coins: coins(3, 'ucoin') }]
    const outputs = [alice, bob].map((address, i) => ({ address, coins: coins(i + 1, 'ucoin') }))
    const sent = await client.signAndBroadcast(carol, [{ typeUrl: multiSend, value: { inputs, outputs } }], fee)
    assertIsDeliverTxSuccess(sent)
    expect((await client.getAccount(carol))!.pubkey!.type).toBe('tendermint/PubKeySecp256k1')
    client.disconnect()
  })

  it('takes a multisigned transaction', async () => {
    const wallets: OfflineAminoSigner[] = await Promise.all([0, 1, 2].map((index) => node.amino(index)))
    const members = await Promise.all(wallets.map(async (wallet) => (await wallet.getAccounts())[0]!))
    const publicKey = createMultisigThresholdPubkey(
      members.map(({ pubkey }) => encodeSecp256k1Pubkey(pubkey)),
      2,
    )
    const address = pubkeyToAddress(publicKey, 'coin')
    const funder = await signWith(await node.direct(3))
    assertIsDeliverTxSuccess(await funder.sendTokens(node.addresses[3]!, address, coins(1_000_000, 'ucoin'), 'auto'))
    const { accountNumber, sequence } = await funder.getSequence(address)
    const signatures = new Map<string, Uint8Array>()
    let bodyBytes = new Uint8Array()
    for (const index of [0, 2]) {
      const offline = await SigningStargateClient.offline(wallets[index]!)
      const { address: member } = members[index]!
      const messages = [send(address, alice, 11)]
      const signed = await offline.sign(member, messages, fee, 'two of three', { accountNumber, sequence, chainId })
      bodyBytes = new Uint8Array(signed.bodyBytes)
      signatures.set(member, signed.signatures[0]!)
    }
    const tx = makeMultisignedTxBytes(publicKey, sequence, fee, bodyBytes, signatures)
    assertIsDeliverTxSuccess(await funder.broadcastTx(tx, 30_000, pollMs))
    expect((await funder.getAccount(address))!.pubkey).toEqual(publicKey)
    signatures.delete(members[2]!.address)
    const half = makeMultisignedTxBytes(publicKey, sequence + 1, fee, bodyBytes, signatures)
    await expect(funder.broadcastTxSync(half)).rejects.toThrow(BroadcastTxError)
    funder.disconnect()
  })

  it('falls back to the least gas price when a chain has no fee market', async () => {
    const options = { gasPrice: { denom: 'ucoin', minGasPrice: gasPrice }, broadcastPollIntervalMs: pollMs }
    const client = await SigningStargateClient.connectWithSigner(node.rpcUrl, await node.direct(3), options)
    assertIsDeliverTxSuccess(await client.sendTokens(node.addresses[3]!, alice, coins(1, 'ucoin'), 'auto'))
    client.disconnect()
  })

  it('answers requests that CosmJS gathers into batches', async () => {
    const client = StargateClient.create(Comet38Client.create(new HttpBatchClient(node.rpcUrl, { batchSizeLimit: 5 })))
    const asked = Array.from({ length: 12 }, (_, i) => client.getBalance(node.addresses[i % 4]!, 'ucoin'))
    expect((await Promise.all(asked)).every(({ denom }) => denom === 'ucoin')).toBe(true)
    expect(await client.getChainId()).toBe(chainId)
    client.disconnect()
  })
})
