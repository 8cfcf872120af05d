import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Logger } from '@coin/base/logger'

/** Connections that each door takes at one time. */
export interface ConnectionLimits {
  readonly rpc: number
  readonly api: number
  readonly grpc: number
}

/** What the node itself may have open: databases, logs and snapshots, and some more for each thread. */
const ownFiles = 256
const filesPerThread = 16
/** Stands for a door without a limit. */
const unlimited = 10_000
/** A door is never closed altogether. */
const connectionsMin = 4

/** How many files this process may have open; undefined where the system does not say. */
export function openFilesMax(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined // another system than Linux
  }
}

/**
 * Every connection is an open file. A node that can open no more cannot write its next block either: so connections leave room for
 * it, each door in proportion. `asked` 0 is unlimited.
 */
export function connectionsWithin(
  asked: ConnectionLimits,
  filesMax: number | undefined,
  logger: Pick<Logger, 'warn'>,
): ConnectionLimits {
  if (filesMax === undefined) return asked
  const wanted = { rpc: asked.rpc || unlimited, api: asked.api || unlimited, grpc: asked.grpc || unlimited }
  const sum = wanted.rpc + wanted.api + wanted.grpc
  const room = filesMax - ownFiles - filesPerThread * availableParallelism()
  if (sum <= room) return wanted
  const share = (connections: number) => Math.max(connectionsMin, Math.floor((connections * room) / sum))
  const limits = { rpc: share(wanted.rpc), api: share(wanted.api), grpc: share(wanted.grpc) }
  const advice =
    'this process may have few files open, so the doors take fewer connections; raise its limit (ulimit -n)'
  logger.warn({ filesMax, ...limits }, advice)
  return limits
}
