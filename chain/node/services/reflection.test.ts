import { readFileSync } from 'node:fs'
import type { Bytes } from '@coin/base/bytes'
import { RawMessage } from '@coin/wire/raw-message'
import { codecOf, descriptors } from '@coin/wire/registry'
import { beforeAll, describe, expect, it } from 'vitest'
import { callService, createServices } from '../services.js'
import { openGateway } from '../testing/open-gateway.js'
import { createAppBehindPorts } from '../testing/open-grpc.js'
import { createAbciQueries } from './abci-queries.js'
import { listInterfaces } from './interfaces.js'
import type { Services } from './service.js'

// This file runs from chain/node/dist/services.
const vectors = new URL('../../../../tests/vectors/reference/interfaces.json', import.meta.url)
/** What the reference answers: interface -> type URLs. */
const theirs = JSON.parse(readFileSync(vectors, 'utf8')) as Readonly<Record<string, readonly string[]>>

/** The reference registers the responses of all modules but of this one. */
const forgotten = '/cosmos.auth.v1beta1.MsgUpdateParamsResponse'

let services: Services

beforeAll(async () => {
  services = (await createAppBehindPorts()).dependencies.services
})

async function callBytes(method: string, request: object = {}): Promise<Bytes> {
  const codec = codecOf(descriptors().method(method)!.input)
  return (await callService(services, method, codec.encode(codec.fromPartial(request)).finish()))!
}

async function call(method: string, request: object = {}): Promise<Record<string, never>> {
  const bytes = await callBytes(method, request)
  return codecOf(descriptors().method(method)!.output).decode(bytes) as Record<string, never>
}

describe('cosmos.base.reflection.v1beta1', () => {
  const service = '/cosmos.base.reflection.v1beta1.ReflectionService'

  it('knows the interfaces of the reference, and every implementation whose message is known here', async () => {
    const known = (typeUrl: string) => descriptors().message(typeUrl.slice(1)) !== undefined
    const sent = theirs['cosmos.base.v1beta1.Msg']!.filter(known)
    const ours = Object.fromEntries(
      listInterfaces(descriptors(), sent).map(({ name, implementations }) => [name, implementations]),
    )
    for (const [name, types] of Object.entries(theirs)) {
      // Interfaces of modules that are not there have nothing to list.
      if (types.length > 0 && types.every((type) => !known(type))) continue
      expect(
        ours[name]?.filter((type) => type !== forgotten),
        name,
      ).toEqual(types.filter(known))
    }
    expect(Object.keys(ours).filter((name) => theirs[name] === undefined)).toEqual([])
  })

  it('lists them', async () => {
    const { interfaceNames } = await call(`${service}/ListAllInterfaces`)
    expect(interfaceNames).toContain('cosmos.auth.v1beta1.AccountI')
    const keys = await call(`${service}/ListImplementations`, { interfaceName: 'cosmos.crypto.PubKey' })
    expect(keys.implementationMessageNames).toContain('/cosmos.crypto.secp256k1.PubKey')
    const none = await call(`${service}/ListImplementations`, { interfaceName: 'nope' })
    expect(none.implementationMessageNames).toEqual([])
    await expect(call(`${service}/ListImplementations`)).rejects.toMatchObject({
      code: 3,
      message: 'invalid interface name',
    })
  })
})

