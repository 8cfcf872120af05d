import { defineErrors } from '@coin/base/errors'

export const paramErrors = defineErrors('rpc', { badParams: [1, 'invalid params'] })
