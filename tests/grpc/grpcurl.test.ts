import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type GrpcNode, startGrpcNode } from './grpc-node.js'

// This file runs from tests/dist/grpc.
const grpcurl = fileURLToPath(new URL('../../reference/.cache/grpcurl', import.meta.url))
const isBuilt = existsSync(grpcurl)
if (!isBuilt)
  console.warn(`SKIPPED: tests with grpcurl, because ${grpcurl} is not there; tests/reference/build.sh builds it`)

interface Outcome {
  readonly exit: number
  readonly out: string
  readonly errors: string
}

let node: GrpcNode

async function run(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(grpcurl, ['-plaintext', '-max-time', '20', ...args], (error, out, errors) => {
      resolve({ exit: error === null ? 0 : Number(error.code), out, errors })
    })
  })
}

const call = async (method: string, request: object, ...flags: readonly string[]): Promise<Outcome> =>
  run(...flags, '-d', JSON.stringify(request), node.grpc, method)

const suite = isBuilt ? describe : describe.skip
suite(`grpcurl without .proto files${isBuilt ? '' : ' (SKIPPED: it is not built, see tests/reference/build.sh)'}`, () => {
  beforeAll(async () => {
    node = await startGrpcNode('grpcurl-1', 2)
  })
  afterAll(() => node.close())

  it('lists the services', async () => {
    const { exit, out } = await run(node.grpc, 'list')
    expect(exit).toBe(0)
    const services = out.trim().split('\n')
    for (const expected of [
      'cosmos.auth.v1beta1.Query',
      'cosmos.autocli.v1.Query',
      'cosmos.bank.v1beta1.Query',
      'cosmos.base.node.v1beta1.Service',
      'cosmos.base.reflection.v1beta1.ReflectionService',
      'cosmos.base.reflection.v2alpha1.ReflectionService',
      'cosmos.base.tendermint.v1beta1.Service',
      'cosmos.consensus.v1.Query',
      'cosmos.reflection.v1.ReflectionService',
      'cosmos.tx.v1beta1.Service',
      'cosmwasm.wasm.v1.Query',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
    ])
      expect(services).toContain(expected)
    expect(services).toEqual([...services].sort())
  })

  it('lists and describes every service, with all messages that it speaks of', async () => {
    const services = (await run(node.grpc, 'list')).out.trim().split('\n')
    for (const service of services) {
      expect(await run(node.grpc, 'list', service), service).toMatchObject({ exit: 0 })
      expect(await run(node.grpc, 'describe', service), service).toMatchObject({ exit: 0 })
    }
    const { out } = await run(node.grpc, 'describe', 'cosmos.bank.v1beta1.Query')
    expect(out).toContain('rpc Balance ( .cosmos.bank.v1beta1.QueryBalanceRequest )')
    expect(out).toContain('get: "/cosmos/bank/v1beta1/balances/{address}/by_denom"')
  })

  it('describes messages, enums and methods by name, and says what is not there', async () => {
    expect((await run(node.grpc, 'describe', 'cosmos.bank.v1beta1.MsgSend')).out).toContain('string from_address = 1')
    expect((await run(node.grpc, 'describe', 'cosmos.tx.v1beta1.BroadcastMode')).out).toContain(
      'BROADCAST_MODE_SYNC = 2',
    )
    const method = await run(node.grpc, 'describe', 'cosmos.tx.v1beta1.Service.GetTx')
    expect(method.out).toContain('rpc GetTx')
    const missing = await run(node.grpc, 'describe', 'cosmos.nope.v1.Query')
    expect(missing.exit).not.toBe(0)
    expect(missing.errors).toContain('Symbol not found: cosmos.nope.v1.Query')
  })

  it.each(['v1', 'v1alpha'])('speaks reflection %s', async (version) => {
    const method = `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    const { out } = await call(method, { file_containing_symbol: 'cosmos.bank.v1beta1.Query' })
    const { fileDescriptorResponse } = JSON.parse(out) as { fileDescriptorResponse: { fileDescriptorProto: string[] } }
    const [first] = fileDescriptorResponse.fileDescriptorProto
    expect(Buffer.from(first!, 'base64').toString('latin1')).toContain('cosmos/bank/v1beta1/query.proto')
  })

  it('asks a balance, now and at an earlier height', async () => {
    const [from, to] = node.senders
    const before = await node.height()
    const tx = from!.sign([sendMessage(from!.address, to!.address, 7n)], { fee: 0n })
    const { height } = await node.deliver(tx)
    const request = { address: to!.address, denom: 'ucoin' }
    const now = await call('cosmos.bank.v1beta1.Query/Balance', request, '-v')
    expect(now.out).toContain('"amount": "100000000000007"')
    const at = await call('cosmos.bank.v1beta1.Query/Balance', request, '-v', '-H', `x-cosmos-block-height: ${before}`)
    expect(at.out).toContain('"amount": "100000000000000"')
    expect(at.out).toMatch(new RegExp(`Response headers received:[^]*x-cosmos-block-height: ${before}\n`))
    const found = await call('cosmos.tx.v1beta1.Service/GetTxsEvent', { query: `tx.height=${height}` })
    expect(found).toMatchObject({ exit: 0, out: expect.stringContaining('cosmos.bank.v1beta1.MsgSend') })
  })

  it.each([
    ['cosmos.bank.v1beta1.Query/Balance', { address: 'nope', denom: 'ucoin' }, [], 'InvalidArgument'],
    ['cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'nope' }, [], 'NotFound'],
    ['cosmos.bank.v1beta1.Query/Params', {}, ['-H', 'x-cosmos-block-height: 1000000000'], 'InvalidArgument'],
    ['cosmos.bank.v1beta1.Query/Params', {}, ['-H', 'x-cosmos-block-height: abc'], 'InvalidArgument'],
  ] as const)('tells what is wrong with a call of %s %j %j', async (method, request, flags, code) => {
    const { exit, errors } = await call(method, request, ...flags)
    expect(exit).not.toBe(0)
    expect(errors).toContain(`Code: ${code}`)
  })

  it('reads what the SDK tells of itself', async () => {
    const chain = await call('cosmos.base.reflection.v2alpha1.ReflectionService/GetChainDescriptor', {})
    expect(JSON.parse(chain.out)).toEqual({ chain: { id: 'grpcurl-1' } })
    const modules = await call('cosmos.autocli.v1.Query/AppOptions', {})
    expect(JSON.parse(modules.out)).toMatchObject({
      moduleOptions: { bank: { query: { service: 'cosmos.bank.v1beta1.Query' } } },
    })
    const files = await call('cosmos.reflection.v1.ReflectionService/FileDescriptors', {})
    const { files: list } = JSON.parse(files.out) as { files: { name: string }[] }
    expect(list.map(({ name }) => name)).toContain('cosmos/bank/v1beta1/query.proto')
  })
})
