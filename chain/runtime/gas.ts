import { assert } from '@coin/base/assert'

/** The limit of a meter that only counts. */
export const noGasLimit = Number.MAX_SAFE_INTEGER

/**
 * Thrown by a meter whose limit is passed. Not a `CodedError` on purpose: code that turns a module's error into something
 * else (a contract's reply, an error acknowledgement) must let this through, so that a transaction cannot outlive its gas.
 */
export class OutOfGas extends Error {
  override readonly name = 'OutOfGas'
  /** What was being paid for, for example `WritePerByte`. */
  readonly descriptor: string

  constructor(descriptor: string) {
    super(`out of gas in location: ${descriptor}`)
    this.descriptor = descriptor
  }
}

/** Counts SDK gas. As in the SDK the amount that passes the limit is still counted, so `consumed` may exceed `limit`. */
export class GasMeter {
  readonly limit: number
  /** What clients are told as the limit: a node's own cap on what it computes for nothing is not the transaction's. */
  readonly saidLimit: number
  #consumed = 0

  constructor(limit: number = noGasLimit, saidLimit: number = limit) {
    assert(Number.isSafeInteger(limit) && limit >= 0, `gas limit ${limit} is no safe integer`)
    this.limit = limit
    this.saidLimit = saidLimit
  }

  get consumed(): number {
    return this.#consumed
  }

  get remaining(): number {
    return Math.max(0, this.limit - this.#consumed)
  }

  /** `consumed`, but at most the limit: what a block is charged for a transaction that ran out. */
  get consumedToLimit(): number {
    return Math.min(this.#consumed, this.limit)
  }

  get isPastLimit(): boolean {
    return this.#consumed > this.limit
  }

  /** Whether nothing is left; true also when exactly the limit is used. */
  get isOutOfGas(): boolean {
    return this.#consumed >= this.limit
  }

  get isInfinite(): boolean {
    return this.limit === noGasLimit
  }

  /** Adds `amount`; throws `OutOfGas` when the limit is passed by it. */
  consume(amount: number, descriptor: string): void {
    const sum = this.#consumed + amount
    this.#consumed = sum > noGasLimit ? noGasLimit : sum
    if (sum > this.limit) throw new OutOfGas(descriptor)
  }

  /** Takes back what was charged too much; asserts that it had been consumed. */
  refund(amount: number, descriptor: string): void {
    assert(amount <= this.#consumed, `refund of ${amount} gas for ${descriptor}, only ${this.#consumed} consumed`)
    this.#consumed -= amount
  }
}

/** Prices of key-value access in SDK gas. */
export interface KvGas {
  readonly has: number
  readonly delete: number
  readonly readFlat: number
  readonly readPerByte: number
  readonly writeFlat: number
  readonly writePerByte: number
  readonly iterNextFlat: number
}

/** The SDK's table for persistent stores (store/types/gas.go). */
export const kvGas: KvGas = {
  has: 1000,
  delete: 1000,
  readFlat: 1000,
  readPerByte: 3,
  writeFlat: 2000,
  writePerByte: 30,
  iterNextFlat: 30,
}
