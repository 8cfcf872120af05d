import { address, duration, flag, gasPrices, integer, list, oneOf, text } from './settings.js'

/** app.toml: what this node does beside agreeing on blocks. Names are those of the Cosmos SDK v0.53 where it has them. */
export const appSettings = {
  'minimum-gas-prices': gasPrices(
    '0ucoin',
    'Least price per unit of gas for this node to take a transaction, per denom.',
  ),
  'query-gas-limit': integer(0, 'Most gas that one query may use; 0 is 300,000,000, which reads 100 MB of state.', {
    asText: true,
  }),
  pruning: oneOf(
    ['default', 'nothing', 'everything', 'custom'],
    'default',
    'Which past states are kept. default: the last 362880; nothing: all; everything: the last 2; custom: as below. This node keeps 200 at most.',
  ),
  'pruning-keep-recent': integer(0, 'With pruning = "custom": how many past states are kept.', { asText: true }),
  'pruning-interval': integer(0, 'With pruning = "custom": every how many blocks older states are removed.', {
    asText: true,
  }),
  'halt-height': integer(0, 'Stop cleanly before the block of this height is made; 0 never.'),
  'halt-time': integer(0, 'Stop cleanly at this Unix time in seconds; 0 never.'),
  'min-retain-blocks': integer(0, 'Blocks further below the tip than this may be removed; 0 keeps all.'),
  'index-events': list([], 'Event attributes to index, like "message.sender"; empty indexes all.'),
  'bech32-prefix': text(
    '',
    'Prefix of account addresses. Empty: taken from the addresses in genesis.json, otherwise "coin".',
  ),
  'api.enable': flag(true, 'Serve the REST API.'),
  'api.swagger': flag(true, 'Serve API documentation with it: /swagger, /openapi.json.'),
  'api.address': address('tcp://localhost:1317', 'Where the REST API listens.'),
  'api.max-open-connections': integer(1000, 'Connections at one time.', { min: 1 }),
  'api.rpc-read-timeout': integer(10, 'Seconds to receive a request.', { min: 1, max: 86_400 }),
  'api.rpc-write-timeout': integer(0, 'Seconds to answer a request; 0 is as long as its work may take by itself.', {
    max: 86_400,
  }),
  'api.rpc-max-body-bytes': integer(1_000_000, 'Largest request body.', { min: 1 }),
  'api.broadcast-block-timeout': integer(
    30,
    'Own key. Seconds that a broadcast with BROADCAST_MODE_BLOCK waits for the block of its transaction.',
    { min: 1, max: 3600 },
  ),
  'api.enabled-unsafe-cors': flag(false, 'Let web pages of any origin use the REST API.'),
  'grpc.enable': flag(true, 'Serve gRPC.'),
  'grpc.address': address('localhost:9090', 'Where gRPC listens.'),
  'grpc.max-recv-msg-size': integer(10_485_760, 'Largest message received, in bytes.', { min: 1, asText: true }),
  'grpc.max-send-msg-size': integer(2_147_483_647, 'Largest message sent, in bytes.', { min: 1, asText: true }),
  'grpc-web.enable': flag(true, 'Serve gRPC-Web at the address of the REST API; needs gRPC too.'),
  'telemetry.enabled': flag(false, 'Collect metrics.'),
  'telemetry.prometheus-retention-time': integer(0, 'Seconds that Prometheus metrics are kept; 0 serves none.'),
  'mempool.max-txs': integer(-1, 'Of the SDK; this node has its mempool in config.toml.', { min: -1 }),
  'wasm.query_gas_limit': integer(50_000_000, 'Most gas of a smart query that a client sends.', { min: 1 }),
  'wasm.memory_cache_size': integer(100, 'MiB of compiled contracts kept in memory.', { max: 65_536 }),
  'wasm.simulation_gas_limit': text('', 'Most gas of a simulated contract call; empty is the block limit.'),
  'queries.timeout': duration(
    '10s',
    'Own key. How long a query may wait, and then how long it may run, before it is ended.',
  ),
  'queries.readers': integer(0, 'Own key. Threads that answer queries; 0 is one a core, and at least 2.', { max: 64 }),
  'engine.block-time': duration(
    '1s',
    'Own key. Time from one block to the next. When it is left out, consensus.timeout_commit of config.toml.',
  ),
  'engine.create-blocks-on-demand': flag(true, 'Own key. Make a block at once when transactions are waiting.'),
} as const

/** Keys that the reference writes and this node has no use for: accepted without a word. */
export const appUnused: readonly string[] = [
  'inter-block-cache',
  'iavl-cache-size',
  'iavl-disable-fastnode',
  'iavl-lazy-loading',
  'app-db-backend',
  'telemetry.service-name',
  'telemetry.enable-hostname',
  'telemetry.enable-hostname-label',
  'telemetry.enable-service-label',
  'telemetry.global-labels',
  'telemetry.metrics-sink',
  'telemetry.statsd-addr',
  'telemetry.datadog-hostname',
  'state-sync',
  'streaming',
  'store',
  'rosetta',
]
