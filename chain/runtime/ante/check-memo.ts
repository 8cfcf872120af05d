import { utf8ToBytes } from '@coin/base/bytes'
import { sdkErrors } from '../errors.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** The limit is in bytes, although the parameter says characters. */
export function checkMemo(accounts: AnteAccounts): AnteStep {
  return {
    name: 'check-memo',
    run(ctx, { body }) {
      if (body.memo === '') return undefined
      const limit = accounts.params(ctx).maxMemoCharacters
      const length = utf8ToBytes(body.memo).length
      if (BigInt(length) > limit) {
        const counts = `maximum number of characters is ${limit} but received ${length} characters`
        throw sdkErrors.memoTooLarge(counts)
      }
      return undefined
    },
  }
}