describe('cosmos.base.reflection.v2alpha1', () => {
  const service = '/cosmos.base.reflection.v2alpha1.ReflectionService'

  it('describes the chain', async () => {
    expect(await call(`${service}/GetChainDescriptor`)).toEqual({ chain: { id: 'twin-1' } })
    const prefix = { config: { bech32AccountAddressPrefix: 'coin' } }
    expect(await call(`${service}/GetConfigurationDescriptor`)).toEqual(prefix)
    expect(await call(`${service}/GetAuthnDescriptor`)).toMatchObject({
      authn: {
        signModes: [
          { name: 'SIGN_MODE_DIRECT', number: 1 },
          { name: 'SIGN_MODE_DIRECT_AUX', number: 3 },
          { name: 'SIGN_MODE_LEGACY_AMINO_JSON', number: 127 },
        ],
      },
    })
    const { codec } = await call(`${service}/GetCodecDescriptor`)
    expect(codec).toMatchObject({
      interfaces: expect.arrayContaining([
        expect.objectContaining({
          fullname: 'cosmos.crypto.PrivKey',
          interfaceImplementers: [
            { fullname: 'cosmos.crypto.ed25519.PrivKey', typeUrl: '/cosmos.crypto.ed25519.PrivKey' },
            { fullname: 'cosmos.crypto.secp256k1.PrivKey', typeUrl: '/cosmos.crypto.secp256k1.PrivKey' },
          ],
        }),
      ]),
    })
  })

  it('lists every method that is served, by service', async () => {
    const { queries } = await call(`${service}/GetQueryServicesDescriptor`)
    const { queryServices } = queries as unknown as {
      queryServices: { fullname: string; methods: { fullQueryPath: string }[] }[]
    }
    const paths = queryServices.flatMap(({ methods }) => methods.map(({ fullQueryPath }) => fullQueryPath))
    for (const path of services.keys()) expect(paths).toContain(path)
    expect(paths).toContain('/cosmos.bank.v1beta1.Query/Balance')
    expect(queryServices.map(({ fullname }) => fullname)).toContain('cosmos.autocli.v1.Query')
  })

  it('lists the messages that it is told of, or those of the modules that answer queries', async () => {
    const { tx } = await call(`${service}/GetTxDescriptor`)
    expect(tx).toMatchObject({ fullname: 'cosmos.tx.v1beta1.Tx' })
    const listed = (tx as unknown as { msgs: { msgTypeUrl: string }[] }).msgs.map(({ msgTypeUrl }) => msgTypeUrl)
    expect(listed).toContain('/cosmos.bank.v1beta1.MsgSend')
    expect(listed).not.toContain('/cosmos.staking.v1beta1.MsgDelegate')
    const { twin } = await createAppBehindPorts()
    const told = createServices({ ...twin.ports, messages: ['/b.Msg', '/a.Msg'] })
    const answer = await told.get(`${service}/GetTxDescriptor`)!({}, { height: undefined, given: new Set() })
    expect(answer).toMatchObject({ tx: { msgs: [{ msgTypeUrl: '/a.Msg' }, { msgTypeUrl: '/b.Msg' }] } })
  })
})

describe('REST', () => {
  it('has the routes of the .proto files', async () => {
    const rest = await openGateway()
    rest.twin.addBlock()
    const get = async (path: string) => (await rest.call(`/cosmos/base/reflection/v1beta1/${path}`)).json
    expect((await get('interfaces')).interface_names).toContain('cosmos.crypto.PubKey')
    expect(await get('interfaces/cosmos.crypto.PrivKey/implementations')).toEqual({
      implementation_message_names: ['/cosmos.crypto.ed25519.PrivKey', '/cosmos.crypto.secp256k1.PrivKey'],
    })
    expect(await get('app_descriptor/chain')).toEqual({ chain: { id: 'twin-1' } })
    expect(await get('app_descriptor/configuration')).toEqual({ config: { bech32_account_address_prefix: 'coin' } })
    await rest.close()
  })
})

describe('cosmos.reflection.v1', () => {
  const path = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'

  it('gives every file as it is, options included', async () => {
    const files = new RawMessage(await callBytes(path)).bytesList(1)
    expect(files).toEqual(descriptors().files.map(({ bytes }) => bytes))
  })

  it('answers over abci_query too', async () => {
    const { dependencies } = await createAppBehindPorts()
    const query = createAbciQueries(services, dependencies.app)
    const result = await query({ path, data: new Uint8Array(0), height: 0, prove: false })
    expect(result.code).toBe(0)
    expect(result.value).toEqual(await callBytes(path))
  })
})

describe('cosmos.autocli.v1', () => {
  it('names the services of each module, of two versions the later', async () => {
    const { moduleOptions } = await call('/cosmos.autocli.v1.Query/AppOptions')
    expect(moduleOptions).toMatchObject({
      bank: { tx: { service: 'cosmos.bank.v1beta1.Msg' }, query: { service: 'cosmos.bank.v1beta1.Query' } },
      gov: { tx: { service: 'cosmos.gov.v1.Msg' }, query: { service: 'cosmos.gov.v1.Query' } },
    })
    expect(Object.keys(moduleOptions ?? {})).not.toContain('tx')
  })
})
