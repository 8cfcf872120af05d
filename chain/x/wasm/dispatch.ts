import { type Bytes, compareBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { type Attribute, attribute, EventLog, type RuntimeEvent } from '@coin/runtime/events'
import { GasMeter, OutOfGas } from '@coin/runtime/gas'
import type { MsgResult, MsgRouter } from '@coin/runtime/msg-router'
import type { Reply } from '@coin/vm/json'
import type { AddressCodec } from '@coin/wire/addresses'
import { trimSpace } from './checks.js'
import { errors, redacted } from './errors.js'
import { type AttributeLike, anyMessageGas, type EventLike, eventCost } from './gas-register.js'
import { type ChainMsg, toChainMsg, toCoins } from './messages.js'
import type { BankPort } from './ports.js'
import type { Response, SubMsg } from './response.js'

/** How deep messages of contracts may cause further ones. */
const callDepthMax = 100

export interface DispatchOptions {
  readonly router: MsgRouter
  readonly bank: BankPort
  readonly addresses: AddressCodec
  /** Calls a contract's `reply`; answers with its data. */
  readonly reply: (ctx: Write, contract: Bytes, reply: Reply) => Bytes | undefined
}

export interface Dispatcher {
  /** Emits what a contract said and sends its messages. Answers with its data, or that of the last reply that has some. */
  handle(ctx: Write, contract: Bytes, response: Response): Bytes | undefined
}

interface Sent {
  readonly events: readonly RuntimeEvent[]
  readonly responses: readonly MsgResult[]
}

export function createDispatcher(options: DispatchOptions): Dispatcher {
  // Execution is synchronous, so what Go keeps in the context can be counted here.
  let depth = 0

  function handle(ctx: Write, contract: Bytes, response: Response): Bytes | undefined {
    ctx.gas.consume(eventCost(response.attributes, response.events), 'Custom contract event attributes')
    emitContractEvents(ctx, options.addresses.encode(contract), response)
    if (depth >= callDepthMax) throw errors.exceedMaxCallDepth()
    depth++
    try {
      let data = response.data
      for (const sub of response.messages) data = dispatch(ctx, contract, sub) ?? data
      return data
    } finally {
      depth--
    }
  }

  /** Sends one message in a sandbox and tells the contract of the outcome if it wants to hear it. */
  function dispatch(ctx: Write, contract: Bytes, sub: SubMsg): Bytes | undefined {
    if (sub.replyOn === undefined) throw errors.invalid('replyOn value')
    const outcome = attempt(ctx, contract, sub)
    if (outcome instanceof CodedError) {
      if (sub.replyOn === 'success' || sub.replyOn === 'never') throw outcome
      return reply(ctx, contract, sub, { error: redacted(outcome) })
    }
    const isWasm = sub.msg.kind === 'wasm'
    const kept = outcome.events.filter((event) => event.type !== 'message')
    const events = isWasm ? kept.map(withSortedAttributes) : kept
    ctx.events.push(events)
    if (sub.replyOn === 'never' || sub.replyOn === 'error') return undefined
    return reply(ctx, contract, sub, {
      ok: {
        events: isWasm ? events.map(toContractEvent) : [],
        data: outcome.responses[0]?.value,
        msgResponses: outcome.responses,
      },
    })
  }

  function attempt(ctx: Write, contract: Bytes, sub: SubMsg): Sent | CodedError {
    const { gasLimit } = sub
    const isLimited = gasLimit !== undefined && gasLimit < BigInt(ctx.gas.remaining)
    try {
      return ctx.branch((inner) => {
        const log = new EventLog()
        const sandbox = inner.with({ events: log })
        const responses = isLimited
          ? sendLimited(options, sandbox, contract, sub, Number(gasLimit))
          : send(options, sandbox, contract, sub)
        return { events: log.events, responses }
      })
    } catch (error) {
      if (error instanceof CodedError) return error
      throw error
    }
  }

  function reply(ctx: Write, contract: Bytes, sub: SubMsg, result: Reply['result']): Bytes | undefined {
    try {
      // Gas used is always 0, as in wasmd: the figure would differ between versions of other modules.
      return options.reply(ctx, contract, { gasUsed: 0, id: sub.id, result, payload: sub.payload })
    } catch (error) {
      throw error instanceof CodedError ? error.wrap('reply') : error
    }
  }

  return { handle }
}

/** Running out of the message's own limit is an error that the contract can be told; running out of the rest is not. */
function sendLimited(
  options: DispatchOptions,
  ctx: Write,
  contract: Bytes,
  sub: SubMsg,
  gasLimit: number,
): readonly MsgResult[] {
  const meter = new GasMeter(gasLimit)
  try {
    const responses = send(options, ctx.with({ gas: meter }), contract, sub)
    ctx.gas.consume(meter.consumed, 'From limited Sub-Message')
    return responses
  } catch (error) {
    if (error instanceof OutOfGas) {
      ctx.gas.consume(gasLimit, 'Sub-Message OutOfGas panic')
      throw sdkErrors.outOfGas('SubMsg hit gas limit')
    }
    if (error instanceof CodedError) ctx.gas.consume(meter.consumed, 'From limited Sub-Message')
    throw error
  }
}

function send(options: DispatchOptions, ctx: Write, contract: Bytes, { msg }: SubMsg): readonly MsgResult[] {
  const { router, bank, addresses } = options
  if (msg.kind === 'burn') {
    const coins = toCoins(msg.amount)
    if (coins.length === 0) throw errors.empty('amount')
    bank.sendToModule(ctx, contract, 'wasm', coins)
    bank.burn(ctx, 'wasm', coins)
    return []
  }
  const sender = addresses.encode(contract)
  const chainMsg = toChainMsg(sender, msg)
  if (chainMsg === undefined) return []
  return [route(router, ctx, sender, chainMsg)]
}

function route(router: MsgRouter, ctx: Write, sender: string, msg: ChainMsg): MsgResult {
  const { typeUrl } = msg
  const message = 'message' in msg ? msg.message : unpack(router, ctx, msg.typeUrl, msg.value)
  const { check, signers } = router.route(typeUrl)
  check?.(message)
  if (signers(message).some((signer) => signer !== sender)) {
    throw sdkErrors.unauthorized("contract doesn't have permission")
  }
  return router.run(ctx, typeUrl, message)
}

function unpack(router: MsgRouter, ctx: Write, typeUrl: string, value: Bytes): unknown {
  ctx.gas.consume(anyMessageGas, 'unpacking AnyMsg')
  const refuse = () => errors.invalidMsg(`Cannot unpack proto message with type URL: ${typeUrl}`)
  if (!router.has(typeUrl)) throw refuse()
  try {
    return router.decode({ typeUrl, value })
  } catch (error) {
    throw error instanceof CodedError ? refuse() : error
  }
}

function emitContractEvents(ctx: Write, contract: string, response: Response): void {
  if (response.attributes.length > 0) {
    ctx.events.push([{ type: 'wasm', attributes: contractAttributes(contract, response.attributes) }])
  }
  const events = response.events.map((event): RuntimeEvent => {
    const type = trimSpace(event.type)
    if (utf8ToBytes(type).length <= 2) throw errors.invalidEvent(`Event type too short: '${type}'`)
    return { type: `wasm-${type}`, attributes: contractAttributes(contract, event.attributes) }
  })
  ctx.events.push(events)
}

/** The contract's own attributes behind its address. Names that begin with `_` are reserved. */
function contractAttributes(contract: string, own: readonly AttributeLike[]): Attribute[] {
  const attributes: Attribute[] = [attribute('_contract_address', contract)]
  for (const given of own) {
    const key = trimSpace(given.key)
    if (key === '') throw errors.invalidEvent(`Empty attribute key. Value: ${given.value}`)
    if (key.startsWith('_')) {
      throw errors.invalidEvent(`Attribute key starts with reserved prefix _: '${key}'`)
    }
    attributes.push(attribute(key, trimSpace(given.value)))
  }
  return attributes
}

/** wasmd sorts the attributes of what a called contract caused, in the reply and, through it, in the transaction's events. */
function withSortedAttributes(event: RuntimeEvent): RuntimeEvent {
  const keyed = event.attributes.map((own) => ({ key: utf8ToBytes(own.key), own }))
  keyed.sort((a, b) => compareBytes(a.key, b.key))
  return { type: event.type, attributes: keyed.map(({ own }) => own) }
}

function toContractEvent(event: RuntimeEvent): EventLike {
  return { type: event.type, attributes: event.attributes.map(({ key, value }) => ({ key, value })) }
}
