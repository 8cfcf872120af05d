import { compareBytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { createRandom, type Random } from '@coin/base/testing/random'
import { describe, expect, it } from 'vitest'
import { type BlockRecord, decodeChanges, decodeRecord, encodeChanges, encodeRecord, indexChanges } from './record.js'

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.int(256))
}

function randomRecord(random: Random): BlockRecord {
  const height = 1 + random.int(2 ** 31)
  return {
    height,
    previous: random.int(2) === 0 ? height - 1 : 0,
    appHash: randomBytes(random, 32),
    changes: Array.from({ length: random.int(4) }, () => ({
      name: random.pick(['bank', 'w', 'ünïcode', 'a'.repeat(255)]),
      entries: Array.from({ length: random.int(5) }, () => ({
        key: randomBytes(random, random.pick([1, 20, 300])),
        value: random.int(3) === 0 ? undefined : randomBytes(random, random.pick([0, 1, 40, 700])),
      })),
    })),
  }
}

describe('block record', () => {
  it('decodes to what was encoded', () => {
    const random = createRandom(11)
    for (let i = 0; i < 60; i++) {
      const record = randomRecord(random)
      expect(decodeRecord(encodeRecord(record))).toEqual(record)
      expect(decodeChanges(encodeChanges(record.changes))).toEqual(record.changes)
    }
  })

  it('is indexed in place: the same entries, in order, and nothing that is cut short', () => {
    const random = createRandom(14)
    for (let i = 0; i < 60; i++) {
      const changes = randomRecord(random).changes.filter(
        ({ name }, n, all) => all.findIndex((o) => o.name === name) === n,
      )
      const encoded = encodeChanges(changes)
      const indexed = indexChanges(encoded)
      expect([...indexed.keys()]).toEqual(changes.map(({ name }) => name))
      for (const { name, entries } of changes) {
        const list = indexed.get(name)!
        expect(list.size).toBe(entries.length)
        for (const [at, { key, value }] of entries.entries()) {
          expect(list.change(at)).toEqual({ key, value })
          const other = random.pick([key, key.subarray(1), randomBytes(random, 20), Uint8Array.from([...key, 0])])
          expect(Math.sign(list.compare(at, other))).toBe(Math.sign(compareBytes(key, other)))
        }
      }
      for (let length = 0; length < encoded.length; length++)
        expect(() => indexChanges(encoded.subarray(0, length)), `${length} bytes`).toThrow('log is corrupt')
    }
  })

  it('refuses every shorter and longer form', () => {
    const random = createRandom(12)
    const record = {
      ...randomRecord(random),
      changes: [{ name: 'bank', entries: [{ key: bytes(1), value: bytes(9) }] }],
    }
    const whole = encodeRecord(record)
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeRecord(whole.subarray(0, length)), `${length} bytes`).toThrow('log is corrupt')
    expect(() => decodeRecord(Uint8Array.from([...whole, 0]))).toThrow('1 bytes behind its end')
  })

  it('answers any bytes with a record that encodes to them, or a coded error', () => {
    const random = createRandom(13)
    let decoded = 0
    for (let i = 0; i < 3000; i++) {
      const bytes = encodeRecord(randomRecord(random))
      for (let flips = random.int(3); flips > 0; flips--) bytes[random.int(bytes.length)] = random.pick([0, 1, 0xff, 7])
      try {
        expect(equalBytes(encodeRecord(decodeRecord(bytes)), bytes)).toBe(true)
        decoded++
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        expect(error.message).toContain('log is corrupt')
      }
    }
    expect(decoded).toBeGreaterThan(500)
  })

  it('refuses heights out of order or beyond safe integers', () => {
    const record = encodeRecord({ height: 7, previous: 6, appHash: bytes(32), changes: [] })
    const view = new DataView(record.buffer)
    view.setBigUint64(8, 7n, true)
    expect(() => decodeRecord(record)).toThrow('follows 7')
    view.setBigUint64(0, 2n ** 60n, true)
    expect(() => decodeRecord(record)).toThrow('log is corrupt')
  })
})

function bytes(length: number): Uint8Array {
  return new Uint8Array(length).fill(5)
}
