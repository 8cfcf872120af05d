import { utf8ToBytes } from '@coin/base/bytes'

/** Bytes of a module, nested at will. */
export type Code = readonly (number | Code)[]

/** Unsigned LEB128. */
export function u(value: number): number[] {
  const out: number[] = []
  let left = value
  while (left >= 0x80) {
    out.push((left % 128) | 0x80)
    left = Math.floor(left / 128)
  }
  return [...out, left]
}

/** Signed LEB128. */
export function s(value: number): number[] {
  const out: number[] = []
  let left = value
  for (;;) {
    const low = ((left % 128) + 128) % 128
    left = (left - low) / 128
    if ((left === 0 && low < 64) || (left === -1 && low >= 64)) return [...out, low]
    out.push(low | 0x80)
  }
}

const flat = (code: Code): number[] => code.flatMap((part) => (typeof part === 'number' ? [part] : flat(part)))

const name = (text: string): number[] => [...u(utf8ToBytes(text).length), ...utf8ToBytes(text)]

export const type = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c } as const

/** The operators that the tests write by name. */
export const op = {
  unreachable: 0x00,
  nop: 0x01,
  block: (kind: number, ...body: Code) => [0x02, kind, ...body, 0x0b],
  loop: (kind: number, ...body: Code) => [0x03, kind, ...body, 0x0b],
  if: (kind: number, ...body: Code) => [0x04, kind, ...body, 0x0b],
  else: 0x05,
  end: 0x0b,
  br: (depth: number) => [0x0c, ...u(depth)],
  brIf: (depth: number) => [0x0d, ...u(depth)],
  return: 0x0f,
  call: (index: number) => [0x10, ...u(index)],
  drop: 0x1a,
  localGet: (index: number) => [0x20, ...u(index)],
  localSet: (index: number) => [0x21, ...u(index)],
  globalGet: (index: number) => [0x23, ...u(index)],
  globalSet: (index: number) => [0x24, ...u(index)],
  i32Load: (offset = 0) => [0x28, 2, ...u(offset)],
  i32Store: (offset = 0) => [0x36, 2, ...u(offset)],
  memorySize: [0x3f, 0],
  memoryGrow: [0x40, 0],
  i32: (value: number) => [0x41, ...s(value)],
  i64: (value: number) => [0x42, ...s(value)],
  i32Eqz: 0x45,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i64Add: 0x7c,
  empty: 0x40,
} as const

export interface FunctionSpec {
  readonly params?: readonly number[]
  readonly results?: readonly number[]
  /** Groups of declared locals: how many of which type. */
  readonly locals?: readonly (readonly [count: number, type: number])[]
  /** Without the final `end`. */
  readonly body: Code
  readonly export?: string | undefined
}

export interface ModuleSpec {
  /** Functions of `env`. */
  readonly imports?: readonly {
    readonly name: string
    readonly params: number
    readonly results: number
    readonly module?: string
  }[]
  readonly functions?: readonly FunctionSpec[]
  /** Names of further exports of `interface_version_8`'s function, for example `requires_iterator`. */
  readonly markers?: readonly string[]
  readonly memory?: { readonly min: number; readonly max?: number; readonly flag?: number } | null
  readonly memories?: number
  readonly table?: { readonly min: number; readonly max?: number; readonly type?: number }
  /** Mutable i32 globals behind the allocator's, with their start. */
  readonly globals?: readonly number[]
  readonly data?: readonly { readonly at: number; readonly bytes: Uint8Array; readonly flag?: number }[]
  readonly custom?: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  readonly start?: number
  /** Parts of a proper contract to leave out. */
  readonly without?: readonly ('allocate' | 'deallocate' | 'memory' | 'version')[]
  /** Written as they are, behind everything else. */
  readonly raw?: Code
}

const i32s = (count: number) => Array.from({ length: count }, () => type.i32)

/** Index of the first function of `functions`, given how many functions are imported. */
export const firstFunction = (imports: number): number => imports + 3

/** The allocator's heap starts here. */
export const heapStart = 4096

/** A bump allocator, which is all that a contract of one call needs: region first, then its bytes. */
const allocate: FunctionSpec = {
  ...{ params: [type.i32], results: [type.i32], locals: [[1, type.i32]], export: 'allocate' },
  body: [
    ...[op.globalGet(0), op.localSet(1)],
    ...[op.localGet(1), op.localGet(1), op.i32(12), op.i32Add, op.i32Store(0)],
    ...[op.localGet(1), op.localGet(0), op.i32Store(4)],
    ...[op.localGet(1), op.i32(0), op.i32Store(8)],
    ...[op.localGet(1), op.localGet(0), op.i32Add, op.i32(12), op.i32Add, op.globalSet(0)],
    op.localGet(1),
  ],
}

const standard: readonly FunctionSpec[] = [
  allocate,
  { params: [type.i32], export: 'deallocate', body: [] },
  { export: 'interface_version_8', body: [] },
]

