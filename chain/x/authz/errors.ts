import { defineErrors } from '@coin/base/errors'

/** Numbers and texts of the SDK's x/authz. */
export const errors = defineErrors('authz', {
  noAuthorizationFound: [2, 'authorization not found'],
  invalidExpirationTime: [3, 'expiration time of authorization should be more than current time'],
  unknownAuthorizationType: [4, 'unknown authorization type'],
  noGrantKeyFound: [5, 'grant key not found'],
  authorizationExpired: [6, 'authorization expired'],
  granteeIsGranter: [7, 'grantee and granter should be different'],
  numOfSigners: [9, 'authorization can be given to msg with only one signer'],
  negativeMaxTokens: [12, 'max tokens should be positive'],
})
