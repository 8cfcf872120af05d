import { BinaryReader as OracleReader, BinaryWriter as OracleWriter } from '@bufbuild/protobuf/wire'
import { CodedError } from '@coin/base/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BinaryReader, BinaryWriter } from './wire.js'

const seed = 20250917
const run = { seed, numRuns: 400 }

const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const int32 = fc.integer({ min: -0x80000000, max: 0x7fffffff })
const bits = fc.integer({ min: 0, max: 64 })
/** Every size of number equally often, as varints change their length with it. */
const uint64 = fc.tuple(bits, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })).map(([n, value]) => BigInt.asUintN(n, value))
const int64 = uint64.map((value) => BigInt.asIntN(64, value))
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ minLength: 100, maxLength: 300 }),
)

type Operation =
  | { op: 'uint32' | 'int32' | 'sint32' | 'fixed32' | 'sfixed32' | 'float' | 'double'; value: number }
  | { op: 'uint64' | 'int64' | 'sint64' | 'fixed64' | 'sfixed64'; value: bigint }
  | { op: 'string'; value: string }
  | { op: 'bytes' | 'raw'; value: Uint8Array }
  | { op: 'bool'; value: boolean }
  | { op: 'message'; value: Operation[] }

const leaf = fc.oneof(
  fc.record({ op: fc.constantFrom('uint32' as const, 'fixed32' as const), value: uint32 }),
  fc.record({ op: fc.constantFrom('int32' as const, 'sint32' as const, 'sfixed32' as const), value: int32 }),
  fc.record({ op: fc.constantFrom('uint64' as const, 'fixed64' as const), value: uint64 }),
  fc.record({ op: fc.constantFrom('int64' as const, 'sint64' as const, 'sfixed64' as const), value: int64 }),
  fc.record({ op: fc.constant('float' as const), value: fc.float() }),
  fc.record({ op: fc.constant('double' as const), value: fc.double() }),
  fc.record({ op: fc.constant('string' as const), value: text }),
  fc.record({ op: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ op: fc.constant('bool' as const), value: fc.boolean() }),
)
const { operations } = fc.letrec<{ operations: Operation[] }>((tie) => ({
  operations: fc.array(
    fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ op: fc.constant('message' as const), value: tie('operations') }),
    ),
    { maxLength: 12 },
  ) as fc.Arbitrary<Operation[]>,
}))

type AnyWriter = Record<string, (value: unknown) => unknown> & {
  fork(): unknown
  join(): unknown
  finish(): Uint8Array
}

function writeAll(writer: AnyWriter, list: readonly Operation[]): void {
  for (const { op, value } of list) {
    if (op !== 'message') writer[op]!(value)
    else {
      writer.fork()
      writeAll(writer, value)
      writer.join()
    }
  }
}

const written = (writer: unknown, list: readonly Operation[]): Uint8Array => {
  writeAll(writer as AnyWriter, list)
  return (writer as AnyWriter).finish()
}

describe('BinaryWriter', () => {
  it('writes what @bufbuild/protobuf writes', () => {
    fc.assert(
      fc.property(operations, (list) => {
        expect(written(new BinaryWriter(), list)).toEqual(written(new OracleWriter(), list))
      }),
      run,
    )
  })

  it('refuses numbers that do not fit, and writes nothing of them', () => {
    const cases: [string, number | bigint][] = [
      ['uint32', -1],
      ['uint32', 2 ** 32],
      ['uint32', 1.5],
      ['uint32', Number.NaN],
      ['int32', 2 ** 31],
      ['int32', -(2 ** 31) - 1],
      ['sint32', 2 ** 31],
      ['fixed32', -1],
      ['sfixed32', 2 ** 31],
      ['uint64', -1n],
      ['uint64', 2n ** 64n],
      ['int64', 2n ** 63n],
      ['int64', -(2n ** 63n) - 1n],
      ['sint64', 2n ** 63n],
      ['fixed64', -1n],
      ['sfixed64', 2n ** 63n],
      ['float', 1e39],
    ]
    for (const [op, value] of cases) {
      const writer = new BinaryWriter()
      expect(() => (writer as unknown as AnyWriter)[op]!(value), `${op} ${value}`).toThrow(CodedError)
      expect(writer.finish().length).toBe(0)
    }
  })

  it('does not mix up two writers that are used in turns, nor results with what is written later', () => {
    const first = new BinaryWriter().string('first')
    const second = new BinaryWriter().string('second')
    const one = first.finish()
    const two = new BinaryWriter().raw(second.finish()).finish()
    new BinaryWriter().raw(new Uint8Array(600).fill(7)).finish()
    expect(new BinaryReader(one).string()).toBe('first')
    expect(new BinaryReader(two).string()).toBe('second')
    expect(first.string('again').finish()).toEqual(new BinaryWriter().string('again').finish())
  })
})

const { skip } = OracleReader.prototype

const readers = ['uint32', 'int32', 'sint32', 'bool', 'uint64', 'int64', 'sint64', 'fixed32', 'sfixed32'] as const
const wide = ['fixed64', 'sfixed64', 'float', 'double', 'bytes'] as const
type Read = (typeof readers)[number] | (typeof wide)[number] | 'string'
const allReaders: readonly Read[] = [...readers, ...wide, 'string']

type Outcome = { value: unknown; pos: number } | 'refused'

