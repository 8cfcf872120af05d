import type { GasSchedule } from '../gas.js'
import type { AddedIndices } from './instrument.js'
import { accounting, canonicalised, Immediate, immediates, op, pops, pushes } from './opcodes.js'
import type { FunctionBody, WasmModule } from './reader.js'
import type { Writer } from './writer.js'

/** Units (8 bytes) that a frame takes on top of its locals and operands. */
const frameUnits = 8

/** Longest run of bytes that one rewriting step writes without asking for room again. */
const stepBytes = 96

/** Canonical quiet NaN as the operand of `f32.const` and `f64.const`. */
const canonicalNan = { 1: [0, 0, 0xc0, 0x7f], 2: [0, 0, 0, 0, 0, 0, 0xf8, 0x7f] } as const

/**
 * Rewrites function bodies one after the other into `out`.
 *
 * A body becomes: take the frame from the stack budget; a block holding the original operators, each accounting one
 * preceded by its charge, `return` turned into a branch out of the block; give the frame back. The operand height is
 * followed along the way, because the frame's size depends on it.
 */
export class BodyRewriter {
  private readonly out: Writer
  private readonly module: WasmModule
  private readonly schedule: GasSchedule
  private readonly indices: AddedIndices
  /** Parameters and results of each function and type, for the operand height. */
  private readonly typeParams: readonly number[]
  private readonly typeResults: readonly number[]
  private readonly functionTypes: readonly number[]

  /** Of the open blocks: operand height below them, and what they leave. */
  private readonly bases: number[] = []
  private readonly results: number[] = []
  private readonly params: number[] = []
  private height = 0
  private maxHeight = 0
  /** Next byte of the original to read, and first one not yet copied. */
  private at = 0
  private copied = 0
  private pendingGas = 0
  private gasLocal = 0
  private usesFloats = false

  constructor(out: Writer, module: WasmModule, schedule: GasSchedule, indices: AddedIndices) {
    this.out = out
    this.module = module
    this.schedule = schedule
    this.indices = indices
    this.typeParams = module.types.map((type) => type.params.length)
    this.typeResults = module.types.map((type) => type.results.length)
    this.functionTypes = [
      ...module.imports.filter((entry) => entry.kind === 0).map((entry) => entry.type),
      ...module.functions,
    ]
  }

  rewrite(body: FunctionBody): void {
    const { out, module } = this
    const type = module.types[body.type]!
    out.sized(() => {
      this.gasLocal = type.params.length + body.localCount
      const floatLocals = this.writeLocals(body)
      const entryUnits = this.writeEntry(type.results[0])
      this.begin(body, type.results.length)
      this.chargeLocals(body)
      while (this.bases.length > 0) this.step()
      const exitUnits = this.writeExit()
      const units = frameUnits + type.params.length + body.localCount + this.maxHeight
      out.patch(entryUnits, units)
      out.patch(exitUnits, units)
      for (const hole of floatLocals) out.patch(hole, this.usesFloats ? 1 : 0)
    })
  }

  private begin(body: FunctionBody, results: number): void {
    this.bases.push(0)
    this.results.push(results)
    this.params.push(0)
    this.height = 0
    this.maxHeight = 0
    this.at = body.code
    this.copied = body.code
    this.pendingGas = 0
    this.usesFloats = false
  }

  /** The original's locals, one i64 for the counter, and room for one f32 and one f64 if NaNs must be watched. */
  private writeLocals(body: FunctionBody): readonly [number, number] {
    const { out } = this
    out.u32(body.locals.length + 3)
    for (const group of body.locals) {
      out.u32(group.count)
      out.byte(group.type)
    }
    out.byte(1)
    out.byte(0x7e)
    const f32 = out.hole()
    out.byte(0x7d)
    const f64 = out.hole()
    out.byte(0x7c)
    return [f32, f64]
  }

  private writeEntry(result: number | undefined): number {
    const { out, indices } = this
    out.byte(op.globalGet)
    out.u32(indices.stack)
    out.byte(op.i32Const)
    const units = out.hole()
    out.byte(op.i32Sub)
    out.byte(op.globalSet)
    out.u32(indices.stack)
    out.byte(op.globalGet)
    out.u32(indices.stack)
    for (const byte of [op.i32Const, 0, op.i32LtS, op.if, 0x40, op.unreachable, op.end, op.block, result ?? 0x40]) {
      out.byte(byte)
    }
    return units
  }

  private writeExit(): number {
    const { out, indices } = this
    out.byte(op.end)
    out.byte(op.globalGet)
    out.u32(indices.stack)
    out.byte(op.i32Const)
    const units = out.hole()
    out.byte(op.i32Add)
    out.byte(op.globalSet)
    out.u32(indices.stack)
    out.byte(op.end)
    return units
  }

  /** Since cosmwasm-vm 2.3.4: many locals cost at the function's start, even if it traps before its first branch. */
  private chargeLocals(body: FunctionBody): void {
    const from = this.schedule.chargedLocalsFrom
    if (from === undefined || body.localCount < from) return
    const cost = this.schedule.operator * (body.localCount - from + 1)
    if (accounting[this.module.bytes[body.code]!]) this.pendingGas = cost
    else this.writeCharge(cost)
  }

