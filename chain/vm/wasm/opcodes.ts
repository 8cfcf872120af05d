/** What follows an operator's byte. */
export const Immediate = {
  none: 0,
  block: 1,
  index: 2,
  table: 3,
  callIndirect: 4,
  memory: 5,
  memorySize: 6,
  i32: 7,
  i64: 8,
  f32: 9,
  f64: 10,
  prefix: 11,
} as const

export type ImmediateKind = (typeof Immediate)[keyof typeof Immediate]

export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  select: 0x1b,
  localGet: 0x20,
  localTee: 0x22,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32LtS: 0x48,
  i32GtU: 0x4b,
  i64LtS: 0x53,
  f32Eq: 0x5b,
  f64Eq: 0x61,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i64Sub: 0x7d,
  prefix: 0xfc,
} as const

/** Per operator byte: 255 when contracts may not use it, otherwise its `Immediate`. */
export const immediates = new Uint8Array(256).fill(255)
/** Operands taken and given, for operators with a fixed effect (control, calls and the prefix are not among them). */
export const pops = new Uint8Array(256)
export const pushes = new Uint8Array(256)

/** Highest `0xfc` operator that contracts may use: the eight saturating conversions. */
export const maxPrefixed = 7

/** Operators at which gas is charged, see `GasSchedule.accountingOperator`. `block` is not one of them. */
export const accounting = new Uint8Array(256)

/** Operators whose NaN result is made canonical: 1 for f32, 2 for f64. Not conversions, abs, neg and copysign. */
export const canonicalised = new Uint8Array(256)

function declare(from: number, to: number, immediate: ImmediateKind, taken: number, given: number): void {
  for (let code = from; code <= to; code++) {
    immediates[code] = immediate
    pops[code] = taken
    pushes[code] = given
  }
}

declare(0x00, 0x01, Immediate.none, 0, 0) // unreachable, nop
declare(0x02, 0x04, Immediate.block, 0, 0) // block, loop, if
declare(0x05, 0x05, Immediate.none, 0, 0) // else
declare(0x0b, 0x0b, Immediate.none, 0, 0) // end
declare(0x0c, 0x0d, Immediate.index, 0, 0) // br, br_if
declare(0x0e, 0x0e, Immediate.table, 0, 0)
declare(0x0f, 0x0f, Immediate.none, 0, 0) // return
declare(0x10, 0x10, Immediate.index, 0, 0) // call
declare(0x11, 0x11, Immediate.callIndirect, 0, 0)
declare(0x1a, 0x1a, Immediate.none, 1, 0) // drop
declare(0x1b, 0x1b, Immediate.none, 3, 1) // select
declare(0x20, 0x20, Immediate.index, 0, 1) // local.get
declare(0x21, 0x21, Immediate.index, 1, 0) // local.set
declare(0x22, 0x22, Immediate.index, 1, 1) // local.tee
declare(0x23, 0x23, Immediate.index, 0, 1) // global.get
declare(0x24, 0x24, Immediate.index, 1, 0) // global.set
declare(0x28, 0x35, Immediate.memory, 1, 1) // loads
declare(0x36, 0x3e, Immediate.memory, 2, 0) // stores
declare(0x3f, 0x3f, Immediate.memorySize, 0, 1)
declare(0x40, 0x40, Immediate.memorySize, 1, 1)
declare(0x41, 0x41, Immediate.i32, 0, 1)
declare(0x42, 0x42, Immediate.i64, 0, 1)
declare(0x43, 0x43, Immediate.f32, 0, 1)
declare(0x44, 0x44, Immediate.f64, 0, 1)
declare(0x45, 0xc4, Immediate.none, 2, 1) // numeric, two operands unless named below
for (const unary of [0x45, 0x50]) declare(unary, unary, Immediate.none, 1, 1) // eqz
declare(0x67, 0x69, Immediate.none, 1, 1) // i32 clz ctz popcnt
declare(0x79, 0x7b, Immediate.none, 1, 1) // i64 clz ctz popcnt
declare(0x8b, 0x91, Immediate.none, 1, 1) // f32 abs .. sqrt
declare(0x99, 0x9f, Immediate.none, 1, 1) // f64 abs .. sqrt
declare(0xa7, 0xc4, Immediate.none, 1, 1) // conversions, sign extension
declare(0xfc, 0xfc, Immediate.prefix, 1, 1)

for (const code of [0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11]) accounting[code] = 1

for (let code = 0x8d; code <= 0x97; code++) canonicalised[code] = 1 // ceil floor trunc nearest sqrt add sub mul div min max
for (let code = 0x9b; code <= 0xa5; code++) canonicalised[code] = 2
