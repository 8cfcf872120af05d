import { defineErrors } from '@coin/base/errors'

export const errors = defineErrors('auth', { unknownAccountType: [2, 'account type is not supported'] })
