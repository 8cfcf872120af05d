import type { Bytes } from '@coin/base/bytes'
import { errors } from '../errors.js'

/** Position and end of something inside the module's bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface FunctionType {
  readonly params: readonly number[]
  readonly results: readonly number[]
}

export interface Limits {
  readonly min: number
  readonly max: number | undefined
}

export interface ImportEntry {
  readonly module: string
  readonly name: string
  /** 0 function, 1 table, 2 memory, 3 global, 4 tag. */
  readonly kind: number
  /** Type index of a function; 0 for other kinds. */
  readonly type: number
}

export interface ExportEntry {
  readonly name: string
  /** As in `ImportEntry`. */
  readonly kind: number
  readonly index: number
}

export interface GlobalEntry {
  readonly type: number
  readonly mutable: boolean
  /** The initial value's expression, `end` included. */
  readonly init: Span
}

export interface FunctionBody {
  /** Index among all functions, imports first. */
  readonly index: number
  readonly type: number
  /** The body without its size prefix. */
  readonly span: Span
  /** Groups of declared locals, parameters not among them. */
  readonly locals: readonly { readonly count: number; readonly type: number }[]
  readonly localCount: number
  /** Where the operators begin. */
  readonly code: number
}

export interface DataSegment {
  readonly offset: number
  readonly span: Span
}

export interface CustomSection {
  readonly name: string
  readonly span: Span
}

/** A module taken apart. Spans point into `bytes`. */
export interface WasmModule {
  readonly bytes: Bytes
  readonly types: readonly FunctionType[]
  readonly imports: readonly ImportEntry[]
  /** How many of the imports are functions. */
  readonly importedFunctions: number
  /** Type index of each function defined here. */
  readonly functions: readonly number[]
  readonly tables: readonly Limits[]
  readonly memories: readonly Limits[]
  readonly globals: readonly GlobalEntry[]
  readonly exports: readonly ExportEntry[]
  readonly hasStart: boolean
  readonly bodies: readonly FunctionBody[]
  readonly data: readonly DataSegment[]
  readonly custom: readonly CustomSection[]
  /** Payloads of the known sections by id, custom sections left out. */
  readonly sections: ReadonlyMap<number, Span>
}

/** Names of the value types that the rules allow, by their encoding. */
export const valueTypeNames: ReadonlyMap<number, string> = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
])

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the encodings of the WebAssembly binary format. Refuses what is malformed with `staticRule`. */
export class Reader {
  readonly bytes: Bytes
  at: number
  end: number

  constructor(bytes: Bytes, start = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = start
    this.end = end
  }

  fail(rule: string, at = this.at): never {
    throw errors.staticRule(`${rule} at byte ${at}`)
  }

  byte(): number {
    if (this.at >= this.end) this.fail('unexpected end of the module')
    return this.bytes[this.at++]!
  }

  /** Unsigned LEB128 of at most 32 bits. */
  u32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      if (shift === 28 && byte > 0x0f) this.fail('integer is longer than 32 bits')
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return this.fail('integer is longer than 32 bits')
  }

  /** Skips a signed LEB128 of at most `bits` bits. */
  skipSigned(bits: number): void {
    for (let left = Math.ceil(bits / 7); left > 0; left--) if (this.byte() < 0x80) return
    this.fail(`integer is longer than ${bits} bits`)
  }

  /** Signed LEB128 of 32 bits. */
  s32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return shift < 25 && byte & 0x40 ? value | (-1 << (shift + 7)) : value
    }
    return this.fail('integer is longer than 32 bits')
  }

  pass(count: number): void {
    if (count > this.end - this.at) this.fail('unexpected end of the module')
    this.at += count
  }

  name(): string {
    const length = this.u32()
    const start = this.at
    this.pass(length)
    try {
      return utf8.decode(this.bytes.subarray(start, this.at))
    } catch {
      return this.fail('name is not UTF-8', start)
    }
  }

  vector<T>(item: (index: number) => T): T[] {
    const count = this.u32()
    if (count > this.end - this.at) this.fail(`list claims ${count} entries, more than there are bytes`)
    const out: T[] = []
    for (let i = 0; i < count; i++) out.push(item(i))
    return out
  }
}

const sectionNames = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
  'code',
  'data',
]

/**
 * Takes a module apart. Refuses with `staticRule` what is malformed or uses an encoding of a feature that contracts may
 * not use (sections, element and data segments, reference types). It does not check types: V8 does.
 */
export function readModule(bytes: Bytes): WasmModule {
  if (bytes.length < 8 || bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d) {
    throw errors.staticRule('not a WebAssembly module: it does not begin with "\\0asm"')
  }
  if (bytes[4] !== 1 || bytes[5] !== 0 || bytes[6] !== 0 || bytes[7] !== 0) {
    throw errors.staticRule('WebAssembly version is not 1')
  }
  const { sections, custom } = readSections(bytes)
  const open = (id: number) => {
    const span = sections.get(id)
    return span === undefined ? undefined : new Reader(bytes, span.start, span.end)
  }
  const list = <T>(id: number, item: (reader: Reader, index: number) => T): T[] => {
    const reader = open(id)
    if (reader === undefined) return []
    const out = reader.vector((index) => item(reader, index))
    if (reader.at !== reader.end) reader.fail(`${sectionNames[id]} section is longer than its contents`)
    return out
  }
  const types = list(1, readFunctionType)
  const imports = list(2, readImport)
  const importedFunctions = imports.filter((entry) => entry.kind === 0).length
  const functions = list(3, (reader) => reader.u32())
  const parts = {
    tables: list(4, readTable),
    memories: list(5, readLimits),
    globals: list(6, readGlobal),
    exports: list(7, readExport),
  }
  list(9, readElements)
  const bodies = list(10, (reader, i) => readBody(reader, importedFunctions + i, functions[i]))
  if (bodies.length !== functions.length) {
    throw errors.staticRule(`${functions.length} functions are declared, ${bodies.length} have a body`)
  }
  const data = list(11, readData)
  return {
    ...{ bytes, types, imports, importedFunctions, functions, ...parts, bodies, data, custom, sections },
    hasStart: sections.has(8),
  }
}

