import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { collectionsOf, indexed } from './collections.js'
import { addressKey, bytesKey, int64Key, lengthPrefixedKey, pairKey, prefixEnd, stringKey, uint64Key } from './keys.js'
import { consensusParamsOf, testWrite } from './testing/contexts.js'
import { boolValue, intValue, stringValue, uint64Value } from './values.js'

const hex = (bytes: Uint8Array): string => bytesToHex(bytes)
const holder = Uint8Array.of(1, 2, 3)

describe('keys', () => {
  it("are written as the SDK's collections write them", () => {
    expect(hex(stringKey.encode('ab'))).toBe('6162')
    expect(hex(stringKey.encodePart('ab'))).toBe('616200')
    expect(hex(bytesKey.encodePart(holder))).toBe('03010203')
    expect(hex(lengthPrefixedKey.encode(holder))).toBe('03010203')
    expect(hex(uint64Key.encode(258n))).toBe('0000000000000102')
    expect(hex(int64Key.encode(258n))).toBe('8000000000000102')
    expect(hex(int64Key.encode(-1n))).toBe('7fffffffffffffff')
    expect([-1n, 0n, -(2n ** 63n)].map((key) => int64Key.decode(int64Key.encode(key), 0))).toEqual([
      -1n,
      0n,
      -(2n ** 63n),
    ])
    expect(hex(pairKey(addressKey, stringKey).encode([holder, 'uc']))).toBe('030102037563')
    expect(hex(pairKey(stringKey, lengthPrefixedKey).encode(['uc', holder]))).toBe('75630003010203')
    expect(hex(bytesKey.encodePart(new Uint8Array(200))).slice(0, 6)).toBe('c80100')
  })

  it('are read back, also one behind another', () => {
    const nested = pairKey(pairKey(stringKey, uint64Key), pairKey(bytesKey, stringKey))
    const key = [
      ['a', 7n],
      [holder, ''],
    ] as const
    const bytes = new Uint8Array([9, 9, ...nested.encode(key)])
    expect(nested.decode(bytes, 2)).toEqual(key)
    expect(nested.decodePart(new Uint8Array([...nested.encodePart(key), 1]), 0).next).toBe(
      nested.encodePart(key).length,
    )
    expect(bytesKey.decodePart(bytesKey.encodePart(new Uint8Array(300)), 0).key.length).toBe(300)
  })

  it('have an end above all that begin with a prefix', () => {
    expect(hex(prefixEnd(Uint8Array.of(1, 255))!)).toBe('02')
    expect(prefixEnd(Uint8Array.of(255))).toBeUndefined()
  })
})

describe('values', () => {
  it('are written as the SDK stores them', () => {
    expect(hex(intValue.encode(120n))).toBe('313230')
    expect(hex(boolValue.encode(true))).toBe('0801')
    expect(hex(boolValue.encode(false))).toBe('')
    expect([boolValue.decode(Uint8Array.of(8, 1)), boolValue.decode(new Uint8Array(0))]).toEqual([true, false])
    expect(hex(uint64Value.encode(1n))).toBe('0000000000000001')
  })
})

describe('a collection', () => {
  const bank = collectionsOf('s')
  const map = bank.map(2, pairKey(addressKey, stringKey), intValue)

  it('keeps to its prefix and walks in key order', () => {
    const ctx = testWrite(['s'])
    bank.map(3, stringKey, stringValue).set(ctx, 'x', 'beside')
    map.set(ctx, [Uint8Array.of(2), 'b'], 1n)
    map.set(ctx, [holder, 'c'], 2n)
    map.set(ctx, [holder, 'a'], 3n)
    const keys = (range?: Parameters<typeof map.entries>[1]) => [...map.entries(ctx, range)].map(([[, denom]]) => denom)
    expect(keys()).toEqual(['b', 'a', 'c'])
    expect(keys({ reverse: true })).toEqual(['c', 'a', 'b'])
    const prefix = pairKey(addressKey, stringKey).prefix(holder)
    expect(keys({ prefix })).toEqual(['a', 'c'])
    expect(keys({ prefix, start: map.key.encode([holder, 'b']) })).toEqual(['c'])
    expect(keys({ prefix, end: map.key.encode([holder, 'b']), reverse: true })).toEqual(['a'])
    map.remove(ctx, [holder, 'a'])
    expect([map.has(ctx, [holder, 'a']), map.get(ctx, [holder, 'c'])]).toEqual([false, 2n])
  })

  it('counts', () => {
    const ctx = testWrite(['s'])
    const numbers = bank.sequence(9, 5n)
    expect([numbers.next(ctx), numbers.next(ctx), numbers.peek(ctx)]).toEqual([5n, 6n, 7n])
  })

  it('keeps a reverse index in step', () => {
    const ctx = testWrite(['s'])
    const index = bank.reverseIndex<Uint8Array, string, bigint>(7, lengthPrefixedKey, stringKey)
    const balances = indexed(map, index)
    const found = () => [...index.entries(ctx)].map(([[denom, who]]) => `${denom}:${hex(who)}`)
    balances.set(ctx, [holder, 'a'], 1n)
    balances.set(ctx, [holder, 'a'], 2n)
    expect(found()).toEqual(['a:010203'])
    balances.remove(ctx, [holder, 'a'])
    expect(found()).toEqual([])
  })

  it('keeps a unique index in step when the value changes', () => {
    const ctx = testWrite(['s'])
    const byValue = bank.uniqueIndex('n', uint64Key, stringKey, (value: bigint) => value)
    const numbers = indexed(bank.map(1, stringKey, uint64Value), byValue)
    numbers.set(ctx, 'x', 1n)
    numbers.set(ctx, 'x', 2n)
    expect([byValue.get(ctx, 1n), byValue.get(ctx, 2n)]).toEqual([undefined, 'x'])
    numbers.remove(ctx, 'x')
    expect(byValue.get(ctx, 2n)).toBeUndefined()
  })
})

describe('a branch', () => {
  const map = collectionsOf('s').map(1, stringKey, stringValue)

  it('keeps writes and events of what succeeds, and neither of what throws', () => {
    const ctx = testWrite(['s'])
    ctx.emit('outer', {})
    const result = ctx.branch((inner) => {
      map.set(inner, 'a', utf8ToBytes('x').length.toString())
      inner.emit('inner', { b: '2', a: '1' })
      expect(() =>
        inner.branch((deep) => {
          map.set(deep, 'a', 'changed')
          map.set(deep, 'b', 'new')
          deep.emit('lost', {})
          throw new RangeError('no')
        }),
      ).toThrow('no')
      return 7
    })
    expect(result).toBe(7)
    expect([...map.entries(ctx)]).toEqual([['a', '1']])
    expect(ctx.events.events.map((event) => event.type)).toEqual(['outer', 'inner'])
    expect(ctx.events.events[1]!.attributes.map(({ key, value }) => [key, value])).toEqual([
      ['b', '2'],
      ['a', '1'],
    ])
    expect(ctx.gas.consumed).toBeGreaterThan(0)
    expect(ctx.consensusParams).toEqual(consensusParamsOf(-1n))
  })
})