/** A contract with allocator and marker; functions that are given come behind. */
export function buildModule(spec: ModuleSpec = {}): Uint8Array {
  const without = new Set<string | undefined>(
    (spec.without ?? []).map((part) => (part === 'version' ? 'interface_version_8' : part)),
  )
  const kept = standard.map((item) => (without.has(item.export) ? { ...item, export: undefined } : item))
  const functions: readonly FunctionSpec[] = [...kept, ...(spec.functions ?? [])]
  const imports = spec.imports ?? []
  const types: Code[] = []
  const typeIndex = (params: readonly number[], results: readonly number[]): number => {
    const encoded = [0x60, ...u(params.length), ...params, ...u(results.length), ...results]
    const found = types.findIndex((known) => JSON.stringify(known) === JSON.stringify(encoded))
    return found >= 0 ? found : types.push(encoded) - 1
  }
  const importEntries = imports.map((entry) => [
    ...[name(entry.module ?? 'env'), name(entry.name), 0],
    u(typeIndex(i32s(entry.params), i32s(entry.results))),
  ])
  const functionTypes = functions.map((item) => u(typeIndex(item.params ?? [], item.results ?? [])))
  const section = (id: number, content: Code): number[] => {
    const bytes = flat(content)
    return [id, ...u(bytes.length), ...bytes]
  }
  const list = (id: number, items: readonly Code[]): number[] =>
    items.length === 0 ? [] : section(id, [u(items.length), ...items])
  const bodies = functions.map((item) => {
    const bytes = flat([
      u((item.locals ?? []).length),
      ...(item.locals ?? []).map(([count, kind]) => [u(count), kind]),
      ...item.body,
      op.end,
    ])
    return [u(bytes.length), bytes]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...list(1, types),
    ...list(2, importEntries),
    ...list(3, functionTypes),
    ...tableAndMemory(spec, list),
    ...list(
      6,
      [heapStart, ...(spec.globals ?? [])].map((value) => [type.i32, 1, op.i32(value), op.end]),
    ),
    ...list(7, exportsOf(spec, functions, imports.length)),
    ...(spec.start === undefined ? [] : section(8, [u(spec.start)])),
    ...list(10, bodies),
    ...list(
      11,
      (spec.data ?? []).map(({ at, bytes, flag }) => [flag ?? 0, op.i32(at), op.end, u(bytes.length), [...bytes]]),
    ),
    ...(spec.custom ?? []).flatMap((item) => section(0, [name(item.name), [...item.bytes]])),
    ...flat(spec.raw ?? []),
  ])
}

function tableAndMemory(spec: ModuleSpec, list: (id: number, items: readonly Code[]) => number[]): number[] {
  const limits = (min: number, max: number | undefined, flag?: number) =>
    max === undefined ? [flag ?? 0, u(min)] : [flag ?? 1, u(min), u(max)]
  const { table } = spec
  const memory = spec.memory === undefined ? { min: 1 } : spec.memory
  const memories =
    memory === null ? [] : Array.from({ length: spec.memories ?? 1 }, () => limits(memory.min, memory.max, memory.flag))
  return [
    ...list(4, table === undefined ? [] : [[table.type ?? 0x70, limits(table.min, table.max)]]),
    ...list(5, memories),
  ]
}

function exportsOf(spec: ModuleSpec, functions: readonly FunctionSpec[], imported: number): Code[] {
  const exported: Code[] = functions.flatMap((item, index) =>
    item.export === undefined ? [] : [[name(item.export), 0, u(imported + index)]],
  )
  for (const marker of spec.markers ?? []) exported.push([name(marker), 0, u(imported + 2)])
  if (spec.memory !== null && !(spec.without ?? []).includes('memory')) exported.push([name('memory'), 2, 0])
  return exported
}

/** Where `answerData` puts its region. */
export const answerAt = 64

/** Data of a region at `at` that holds `text`. */
export function regionAt(at: number, text: string): { readonly at: number; readonly bytes: Uint8Array }[] {
  const bytes = utf8ToBytes(text)
  const region = new Uint8Array(12)
  const view = new DataView(region.buffer)
  view.setUint32(0, at + 12, true)
  view.setUint32(4, bytes.length, true)
  view.setUint32(8, bytes.length, true)
  return [
    { at, bytes: region },
    { at: at + 12, bytes },
  ]
}

/** Data of a region that holds `text`; return `answerAt` to answer with it. */
export const answerData = (text: string) => regionAt(answerAt, text)

/** `execute` with the given body that then answers `{"ok":{}}`. */
export function executing(body: Code, extra: ModuleSpec = {}, locals: FunctionSpec['locals'] = []): ModuleSpec {
  return {
    ...extra,
    functions: [
      {
        ...{ params: i32s(3), results: [type.i32], export: 'execute', locals },
        body: [...body, op.i32(answerAt)],
      },
      ...(extra.functions ?? []),
    ],
    data: [...answerData('{"ok":{}}'), ...(extra.data ?? [])],
  }
}
