import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { mapKey } from '@coin/runtime/map-key'
import { AcceptedMessageKeysFilter, AcceptedMessagesFilter } from '@coin/wire/gen/cosmwasm/wasm/v1/authz'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { isJson, parsedJson, trimSpace } from './checks.js'
import { errors } from './errors.js'

/** Which messages a contract may be sent. */
export interface Filter {
  check(): void
  accepts(ctx: Write, msg: Bytes): boolean
}

const undefinedFilter: Filter = {
  check() {
    throw sdkErrors.invalidType('undefined filter')
  },
  accepts() {
    throw sdkErrors.notFound('undefined filter')
  },
}

/** Any JSON. */
const allowAll: Filter = {
  check: () => undefined,
  accepts(_, msg) {
    requireJson(msg)
    return true
  },
}

export function unpackFilter(any: Any | undefined): Filter {
  switch (any?.typeUrl) {
    case '/cosmwasm.wasm.v1.AllowAllMessagesFilter':
      return allowAll
    case '/cosmwasm.wasm.v1.AcceptedMessageKeysFilter':
      return acceptedKeys(AcceptedMessageKeysFilter.decode(any.value).keys)
    case '/cosmwasm.wasm.v1.AcceptedMessagesFilter':
      return acceptedMessages(AcceptedMessagesFilter.decode(any.value).messages)
    default:
      return undefinedFilter
  }
}

/** SDK gas of reading a message, for each byte. */
const gasPerByte = 1

/** Objects with one key, and that is one of these. */
function acceptedKeys(keys: readonly string[]): Filter {
  return {
    check() {
      if (keys.length === 0) throw errors.empty('keys')
      const seen = new Set<string>()
      for (const key of keys) {
        if (key === '') throw errors.empty('key')
        if (trimSpace(key) !== key) throw errors.invalid(`key ${JSON.stringify(key)} contains whitespaces`)
        if (seen.has(key)) throw errors.duplicate(`key ${JSON.stringify(key)}`)
        seen.add(key)
      }
    },
    accepts(ctx, msg) {
      ctx.gas.consume(gasPerByte * msg.length, 'contract authorization')
      try {
        requireJson(msg)
      } catch (error) {
        throw error instanceof CodedError ? sdkErrors.unauthorized(`not an allowed msg: ${error.message}`) : error
      }
      const document = parsedJson(msg)
      if (typeof document !== 'object' || document === null || Array.isArray(document)) return false
      const [key, ...others] = Object.keys(document)
      return key !== undefined && others.length === 0 && keys.includes(key)
    },
  }
}

/** Byte for byte one of these. */
function acceptedMessages(messages: readonly Bytes[]): Filter {
  const known = new Set(messages.map(mapKey))
  return {
    check() {
      if (messages.length === 0) throw errors.empty('messages')
      const seen = new Set<string>()
      for (const message of messages) {
        if (message.length === 0) throw errors.empty('message')
        requireJson(message)
        if (seen.has(mapKey(message))) throw errors.duplicate('message')
        seen.add(mapKey(message))
      }
    },
    accepts: (_, msg) => known.has(mapKey(msg)),
  }
}

function requireJson(bytes: Bytes): void {
  if (!isJson(bytes)) throw errors.invalid()
}
