import { assert } from '@coin/base/assert'
import type { MessageCodec } from './codec.js'
import type { Write } from './context.js'

/** What using an authorization does to it. `refused`: it does not cover the message. */
export type Acceptance<T> =
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'spent' }
  | { readonly outcome: 'updated'; readonly updated: T }

/**
 * A kind of authorization that accounts may give each other (x/authz). The module whose messages it is about brings it; the type URL of
 * the authorization is its key in `Module.authorizations`.
 */
export interface AuthorizationKind<T = unknown> {
  readonly codec: MessageCodec<T>
  /** Which message it allows. */
  msgTypeUrl(authorization: T): string
  /** What is wrong with it on its face. */
  check(authorization: T): void
  /** Whether it allows `msg`, a decoded message of `msgTypeUrl`. Throws what keeps it from being looked at, or a limit that is passed. */
  accept(ctx: Write, authorization: T, msg: unknown): Acceptance<T>
}

/** Fixes the type and forgets it, so that kinds of all modules fit into one table. */
export function onAuthorization<T>(kind: AuthorizationKind<T>): AuthorizationKind {
  return kind as AuthorizationKind
}

/** From the type URL of an authorization to its kind. */
export interface AuthorizationKinds {
  get(typeUrl: string): AuthorizationKind | undefined
  add(module: { readonly authorizations?: Readonly<Record<string, AuthorizationKind>> }): void
}

/** An empty table: `app/` creates it first, hands it to x/authz, and adds the modules after. */
export function createAuthorizationKinds(): AuthorizationKinds {
  const kinds = new Map<string, AuthorizationKind>()
  return {
    get: (typeUrl) => kinds.get(typeUrl),
    add({ authorizations = {} }) {
      for (const [typeUrl, kind] of Object.entries(authorizations)) {
        assert(!kinds.has(typeUrl), `authorization ${typeUrl} is registered twice`)
        kinds.set(typeUrl, kind)
      }
    },
  }
}
