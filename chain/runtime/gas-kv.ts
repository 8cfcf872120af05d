import type { Bytes } from '@coin/base/bytes'
import type { KvPair, KvRead, KvWrite } from '@coin/store/kv'
import { type GasMeter, type KvGas, kvGas } from './gas.js'

/** A store whose reads are paid for, in the order and with the descriptors of the SDK's gaskv. */
export class GasKvRead implements KvRead {
  protected readonly meter: GasMeter
  protected readonly gas: KvGas
  readonly #inner: KvRead

  constructor(inner: KvRead, meter: GasMeter, gas: KvGas = kvGas) {
    this.#inner = inner
    this.meter = meter
    this.gas = gas
  }

  get(key: Bytes): Bytes | undefined {
    this.meter.consume(this.gas.readFlat, 'ReadFlat')
    const value = this.#inner.get(key)
    this.meter.consume(this.gas.readPerByte * key.length, 'ReadPerByte')
    this.meter.consume(this.gas.readPerByte * (value?.length ?? 0), 'ReadPerByte')
    return value
  }

  has(key: Bytes): boolean {
    this.meter.consume(this.gas.has, 'Has')
    return this.#inner.has(key)
  }

  /**
   * Opening pays for the first entry (or, on an empty range, the flat price); each step onwards pays for the entry it
   * leaves. So the first entry of a full walk is paid twice, as in the SDK, and a walk that stops early pays for no more.
   */
  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse?: boolean): IterableIterator<KvPair> {
    return new GasIterator(this.#inner.iterate(start, end, reverse), this.meter, this.gas)
  }
}

export class GasKvWrite extends GasKvRead implements KvWrite {
  readonly #inner: KvWrite

  constructor(inner: KvWrite, meter: GasMeter, gas: KvGas = kvGas) {
    super(inner, meter, gas)
    this.#inner = inner
  }

  set(key: Bytes, value: Bytes): void {
    this.meter.consume(this.gas.writeFlat, 'WriteFlat')
    this.meter.consume(this.gas.writePerByte * key.length, 'WritePerByte')
    this.meter.consume(this.gas.writePerByte * value.length, 'WritePerByte')
    this.#inner.set(key, value)
  }

  delete(key: Bytes): void {
    this.meter.consume(this.gas.delete, 'Delete')
    this.#inner.delete(key)
  }
}

/** Looks one entry ahead, as a Go iterator does that is `Valid` before it is moved. */
class GasIterator implements IterableIterator<KvPair> {
  readonly #inner: IterableIterator<KvPair>
  readonly #meter: GasMeter
  readonly #gas: KvGas
  #current: KvPair | undefined
  #started = false

  constructor(inner: IterableIterator<KvPair>, meter: GasMeter, gas: KvGas) {
    this.#inner = inner
    this.#meter = meter
    this.#gas = gas
    this.#current = this.#advance()
    this.#charge()
  }

  next(): IteratorResult<KvPair> {
    if (this.#started && this.#current !== undefined) {
      this.#charge()
      this.#current = this.#advance()
    }
    this.#started = true
    return this.#current === undefined ? { done: true, value: undefined } : { done: false, value: this.#current }
  }

  return(): IteratorResult<KvPair> {
    this.#current = undefined
    this.#inner.return?.()
    return { done: true, value: undefined }
  }

  [Symbol.iterator](): this {
    return this
  }

  #advance(): KvPair | undefined {
    const step = this.#inner.next()
    return step.done === true ? undefined : step.value
  }

  #charge(): void {
    if (this.#current !== undefined) {
      this.#meter.consume(this.#gas.readPerByte * this.#current[0].length, 'ValuePerByte')
      this.#meter.consume(this.#gas.readPerByte * this.#current[1].length, 'ValuePerByte')
    }
    this.#meter.consume(this.#gas.iterNextFlat, 'IterNextFlat')
  }
}
