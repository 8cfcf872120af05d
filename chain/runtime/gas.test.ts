import { utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { GasMeter, noGasLimit, OutOfGas } from './gas.js'
import { GasKvWrite } from './gas-kv.js'
import { createMapStore } from './testing/map-store.js'

describe('a gas meter', () => {
  it('counts what passes the limit, and throws by it', () => {
    const meter = new GasMeter(10)
    meter.consume(10, 'all')
    expect([meter.isOutOfGas, meter.isPastLimit, meter.remaining]).toEqual([true, false, 0])
    expect(() => meter.consume(3, 'more')).toThrow(OutOfGas)
    expect([meter.consumed, meter.consumedToLimit, meter.isPastLimit]).toEqual([13, 10, true])
  })

  it('without limit counts up to safe integers', () => {
    const meter = new GasMeter()
    meter.consume(noGasLimit - 1, 'nearly all')
    expect(meter.isInfinite && !meter.isOutOfGas).toBe(true)
    expect(() => meter.consume(5, 'overflow')).toThrow('out of gas in location: overflow')
    expect(meter.consumed).toBe(noGasLimit)
  })

  it('gives back no more than was taken', () => {
    const meter = new GasMeter(10)
    meter.consume(4, 'x')
    meter.refund(3, 'x')
    expect(meter.consumed).toBe(1)
    expect(() => meter.refund(2, 'x')).toThrow('only 1 consumed')
  })

  it('refuses a limit that is no safe integer', () => {
    expect(() => new GasMeter(-1)).toThrow('gas limit -1')
    expect(() => new GasMeter(2 ** 53)).toThrow('gas limit')
  })
})

describe('metered access', () => {
  const key = utf8ToBytes('key')
  const open = () => {
    const meter = new GasMeter()
    const store = new GasKvWrite(createMapStore(['s']).branch().store('s'), meter)
    const cost = (run: () => unknown): number => {
      const before = meter.consumed
      run()
      return meter.consumed - before
    }
    return { store, cost }
  }

  it("costs what the SDK's table says", () => {
    const { store, cost } = open()
    expect(cost(() => store.get(key))).toBe(1000 + 3 * 3)
    expect(cost(() => store.set(key, utf8ToBytes('value')))).toBe(2000 + 30 * 3 + 30 * 5)
    expect(cost(() => store.get(key))).toBe(1000 + 3 * 3 + 3 * 5)
    expect(cost(() => store.has(key))).toBe(1000)
    expect(cost(() => store.delete(key))).toBe(1000)
  })

  it('pays an iteration when it opens, for each step, and no more after a stop', () => {
    const { store, cost } = open()
    expect(cost(() => [...store.iterate(undefined, undefined)])).toBe(30)
    for (const name of ['a', 'b', 'c']) store.set(utf8ToBytes(name), utf8ToBytes('xy'))
    const entry = 3 * 1 + 3 * 2
    // The first entry is paid when the iterator opens and again when it is left.
    expect(cost(() => [...store.iterate(undefined, undefined)])).toBe(entry + 30 + 3 * (entry + 30))
    expect(
      cost(() => {
        for (const _ of store.iterate(undefined, undefined)) break
      }),
    ).toBe(entry + 30)
    expect(cost(() => store.iterate(utf8ToBytes('b'), undefined, true))).toBe(entry + 30)
  })
})
