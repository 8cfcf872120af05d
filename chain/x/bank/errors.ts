import { defineErrors } from '@coin/base/errors'

/** Numbers and texts of the SDK's x/bank. */
export const errors = defineErrors('bank', {
  noInputs: [2, 'no inputs to send transaction'],
  noOutputs: [3, 'no outputs to send transaction'],
  inputOutputMismatch: [4, 'sum inputs != sum outputs'],
  sendDisabled: [5, 'send transactions are disabled'],
  denomMetadataNotFound: [6, 'client denom metadata not found'],
  invalidKey: [7, 'invalid key'],
  duplicateEntry: [8, 'duplicate entry'],
  multipleSenders: [9, 'multiple senders not allowed'],
})
