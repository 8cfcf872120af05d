/** Valid things of the chain under test, to start from. */
export interface Seeds {
  readonly addresses: readonly string[]
  readonly validators: readonly string[]
  readonly contract: string
  /** Upper-case hexadecimal. */
  readonly hashes: readonly string[]
  readonly blockHashes: readonly string[]
  /** Signed transactions, included or not. */
  readonly txs: readonly Uint8Array[]
}
