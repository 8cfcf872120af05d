import { utf8ToBytes } from '@coin/base/bytes'
import { buildModule, op, regionAt, type } from './module-builder.js'

const load8 = [0x2d, 0, 0]
const store8 = [0x3a, 0, 0]
const i32LessUnsigned = 0x49

/** Where the region of the answer, the short answer, the end of the answer and its beginning are. */
const [regionPlace, shortPlace, endPlace, answerPlace] = [64, 1024, 8192, 16_384]

/** Copies `count` bytes one by one, ascending: what was copied may be copied on. */
const copy = (to: number, from: number, count: number) => [
  ...[op.i32(0), op.localSet(3)],
  op.loop(
    op.empty,
    ...[op.localGet(3), op.i32(to), op.i32Add, op.localGet(3), op.i32(from), op.i32Add, load8, store8],
    ...[op.localGet(3), op.i32(1), op.i32Add, op.localSet(3)],
    ...[op.localGet(3), op.i32(count), i32LessUnsigned, op.brIf(0)],
  ),
]

/** A contract whose `execute` answers `begin`, `unit` as often as said, and `end`: longer than a code may be. */
export function answering(begin: string, unit: string, times: number, end: string): Uint8Array {
  const [head, middle, tail] = [begin, unit, end].map(utf8ToBytes) as [Uint8Array, Uint8Array, Uint8Array]
  const length = head.length + middle.length * times + tail.length
  const region = new Uint8Array(new Uint32Array([answerPlace, length, length]).buffer)
  const unitPlace = answerPlace + head.length
  const entry = { params: [type.i32, type.i32, type.i32], results: [type.i32] }
  return buildModule({
    memory: { min: Math.ceil((answerPlace + length) / 65_536) + 1 },
    functions: [
      {
        ...{ ...entry, export: 'execute', locals: [[1, type.i32]] },
        body: [
          ...copy(unitPlace + middle.length, unitPlace, middle.length * (times - 1)),
          ...copy(unitPlace + middle.length * times, endPlace, tail.length),
          op.i32(regionPlace),
        ],
      },
      { ...entry, export: 'instantiate', body: [op.i32(shortPlace)] },
    ],
    data: [
      { at: regionPlace, bytes: region },
      ...regionAt(shortPlace, '{"ok":{}}'),
      { at: endPlace, bytes: tail },
      { at: answerPlace, bytes: new Uint8Array([...head, ...middle]) },
    ],
  })
}
