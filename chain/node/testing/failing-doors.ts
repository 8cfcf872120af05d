import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { DoorsData } from '../threads/doors-thread.js'

// The thread of the doors, which fails as soon as there is a file of this name in the data folder, and takes the file with it. The
// file `stuck` lets it do nothing any more instead.

const { dataDir } = (workerData as DoorsData).settings.config.home
const [fail, stuck] = [join(dataDir, 'fail'), join(dataDir, 'stuck')]

setInterval(() => {
  if (existsSync(stuck)) for (;;);
  if (!existsSync(fail)) return
  rmSync(fail)
  throw new RangeError('the doors are told to fail')
}, 5)

await import('../threads/doors-thread.js')
