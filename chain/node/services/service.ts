import type { AddressCodecs } from '@coin/wire/addresses'
import type { AppQueries, Awaitable, BlockReader, Broadcaster, NodeFacts, TxIndex } from '../ports.js'
import type { Inclusions } from './inclusions.js'

/** What comes with a call besides its request. */
export interface CallContext {
  /** State height that was asked for; undefined: the last one. */
  readonly height: number | undefined
  /** Names of the REST query's parameters, because protobuf cannot tell `false` from nothing. Empty over gRPC. */
  readonly given: ReadonlySet<string>
}

export const plainCall: CallContext = { height: undefined, given: new Set() }

/** One method of a node-level service: decoded request in, response message out. Throws `CodedError`s. */
export type ServiceMethod = (request: unknown, context: CallContext) => Awaitable<object>

/** gRPC path with leading slash -> method. What is not in it is the application's to answer. */
export type Services = ReadonlyMap<string, ServiceMethod>

export interface ServicePorts {
  readonly blocks: BlockReader
  readonly txs: TxIndex
  readonly broadcaster: Broadcaster
  readonly inclusions: Inclusions
  /** How long `BROADCAST_MODE_BLOCK` waits for a block. */
  readonly broadcastBlockTimeoutMs: number
  readonly app: AppQueries
  readonly facts: NodeFacts
  readonly addresses: Pick<AddressCodecs, 'account' | 'consensus'>
  /** Type URLs that transactions may carry, for clients that ask; left out, those of the Msg services of modules with queries. */
  readonly messages?: readonly string[]
}

/** Gives a handler its types back; the table holds handlers of all types. */
export function method<Request, Response extends object>(
  name: string,
  handle: (request: Request, context: CallContext) => Awaitable<Response>,
): readonly [string, ServiceMethod] {
  return [name, handle as ServiceMethod]
}
