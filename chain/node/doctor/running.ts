import { connect } from 'node:net'
import { createRpcClient } from '../cli/client/rpc.js'
import type { NodeConfig } from '../config/node-config.js'
import type { ListenAddress } from '../config/settings.js'
import type { Findings } from './finding.js'
import { doorsOf } from './machine.js'

/** Times that a block may take longer than it should before somebody looks. */
const lateFactor = 10
const lateMsMin = 30_000

/** A node that runs: whether its doors answer, and whether it makes blocks. */
export async function checkRunning(config: NodeConfig, pid: number, findings: Findings): Promise<void> {
  findings.ok('node', `process ${pid} runs on this folder`)
  for (const { name, address } of doorsOf(config)) {
    if (address.port === 0) continue
    const where = `${name} on ${address.host}:${address.port}`
    if (await accepts(address)) findings.ok('ports', `${where} takes connections`)
    else
      findings.problem(
        'ports',
        `${where} does not answer`,
        'see the log of the node; flags may have given it other ports',
      )
  }
  if (config.rpc.address.port === 0) return
  await findings.guard('node', 'see the log of the node', async () => {
    const { sync_info: info } = (await createRpcClient(url(config.rpc.address)).call('status', {})) as unknown as {
      readonly sync_info: { readonly latest_block_height: string; readonly latest_block_time: string }
    }
    const ageMs = Date.now() - Date.parse(info.latest_block_time)
    const text = `block ${info.latest_block_height} was made ${Math.round(ageMs / 1000)} s ago`
    const { blockTimeMs, createEmptyBlocks } = config.engine
    const isLate = createEmptyBlocks && ageMs > Math.max(lateMsMin, lateFactor * blockTimeMs)
    if (isLate) findings.problem('node', `${text}: it makes no blocks`, 'see the log of the node; start it again')
    else findings.ok('node', text)
  })
}

function url({ host, port }: ListenAddress): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

const connectMsMax = 3000

function accepts({ host, port }: ListenAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port, timeout: connectMsMax })
    const end = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
