import { type Bytes, bytesToUtf8, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { formatTime } from '@coin/engine/comet/time'
import type { Json } from './comet-json.js'
import { base64, genesisText, hex, publicKeyJson, queryResultJson } from './comet-json.js'
import { failure, method, type RpcMethod, type RpcPorts } from './method.js'

/** Bytes of one chunk of `genesis_chunked` (rpc/core/env.go). */
const genesisChunkBytes = 16 * 1024 * 1024
/** What a CometBFT node's reactors listen on, as the reference prints it. */
const channels = '40202122233038606100'

/** Who the node is, where it stands, and what the application says. */
export function infoMethods(ports: RpcPorts): readonly (readonly [string, RpcMethod])[] {
  const { consensus, facts, genesis, query } = ports
  let genesisBytes: Bytes | undefined
  const genesisOnce = () => {
    genesisBytes ??= utf8ToBytes(genesisText(genesis))
    return genesisBytes
  }
  return [
    method('health', {}, 'never', () => ({})),
    method('status', {}, 'never', () => statusJson(ports)),
    method('net_info', {}, 'never', () => ({
      listening: true,
      listeners: ['Listener(@)'],
      n_peers: '0',
      peers: [],
    })),
    method('genesis', {}, 'always', () => {
      const bytes = genesisOnce()
      if (bytes.length > genesisChunkBytes)
        throw failure('genesis response is large, please use the genesis_chunked API instead')
      return { text: `{"genesis":${bytesToUtf8(bytes)}}` }
    }),
    method('genesis_chunked', { chunk: 'uint' }, 'always', ({ chunk = 0 }) => {
      const bytes = genesisOnce()
      const total = Math.max(1, Math.ceil(bytes.length / genesisChunkBytes))
      if (chunk >= total) throw failure(`there are ${total - 1} chunks, ${chunk} is invalid`)
      const part = bytes.subarray(chunk * genesisChunkBytes, (chunk + 1) * genesisChunkBytes)
      return { chunk: String(chunk), total: String(total), data: base64(part) }
    }),
    method('abci_info', {}, 'never', async () => {
      const { lastHeight, lastAppHash, version, appVersion } = await consensus.info()
      return {
        response: {
          data: facts.version.appName,
          version,
          ...(appVersion !== 0n && { app_version: String(appVersion) }),
          ...(lastHeight !== 0 && { last_block_height: String(lastHeight) }),
          ...(lastAppHash.length > 0 && { last_block_app_hash: base64(lastAppHash) }),
        },
      }
    }),
    method(
      'abci_query',
      { path: 'string', data: 'hex', height: 'int', prove: 'bool' },
      'never',
      async ({ path = '', data = emptyBytes, height = 0, prove = false }) => ({
        response: queryResultJson(await query({ path, data, height, prove })),
      }),
    ),
  ]
}

/** What Go prints for a time of 0 nanoseconds: there is no block yet. */
const noTime = formatTime(0n)

function statusJson(ports: RpcPorts): Json {
  const { blocks, facts, validator } = ports
  const { blockId, header } = blocks.meta(blocks.height()) ?? {}
  const first = blocks.meta(blocks.base())
  const own = blocks
    .validators(blocks.height() + 1)
    ?.validators.find(({ address }) => hex(address) === hex(validator.address))
  return {
    node_info: nodeInfoJson(ports),
    sync_info: {
      latest_block_hash: blockId ? hex(blockId.hash) : '',
      latest_app_hash: header ? hex(header.appHash) : '',
      latest_block_height: String(blocks.height()),
      latest_block_time: header ? formatTime(header.time) : noTime,
      earliest_block_hash: first ? hex(first.blockId.hash) : '',
      earliest_app_hash: first ? hex(first.header.appHash) : '',
      earliest_block_height: String(blocks.base()),
      earliest_block_time: first ? formatTime(first.header.time) : noTime,
      catching_up: facts.isSyncing(),
    },
    validator_info: {
      address: hex(validator.address),
      pub_key: publicKeyJson({ keyType: 'ed25519', pubKey: validator.pubKey }),
      voting_power: String(own?.power ?? 0n),
    },
  }
}

function nodeInfoJson({ facts, index, blocks }: RpcPorts): Json {
  return {
    protocol_version: { p2p: '8', block: '11', app: String(blocks.meta(blocks.height())?.header.version.app ?? 0n) },
    id: facts.nodeId,
    listen_addr: facts.listenAddress,
    network: facts.chainId,
    version: facts.consensusVersion,
    channels,
    moniker: facts.moniker,
    other: { tx_index: index ? 'on' : 'off', rpc_address: facts.rpcAddress },
  }
}
