import type { Bytes } from '@coin/base/bytes'
import { codecOf, descriptors } from '@coin/wire/registry'
import { cometService } from './services/comet-service.js'
import { nodeService } from './services/node-service.js'
import { reflectionMethods } from './services/reflection.js'
import { plainCall, type ServicePorts, type Services } from './services/service.js'
import { txService } from './services/tx-service.js'

/** The services that the node answers itself, for REST, gRPC and `abci_query` alike. */
export function createServices(ports: ServicePorts): Services {
  const services: Services = new Map([
    ...txService(ports),
    ...cometService(ports),
    ...nodeService(ports),
    ...reflectionMethods({ ...ports, serviceMethods: () => services.keys() }),
  ])
  return services
}

/**
 * Calls a method with bytes, for gRPC and `abci_query`. Answers undefined when the node has no such method: ask the
 * application then.
 */
export async function callService(
  services: Services,
  method: string,
  request: Bytes,
  context = plainCall,
): Promise<Bytes | undefined> {
  const handle = services.get(method)
  const descriptor = descriptors().method(method)
  if (handle === undefined || descriptor === undefined) return undefined
  const response = await handle(codecOf(descriptor.input).decode(request), context)
  return codecOf(descriptor.output).encode(response).finish()
}
