import type { ConfigResponse, StatusResponse } from '@coin/wire/gen/cosmos/base/node/v1beta1/query'
import { nsToTimestamp } from '@coin/wire/time'
import { method, type ServiceMethod, type ServicePorts } from './service.js'
import { unavailable } from './service-errors.js'

/** `cosmos.base.node.v1beta1.Service`: how this node is set up and how far it is. */
export function nodeService({
  blocks,
  facts,
}: Pick<ServicePorts, 'blocks' | 'facts'>): readonly (readonly [string, ServiceMethod])[] {
  return [
    method(
      '/cosmos.base.node.v1beta1.Service/Config',
      (): ConfigResponse => ({
        minimumGasPrice: facts.minimumGasPrices,
        pruningKeepRecent: facts.pruningKeepRecent,
        pruningInterval: facts.pruningInterval,
        haltHeight: BigInt(facts.haltHeight),
      }),
    ),
    method('/cosmos.base.node.v1beta1.Service/Status', async (): Promise<StatusResponse> => {
      const height = blocks.height()
      const header = (await blocks.meta(height))?.header
      if (header === undefined) throw unavailable('the chain has no block yet')
      return {
        earliestStoreHeight: BigInt(facts.earliestStateHeight()),
        height: BigInt(height),
        timestamp: nsToTimestamp(header.time),
        appHash: header.appHash,
        validatorHash: header.nextValidatorsHash,
      }
    }),
  ]
}
