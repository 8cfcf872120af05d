import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { checkPacked } from '@coin/wire/tx'
import type { Write } from './context.js'
import { sdkErrors } from './errors.js'
import type { Module, MsgRoute, PackedMsg } from './module.js'

/** The answer of one message. */
export interface MsgResult {
  /** `/cosmos.bank.v1beta1.MsgSendResponse` */
  readonly typeUrl: string
  readonly value: Bytes
}

/** From type URL to the module that runs it. Contracts that send messages go through the same table. */
export interface MsgRouter {
  has(typeUrl: string): boolean
  /** Throws `unknownRequest` when no module runs this type. */
  route(typeUrl: string): MsgRoute
  /** Throws `unknownRequest`, or what is wrong with bytes that are no such message. */
  decode(msg: PackedMsg): unknown
  /** Checks and runs a decoded message; the caller branches. Emits the module's own events only, no `message` event. */
  run(ctx: Write, typeUrl: string, msg: unknown): MsgResult
  /** Registered type URLs, sorted. */
  list(): readonly string[]
  add(module: Module): void
}

/** An empty table: `app/` creates it first, hands it to modules that send messages, and adds the modules after. */
export function createMsgRouter(): MsgRouter {
  const routes = new Map<string, MsgRoute>()

  const route = (typeUrl: string): MsgRoute => {
    const found = routes.get(typeUrl)
    if (found === undefined) throw sdkErrors.unknownRequest(`no message handler found for ${typeUrl}`)
    return found
  }

  return {
    has: (typeUrl) => routes.has(typeUrl),
    route,
    decode({ typeUrl, value }) {
      const message = route(typeUrl).request.decode(value)
      checkPacked(typeUrl.slice(1), message)
      return message
    },
    run(ctx, typeUrl, msg) {
      const { response, responseType, check, run } = route(typeUrl)
      check?.(msg)
      return { typeUrl: `/${responseType}`, value: response.encode(run(ctx, msg)).finish() }
    },
    list: () => [...routes.keys()].sort(),
    add(module) {
      for (const [typeUrl, entry] of Object.entries(module.msgs ?? {})) {
        assert(!routes.has(typeUrl), `message ${typeUrl} is registered twice`)
        routes.set(typeUrl, entry)
      }
    },
  }
}
