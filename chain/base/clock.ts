/** Where time comes from. State-machine rooms never read one: their time is the block header's. */
export interface Clock {
  /** Nanoseconds since the Unix epoch, UTC. */
  nowNs(): bigint
}