function readSections(bytes: Bytes): { sections: Map<number, Span>; custom: CustomSection[] } {
  const reader = new Reader(bytes, 8)
  const sections = new Map<number, Span>()
  const custom: CustomSection[] = []
  let last = 0
  while (reader.at < reader.end) {
    const at = reader.at
    const id = reader.byte()
    const size = reader.u32()
    const start = reader.at
    reader.pass(size)
    if (id === 0) {
      const inner = new Reader(bytes, start, reader.at)
      const name = inner.name()
      custom.push({ name, span: { start: inner.at, end: inner.end } })
      continue
    }
    if (id > 11) reader.fail(`section ${id} belongs to a feature that contracts may not use`, at)
    if (id <= last) reader.fail(`${sectionNames[id]} section is out of order or repeated`, at)
    last = id
    sections.set(id, { start, end: reader.at })
  }
  return { sections, custom }
}

function readValueType(reader: Reader): number {
  const type = reader.byte()
  if (!valueTypeNames.has(type)) {
    reader.fail(`value type 0x${type.toString(16)} belongs to a feature that contracts may not use`, reader.at - 1)
  }
  return type
}

function readFunctionType(reader: Reader): FunctionType {
  const form = reader.byte()
  if (form !== 0x60) {
    reader.fail(`type form 0x${form.toString(16)} belongs to a feature that contracts may not use`, reader.at - 1)
  }
  const params = reader.vector(() => readValueType(reader))
  return { params, results: reader.vector(() => readValueType(reader)) }
}

function readLimits(reader: Reader): Limits {
  const flags = reader.byte()
  if (flags > 1) {
    reader.fail(
      `limits flag ${flags} (shared or 64-bit memory) belongs to a feature that contracts may not use`,
      reader.at - 1,
    )
  }
  const min = reader.u32()
  return { min, max: flags === 1 ? reader.u32() : undefined }
}

function readTable(reader: Reader): Limits {
  const type = reader.byte()
  if (type !== 0x70) {
    reader.fail(`table of type 0x${type.toString(16)} belongs to a feature that contracts may not use`, reader.at - 1)
  }
  return readLimits(reader)
}

function readImport(reader: Reader): ImportEntry {
  const at = reader.at
  const module = reader.name()
  const name = reader.name()
  const kind = reader.byte()
  let type = 0
  if (kind === 0) type = reader.u32()
  else if (kind === 1) readTable(reader)
  else if (kind === 2) readLimits(reader)
  else if (kind === 3) {
    readValueType(reader)
    reader.byte()
  } else reader.fail(`import "${module}.${name}" of kind ${kind} belongs to a feature that contracts may not use`, at)
  return { module, name, kind, type }
}

function readExport(reader: Reader): ExportEntry {
  return { name: reader.name(), kind: reader.byte(), index: reader.u32() }
}

/** Constant expressions of the first WebAssembly version, without the globals that contracts cannot import. */
function skipConstant(reader: Reader): void {
  const op = reader.byte()
  if (op === 0x41) reader.skipSigned(32)
  else if (op === 0x42) reader.skipSigned(64)
  else if (op === 0x43) reader.pass(4)
  else if (op === 0x44) reader.pass(8)
  else reader.fail(`operator 0x${op.toString(16)} may not stand in a constant expression`, reader.at - 1)
  if (reader.byte() !== 0x0b) reader.fail('constant expression has more than one operator', reader.at - 1)
}

function readGlobal(reader: Reader): GlobalEntry {
  const type = readValueType(reader)
  const mutability = reader.byte()
  if (mutability > 1) reader.fail(`global with mutability ${mutability}`, reader.at - 1)
  const start = reader.at
  skipConstant(reader)
  return { type, mutable: mutability === 1, init: { start, end: reader.at } }
}

function readElements(reader: Reader): void {
  const flag = reader.u32()
  if (flag !== 0) {
    reader.fail(
      `element segment flag ${flag} (reference types, bulk memory) belongs to a feature that contracts may not use`,
    )
  }
  skipConstant(reader)
  reader.vector(() => reader.u32())
}

function readData(reader: Reader): DataSegment {
  const flag = reader.u32()
  if (flag !== 0) {
    reader.fail(`data segment flag ${flag} (bulk memory) belongs to a feature that contracts may not use`)
  }
  const op = reader.byte()
  if (op !== 0x41) reader.fail('data segment offset is not an i32 constant', reader.at - 1)
  const offset = reader.s32() >>> 0
  if (reader.byte() !== 0x0b) reader.fail('data segment offset is not an i32 constant', reader.at - 1)
  const length = reader.u32()
  const start = reader.at
  reader.pass(length)
  return { offset, span: { start, end: reader.at } }
}

function readBody(reader: Reader, index: number, type: number | undefined): FunctionBody {
  if (type === undefined) reader.fail('more function bodies than functions')
  const size = reader.u32()
  const start = reader.at
  reader.pass(size)
  const inner = new Reader(reader.bytes, start, reader.at)
  let localCount = 0
  const locals = inner.vector(() => {
    const count = inner.u32()
    localCount += count
    return { count, type: readValueType(inner) }
  })
  return { index, type, span: { start, end: reader.at }, locals, localCount, code: inner.at }
}
