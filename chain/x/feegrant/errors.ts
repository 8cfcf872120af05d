import { defineErrors } from '@coin/base/errors'

/** Numbers and texts of the SDK's x/feegrant. */
export const errors = defineErrors('feegrant', {
  feeLimitExceeded: [2, 'fee limit exceeded'],
  feeLimitExpired: [3, 'fee allowance expired'],
  invalidDuration: [4, 'invalid duration'],
  noAllowance: [5, 'no allowance'],
  noMessages: [6, 'allowed messages are empty'],
  messageNotAllowed: [7, 'message not allowed'],
})
