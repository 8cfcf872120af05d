import { formatDecCoins } from '@coin/wire/coins'
import type { NodeConfig } from './config/node-config.js'
import type { ListenAddress } from './config/settings.js'
import type { NodeFacts } from './ports.js'
import { versionInfo } from './version.js'

/** Of CometBFT, whose blocks and RPC the embedded engine makes. */
export const cometVersion = '0.38.17'

/** More versions of the trees than this are not kept in memory, whatever app.toml's pruning says. */
const historyBlocksMax = 200

/** Blocks whose state can be read behind the last one. */
export function historyBlocksOf({ keepRecent }: NodeConfig['pruning']): number {
  return keepRecent === 0 ? historyBlocksMax : Math.min(keepRecent, historyBlocksMax)
}

/** What the node tells of itself over every door, as far as it never changes while it runs. */
export function nodeFacts(
  config: NodeConfig,
  nodeId: string,
  chainId: string,
): Omit<NodeFacts, 'isSyncing' | 'earliestStateHeight'> {
  return {
    nodeId,
    moniker: config.moniker,
    chainId,
    listenAddress: tcpAddress(config.p2p.address),
    rpcAddress: tcpAddress(config.rpc.address),
    consensusVersion: cometVersion,
    version: { ...versionInfo, buildDeps: [] },
    minimumGasPrices: formatDecCoins(config.minimumGasPrices),
    pruningKeepRecent: String(historyBlocksOf(config.pruning)),
    pruningInterval: String(config.pruning.interval),
    haltHeight: config.haltHeight,
  }
}

function tcpAddress({ host, port }: ListenAddress): string {
  return `tcp://${host.includes(':') ? `[${host}]` : host}:${port}`
}
