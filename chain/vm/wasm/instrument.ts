import type { GasSchedule } from '../gas.js'
import type { WasmModule } from './reader.js'
import { BodyRewriter } from './rewrite-body.js'
import { Writer } from './writer.js'

/** Part of the cache key of rewritten codes: raise it with every change of what the rewriter puts out. */
export const rewriterVersion = 1

/** Names under which the rewritten module exports what was added to it. */
export const added = {
  /** i64 global: VM gas left; negative once it ran out. */
  gas: '$gas',
  /** i32 global: stack units left; negative once they ran out. */
  stack: '$stack',
  /** i32 global: pages the contract sees. The memory itself may be larger. */
  pages: '$pages',
  /** i32 global: 1 when the machine refused memory that the contract was entitled to. */
  fatal: '$fatal',
  /** Function (gas i64, stack i32): sets those, the page count and every mutable global of the contract to its start. */
  reset: '$reset',
} as const

/** Pages that every instance has from the start on top of the contract's minimum: most contracts grow by one at once. */
const sparePages = 2

export interface MemoryLayout {
  /** Pages that the contract starts with. */
  readonly pagesMin: number
  /** Pages that the memory has from the start. */
  readonly pagesPhysical: number
  /** Pages that neither may exceed. */
  readonly pagesMax: number
}

export function memoryLayout(module: WasmModule, pagesMax: number): MemoryLayout {
  const pagesMin = module.memories[0]!.min
  return { pagesMin, pagesPhysical: Math.min(pagesMin + sparePages, pagesMax), pagesMax }
}

/** Indices of what is appended, so that no index of the original moves. */
export interface AddedIndices {
  readonly gas: number
  readonly stack: number
  readonly pages: number
  readonly fatal: number
  readonly grow: number
  readonly reset: number
}

/**
 * Rewrites a checked module: gas is charged before every accounting operator, frames are taken from a stack budget, NaN
 * results are canonical, the memory's size is virtual, and a reset function restores globals. Custom sections and exports
 * that the host does not use are dropped. The module MUST have passed `checkCode`.
 */
