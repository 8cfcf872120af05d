import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { launchContract, readArtifact } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, startClientNode, strangerAddress } from './client-node.js'
import { auth, bank, bankTxs, cosmos, HDPath, MsgSend, wasm, wasmTxs } from './interchain-library.js'

// What this library cannot do with any node is listed in interchain-library.ts.
const chainId = 'interchain-1'
type Cosmos = typeof cosmos
type Wallet = InstanceType<Cosmos['Secp256k1HDWallet']>
type Query = Awaited<ReturnType<Cosmos['createCosmosQueryClient']>>
type Signer = InstanceType<Cosmos['DirectSigner']> | InstanceType<Cosmos['AminoSigner']>
type Sent = Awaited<ReturnType<Signer['broadcast']>>

const fee = { amount: [{ denom: 'ucoin', amount: '8000' }], gas: '300000' }
const pollMs = 20

let node: ClientNode
let wallet: Wallet
let address: string
let bob: string
let contract: string

beforeAll(async () => {
  // Node 20 has no WebSocket of its own, which this library takes from its surroundings as browsers have it.
  Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? WebSocket })
  node = await startClientNode(chainId, 2)
  bob = node.addresses[1]!
  const derivations = [{ prefix: 'coin', hdPath: HDPath.cosmos(0, 0, 0).toString() }]
  wallet = await cosmos.Secp256k1HDWallet.fromMnemonic(cosmos.generateMnemonic(), { derivations })
  address = (await wallet.getAccounts())[0]!.address!
  const [alice] = node.senders
  await node.deliver(alice!.sign([sendMessage(alice!.address, address, 1_000_000n)]))
  const token = { name: 'Test token', symbol: 'TEST', decimals: 6, initial_balances: [{ address, amount: '50' }] }
  contract = (await launchContract(node, alice!, readArtifact('cw20_base'), token)).address
})
afterAll(() => node?.close())

const openHttp = () => cosmos.createCosmosQueryClient(node.rpcUrl)

