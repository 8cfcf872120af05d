import { utf8ToBytes } from '@coin/base/bytes'
import { decodePubkey } from '@cosmjs/proto-signing'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryClientImpl as AuthQuery } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryClientImpl as BankQuery } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ServiceClientImpl as NodeService } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { ServiceClientImpl as CometService } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { QueryClientImpl as ConsensusQuery } from 'cosmjs-types/cosmos/consensus/v1/query'
import { QueryClientImpl as GovQuery } from 'cosmjs-types/cosmos/gov/v1/query'
import { QueryClientImpl as MintQuery } from 'cosmjs-types/cosmos/mint/v1beta1/query'
import {
  BroadcastMode,
  GetTxsEventRequest,
  ServiceClientImpl as TxService,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { QueryClientImpl as WasmQuery } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Delivered, launchContract, readArtifact } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, startClientNode, strangerAddress } from './client-node.js'
import { type ServiceRpc, transports } from './transports.js'

// Every method of the clients that cosmjs-types generates for the services of this chain, over each way to reach them.

const chainId = 'services-1'
let node: ClientNode
let alice: string
let bob: string
let contract: { readonly codeId: bigint; readonly address: string }
let sent: Delivered
let sentBytes: Uint8Array

beforeAll(async () => {
  node = await startClientNode(chainId, 4, ['--minimum-gas-prices', '0.001ucoin'])
  const [first, second] = node.addresses
  alice = first!
  bob = second!
  const token = {
    ...{ name: 'Test token', symbol: 'TEST', decimals: 6 },
    initial_balances: [{ address: bob, amount: '5000' }],
  }
  contract = await launchContract(node, node.senders[0]!, readArtifact('cw20_base'), token)
  sentBytes = node.senders[0]!.sign([sendMessage(alice, bob, 7n)], { memo: 'sent' })
  sent = await node.deliver(sentBytes)
})
afterAll(() => node?.close())

const firstPage = PageRequest.fromPartial({ limit: 2n, countTotal: true })

