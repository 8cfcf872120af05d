/** What has been opened, to be closed the other way round. */
export interface Closing {
  add(close: () => Promise<void>): void
  /** Closes everything, also when some of it fails; throws the first failure. What is closed is not closed again. */
  closeAll(): Promise<void>
}

export function createClosing(): Closing {
  const opened: (() => Promise<void>)[] = []
  return {
    add: (close) => void opened.push(close),
    async closeAll() {
      const failures: unknown[] = []
      for (let close = opened.pop(); close !== undefined; close = opened.pop()) {
        await close().catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