/** The parts that createUnifiedClient puts together. */
async function openSocket() {
  const rpc = new cosmos.WebSocketRpcClient(`${node.socketUrl}/websocket`)
  return new cosmos.CosmosQueryClient(rpc, cosmos.createProtocolAdapter(cosmos.ProtocolVersion.COMET_38))
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe.each([
  ['DirectSigner', (queryClient: Query) => new cosmos.DirectSigner(wallet, optionsOf(queryClient))],
  ['AminoSigner', (queryClient: Query) => new cosmos.AminoSigner(wallet, optionsOf(queryClient))],
] as const)('%s with a new wallet', (_, create) => {
  let query: Query
  let signer: Signer
  const message = () => ({
    typeUrl: MsgSend.typeUrl,
    value: { fromAddress: address, toAddress: bob, amount: [{ denom: 'ucoin', amount: '5' }] },
  })
  const doc = (memo: string) => ({ messages: [message()], fee, memo, options: { signerAddress: address } })
  beforeAll(async () => {
    query = await openHttp()
    await query.connect()
    signer = create(query)
    signer.addEncoders(cosmos.toEncoders(MsgSend))
    if ('addConverters' in signer) signer.addConverters(cosmos.toConverters(MsgSend))
  })
  afterAll(() => query?.disconnect())

  it('signs, broadcasts and waits', async () => {
    const before = BigInt((await bank.getBalance(query, { address: bob, denom: 'ucoin' })).balance!.amount)
    const sent = await signer.signAndBroadcast(doc('sent'))
    const delivered = await sent.wait(30_000, pollMs)
    expect([delivered.code, delivered.txhash]).toEqual([0, sent.transactionHash.toUpperCase()])
    const found = await query.getTx(sent.transactionHash)
    expect([found.height, found.txResult.code]).toEqual([Number(delivered.height), 0])
    const after = BigInt((await bank.getBalance(query, { address: bob, denom: 'ucoin' })).balance!.amount)
    expect(after - before).toBe(5n)
  })

  it('learns the gas from a simulation', async () => {
    const sent = await signer.signAndBroadcast(address, [message()], 'auto', 'auto')
    const { code, gasUsed, gasWanted } = await sent.wait(30_000, pollMs)
    expect([code, gasUsed <= gasWanted]).toEqual([0, true])
  })

  it('broadcasts in the three modes', async () => {
    const committed = await signer.signAndBroadcast(doc('commit'), { mode: 'commit' })
    expect(committed.rawResponse).toMatchObject({ checkTx: { code: 0 }, txResult: { code: 0 } })
    const early = await signer.signAndBroadcast(doc('async'), { mode: 'async' })
    expect((await early.wait(30_000, pollMs)).code).toBe(0)
    const signed = await signer.sign(doc('twice'))
    expect((await (await signed.broadcast({ mode: 'sync' })).wait(30_000, pollMs)).code).toBe(0)
    await expect(signer.broadcastArbitrary(signed.txBytes)).rejects.toThrow('RPC Error: Internal error')
  })

  it('sends with the generated functions', async () => {
    const answer: unknown = await bankTxs.send(signer, address, message().value, fee, 'generated')
    expect((await (answer as Sent).wait(30_000, pollMs)).code).toBe(0)
    const msg = new TextEncoder().encode(JSON.stringify({ transfer: { recipient: bob, amount: '1' } }))
    const call = { sender: address, contract, msg, funds: [] }
    const executed: unknown = await wasmTxs.executeContract(signer, address, call, fee, '')
    const { code, events } = await (executed as Sent).wait(30_000, pollMs)
    expect([code, events.some(({ type }) => type === 'wasm')]).toEqual([0, true])
  })

  it('is told why a transaction is refused', async () => {
    const refused = await signer.signAndBroadcast({ ...doc('x'.repeat(300)) })
    expect(refused.broadcastResponse).toMatchObject({ code: 12, log: expect.stringContaining('memo too large') })
    await expect(refused.wait()).rejects.toThrow('broadcast failed with code 12')
  })
})

describe.each([
  ['HTTP', openHttp],
  ['WebSocket', openSocket],
] as const)('CosmosQueryClient over %s', (_, open) => {
  let query: Query
  beforeAll(async () => {
    query = await open()
    await query.connect()
  })
  afterAll(() => query?.disconnect())

  it('reads the node', async () => {
    const { nodeInfo, syncInfo } = await query.getStatus()
    expect([nodeInfo.network, nodeInfo.version, syncInfo.catchingUp]).toEqual([chainId, '0.38.17', false])
    expect((await query.getAbciInfo()).data).toBe('coind')
    expect(await query.getHealth()).toBeNull()
    expect(await query.getNetInfo()).toMatchObject({ listening: true, nPeers: 0 })
    expect((await query.getGenesis()).genesis).toMatchObject({ chainId, initialHeight: 1 })
    expect(await query.getGenesisChunked(0)).toMatchObject({ chunk: 0, total: 1 })
    expect((await query.getConsensusParams(1)).block!.maxBytes).toBe(22_020_096)
    expect((await query.getConsensusState()).roundState.height).toBeGreaterThan(1)
    expect((await query.dumpConsensusState()).roundState.height).toBeGreaterThan(1)
    expect(await query.getValidators(1, 1, 10)).toMatchObject({ blockHeight: 1, count: 1, total: 1 })
    expect(query.getProtocolInfo().version).toBe('comet-0.38')
  })

  it('reads blocks', async () => {
    const block = await query.getBlock(2)
    expect([block.header.height, block.header.chainId]).toEqual([2, chainId])
    expect((await query.getBlock()).header.height).toBeGreaterThan(2)
    expect(await query.getHeader(2)).toEqual(block.header)
    const { blockId } = await query.getCommit(2)
    const { lastHeight, blockMetas } = await query.getBlockchain(2, 3)
    expect([lastHeight > 3, blockMetas.map(({ header }) => header.height)]).toEqual([true, [3, 2]])
    expect(blockMetas[1]!.blockId.hash).toEqual(blockId.hash)
    expect(await query.getBlockByHash(Buffer.from(blockId.hash).toString('base64'))).toEqual(block)
    expect(await query.getHeaderByHash(hex(blockId.hash))).toEqual(block.header)
    expect((await query.getBlockResults(2)).height).toBe(2)
    const found = await query.searchBlocks({ query: 'block.height <= 3', page: 1, perPage: 2, orderBy: 'asc' })
    expect([found.totalCount, found.blocks.length]).toEqual([3, 2])
    await expect(query.getBlock(1_000_000)).rejects.toThrow('RPC Error: Internal error')
  })

  it('finds transactions', async () => {
    const found = await query.searchTxs({ query: `transfer.recipient='${address}'`, page: 1, perPage: 5 })
    expect([found.totalCount, found.txs[0]!.txResult.code]).toEqual([1, 0])
    const [first] = found.txs
    expect(await query.getTx(hex(first!.hash))).toEqual(first)
    expect(await query.getUnconfirmedTxs(5)).toMatchObject({ total: 0, txs: [] })
    expect(await query.getNumUnconfirmedTxs()).toMatchObject({ total: 0 })
    expect(await query.checkTx(Buffer.from([1, 2]).toString('base64'))).toMatchObject({ code: 2, codespace: 'sdk' })
    await expect(query.getTx('00'.repeat(32))).rejects.toThrow('RPC Error: Internal error')
  })

  it('queries modules and contracts', async () => {
    const { accounts } = await auth.getAccounts(query, { pagination: undefined })
    expect(accounts.length).toBeGreaterThan(2)
    expect((await query.getBaseAccount(bob))!.accountNumber).toBe(1n)
    const request = { address: node.addresses[1]!, resolveDenom: false }
    expect((await bank.getAllBalances(query, request)).balances[0]!.denom).toBe('ucoin')
    expect(await bank.getAllBalances(node.rpcUrl, request)).toEqual(await bank.getAllBalances(query, request))
    const none = await bank.getBalance(query, { address: strangerAddress, denom: 'ucoin' })
    expect(none.balance).toEqual({ denom: 'ucoin', amount: '0' })
    const queryData = new TextEncoder().encode(JSON.stringify({ token_info: {} }))
    const { data } = await wasm.getSmartContractState(query, { address: contract, queryData })
    expect(JSON.parse(new TextDecoder().decode(data))).toMatchObject({ symbol: 'TEST', total_supply: '50' })
    expect((await wasm.getContractsByCode(query, { codeId: 1n })).contracts).toEqual([contract])
    const version = await query.queryAbci({ path: '/app/version', data: new Uint8Array() })
    expect([version.code, version.height > 0]).toEqual([0, true])
  })
})

it('cannot subscribe anywhere: it takes CometBFT’s answer for a mistake', async () => {
  const rpc = new cosmos.WebSocketRpcClient(`${node.socketUrl}/websocket`)
  await rpc.connect()
  const events = new cosmos.CosmosEventClient(rpc)
  const first = events.subscribeToBlocks()[Symbol.asyncIterator]().next()
  await expect(first).rejects.toThrow('Received invalid subscription identifier')
  await expect(rpc.call('unsubscribe_all')).resolves.toEqual({})
  await rpc.disconnect()
})

function optionsOf(queryClient: Query) {
  return { chainId, queryClient, addressPrefix: 'coin', gasPrice: '0.025ucoin', multiplier: 1.5 }
}