function outcome(read: () => unknown, reader: { pos: number; len: number }): Outcome {
  try {
    const value = read()
    return reader.pos > reader.len ? 'refused' : { value, pos: reader.pos }
  } catch (error) {
    if (reader instanceof BinaryReader) expect(error).toBeInstanceOf(CodedError)
    return 'refused'
  }
}

describe('BinaryReader', () => {
  it('reads what was written, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 20 }), (list) => {
        const reader = new BinaryReader(written(new OracleWriter(), list as Operation[]))
        for (const { op, value } of list) {
          const back = (reader as unknown as Record<string, () => unknown>)[op]!()
          if (typeof value === 'string') expect(back).toBe(new TextDecoder().decode(new TextEncoder().encode(value)))
          else expect(back).toEqual(value)
        }
        expect(reader.pos).toBe(reader.len)
      }),
      run,
    )
  })

  /** Bytes with many high bits, so that long and cut varints are common. */
  const noise = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x80, 0xff, 0x00, 0x01, 0x7f, 0x02)),
    { maxLength: 14 },
  )

  it('agrees with @bufbuild/protobuf on any bytes, or refuses them with a typed error', () => {
    fc.assert(
      fc.property(noise, fc.constantFrom(...allReaders), (list, op) => {
        const bytes = new Uint8Array(list)
        const ours = new BinaryReader(bytes)
        const theirs = new OracleReader(bytes)
        const our = outcome(() => ours[op](), ours)
        const their = outcome(() => (op === 'string' ? theirs.string(true) : theirs[op]()), theirs)
        if (our === 'refused') expect(their === 'refused' || isTooLong(bytes, op), `${op} of ${list}`).toBe(true)
        else expect(our).toEqual(their)
      }),
      { seed, numRuns: 4000 },
    )
  })

  /** The oracle drops bits that do not fit; here a varint of more than 64 bits and a length of more than 32 is an error. */
  function isTooLong(bytes: Uint8Array, op: Read): boolean {
    const end = bytes.findIndex((byte) => byte < 0x80)
    if (op === 'bytes' || op === 'string') return end >= 4
    return end === 9 && bytes[9]! > 1
  }

  it('agrees on tags, except that groups cannot be skipped', () => {
    fc.assert(
      fc.property(noise, (list) => {
        const bytes = new Uint8Array(list)
        const ours = new BinaryReader(bytes)
        const theirs = new OracleReader(bytes)
        const our = outcome(() => ours.tag(), ours)
        const their = outcome(() => {
          const [field, type] = theirs.tag()
          return field * 8 + type
        }, theirs)
        if (our !== 'refused' && (Number(our.value) & 7) > 5) expect(their).toBe('refused')
        else expect(our).toEqual(their)
        if (our === 'refused') return
        const type = Number(our.value) & 7
        const skipped = outcome(() => ours.raw(type), ours)
        const expected = outcome(() => skip.call(theirs, type as never), theirs)
        if (type === 3 || type === 4 || type > 5) expect(skipped).toBe('refused')
        else if (skipped === 'refused')
          expect(
            expected === 'refused' || isTooLong(bytes.subarray(our.pos), type === 2 ? 'bytes' : 'uint64') || type === 0,
          ).toBe(true)
        else expect(skipped).toEqual(expected)
      }),
      { seed, numRuns: 4000 },
    )
  })

  it('refuses each kind of damage by name', () => {
    const read =
      (op: Read | 'tag', ...bytes: number[]) =>
      () =>
        new BinaryReader(new Uint8Array(bytes))[op]()
    expect(read('uint64')).toThrow(/ends inside/)
    expect(read('uint64', 0x80)).toThrow(/ends inside/)
    expect(read('fixed64', 1, 2, 3)).toThrow(/ends inside/)
    expect(read('uint64', ...new Array(9).fill(0xff), 2)).toThrow(/more than 64 bits/)
    expect(read('uint64', ...new Array(10).fill(0x80), 0)).toThrow(/more than 64 bits/)
    expect(read('tag', 0)).toThrow(/field number 0/)
    expect(read('tag', 7)).toThrow(/field number 0/)
    expect(read('tag', 0xff, 0xff, 0xff, 0xff, 0x1f)).toThrow(/more than 32 bits/)
    expect(read('tag', 0x88, 0x80, 0x80, 0x80, 0x80, 0x00)).toThrow(/more than 32 bits/)
    expect(read('bytes', 5, 1)).toThrow(/5 bytes at 0, 1 left/)
    expect(read('bytes', 0x85, 0x80, 0x80, 0x80, 0x80, 0x01, 1)).toThrow(/more than 32 bits/)
    expect(read('string', 2, 0xc3, 0x28)).toThrow(/not UTF-8/)
    expect(read('string', 3, 0xed, 0xa0, 0x80)).toThrow(/not UTF-8/)
  })

  it('hands out copies', () => {
    const bytes = new Uint8Array([2, 8, 9])
    const copy = new BinaryReader(bytes).bytes()
    bytes.fill(0)
    expect(copy).toEqual(new Uint8Array([8, 9]))
  })

  it('keeps a byte order mark and reads long and short strings alike', () => {
    for (const value of ['\ufeffx', 'a'.repeat(24), 'a'.repeat(25), `${'a'.repeat(23)}é`, '🚀'.repeat(40), '']) {
      expect(new BinaryReader(new BinaryWriter().string(value).finish()).string()).toBe(value)
    }
  })
})
