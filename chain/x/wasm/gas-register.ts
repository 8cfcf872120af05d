import { utf8ToBytes } from '@coin/base/bytes'
import type { Reply } from '@coin/vm/json'

// wasmd's types/gas_register.go with its default configuration. SDK gas unless said otherwise.

/** VM gas for one SDK gas. */
export const gasMultiplier = 140_000n

const instanceCost = 60_000
/** For codes that are in memory anyway: pinned, used before in this transaction, or replied to. */
const instanceCostDiscount = 2_000
const compileCostPerByte = 3n
const perAttribute = 10
const perCustomEvent = 20
const perAttributeByte = 1
const freeAttributeBytes = 100

/** VM gas of reading one byte of what a contract returned. */
export const deserializationCostPerByte = gasMultiplier

/** SDK gas of an address conversion. */
export const addressGas = { humanize: 5n, canonicalize: 4n, validate: 9n } as const

/** SDK gas of unpacking an `Any` message. */
export const anyMessageGas = 5

/** Largest gas limit that a contract call is given, VM gas: "no limit". */
const unlimitedVmGas = (1n << 64n) - 1n

export interface AttributeLike {
  readonly key: string
  readonly value: string
}

export interface EventLike {
  readonly type: string
  readonly attributes: readonly AttributeLike[]
}

/** Limit of a call that may use `remaining` SDK gas. */
export function toVmGas(remaining: number): bigint {
  return BigInt(remaining) * gasMultiplier
}

export function fromVmGas(gas: bigint): number {
  return Number(gas / gasMultiplier)
}

export { unlimitedVmGas }

export function setupCost(discount: boolean): number {
  return discount ? instanceCostDiscount : instanceCost
}

/** 0.15 per byte, rounded down. */
export function uncompressCost(bytes: number): number {
  return Math.floor((bytes * 15) / 100)
}

/** VM gas of checking and compiling a code. */
export function compileCost(bytes: number): bigint {
  return BigInt(bytes) * compileCostPerByte * gasMultiplier
}

const byteLength = (text: string): number => utf8ToBytes(text).length

/** Gas of a list of attributes, and what is left of the bytes that are free. */
function attributeCost(attributes: readonly AttributeLike[], free: number): readonly [gas: number, free: number] {
  if (attributes.length === 0) return [0, free]
  let bytes = 0
  for (const { key, value } of attributes) bytes += byteLength(key) + byteLength(value)
  const charged = Math.max(0, bytes - free)
  return [charged * perAttributeByte + attributes.length * perAttribute, Math.max(0, free - bytes)]
}

/** What a contract's own attributes and events cost. The free bytes are shared, event types are never free. */
export function eventCost(attributes: readonly AttributeLike[], events: readonly EventLike[]): number {
  let [gas, free] = attributeCost(attributes, freeAttributeBytes)
  for (const event of events) {
    const [cost, left] = attributeCost(event.attributes, free)
    gas += perCustomEvent + byteLength(event.type) * perAttributeByte + cost
    free = left
  }
  return gas
}

/** What handing the outcome of a submessage to its contract costs. */
export function replyCost(reply: Reply): number {
  let gas = setupCost(true)
  if ('ok' in reply.result) {
    const { events } = reply.result.ok
    for (const event of events) gas += byteLength(event.type) * perAttributeByte
    gas += eventCost(
      events.flatMap((event) => event.attributes),
      [],
    )
  }
  return gas
}