export function instrument(
  module: WasmModule,
  schedule: GasSchedule,
  layout: MemoryLayout,
  keepExports: ReadonlySet<string>,
): Uint8Array<ArrayBuffer> {
  const functionCount = module.importedFunctions + module.functions.length
  const globals = module.globals.length
  const indices: AddedIndices = {
    gas: globals,
    stack: globals + 1,
    pages: globals + 2,
    fatal: globals + 3,
    grow: functionCount,
    reset: functionCount + 1,
  }
  const out = new Writer(module.bytes.length * 3)
  for (const byte of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.byte(byte)
  writeTypes(out, module)
  copySection(out, module, 2)
  writeFunctions(out, module)
  copySection(out, module, 4)
  section(out, 5, () => {
    for (const value of [1, 1, layout.pagesPhysical, layout.pagesMax]) out.u32(value)
  })
  writeGlobals(out, module, layout)
  writeExports(out, module, indices, keepExports)
  copySection(out, module, 9)
  section(out, 10, () => {
    out.u32(module.bodies.length + 2)
    const rewriter = new BodyRewriter(out, module, schedule, indices)
    for (const body of module.bodies) rewriter.rewrite(body)
    writeGrow(out, indices, layout)
    writeReset(out, module, indices, layout)
  })
  copySection(out, module, 11)
  return out.result()
}

function section(out: Writer, id: number, content: () => void): void {
  out.byte(id)
  out.sized(content)
}

function copySection(out: Writer, module: WasmModule, id: number): void {
  const span = module.sections.get(id)
  if (span !== undefined) section(out, id, () => out.copy(module.bytes, span.start, span.end))
}

function writeTypes(out: Writer, module: WasmModule): void {
  const typeList = (types: readonly number[]) => {
    out.u32(types.length)
    for (const type of types) out.byte(type)
  }
  section(out, 1, () => {
    out.u32(module.types.length + 2)
    for (const type of [...module.types, { params: [0x7f], results: [0x7f] }, { params: [0x7e, 0x7f], results: [] }]) {
      out.byte(0x60)
      typeList(type.params)
      typeList(type.results)
    }
  })
}

function writeFunctions(out: Writer, module: WasmModule): void {
  section(out, 3, () => {
    out.u32(module.functions.length + 2)
    for (const type of module.functions) out.u32(type)
    out.u32(module.types.length)
    out.u32(module.types.length + 1)
  })
}

function writeGlobals(out: Writer, module: WasmModule, layout: MemoryLayout): void {
  section(out, 6, () => {
    out.u32(module.globals.length + 4)
    for (const global of module.globals) {
      out.byte(global.type)
      out.byte(global.mutable ? 1 : 0)
      out.copy(module.bytes, global.init.start, global.init.end)
    }
    for (const [type, constant, value] of [
      [0x7e, 0x42, 0],
      [0x7f, 0x41, 0],
      [0x7f, 0x41, layout.pagesMin],
      [0x7f, 0x41, 0],
    ] as const) {
      out.byte(type)
      out.byte(1)
      out.byte(constant)
      out.signed(value)
      out.byte(0x0b)
    }
  })
}

function writeExports(out: Writer, module: WasmModule, indices: AddedIndices, keep: ReadonlySet<string>): void {
  const kept = module.exports.filter((entry) => keep.has(entry.name) && (entry.kind === 0 || entry.kind === 2))
  section(out, 7, () => {
    out.u32(kept.length + 5)
    for (const entry of kept) {
      out.name(entry.name)
      out.byte(entry.kind)
      out.u32(entry.index)
    }
    for (const name of ['gas', 'stack', 'pages', 'fatal'] as const) {
      out.name(added[name])
      out.byte(3)
      out.u32(indices[name])
    }
    out.name(added.reset)
    out.byte(0)
    out.u32(indices.reset)
  })
}

/**
 * `grow(delta) -> old pages or -1`: moves the virtual page count. The memory grows only past its physical start; when the
 * machine refuses that, the flag is set and the call traps, because another machine would have answered differently.
 */
function writeGrow(out: Writer, indices: AddedIndices, layout: MemoryLayout): void {
  const { pages, fatal } = indices
  out.sized(() => {
    const code = [
      ...[0], // no locals
      ...[0x20, 0], // local.get delta
      ...[0x41, ...signedBytes(layout.pagesMax), 0x23, ...unsignedBytes(pages), 0x6b], // max - pages
      ...[0x4b, 0x04, 0x40, 0x41, 0x7f, 0x0f, 0x0b], // delta >u that: return -1
      ...[0x23, ...unsignedBytes(pages), 0x20, 0, 0x6a, 0x3f, 0, 0x4b, 0x04, 0x40], // pages + delta >u memory.size
      ...[0x23, ...unsignedBytes(pages), 0x20, 0, 0x6a, 0x3f, 0, 0x6b, 0x40, 0, 0x41, 0x7f, 0x46, 0x04, 0x40], // grow == -1
      ...[0x41, 1, 0x24, ...unsignedBytes(fatal), 0x00, 0x0b, 0x0b],
      ...[0x23, ...unsignedBytes(pages)], // result: the old count
      ...[0x23, ...unsignedBytes(pages), 0x20, 0, 0x6a, 0x24, ...unsignedBytes(pages)],
      ...[0x0b],
    ]
    for (const byte of code) out.byte(byte)
  })
}

function writeReset(out: Writer, module: WasmModule, indices: AddedIndices, layout: MemoryLayout): void {
  out.sized(() => {
    out.byte(0)
    for (const [index, global] of module.globals.entries()) {
      if (!global.mutable) continue
      out.copy(module.bytes, global.init.start, global.init.end - 1)
      out.byte(0x24)
      out.u32(index)
    }
    const code = [
      ...[0x20, 0, 0x24, ...unsignedBytes(indices.gas)],
      ...[0x20, 1, 0x24, ...unsignedBytes(indices.stack)],
      ...[0x41, ...signedBytes(layout.pagesMin), 0x24, ...unsignedBytes(indices.pages)],
      ...[0x41, 0, 0x24, ...unsignedBytes(indices.fatal), 0x0b],
    ]
    for (const byte of code) out.byte(byte)
  })
}

function unsignedBytes(value: number): number[] {
  const writer = new Writer(8)
  writer.u32(value)
  return [...writer.result()]
}

function signedBytes(value: number): number[] {
  const writer = new Writer(8)
  writer.signed(value)
  return [...writer.result()]
}
