import { createFileRegistry, fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import type { Bytes } from '@coin/base/bytes'
import { ServerReflectionRequest, ServerReflectionResponse } from '@coin/wire/gen/grpc/reflection/v1/reflection'
import type { DeepPartial } from '@coin/wire/protobuf/codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppBehindPorts, type OpenGrpc, openGrpc } from '../testing/open-grpc.js'

let grpc: OpenGrpc

beforeAll(async () => {
  const { dependencies } = await createAppBehindPorts()
  grpc = await openGrpc(dependencies)
})
afterAll(() => grpc.close())

const versions = ['v1', 'v1alpha'] as const

async function ask(version: string, ...requests: readonly DeepPartial<ServerReflectionRequest>[]) {
  const messages = requests.map((request) =>
    ServerReflectionRequest.encode(ServerReflectionRequest.fromPartial(request)).finish(),
  )
  const path = `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
  const { answers, code } = await grpc.stream(path, messages)
  expect(code).toBe(0)
  return answers.map((answer) => ServerReflectionResponse.decode(answer))
}

const filesOf = (answer: ServerReflectionResponse | undefined): readonly Bytes[] =>
  answer?.fileDescriptorResponse?.fileDescriptorProto ?? []

const namesOf = (answer: ServerReflectionResponse | undefined): readonly string[] =>
  filesOf(answer).map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name)

describe.each(versions)('reflection %s', (version) => {
  it('lists what is served, in order', async () => {
    const [answer] = await ask(version, { listServices: '*' })
    const names = answer?.listServicesResponse?.service.map(({ name }) => name)
    expect(names).toEqual([
      'cosmos.auth.v1beta1.Query',
      'cosmos.authz.v1beta1.Query',
      'cosmos.autocli.v1.Query',
      'cosmos.bank.v1beta1.Query',
      'cosmos.base.node.v1beta1.Service',
      'cosmos.base.reflection.v1beta1.ReflectionService',
      'cosmos.base.reflection.v2alpha1.ReflectionService',
      'cosmos.base.tendermint.v1beta1.Service',
      'cosmos.consensus.v1.Query',
      'cosmos.feegrant.v1beta1.Query',
      'cosmos.gov.v1.Query',
      'cosmos.gov.v1beta1.Query',
      'cosmos.mint.v1beta1.Query',
      'cosmos.reflection.v1.ReflectionService',
      'cosmos.tx.v1beta1.Service',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
    ])
  })

  it('gives for every service all that an independent reader needs to know its messages', async () => {
    const [list] = await ask(version, { listServices: '' })
    for (const { name } of list!.listServicesResponse!.service) {
      const [answer] = await ask(version, { fileContainingSymbol: name })
      const file = filesOf(answer).map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
      // Imports come before what imports them, as a descriptor set has to be.
      const registry = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file: inOrder(file) })
      expect(registry.getService(name)?.methods.length, name).toBeGreaterThan(0)
    }
  })

  it('answers the sequence of a describe: service, then files by name, each once a stream', async () => {
    const [service, again, imported] = await ask(
      version,
      { fileContainingSymbol: 'cosmos.bank.v1beta1.Query' },
      { fileContainingSymbol: 'cosmos.bank.v1beta1.Query.Balance' },
      { fileByFilename: 'cosmos/base/v1beta1/coin.proto' },
    )
    expect(namesOf(service)[0]).toBe('cosmos/bank/v1beta1/query.proto')
    expect(namesOf(service)).toContain('google/protobuf/descriptor.proto')
    expect(new Set(namesOf(service)).size).toBe(namesOf(service).length)
    expect(namesOf(again)).toEqual(['cosmos/bank/v1beta1/query.proto'])
    expect(namesOf(imported)).toEqual(['cosmos/base/v1beta1/coin.proto'])
    expect(imported).toMatchObject({ originalRequest: { fileByFilename: 'cosmos/base/v1beta1/coin.proto' } })
  })

  it.each([
    ['cosmos.bank.v1beta1.MsgSend', 'cosmos/bank/v1beta1/tx.proto'],
    ['cosmos.bank.v1beta1.MsgSend.amount', 'cosmos/bank/v1beta1/tx.proto'],
    ['cosmos.tx.v1beta1.BroadcastMode', 'cosmos/tx/v1beta1/service.proto'],
    ['cosmos.tx.v1beta1.BroadcastMode.BROADCAST_MODE_SYNC', 'cosmos/tx/v1beta1/service.proto'],
    ['cosmos.tx.v1beta1.ModeInfo.Single', 'cosmos/tx/v1beta1/tx.proto'],
    ['cosmos.tx.v1beta1.ModeInfo.sum', 'cosmos/tx/v1beta1/tx.proto'],
    ['gogoproto.nullable', 'gogoproto/gogo.proto'],
    ['google.protobuf.Any', 'google/protobuf/any.proto'],
  ])('finds the file of %s', async (symbol, file) => {
    const [answer] = await ask(version, { fileContainingSymbol: symbol })
    expect(namesOf(answer)[0]).toBe(file)
  })

  it('finds extensions by number and lists them', async () => {
    const containingType = 'google.protobuf.MethodOptions'
    const [file, numbers, none] = await ask(
      version,
      { fileContainingExtension: { containingType, extensionNumber: 72_295_728 } },
      { allExtensionNumbersOfType: containingType },
      { allExtensionNumbersOfType: 'cosmos.bank.v1beta1.MsgSend' },
    )
    expect(namesOf(file)[0]).toBe('google/api/annotations.proto')
    const list = numbers?.allExtensionNumbersResponse
    expect(list?.baseTypeName).toBe(containingType)
    expect(list?.extensionNumber).toEqual([...(list?.extensionNumber ?? [])].sort((a, b) => a - b))
    expect(list?.extensionNumber).toContain(11_110_001)
    expect(none?.allExtensionNumbersResponse?.extensionNumber).toEqual([])
  })

  it.each([
    [{ fileByFilename: 'nope.proto' }, 'unknown file: nope.proto'],
    [{ fileContainingSymbol: 'nope.Nope' }, 'unknown symbol: nope.Nope'],
    [{ allExtensionNumbersOfType: 'nope' }, 'unknown type: "nope"'],
    [{ fileContainingExtension: { containingType: 'nope', extensionNumber: 1 } }, 'unknown type: "nope"'],
    [
      { fileContainingExtension: { containingType: 'google.protobuf.FileOptions', extensionNumber: 7 } },
      'failed to find registered extension for extension number 7',
    ],
  ])('says what it does not find, and goes on: %j', async (request, errorMessage) => {
    const [missing, found] = await ask(version, request, { fileContainingSymbol: 'cosmos.tx.v1beta1.Tx' })
    expect(missing?.errorResponse).toEqual({ errorCode: 5, errorMessage })
    expect(namesOf(found)[0]).toBe('cosmos/tx/v1beta1/tx.proto')
  })

  it('ends a stream that asks nothing or sends no protobuf', async () => {
    const path = `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    expect(await grpc.stream(path, [new Uint8Array(0)])).toEqual({ answers: [], code: 3 })
    expect(await grpc.stream(path, [Uint8Array.of(0xff)])).toEqual({ answers: [], code: 13 })
  })

  it('ends a stream that sends too much', async () => {
    const path = `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    const request = ServerReflectionRequest.encode(
      ServerReflectionRequest.fromPartial({ fileByFilename: 'x'.repeat(400_000) }),
    ).finish()
    const { answers, code } = await grpc.stream(path, [request, request, request])
    expect(answers.length).toBe(2)
    expect(code).toBe(8)
  })
})

type File = ReturnType<typeof fromBinary<typeof FileDescriptorProtoSchema>>

function inOrder(files: readonly File[]): File[] {
  const byName = new Map(files.map((file) => [file.name, file]))
  const ordered = new Set<File>()
  const add = (file: File) => {
    for (const name of file.dependency) {
      const imported = byName.get(name)
      expect(imported, `${file.name} imports ${name}, which was not sent`).toBeDefined()
      if (imported !== undefined && !ordered.has(imported)) add(imported)
    }
    ordered.add(file)
  }
  for (const file of files) if (!ordered.has(file)) add(file)
  return [...ordered]
}