describe.each(Object.entries(transports))('%s', (_, open) => {
  let rpc: ServiceRpc
  beforeAll(async () => {
    rpc = await open(node)
  })
  afterAll(() => rpc?.close())

  it('auth', async () => {
    const auth = new AuthQuery(rpc)
    const { account } = await auth.Account({ address: alice })
    const { info } = await auth.AccountInfo({ address: alice })
    expect(BaseAccount.decode(account!.value)).toEqual(info)
    expect(decodePubkey(info!.pubKey!)?.type).toBe('tendermint/PubKeySecp256k1')
    const { accounts, pagination } = await auth.Accounts({ pagination: firstPage })
    expect(accounts).toHaveLength(2)
    const rest = await auth.Accounts({ pagination: PageRequest.fromPartial({ key: pagination!.nextKey }) })
    expect(BigInt(rest.accounts.length)).toBe(pagination!.total - 2n)
    expect(await auth.AccountAddressByID({ id: 0n, accountId: 1n })).toEqual({ accountAddress: bob })
    expect((await auth.Params()).params).toMatchObject({ maxMemoCharacters: 256n, txSigLimit: 7n })
    expect((await auth.ModuleAccounts()).accounts.length).toBeGreaterThan(1)
    const { account: mint } = await auth.ModuleAccountByName({ name: 'mint' })
    expect(mint!.typeUrl).toBe('/cosmos.auth.v1beta1.ModuleAccount')
    expect(await auth.Bech32Prefix()).toEqual({ bech32Prefix: 'coin' })
    const { addressBytes } = await auth.AddressStringToBytes({ addressString: strangerAddress })
    expect(addressBytes).toEqual(new Uint8Array(20).fill(1))
    expect(await auth.AddressBytesToString({ addressBytes })).toEqual({ addressString: strangerAddress })
    await expect(auth.Account({ address: strangerAddress })).rejects.toThrow(`account ${strangerAddress} not found`)
  })

  it('bank', async () => {
    const bank = new BankQuery(rpc)
    const ucoin = { denom: 'ucoin', amount: '100000000000000' }
    const address = node.addresses[3]!
    expect(await bank.Balance({ address, denom: 'ucoin' })).toEqual({ balance: ucoin })
    expect((await bank.AllBalances({ address, resolveDenom: false })).balances).toEqual([ucoin])
    expect((await bank.SpendableBalances({ address })).balances).toEqual([ucoin])
    expect(await bank.SpendableBalanceByDenom({ address, denom: 'ucoin' })).toEqual({ balance: ucoin })
    const { supply, pagination } = await bank.TotalSupply({ pagination: firstPage })
    expect([supply, pagination!.total]).toEqual([[{ denom: 'ucoin', amount: '400000000000000' }], 1n])
    expect((await bank.SupplyOf({ denom: 'ucoin' })).amount).toEqual(supply[0])
    expect((await bank.Params()).params).toMatchObject({ defaultSendEnabled: true })
    const { metadatas } = await bank.DenomsMetadata()
    expect(metadatas[0]).toMatchObject({ base: 'ucoin', display: 'COIN' })
    expect(await bank.DenomMetadata({ denom: 'ucoin' })).toEqual({ metadata: metadatas[0] })
    expect(await bank.DenomMetadataByQueryString({ denom: 'ucoin' })).toEqual({ metadata: metadatas[0] })
    const owners = await bank.DenomOwners({ denom: 'ucoin', pagination: firstPage })
    expect(owners.denomOwners).toHaveLength(2)
    expect(await bank.DenomOwnersByQuery({ denom: 'ucoin', pagination: firstPage })).toEqual(owners)
    expect((await bank.SendEnabled({ denoms: [] })).sendEnabled).toEqual([])
    await expect(bank.DenomMetadata({ denom: 'none' })).rejects.toThrow('client metadata for denom none')
    await expect(bank.Balance({ address, denom: '!' })).rejects.toThrow('invalid denom: !')
  })

  it('consensus, mint and gov', async () => {
    expect((await new ConsensusQuery(rpc).Params()).params!.block!.maxBytes).toBe(22_020_096n)
    const mint = new MintQuery(rpc)
    expect((await mint.Params()).params).toMatchObject({ mintDenom: 'ucoin', blocksPerYear: 6_311_520n })
    expect(new TextDecoder().decode((await mint.Inflation()).inflation)).toBe('0')
    expect(new TextDecoder().decode((await mint.AnnualProvisions()).annualProvisions)).toBe('0')
    const { params } = await new GovQuery(rpc).Params({ paramsType: 'voting' })
    expect(params!.votingPeriod!.seconds).toBe(172_800n)
  })

  it('node and CometBFT', async () => {
    expect(await new NodeService(rpc).Config()).toMatchObject({
      minimumGasPrice: '0.001000000000000000ucoin',
      haltHeight: 0n,
    })
    expect((await new NodeService(rpc).Status()).height).toBeGreaterThan(0n)
    const comet = new CometService(rpc)
    expect((await comet.GetNodeInfo()).defaultNodeInfo).toMatchObject({ network: chainId, version: '0.38.17' })
    expect(await comet.GetSyncing()).toEqual({ syncing: false })
    expect((await comet.GetLatestBlock()).sdkBlock!.header.chainId).toBe(chainId)
    const height = BigInt(sent.height)
    expect((await comet.GetBlockByHeight({ height })).block!.data.txs).toEqual([sentBytes])
    const { validators } = await comet.GetLatestValidatorSet()
    expect((await comet.GetValidatorSetByHeight({ height: 1n })).validators).toEqual(validators)
    const path = '/store/bank/key'
    const { value, proofOps } = await comet.ABCIQuery({ path, data: Uint8Array.of(5), height: 0n, prove: true })
    expect([value.length > 0, proofOps!.ops.length]).toEqual([true, 2])
    await expect(comet.GetBlockByHeight({ height: 9_999_999n })).rejects.toThrow(
      'block height 9999999 is ahead of the chain',
    )
  })

  it('tx', async () => {
    const service = new TxService(rpc)
    const { tx, txResponse } = await service.GetTx({ hash: sent.hash })
    expect([tx!.body!.memo, txResponse!.txhash, txResponse!.height]).toEqual(['sent', sent.hash, BigInt(sent.height)])
    const byEvent = await service.GetTxsEvent(GetTxsEventRequest.fromPartial({ query: `tx.height=${sent.height}` }))
    expect([byEvent.total, byEvent.txResponses]).toEqual([1n, [txResponse]])
    const { block, txs } = await service.GetBlockWithTxs({ height: BigInt(sent.height) })
    expect([block!.header.height, txs]).toEqual([BigInt(sent.height), [tx]])
    const decoded = await service.TxDecode({ txBytes: sentBytes })
    expect(decoded.tx).toEqual(tx)
    expect((await service.TxEncode({ tx: decoded.tx! })).txBytes).toEqual(sentBytes)
    const simulated = await service.Simulate({
      txBytes: node.senders[2]!.sign([bobGets(1n)], { sequence: aheadOf(2) }),
    })
    expect(simulated.gasInfo!.gasUsed).toBeGreaterThan(50_000n)
    const { txResponse: refused } = await service.BroadcastTx({
      txBytes: sentBytes,
      mode: BroadcastMode.BROADCAST_MODE_SYNC,
    })
    expect(refused!.code).not.toBe(0)
    const txBytes = node.senders[2]!.sign([bobGets(2n)])
    const { txResponse: taken } = await service.BroadcastTx({ txBytes, mode: BroadcastMode.BROADCAST_MODE_SYNC })
    expect([taken!.code, taken!.height]).toEqual([0, 0n])
    await node.deliver(node.senders[2]!.sign([bobGets(3n)]))
    expect((await service.GetTx({ hash: taken!.txhash })).txResponse!.code).toBe(0)
    await expect(service.GetTx({ hash: '00'.repeat(32) })).rejects.toThrow('not found')
  })

  it('wasm', async () => {
    const { address, codeId } = contract
    const wasm = new WasmQuery(rpc)
    const { contractInfo } = await wasm.ContractInfo({ address })
    expect(contractInfo).toMatchObject({ codeId, creator: alice, label: 'a contract' })
    expect((await wasm.ContractHistory({ address })).entries).toMatchObject([{ codeId }])
    expect((await wasm.ContractsByCode({ codeId })).contracts).toEqual([address])
    expect((await wasm.ContractsByCreator({ creatorAddress: alice })).contractAddresses).toEqual([address])
    const { models } = await wasm.AllContractState({ address })
    const { key, value } = models.find((model) => new TextDecoder().decode(model.key) === 'token_info')!
    expect(await wasm.RawContractState({ address, queryData: key })).toEqual({ data: value })
    const queryData = utf8ToBytes(JSON.stringify({ balance: { address: bob } }))
    const { data } = await wasm.SmartContractState({ address, queryData })
    expect(JSON.parse(new TextDecoder().decode(data))).toEqual({ balance: '5000' })
    const code = await wasm.Code({ codeId })
    expect(Buffer.compare(code.data, readArtifact('cw20_base'))).toBe(0)
    expect((await wasm.Codes()).codeInfos).toEqual([code.codeInfo])
    const { checksum } = await wasm.CodeInfo({ codeId })
    expect(checksum).toEqual(code.codeInfo!.dataHash)
    expect((await wasm.PinnedCodes()).codeIds).toEqual([])
    expect((await wasm.Params()).params!.codeUploadAccess!.permission).toBe(3)
    expect(await wasm.WasmLimitsConfig()).toEqual({ config: '{}' })
    const built = { codeHash: Buffer.from(checksum).toString('hex'), creatorAddress: alice, salt: '01' }
    expect((await wasm.BuildAddress({ ...built, initArgs: new Uint8Array() })).address).toMatch(/^coin1/)
    const bad = utf8ToBytes('{"nothing":{}}')
    await expect(wasm.SmartContractState({ address, queryData: bad })).rejects.toThrow('query wasm contract failed')
    await expect(wasm.Code({ codeId: 77n })).rejects.toThrow('code id 77: no such code')
  })

  it('a service that is not there', async () => {
    await expect(rpc.request('cosmos.staking.v1beta1.Query', 'Pool', new Uint8Array())).rejects.toThrow(
      /unknown query path|unknown service cosmos\.staking\.v1beta1\.Query|404/i,
    )
  })
})

const bobGets = (amount: bigint) => sendMessage(node.addresses[2]!, bob, amount)
const aheadOf = (index: number) => node.senders[index]!.sequence
