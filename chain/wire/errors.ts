import { defineErrors } from '@coin/base/errors'

/** What can be wrong with bytes and text that come from outside. Every message names the value and what was expected. */
export const errors = defineErrors('wire', {
  badAddress: [1, 'invalid address'],
  badDecimal: [2, 'invalid decimal'],
  badInteger: [3, 'invalid integer'],
  outOfRange: [4, 'out of range'],
  divideByZero: [5, 'division by zero'],
  badDenom: [6, 'invalid denom'],
  badCoins: [7, 'invalid coins'],
  insufficientCoins: [8, 'insufficient coins'],
  badJson: [9, 'invalid JSON'],
  unknownField: [10, 'unknown field'],
  unknownType: [11, 'unknown type'],
  badValue: [12, 'invalid value'],
  badRoute: [13, 'invalid route'],
  badTx: [14, 'invalid transaction'],
  badKey: [15, 'invalid key'],
  notAmino: [16, 'no amino JSON form'],
})

/** A value for an error message, cut to `length` characters so that a message stays one line. */
export function excerpt(text: string, length = 80): string {
  return text.length <= length ? `"${text}"` : `"${text.slice(0, length)}..." (${text.length} characters)`
}
