/** What the clients of a load are to do; plain data, for their process. */
export interface LoadPlan {
  readonly rest: string
  readonly rpc: string
  /** `host:port`; none where the node has no gRPC. */
  readonly grpc: string | undefined
  /** Each on a connection of its own, which is kept. */
  readonly clients: number
  readonly subscribers: number
  /** Between an answer and the next request of a client; a random time up to twice as long. */
  readonly thinkMs: number
  readonly seed: number
  readonly addresses: readonly string[]
  readonly cw20: string
  /** Hashes of transactions that are in blocks, upper-case hexadecimal. */
  readonly hashes: readonly string[]
}

/** One kind of request. */
export interface LoadRequest {
  readonly name: string
  readonly door: 'rest' | 'rpc' | 'grpc'
  /** REST: the path. RPC: the JSON-RPC body. gRPC: the method, `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly target: string
  /** gRPC: the request message, base64. */
  readonly body?: string
}

export interface LoadKind {
  readonly name: string
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadReport {
  readonly seconds: number
  readonly requests: number
  /** The first of each kind, with how often it came. */
  readonly errors: readonly string[]
  readonly kinds: readonly LoadKind[]
  /** Subscribers that were told that they are too slow, and cut off: as it must be when the machine does not let them read. */
  readonly told: number
  /** Events of each other subscriber. */
  readonly blocks: readonly number[]
  readonly txs: readonly number[]
}
