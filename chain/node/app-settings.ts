/** What the application is set up with, in whatever thread it runs. Plain data. */
export interface AppSettings {
  /** Folder of everything that the chain keeps. */
  readonly dataDir: string
  readonly chainId: string
  readonly bech32Prefix: string
  readonly denom: string
  /** As app.toml has it, for example `0.025ucoin`; empty takes any fee. */
  readonly minGasPrices: string
  /** Gas that one query may use; unlimited when left out. */
  readonly queryGasLimit?: number
  /** SDK gas of one smart query that a client sends. */
  readonly smartQueryGasLimit?: number
  /** SDK gas of one simulation; the block's limit when left out. */
  readonly simulationGasLimit?: number
}
