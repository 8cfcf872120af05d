import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { storeErrors } from './errors.js'

/**
 * Takes the folder for this process; answers how to give it back. Throws `locked` while a living process has it. The lock of a
 * process that was killed is taken over: it names the process and when that started, so a reused number does not deceive.
 */
export function lockFolder(path: string): () => void {
  const file = join(path, 'lock')
  const own = `${process.pid} ${startOf(process.pid)}`
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(file, 'wx')
      writeSync(fd, own)
      closeSync(fd)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid = '', start = ''] = readFileSync(file, 'utf8').split(' ')
    if (isAlive(Number(pid), start)) throw storeErrors.locked(`${path} belongs to process ${pid}; stop it first`)
    rmSync(file, { force: true })
  }
  throw storeErrors.locked(`${path} was taken by another process just now`)
}

function isAlive(pid: number, start: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return startOf(pid) === start
}

/** When a process began, in clock ticks since boot with the boot's id; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}
