import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DiskMultiStoreOptions, openMultiStore } from '../disk-multi-store.js'
import type { MultiStore } from '../multi-store.js'
import { openStateReads, type StateReads } from '../state-reads.js'
import { uniformStores } from './uniform-blocks.js'

/** Heights that the stores of these tests keep. */
export const historyBlocks = 20

/** Stores and readers of one test file; `closeAll` after each test. */
export function createReadingStores() {
  const closers: (() => Promise<unknown>)[] = []
  const folders: string[] = []
  return {
    newFolder(): string {
      const path = mkdtempSync(join(tmpdir(), 'coin-reads-'))
      folders.push(path)
      return path
    },
    openStore(path: string, options: Partial<DiskMultiStoreOptions> = {}): MultiStore {
      const store = openMultiStore({ path, stores: uniformStores, historyBlocks, ...options })
      closers.push(() => store.close())
      return store
    },
    openReads(path: string): StateReads {
      const reads = openStateReads({ path })
      closers.push(() => reads.close())
      return reads
    },
    /** Called before what was opened earlier is closed. */
    onClose(close: () => Promise<unknown>): void {
      closers.push(close)
    },
    async closeAll(): Promise<void> {
      for (const close of closers.splice(0).reverse()) await close()
      for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
    },
  }
}
