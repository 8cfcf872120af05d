import { type Bytes, bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import type { QueryAnswer, SystemError } from './host.js'

// What contracts parse costs gas by the byte, so these texts are consensus: they equal what Go's encoding/json (and, for
// query answers, Rust's serde_json) writes for wasmvm's types, byte for byte.

export interface Env {
  readonly block: { readonly height: number; readonly timeNs: bigint; readonly chainId: string }
  /** Absent outside of a transaction. */
  readonly transaction: { readonly index: number } | undefined
  /** Bech32. */
  readonly contract: { readonly address: string }
}

export interface Coin {
  readonly denom: string
  readonly amount: bigint
}

export interface MessageInfo {
  /** Bech32. */
  readonly sender: string
  readonly funds: readonly Coin[]
}

export interface MigrateInfo {
  readonly sender: string
  readonly oldMigrateVersion: bigint | undefined
}

export interface EventJson {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

export interface Reply {
  /** SDK gas. */
  readonly gasUsed: number
  readonly id: bigint
  readonly result:
    | {
        readonly ok: {
          readonly events: readonly EventJson[]
          readonly data: Bytes | undefined
          readonly msgResponses: readonly { readonly typeUrl: string; readonly value: Bytes }[]
        }
      }
    | { readonly error: string }
  readonly payload: Bytes
}

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** As Go writes a string: `<`, `>`, `&`, U+2028 and U+2029 escaped besides what JSON demands. */
export function goString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, unicodeEscape)
}

/** As Rust's serde_json writes a string: only what JSON demands, which JavaScript does alike. */
const rustString = (text: string): string => JSON.stringify(text)

const list = <T>(items: readonly T[], item: (value: T) => string): string => `[${items.map(item).join(',')}]`

export function coinJson(coin: Coin): string {
  return `{"denom":${goString(coin.denom)},"amount":"${coin.amount}"}`
}

export function encodeEnv(env: Env): Bytes {
  const { block, transaction, contract } = env
  return utf8ToBytes(
    `{"block":{"height":${block.height},"time":"${block.timeNs}","chain_id":${goString(block.chainId)}},` +
      `"transaction":${transaction === undefined ? 'null' : `{"index":${transaction.index}}`},` +
      `"contract":{"address":${goString(contract.address)}}}`,
  )
}

export function encodeInfo(info: MessageInfo): Bytes {
  return utf8ToBytes(`{"sender":${goString(info.sender)},"funds":${list(info.funds, coinJson)}}`)
}

export function encodeMigrateInfo(info: MigrateInfo): Bytes {
  return utf8ToBytes(`{"sender":${goString(info.sender)},"old_migrate_version":${info.oldMigrateVersion ?? 'null'}}`)
}

function eventJson(event: EventJson): string {
  const attribute = ({ key, value }: { key: string; value: string }) =>
    `{"key":${goString(key)},"value":${goString(value)}}`
  return `{"type":${goString(event.type)},"attributes":${list(event.attributes, attribute)}}`
}

/** Characters and bytes that a reply tells of, before any is escaped. */
export function replySize({ result, payload }: Reply): number {
  if ('error' in result) return result.error.length + payload.length
  const { events, data, msgResponses } = result.ok
  let size = payload.length + (data?.length ?? 0)
  for (const { type, attributes } of events) {
    size += type.length
    for (const { key, value } of attributes) size += key.length + value.length
  }
  for (const { typeUrl, value } of msgResponses) size += typeUrl.length + value.length
  return size
}

export function encodeReply(reply: Reply): Bytes {
  const { gasUsed, id, result, payload } = reply
  let outcome: string
  if ('error' in result) outcome = result.error === '' ? '{}' : `{"error":${goString(result.error)}}`
  else {
    const { events, data, msgResponses } = result.ok
    const response = (item: { typeUrl: string; value: Bytes }) =>
      `{"type_url":${goString(item.typeUrl)},"value":"${bytesToBase64(item.value)}"}`
    const dataField = data === undefined || data.length === 0 ? '' : `"data":"${bytesToBase64(data)}",`
    outcome = `{"ok":{"events":${list(events, eventJson)},${dataField}"msg_responses":${list(msgResponses, response)}}}`
  }
  const payloadField = payload.length === 0 ? '' : `,"payload":"${bytesToBase64(payload)}"`
  return utf8ToBytes(`{"gas_used":${gasUsed},"id":${id},"result":${outcome}${payloadField}}`)
}

function systemErrorJson(error: SystemError): string {
  if ('invalid_request' in error) {
    const { error: text, request } = error.invalid_request
    return `{"invalid_request":{"error":${rustString(text)},"request":"${bytesToBase64(request)}"}}`
  }
  if ('invalid_response' in error) {
    const { error: text, response } = error.invalid_response
    return `{"invalid_response":{"error":${rustString(text)},"response":"${bytesToBase64(response)}"}}`
  }
  if ('no_such_contract' in error) return `{"no_such_contract":{"addr":${rustString(error.no_such_contract.addr)}}}`
  if ('no_such_code' in error) return `{"no_such_code":{"code_id":${error.no_such_code.code_id}}}`
  if ('unsupported_request' in error) {
    return `{"unsupported_request":{"kind":${rustString(error.unsupported_request.kind)}}}`
  }
  return '{"unknown":{}}'
}

/** `SystemResult<ContractResult<Binary>>` as the contract receives it. */
export function encodeQueryAnswer(answer: QueryAnswer): Bytes {
  if ('ok' in answer) return utf8ToBytes(`{"ok":{"ok":"${bytesToBase64(answer.ok)}"}}`)
  if ('error' in answer) return utf8ToBytes(`{"ok":{"error":${rustString(answer.error)}}}`)
  return utf8ToBytes(`{"error":${systemErrorJson(answer.systemError)}}`)
}
