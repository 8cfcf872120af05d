import { signModeName, signModes } from '@coin/runtime/signature-job'
import type { Descriptors } from '@coin/wire/descriptors'
import { ModuleOptions } from '@coin/wire/gen/cosmos/autocli/v1/options'
import type { AppOptionsResponse } from '@coin/wire/gen/cosmos/autocli/v1/query'
import type {
  ListAllInterfacesResponse,
  ListImplementationsRequest,
  ListImplementationsResponse,
} from '@coin/wire/gen/cosmos/base/reflection/v1beta1/reflection'
import type {
  GetAuthnDescriptorResponse,
  GetChainDescriptorResponse,
  GetCodecDescriptorResponse,
  GetConfigurationDescriptorResponse,
  GetQueryServicesDescriptorResponse,
  GetTxDescriptorResponse,
} from '@coin/wire/gen/cosmos/base/reflection/v2alpha1/reflection'
import type { FileDescriptorsResponse } from '@coin/wire/gen/cosmos/reflection/v1/reflection'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import { descriptors } from '@coin/wire/registry'
import { type InterfaceTypes, listInterfaces, listMessages } from './interfaces.js'
import { method, type ServiceMethod, type ServicePorts } from './service.js'
import { invalidArgument } from './service-errors.js'

export interface ReflectionPorts extends Pick<ServicePorts, 'app' | 'facts' | 'addresses' | 'messages'> {
  /** Paths of the node's own services, with those of this one. Asked at the first call. */
  serviceMethods(): Iterable<string>
}

type Methods = readonly (readonly [string, ServiceMethod])[]

/** What the SDK's own clients ask a node about itself, where gRPC's reflection says too little. */
export function reflectionMethods(ports: ReflectionPorts): Methods {
  let interfaces: readonly InterfaceTypes[] | undefined
  const messages = () => ports.messages ?? listMessages(descriptors(), ports.app.methods())
  const listed = () => {
    interfaces ??= listInterfaces(descriptors(), messages())
    return interfaces
  }
  return [
    ...interfaceMethods(listed),
    ...appMethods(ports, listed, messages),
    method('/cosmos.reflection.v1.ReflectionService/FileDescriptors', () => fileDescriptors(descriptors())),
    method('/cosmos.autocli.v1.Query/AppOptions', () => appOptions(descriptors(), ports)),
  ]
}

/** `cosmos.base.reflection.v1beta1`: what may stand in an `Any`. */
function interfaceMethods(listed: () => readonly InterfaceTypes[]): Methods {
  const service = '/cosmos.base.reflection.v1beta1.ReflectionService'
  return [
    method(
      `${service}/ListAllInterfaces`,
      (): ListAllInterfacesResponse => ({ interfaceNames: listed().map(({ name }) => name) }),
    ),
    method(
      `${service}/ListImplementations`,
      ({ interfaceName }: ListImplementationsRequest): ListImplementationsResponse => {
        if (interfaceName === '') throw invalidArgument('invalid interface name')
        const found = listed().find(({ name }) => name === interfaceName)
        return { implementationMessageNames: [...(found?.implementations ?? [])] }
      },
    ),
  ]
}

/** `cosmos.base.reflection.v2alpha1`: the chain as a whole. */
function appMethods(
  ports: ReflectionPorts,
  listed: () => readonly InterfaceTypes[],
  messages: () => readonly string[],
): Methods {
  const service = '/cosmos.base.reflection.v2alpha1.ReflectionService'
  return [
    method(`${service}/GetAuthnDescriptor`, (): GetAuthnDescriptorResponse => ({ authn: { signModes: modes() } })),
    method(`${service}/GetChainDescriptor`, (): GetChainDescriptorResponse => ({ chain: { id: ports.facts.chainId } })),
    method(
      `${service}/GetCodecDescriptor`,
      (): GetCodecDescriptorResponse => ({ codec: { interfaces: listed().map(toInterfaceDescriptor) } }),
    ),
    method(`${service}/GetConfigurationDescriptor`, (): GetConfigurationDescriptorResponse => {
      const { prefix } = ports.addresses.consensus
      return { config: { bech32AccountAddressPrefix: prefix.replace(/valcons$/, '') } }
    }),
    method(
      `${service}/GetQueryServicesDescriptor`,
      (): GetQueryServicesDescriptorResponse => ({ queries: { queryServices: queryServices(ports) } }),
    ),
    method(`${service}/GetTxDescriptor`, (): GetTxDescriptorResponse => {
      const msgs = [...messages()].sort().map((msgTypeUrl) => ({ msgTypeUrl }))
      return { tx: { fullname: 'cosmos.tx.v1beta1.Tx', msgs } }
    }),
  ]
}

function modes() {
  return Object.values(signModes)
    .map((number) => ({ name: signModeName(number), number, authnInfoProviderMethodFullname: '' }))
    .sort((a, b) => a.number - b.number)
}

function toInterfaceDescriptor({ name, implementations }: InterfaceTypes) {
  const interfaceImplementers = implementations.map((typeUrl) => ({ fullname: typeUrl.slice(1), typeUrl }))
  return { fullname: name, interfaceAcceptingMessages: [], interfaceImplementers }
}

function queryServices({ app, serviceMethods }: ReflectionPorts) {
  const services = new Map<string, { name: string; fullQueryPath: string }[]>()
  for (const fullQueryPath of [...app.methods(), ...serviceMethods()].sort()) {
    const [, service = '', name = ''] = fullQueryPath.split('/')
    const methods = services.get(service) ?? []
    services.set(service, methods)
    methods.push({ name, fullQueryPath })
  }
  return [...services].map(([fullname, methods]) => ({ fullname, isModule: false, methods }))
}

/** The files go out as the bytes they are; decoded and encoded again they would lose what options say. */
function fileDescriptors({ files }: Descriptors): FileDescriptorsResponse {
  const field1 = (1 << 3) | 2
  return { files: [], _unknownFields: { [field1]: files.map(({ bytes }) => new BinaryWriter().bytes(bytes).finish()) } }
}

/**
 * Which services the commands of each module are made of. As for a module of the reference that says nothing else, commands are
 * named after the methods.
 */
function appOptions({ service }: Descriptors, { app }: ReflectionPorts): AppOptionsResponse {
  const moduleOptions: Record<string, ModuleOptions> = {}
  // Sorted, so that of two versions of a module the later one is kept; v1 is later than v1beta1.
  const versionOf = (name: string) => name.split('.').at(-2)!
  const queries = [...new Set(app.methods().map((path) => path.slice(1, path.lastIndexOf('/'))))]
    .filter((name) => name.endsWith('.Query'))
    .sort((a, b) => versionOf(b).length - versionOf(a).length || (a < b ? -1 : 1))
  for (const name of queries) {
    const module = name.split('.').at(-3)!
    const msgs = name.replace(/Query$/, 'Msg')
    moduleOptions[module] = ModuleOptions.fromPartial({
      query: { service: name },
      ...(service(msgs) !== undefined && { tx: { service: msgs } }),
    })
  }
  return { moduleOptions }
}
