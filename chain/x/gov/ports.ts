import type { Write } from '@coin/runtime/context'

/** What gov needs of auth: its module account is opened at genesis. */
export interface AccountsPort {
  moduleAccount(ctx: Write, name: string): unknown
}
