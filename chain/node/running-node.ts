/** A node that serves. */
export interface RunningNode {
  /** Ends it cleanly; resolves when everything is on disk. May be called again. */
  stop(): Promise<void>
  /** Resolves after a clean stop, rejects when the node cannot go on. */
  readonly finished: Promise<void>
}
