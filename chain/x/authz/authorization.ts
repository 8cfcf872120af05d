import type { Acceptance, AuthorizationKinds } from '@coin/runtime/authorization'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import type { Any } from '@coin/wire/gen/google/protobuf/any'

/** An authorization of any kind. */
export interface Authorization {
  /** Which message it allows. */
  readonly msgTypeUrl: string
  check(): void
  accept(ctx: Write, msg: unknown): Acceptance<Authorization>
  pack(): Any
}

/** Throws `invalidType` for nothing and for a kind that this chain does not have. */
export function unpackAuthorization(kinds: AuthorizationKinds, any: Any | undefined): Authorization {
  if (any === undefined) throw sdkErrors.invalidType('authorization is nil')
  const { typeUrl } = any
  const kind = kinds.get(typeUrl)
  if (kind === undefined) throw sdkErrors.invalidType(`${typeUrl} is no authorization that this chain has`)
  const wrap = (value: unknown): Authorization => ({
    msgTypeUrl: kind.msgTypeUrl(value),
    check: () => kind.check(value),
    accept(ctx, msg) {
      const acceptance = kind.accept(ctx, value, msg)
      return acceptance.outcome === 'updated' ? { outcome: 'updated', updated: wrap(acceptance.updated) } : acceptance
    },
    pack: () => ({ typeUrl, value: kind.codec.encode(value).finish() }),
  })
  return wrap(kind.codec.decode(any.value))
}
