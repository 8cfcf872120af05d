/** A node that serves. */
export interface RunningNode {
  /** `host:port` of each open door, by its name: `RPC`, `REST`. */
  readonly addresses: ReadonlyMap<string, string>
  /** Ends it cleanly; resolves when everything is on disk. May be called again. */
  stop(): Promise<void>
  /** Resolves after a clean stop, rejects when the node cannot go on. */
  readonly finished: Promise<void>
}
