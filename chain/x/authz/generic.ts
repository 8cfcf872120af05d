import { type AuthorizationKind, onAuthorization } from '@coin/runtime/authorization'
import { plainError } from '@coin/runtime/errors'
import { GenericAuthorization } from '@coin/wire/gen/cosmos/authz/v1beta1/authz'

/** Allows one type of message without limits. */
export const authzAuthorizations: Readonly<Record<string, AuthorizationKind>> = {
  '/cosmos.authz.v1beta1.GenericAuthorization': onAuthorization<GenericAuthorization>({
    codec: GenericAuthorization,
    msgTypeUrl: ({ msg }) => msg,
    check({ msg }) {
      if (msg === '') throw plainError('msg type cannot be empty')
    },
    accept: () => ({ outcome: 'kept' }),
  }),
}
