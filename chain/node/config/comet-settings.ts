import { address, duration, flag, integer, list, oneOf, text } from './settings.js'

/** config.toml: consensus, mempool and RPC. Names are those of CometBFT v0.38. */
export const cometSettings = {
  moniker: text('coin-node', 'A name for this node that others see.'),
  log_level: text(
    'info',
    'Least level that is logged: debug, info, warn or error. Per module as in "state:info,*:error", the last counts.',
  ),
  log_format: oneOf(['plain', 'json'], 'plain', 'How log lines look.'),
  genesis_file: text('config/genesis.json', 'Path from the home folder.'),
  priv_validator_key_file: text('config/priv_validator_key.json', 'Path from the home folder.'),
  priv_validator_state_file: text('data/priv_validator_state.json', 'Path from the home folder.'),
  node_key_file: text('config/node_key.json', 'Path from the home folder.'),
  'rpc.laddr': address('tcp://127.0.0.1:26657', 'Where the RPC listens.'),
  'rpc.cors_allowed_origins': list([], 'Origins whose web pages may use the RPC; "*" for all.'),
  'rpc.max_open_connections': integer(900, 'Connections at one time; 0 is unlimited.'),
  'rpc.max_subscription_clients': integer(100, 'Clients that may subscribe to events at one time.'),
  'rpc.max_subscriptions_per_client': integer(5, 'Subscriptions of one client.'),
  'rpc.experimental_subscription_buffer_size': integer(200, 'Events that wait for a slow client.', { min: 1 }),
  'rpc.timeout_broadcast_tx_commit': duration('10s', 'How long broadcast_tx_commit waits for the block.'),
  'rpc.max_request_batch_size': integer(10, 'Calls in one batch; 0 is unlimited.'),
  'rpc.max_body_bytes': integer(1_000_000, 'Largest request body.', { min: 1 }),
  'rpc.max_header_bytes': integer(1_048_576, 'Largest request header.', { min: 1 }),
  'rpc.unsafe': flag(false, 'Serve unsafe_flush_mempool, dial_seeds and dial_peers.'),
  'p2p.laddr': address(
    'tcp://0.0.0.0:26656',
    'Where other nodes connect. Not used while this node makes its blocks alone.',
  ),
  'mempool.recheck': flag(true, 'Check waiting transactions again after each block.'),
  'mempool.size': integer(5000, 'Most transactions waiting.', { min: 1 }),
  'mempool.max_txs_bytes': integer(67_108_864, 'Most bytes of transactions waiting.', { min: 1 }),
  'mempool.cache_size': integer(10_000, 'How many recent transactions are remembered, to refuse repeats.'),
  'mempool.keep-invalid-txs-in-cache': flag(false, 'Remember refused transactions too.'),
  'mempool.max_tx_bytes': integer(1_048_576, 'Largest transaction in bytes.', { min: 1 }),
  'consensus.timeout_commit': duration(
    '1s',
    'Time after a block before the next; engine.block-time of app.toml goes before it.',
  ),
  'consensus.create_empty_blocks': flag(true, 'Make blocks also when there are no transactions.'),
  'consensus.create_empty_blocks_interval': duration(
    '0s',
    'Least time between empty blocks; 0 is the usual block time.',
  ),
  'tx_index.indexer': oneOf(['kv', 'null'], 'kv', 'kv: transactions can be searched; null: they cannot.'),
  'instrumentation.prometheus': flag(false, 'Serve Prometheus metrics.'),
  'instrumentation.prometheus_listen_addr': address(':26660', 'Where metrics are served.'),
} as const

/** Keys that the reference writes and this node has no use for: accepted without a word. */
export const cometUnused: readonly string[] = [
  'version',
  'proxy_app',
  'db_backend',
  'db_dir',
  'priv_validator_laddr',
  'abci',
  'filter_peers',
  ...within('rpc', 'cors_allowed_methods cors_allowed_headers grpc_laddr grpc_max_open_connections'),
  ...within(
    'rpc',
    'experimental_websocket_write_buffer_size experimental_close_on_slow_client tls_cert_file tls_key_file',
  ),
  ...within('rpc', 'pprof_laddr'),
  ...within('p2p', 'external_address seeds persistent_peers addr_book_file addr_book_strict max_num_inbound_peers'),
  ...within(
    'p2p',
    'max_num_outbound_peers unconditional_peer_ids persistent_peers_max_dial_period flush_throttle_timeout',
  ),
  ...within('p2p', 'max_packet_msg_payload_size send_rate recv_rate pex seed_mode private_peer_ids allow_duplicate_ip'),
  ...within('p2p', 'handshake_timeout dial_timeout'),
  ...within('mempool', 'type recheck_timeout broadcast wal_dir max_batch_bytes'),
  ...within('mempool', 'experimental_max_gossip_connections_to_persistent_peers'),
  ...within('mempool', 'experimental_max_gossip_connections_to_non_persistent_peers'),
  ...within('consensus', 'wal_file timeout_propose timeout_propose_delta timeout_prevote timeout_prevote_delta'),
  ...within('consensus', 'timeout_precommit timeout_precommit_delta double_sign_check_height skip_timeout_commit'),
  ...within('consensus', 'peer_gossip_sleep_duration peer_query_maj23_sleep_duration'),
  'tx_index.psql-conn',
  ...within('instrumentation', 'max_open_connections namespace'),
  'statesync',
  'blocksync',
  'storage',
]

function within(section: string, names: string): string[] {
  return names.split(' ').map((name) => `${section}.${name}`)
}
