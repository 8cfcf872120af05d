import { silentLogger } from '@coin/base/logger'
import { loadNodeConfig } from '@coin/node/config/node-config'
import type { RunningNode } from '@coin/node/running-node'
import { startNode } from '@coin/node/start'
import { createTestHome, type TestHome } from '../process/node-process.js'

export interface StartedNode {
  readonly home: TestHome
  readonly node: RunningNode
  /** `127.0.0.1:<port>` of the RPC. */
  readonly rpc: string
  close(): Promise<void>
}

const freePorts = {
  'rpc.laddr': 'tcp://127.0.0.1:0',
  'api.enable': 'true',
  'api.address': 'tcp://127.0.0.1:0',
  'grpc.enable': 'false',
}

/** The node's own composition in this process. `settings` are named as the keys of app.toml and config.toml. */
export async function startTestNode(
  home: TestHome,
  settings: Readonly<Record<string, string>> = {},
  logger = silentLogger,
): Promise<StartedNode> {
  const node = await openNode(home, settings, logger)
  return {
    home,
    node,
    rpc: node.addresses.get('RPC')!,
    async close() {
      await node.stop()
      home.remove()
    },
  }
}

export function openNode(
  home: TestHome,
  settings: Readonly<Record<string, string>> = {},
  logger = silentLogger,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningNode> {
  const { config } = loadNodeConfig(home.root, {}, { ...freePorts, ...settings })
  return startNode(config, { logger, signal })
}

export const newTestHome = (chainId: string): TestHome => createTestHome(chainId, 4)
