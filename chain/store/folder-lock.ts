import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { storeErrors } from './errors.js'

const lockName = /^lock\.(\d+)\.([\w-]*)$/

/**
 * Takes the folder for this process; answers how to give it back. Throws `locked` while a living process has it.
 *
 * A lock is an empty file named for its process and when that began, so what a killed process left behind is known, and a number
 * used again does not deceive. Each process makes its own file before it looks for others: of two that come at the same time, one
 * may be refused needlessly (or both), but never are both let in.
 */
export function lockFolder(path: string): () => void {
  const own = `lock.${process.pid}.${startOf(process.pid) ?? ''}`
  const unlock = () => rmSync(join(path, own), { force: true })
  try {
    closeSync(openSync(join(path, own), 'wx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw lockedBy(path, own, process.pid)
    throw error
  }
  for (const name of readdirSync(path)) {
    const [, pid, start] = lockName.exec(name) ?? []
    if (pid === undefined || name === own) continue
    if (isAlive(Number(pid), start ?? '')) {
      unlock()
      throw lockedBy(path, name, Number(pid))
    }
    rmSync(join(path, name), { force: true })
  }
  return unlock
}

/** The living process that has the folder, if any; changes nothing. */
export function holderOfFolder(path: string): number | undefined {
  for (const name of readdirSync(path)) {
    const [, pid, start] = lockName.exec(name) ?? []
    if (pid !== undefined && isAlive(Number(pid), start ?? '')) return Number(pid)
  }
  return undefined
}

function lockedBy(path: string, name: string, pid: number) {
  return storeErrors.locked(`${path} belongs to process ${pid}; stop it, or remove ${name} there if it does not run`)
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const started = startOf(pid)
  return started === undefined || started === start
}

/**
 * When a process began: the boot's id and clock ticks since then. `dead` for one that ended and waits for its parent, undefined
 * where the system does not tell.
 */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may hold spaces and parentheses: the state, then 18 fields, then the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : `${boot}-${fields[19]}`
  } catch {
    return undefined
  }
}