  /** `gas -= cost; if (gas < 0) trap`, the new value kept in a local so that the global is read only once. */
  private writeCharge(cost: number): void {
    const { out, indices, gasLocal } = this
    out.reserve(stepBytes)
    out.byte(op.globalGet)
    out.u32(indices.gas)
    out.byte(op.i64Const)
    out.signed(cost)
    out.byte(op.i64Sub)
    out.byte(op.localTee)
    out.u32(gasLocal)
    out.byte(op.globalSet)
    out.u32(indices.gas)
    out.byte(op.localGet)
    out.u32(gasLocal)
    out.byte(op.i64Const)
    out.byte(0)
    out.byte(op.i64LtS)
    out.byte(op.if)
    out.byte(0x40)
    out.byte(op.unreachable)
    out.byte(op.end)
  }

  /** `x = result; x == x ? x : NaN` */
  private writeCanonical(kind: 1 | 2): void {
    const { out } = this
    this.usesFloats = true
    const local = this.gasLocal + kind
    out.byte(op.localTee)
    out.u32(local)
    out.byte(kind === 1 ? op.f32Const : op.f64Const)
    for (const byte of canonicalNan[kind]) out.byte(byte)
    out.byte(op.localGet)
    out.u32(local)
    out.byte(op.localGet)
    out.u32(local)
    out.byte(kind === 1 ? op.f32Eq : op.f64Eq)
    out.byte(op.select)
  }

  /** Copies what lies between the last rewritten operator and `end`. */
  private copyTo(end: number): void {
    if (end > this.copied) this.out.copy(this.module.bytes, this.copied, end)
    this.copied = end
  }

  /** Handles one operator of the original. */
  private step(): void {
    const { bytes } = this.module
    const start = this.at
    const code = bytes[start]!
    this.at = start + 1
    if (accounting[code]) {
      this.copyTo(start)
      this.writeCharge(this.pendingGas + this.schedule.accountingOperator)
      this.pendingGas = 0
      this.control(code, start)
      return
    }
    this.pendingGas += this.schedule.operator
    if (code === op.block) {
      this.open(0)
      return
    }
    this.skipImmediate(code)
    this.move(pops[code]!, pushes[code]!)
    if (code === op.unreachable) this.height = this.bases[this.bases.length - 1]!
    else if (code === op.memorySize || code === op.memoryGrow) this.virtualMemory(code, start)
    else if (canonicalised[code]) {
      this.copyTo(this.at)
      this.writeCanonical(canonicalised[code] as 1 | 2)
    }
  }

  private virtualMemory(code: number, start: number): void {
    this.copyTo(start)
    this.out.byte(code === op.memorySize ? op.globalGet : op.call)
    this.out.u32(code === op.memorySize ? this.indices.pages : this.indices.grow)
    this.copied = this.at
  }

  private control(code: number, start: number): void {
    const top = this.bases.length - 1
    switch (code) {
      case op.loop:
        this.open(0)
        return
      case op.if:
        this.open(1)
        return
      case op.else:
        this.height = this.bases[top]! + this.params[top]!
        return
      case op.end:
        this.close(start)
        return
      case op.br:
        this.leb()
        this.height = this.bases[top]!
        return
      case op.brIf:
        this.leb()
        this.move(1, 0)
        return
      case op.brTable:
        for (let left = this.leb() + 1; left > 0; left--) this.leb()
        this.height = this.bases[top]!
        return
      case op.return:
        this.out.byte(op.br)
        this.out.u32(top)
        this.copied = this.at
        this.height = this.bases[top]!
        return
      case op.call: {
        const type = this.functionTypes[this.leb()]!
        this.move(this.typeParams[type]!, this.typeResults[type]!)
        return
      }
      default: {
        const type = this.leb()
        this.at++
        this.move(this.typeParams[type]! + 1, this.typeResults[type]!)
      }
    }
  }

  /** Opens a block; `taken` operands (the condition of an `if`) are consumed first. */
  private open(taken: number): void {
    this.move(taken, 0)
    const byte = this.module.bytes[this.at]!
    let params = 0
    let results = 0
    if (byte === 0x40) this.at++
    else if (byte >= 0x7c && byte <= 0x7f) {
      this.at++
      results = 1
    } else {
      const type = this.leb()
      params = this.typeParams[type]!
      results = this.typeResults[type]!
    }
    this.bases.push(Math.max(this.height - params, this.bases[this.bases.length - 1]!))
    this.params.push(params)
    this.results.push(results)
  }

  /** `end`; the last one of the function is written by `writeExit`. */
  private close(start: number): void {
    this.height = this.bases.pop()!
    this.params.pop()
    this.move(0, this.results.pop()!)
    if (this.bases.length === 0) {
      this.copyTo(start)
      this.copied = this.at
    }
  }

  private move(taken: number, given: number): void {
    const base = this.bases.length > 0 ? this.bases[this.bases.length - 1]! : 0
    this.height = Math.max(this.height - taken, base) + given
    if (this.height > this.maxHeight) this.maxHeight = this.height
  }

  private leb(): number {
    const { bytes } = this.module
    let byte = bytes[this.at++]!
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  private skipLeb(): void {
    const { bytes } = this.module
    while (bytes[this.at++]! >= 0x80) {
      // each byte with the high bit set is followed by another
    }
  }

  private skipImmediate(code: number): void {
    switch (immediates[code]) {
      case Immediate.none:
        return
      case Immediate.memory:
        this.skipLeb()
        this.skipLeb()
        return
      case Immediate.f32:
        this.at += 4
        return
      case Immediate.f64:
        this.at += 8
        return
      default:
        this.skipLeb()
    }
  }
}
