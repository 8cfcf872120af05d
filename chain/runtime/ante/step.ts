import type { Bytes } from '@coin/base/bytes'
import type { Coins } from '@coin/wire/coins'
import type { Account } from '../account.js'
import type { Read, Write } from '../context.js'
import type { Tx } from '../tx.js'

/**
 * One thing that is checked or taken before the messages of a transaction run. Steps run in the order of their list, all or
 * nothing: when one throws, what the earlier ones wrote is undone.
 */
export interface AnteStep {
  readonly name: string
  /** Answers with another context (another gas meter, for example) for the steps and messages behind it. */
  run(ctx: Write, tx: Tx): Write | undefined
}

/** The figures of x/auth that the steps need; costs are SDK gas. */
export interface AnteParams {
  readonly maxMemoCharacters: bigint
  readonly txSigLimit: bigint
  readonly txSizeCostPerByte: bigint
  readonly sigVerifyCostSecp256k1: bigint
}

/** What the steps need of x/auth. */
export interface AnteAccounts {
  params(ctx: Read): AnteParams
  get(ctx: Read, address: Bytes): Account | undefined
  set(ctx: Write, address: Bytes, account: Account): void
}

/** Which unordered transactions there have been: each signer uses a timeout once. */
export interface UnorderedNonces {
  /** Notes that the signer has used this timeout (nanoseconds); false when it had already. */
  use(ctx: Write, signer: Bytes, timeoutNs: bigint): boolean
}

/** What the steps need of x/bank: moves the fee to the account that collects fees, or throws and has moved nothing. */
export interface AnteFees {
  collect(ctx: Write, payer: Bytes, fee: Coins): void
}

/** What the steps need of x/feegrant. */
export interface AnteFeeGrants {
  /** Throws unless `granter` lets `grantee` pay this fee for messages of these types; otherwise the allowance is reduced. */
  useGrantedFees(ctx: Write, granter: Bytes, grantee: Bytes, fee: Coins, msgTypeUrls: readonly string[]): void
}
