import type { MultiStore } from '@coin/store/multi-store'

/** Done when other threads can read the state of `height`. */
export function writtenUpTo(store: Pick<MultiStore, 'written' | 'onWritten'>, height: number): Promise<void> {
  if (store.written >= height) return Promise.resolve()
  return new Promise((resolve) => {
    const unsubscribe = store.onWritten((written) => {
      if (written < height) return
      unsubscribe()
      resolve()
    })
  })
}
