import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import { decodeBech32 } from '@coin/wire/bech32'
import { plainError, sdkErrors } from './errors.js'

/** An address as modules read it that add no code of their own: `logic` for one of another chain, otherwise a plain error. */
export function plainAddress(addresses: AddressCodec, text: string): Bytes {
  try {
    return addresses.decode(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw isForeign(addresses, text) ? sdkErrors.logic(error.message) : plainError(error.message)
  }
}

function isForeign({ prefix }: AddressCodec, text: string): boolean {
  try {
    return decodeBech32(text).prefix !== prefix
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}
