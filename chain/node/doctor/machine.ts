import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import type { NodeConfig } from '../config/node-config.js'
import type { ListenAddress } from '../config/settings.js'
import type { Findings } from './finding.js'

const nodeMin = [20, 19] as const
const mib = 1024 * 1024
const gib = 1024 * mib

/** Memory that the node wants to itself: the tree, the caches, and contracts. */
const memoryMin = gib

/** Files that are open besides connections: databases, log, code. */
const filesBesides = 256

export function checkMachine(config: NodeConfig, findings: Findings): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])
  if (isOld)
    findings.problem('runtime', `Node.js ${process.version}`, `install ${nodeMin.join('.')} or a later version`)
  else findings.ok('runtime', `Node.js ${process.version}`)
  const [free, total] = [freemem(), totalmem()]
  const memory = `${gibText(free)} of ${gibText(total)} memory are free`
  if (total < memoryMin) findings.warning('memory', memory, `give the machine at least ${gibText(memoryMin)}`)
  else findings.ok('memory', memory)
  checkOpenFiles(config, findings)
}

function checkOpenFiles({ rpc, api }: NodeConfig, findings: Findings): void {
  const path = '/proc/self/limits'
  if (!existsSync(path)) return
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(path, 'utf8'))?.[1]
  if (limit === undefined) return
  const wanted = rpc.maxOpenConnections + (api.enable ? api.maxOpenConnections : 0) + filesBesides
  const text = `${limit} files may be open; ${wanted} are needed with all connections that the settings allow`
  if (limit === 'unlimited' || Number(limit) >= wanted) findings.ok('open files', text)
  else
    findings.warning(
      'open files',
      text,
      `raise it (ulimit -n ${wanted}), or lower api.max-open-connections and rpc.max_open_connections`,
    )
}

/** Bytes of all files below a folder; what goes away meanwhile counts nothing. */
export function folderBytes(path: string): number {
  if (!existsSync(path)) return 0
  let sum = 0
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name)
    try {
      // What is allocated: LMDB's files have holes.
      sum += entry.isDirectory() ? folderBytes(at) : statSync(at).blocks * 512
    } catch {
      // gone
    }
  }
  return sum
}

const dayMs = 86_400_000
const freeMin = gib
const daysFew = 30

/** `ageMs`: time that the chain has taken to grow to what it is; undefined when it has not begun. */
export function checkDisk(config: NodeConfig, ageMs: number | undefined, findings: Findings): void {
  const { dataDir, root } = config.home
  const disk = statfsSync(existsSync(dataDir) ? dataDir : root)
  const free = disk.bavail * disk.bsize
  const used = folderBytes(dataDir)
  const state = `${gibText(free)} are free on the disk of ${dataDir}, which holds ${gibText(used)}`
  const isLongEnough = ageMs !== undefined && ageMs > dayMs / 24
  const perDay = isLongEnough ? (used / ageMs) * dayMs : 0
  const days = perDay > 0 ? free / perDay : Number.POSITIVE_INFINITY
  const growth = isLongEnough
    ? `; it grew by about ${gibText(perDay)} a day, so that there is room for ${days > 3650 ? 'years' : `${Math.floor(days)} days`}`
    : '; the chain is too young to tell how it grows'
  const advice =
    'make room, move the data folder to a larger disk, or keep fewer blocks (min-retain-blocks in app.toml)'
  if (free < freeMin || days < 3) findings.problem('disk', state + growth, advice)
  else if (free < 5 * freeMin || days < daysFew) findings.warning('disk', state + growth, advice)
  else findings.ok('disk', state + growth)
}

export function gibText(bytes: number): string {
  return bytes >= gib / 10 ? `${(bytes / gib).toFixed(1)} GiB` : `${(bytes / mib).toFixed(1)} MiB`
}

/** The doors of the node and where they open. */
export function doorsOf({
  rpc,
  api,
  grpc,
}: NodeConfig): readonly { readonly name: string; readonly address: ListenAddress }[] {
  return [
    { name: 'RPC', address: rpc.address },
    ...(api.enable ? [{ name: 'REST', address: api.address }] : []),
    ...(grpc.enable ? [{ name: 'gRPC', address: grpc.address }] : []),
  ]
}

/** Of a node that does not run. */
export async function checkPorts(config: NodeConfig, findings: Findings): Promise<void> {
  for (const { name, address } of doorsOf(config)) {
    if (address.port === 0) continue // a free one is taken
    const where = `${name} on ${address.host}:${address.port}`
    const code = await listenProblem(address)
    if (code === undefined) findings.ok('ports', `${where} is free`)
    else if (code === 'EADDRINUSE')
      findings.problem('ports', `${where}: another program has that port`, 'stop it, or set another port')
    else findings.problem('ports', `${where}: ${code}`, 'set another address')
  }
}

function listenProblem({ host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
