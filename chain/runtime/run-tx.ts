import { CodedError } from '@coin/base/errors'
import { TxMsgData } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { outOfGasError, runAnte } from './ante/ante.js'
import type { AnteStep } from './ante/step.js'
import type { Write } from './context.js'
import { sdkErrors } from './errors.js'
import { type Attribute, attribute, EventLog, type RuntimeEvent, silentLog, withAttributes } from './events.js'
import { type GasMeter, OutOfGas } from './gas.js'
import type { MsgResult, MsgRouter } from './msg-router.js'
import type { Tx, TxMsg } from './tx.js'

export interface TxOutcome {
  /** The limit of the meter in force; `noGasLimit` where there is none. */
  readonly gasWanted: number
  readonly gasUsed: number
  /** Absent on success. */
  readonly error?: CodedError
  /** Encoded `cosmos.base.abci.v1beta1.TxMsgData`; empty on failure. */
  readonly data: Uint8Array
  readonly responses: readonly MsgResult[]
  readonly events: readonly RuntimeEvent[]
}

export interface TxRunner {
  readonly steps: readonly AnteStep[]
  readonly router: MsgRouter
}

const noData = new Uint8Array(0)

/**
 * One transaction in any mode: `check` and `recheck` stop behind the ante steps. What the ante steps wrote (fee, sequence)
 * stays when a message fails; what messages wrote does not. Only our own bugs are thrown.
 *
 * `blockGas` is charged whatever happens; when it runs out by this transaction, its messages are undone. What fails before the
 * ante steps has used what `ctx.gas` counted.
 */
export function runTx({ steps, router }: TxRunner, ctx: Write, tx: Tx, blockGas?: GasMeter): TxOutcome {
  if (blockGas?.isOutOfGas) return notStarted(sdkErrors.outOfGas('no block gas left to run tx'))
  const isChecking = ctx.mode === 'check' || ctx.mode === 'recheck'
  let current = ctx.with({ events: isChecking ? silentLog : new EventLog() })
  let gasWanted = 0
  let anteEvents: readonly RuntimeEvent[] = []
  let isPaid = false
  const payBlock = (): void => {
    if (blockGas === undefined || isPaid) return
    isPaid = true
    blockGas.consume(current.gas.consumedToLimit, 'block gas meter')
  }
  const failure = (error: unknown): TxOutcome => {
    const gasUsed = current.gas.consumed
    const coded = error instanceof OutOfGas ? outOfGasError(error, gasWanted, gasUsed) : error
    if (!(coded instanceof CodedError)) throw error
    return { gasWanted, gasUsed, error: coded, data: noData, responses: [], events: anteEvents }
  }
  const execute = (): TxOutcome => {
    checkMsgs(tx)
    current.branch((inner) => {
      const after = runAnte(steps, inner, tx, (entered) => {
        current = current.with({ gas: entered.gas })
        gasWanted = entered.gas.saidLimit
      })
      current = current.with({ gas: after.gas, tx: after.tx })
      anteEvents = []
    })
    anteEvents = current.events.events
    const ran = isChecking
      ? nothing
      : current.with({ events: new EventLog() }).branch((inner) => runMsgs(inner, tx, router, payBlock))
    const events = isChecking ? [] : [...anteEvents, ...ran.events]
    return { gasWanted, gasUsed: current.gas.consumed, data: ran.data, responses: ran.responses, events }
  }
  let outcome: TxOutcome
  try {
    outcome = execute()
  } catch (error) {
    outcome = failure(error)
  }
  try {
    payBlock()
  } catch (error) {
    outcome = failure(error)
  }
  return outcome
}

function notStarted(error: CodedError): TxOutcome {
  return { gasWanted: 0, gasUsed: 0, error, data: noData, responses: [], events: [] }
}

interface MsgsOutcome {
  readonly data: Uint8Array
  readonly responses: readonly MsgResult[]
  readonly events: readonly RuntimeEvent[]
}

const nothing: MsgsOutcome = { data: noData, responses: [], events: [] }

/** What can be said of the messages before anything is read or taken. */
function checkMsgs({ msgs, defect, checked }: Tx): void {
  if (checked.passed) return
  if (msgs.length === 0 && defect !== undefined) throw defect
  for (const { route, message } of msgs) route?.check?.(message)
  for (const { route, typeUrl } of msgs) {
    if (route === undefined) throw sdkErrors.unknownRequest(`no message handler found for ${typeUrl}`)
  }
  if (defect !== undefined) throw defect
  checked.passed = true
}

function runMsgs(ctx: Write, { msgs }: Tx, router: MsgRouter, payBlock: () => void): MsgsOutcome {
  const events: RuntimeEvent[] = []
  const responses = msgs.map((msg, index): MsgResult => {
    const log = new EventLog()
    try {
      const response = router.run(ctx.with({ events: log }), msg.typeUrl, msg.message)
      const position = attribute('msg_index', String(index))
      events.push(withAttributes(messageEvent(msg, log.events), position))
      for (const event of log.events) events.push(withAttributes(event, position))
      return response
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw error.wrap(`failed to execute message; message index: ${index}`)
    }
  })
  payBlock()
  const data = TxMsgData.encode({ data: [], msgResponses: [...responses] }).finish()
  return { data, responses, events }
}

/** First of each message's events: what was done, by whom, in which module (unless the module says so itself). */
function messageEvent({ typeUrl, signers }: TxMsg, own: readonly RuntimeEvent[]): RuntimeEvent {
  const attributes: Attribute[] = [attribute('action', typeUrl)]
  const sender = signers[0]
  if (sender !== undefined) attributes.push(attribute('sender', sender.toLowerCase()))
  const module = typeUrl.split('.')[1]
  const saysModule = own.some((event) => event.attributes.some(({ key }) => key === 'module'))
  if (!saysModule && module !== undefined && module !== '') attributes.push(attribute('module', module))
  return { type: 'message', attributes }
}
