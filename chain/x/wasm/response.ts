import type { Bytes } from '@coin/base/bytes'
import { parseJson } from '@coin/wire/json-text'
import type { AttributeLike, EventLike } from './gas-register.js'
import { JsonFields } from './json-fields.js'
import { type CosmosMsg, parseCosmosMsg } from './messages.js'

/** When a contract wants to hear what became of a message it sent. `undefined` is what an unknown contract leaves out. */
export type ReplyOn = 'always' | 'success' | 'error' | 'never'

export interface SubMsg {
  readonly id: bigint
  readonly msg: CosmosMsg
  readonly payload: Bytes
  /** SDK gas that the message may use; all that is left when absent. */
  readonly gasLimit: bigint | undefined
  readonly replyOn: ReplyOn | undefined
}

/** What instantiate, execute, migrate, sudo and reply answer. */
export interface Response {
  readonly messages: readonly SubMsg[]
  readonly attributes: readonly AttributeLike[]
  readonly events: readonly EventLike[]
  /** `undefined` differs from empty: only data that is there replaces other data. */
  readonly data: Bytes | undefined
}

/** The contract's own success or failure. */
export type ContractResult<T> = { readonly ok: T } | { readonly error: string }

const replyPayloadBytesMax = 128 * 1024

const text = new TextDecoder('utf-8', { ignoreBOM: true })

function parseResult<T>(data: Bytes, read: (fields: JsonFields) => T): ContractResult<T> {
  const document = JsonFields.of(parseJson(text.decode(data)), 'response')
  const error = document.text('error')
  return error === '' ? { ok: read(document) } : { error }
}

/** Throws a `CodedError` that says what is wrong when it is no such answer. */
export function parseResponse(data: Bytes): ContractResult<Response> {
  return parseResult(data, (document) => {
    const ok = document.object('ok')
    return {
      messages: ok.list('messages', parseSubMsg),
      attributes: ok.list('attributes', parseAttribute),
      events: ok.list('events', (event) => ({
        type: event.text('type'),
        attributes: event.list('attributes', parseAttribute),
      })),
      data: ok.maybeBytes('data'),
    }
  })
}

/** What `query` answers. */
export function parseQueryResponse(data: Bytes): ContractResult<Bytes> {
  return parseResult(data, (document) => document.bytes('ok'))
}

function parseAttribute(fields: JsonFields): AttributeLike {
  return { key: fields.text('key'), value: fields.text('value') }
}

function parseSubMsg(fields: JsonFields): SubMsg {
  const replyOn = fields.text('reply_on')
  const payload = fields.bytes('payload')
  if (replyOn !== '' && !isReplyOn(replyOn)) throw fields.refuse('reply_on', `always, success, error or never`)
  if (payload.length > replyPayloadBytesMax) throw fields.refuse('payload', `at most ${replyPayloadBytesMax} bytes`)
  return {
    id: fields.uint64('id'),
    msg: parseCosmosMsg(fields.object('msg')),
    payload,
    gasLimit: fields.maybeUint64('gas_limit'),
    replyOn: replyOn === '' ? undefined : replyOn,
  }
}

function isReplyOn(value: string): value is ReplyOn {
  return value === 'always' || value === 'success' || value === 'error' || value === 'never'
}
