import { setPriority } from 'node:os'

/**
 * Lets the calling thread go behind the others when the processor is short: 1 a little, 19 wherever possible. On Linux this is of
 * the thread alone, and of those that it starts; elsewhere it would be of the process, so nothing happens.
 */
export function lowerPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, niceness)
  } catch {
    // A sandbox may forbid it.
  }
}
