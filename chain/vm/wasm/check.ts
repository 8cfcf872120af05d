import { CodedError } from '@coin/base/errors'
import { errors } from '../errors.js'
import { Immediate, immediates, maxPrefixed } from './opcodes.js'
import { type FunctionBody, Reader, readModule, valueTypeNames, type WasmModule } from './reader.js'

/** Bounds on a contract's code. The first group is cosmwasm-vm 2.3's, the second keeps V8's compilers in hand. */
export interface CodeLimits {
  readonly memoryPagesMin: number
  readonly tableElements: number
  readonly imports: number
  readonly functions: number
  readonly functionParams: number
  readonly totalParams: number
  readonly functionResults: number
  /** Own cap, bytes: one huge function makes an optimising compiler take seconds. Largest seen in practice: 67 KB. */
  readonly bodyBytes: number
  /** As cosmwasm-vm 2.3.4; largest seen in practice: 99. */
  readonly functionLocals: number
  readonly totalLocals: number
  /** Own cap: every mutable global is set back before each call. */
  readonly globals: number
}

export const defaultCodeLimits: CodeLimits = {
  memoryPagesMin: 512,
  tableElements: 2_500,
  imports: 100,
  functions: 20_000,
  functionParams: 100,
  totalParams: 10_000,
  functionResults: 1,
  bodyBytes: 128 * 1024,
  functionLocals: 100,
  totalLocals: 10_000,
  globals: 1_000,
}

/** What wasmd v0.60 offers to contracts. */
export const defaultCapabilities: readonly string[] = [
  ...['iterator', 'staking', 'stargate', 'cosmwasm_1_1', 'cosmwasm_1_2', 'cosmwasm_1_3', 'cosmwasm_1_4'],
  ...['cosmwasm_2_0', 'cosmwasm_2_1', 'cosmwasm_2_2'],
]

/** Signatures of the functions that contracts may import from `env`: one letter per operand (I is i64), `:` before the result. */
export const hostFunctions: ReadonlyMap<string, string> = new Map([
  ['abort', 'i:'],
  ['addr_canonicalize', 'ii:i'],
  ['addr_humanize', 'ii:i'],
  ['addr_validate', 'i:i'],
  ['bls12_381_aggregate_g1', 'ii:i'],
  ['bls12_381_aggregate_g2', 'ii:i'],
  ['bls12_381_hash_to_g1', 'iiii:i'],
  ['bls12_381_hash_to_g2', 'iiii:i'],
  ['bls12_381_pairing_equality', 'iiii:i'],
  ['db_next', 'i:i'],
  ['db_next_key', 'i:i'],
  ['db_next_value', 'i:i'],
  ['db_read', 'i:i'],
  ['db_remove', 'i:'],
  ['db_scan', 'iii:i'],
  ['db_write', 'ii:'],
  ['debug', 'i:'],
  ['ed25519_batch_verify', 'iii:i'],
  ['ed25519_verify', 'iii:i'],
  ['query_chain', 'i:i'],
  ['secp256k1_recover_pubkey', 'iii:I'],
  ['secp256k1_verify', 'iii:i'],
  ['secp256r1_recover_pubkey', 'iii:I'],
  ['secp256r1_verify', 'iii:i'],
])

const ibcEntryPoints = [
  ...['ibc_channel_open', 'ibc_channel_connect', 'ibc_channel_close'],
  ...['ibc_packet_receive', 'ibc_packet_ack', 'ibc_packet_timeout'],
]

export const entryPoints = ['instantiate', 'execute', 'query', 'migrate', 'sudo', 'reply', ...ibcEntryPoints] as const

/** Exports that the host calls although they do not make a contract's list of entry points. */
export const callbackEntryPoints = ['ibc_source_callback', 'ibc_destination_callback'] as const

/** What a code offers and asks for. */
export interface CodeReport {
  /** Exported entry points, sorted by name. */
  readonly entryPoints: readonly string[]
  /** Sorted by name. */
  readonly requiredCapabilities: readonly string[]
  readonly hasIbcEntryPoints: boolean
  /** From the custom section `cw_migrate_version`. */
  readonly migrateVersion: bigint | undefined
  /** Signature of each exported function that the host may call, in the notation of `hostFunctions`. */
  readonly signatures: ReadonlyMap<string, string>
}

export interface CheckedCode {
  readonly module: WasmModule
  readonly report: CodeReport
}

export interface CheckOptions {
  readonly limits?: CodeLimits
  readonly capabilities?: ReadonlySet<string>
}

/**
 * Every rule that a code must keep before it may be stored: V8's own validation of the original first (a module that is
 * invalid before rewriting could be valid after it and then refill its own gas), then the static rules of cosmwasm-vm 2.3.
 *
 * Throws `staticRule`; the text names the rule, the function, import or export, and the byte where one applies.
 */
export function checkCode(bytes: Uint8Array<ArrayBuffer>, options: CheckOptions = {}): CheckedCode {
  const limits = options.limits ?? defaultCodeLimits
  const module = readModule(bytes)
  checkMemoryAndTable(module, limits)
  checkImports(module, limits)
  checkFunctions(module, limits)
  for (const body of module.bodies) checkOperators(module, body)
  if (!WebAssembly.validate(bytes)) throw errors.staticRule(`invalid WebAssembly: ${explainInvalid(bytes)}`)
  const report = describe(module)
  checkExports(module, report)
  checkCapabilities(report, options.capabilities ?? new Set(defaultCapabilities))
  return { module, report }
}

/** V8's own words about an invalid module. */
function explainInvalid(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    new WebAssembly.Module(bytes)
  } catch (error) {
    return error instanceof Error ? error.message.replace('WebAssembly.Module(): ', '') : String(error)
  }
  return 'no reason given'
}

function checkMemoryAndTable(module: WasmModule, limits: CodeLimits): void {
  if (module.tables.length > 1) throw errors.staticRule(`${module.tables.length} tables, at most 1 is allowed`)
  const table = module.tables[0]
  if (table !== undefined && table.max === undefined) throw errors.staticRule('table 0 has no maximum')
  if (table !== undefined && table.max! > limits.tableElements) {
    throw errors.staticRule(`table 0 may grow to ${table.max} elements, at most ${limits.tableElements} are allowed`)
  }
  const memory = module.memories[0]
  if (module.memories.length !== 1 || memory === undefined) {
    throw errors.staticRule(`contract must contain exactly one memory, it has ${module.memories.length}`)
  }
  if (memory.min > limits.memoryPagesMin) {
    throw errors.staticRule(`memory starts with ${memory.min} pages, at most ${limits.memoryPagesMin} are allowed`)
  }
  if (memory.max !== undefined) throw errors.staticRule("memory's maximum must be unset, the host sets it")
  if (module.hasStart) throw errors.staticRule('a start function is not allowed')
  if (module.globals.length > limits.globals) {
    throw errors.staticRule(`${module.globals.length} globals, at most ${limits.globals} are allowed`)
  }
}

function checkImports(module: WasmModule, limits: CodeLimits): void {
  if (module.imports.length > limits.imports) {
    throw errors.staticRule(`${module.imports.length} imports, at most ${limits.imports} are allowed`)
  }
  for (const [index, entry] of module.imports.entries()) {
    const name = `${entry.module}.${entry.name}`
    const expected = entry.module === 'env' ? hostFunctions.get(entry.name) : undefined
    if (expected === undefined) throw errors.staticRule(`import ${index} "${name}" is not a function of the host`)
    if (entry.kind !== 0) throw errors.staticRule(`import ${index} "${name}" is not a function`)
    const actual = signature(module, entry.type)
    if (actual !== expected) {
      throw errors.staticRule(`import ${index} "${name}" has signature ${actual}, the host's is ${expected}`)
    }
  }
}

/** `i32, i64 -> f32` as `iI:f`, f64 being F. */
export function signature(module: WasmModule, type: number): string {
  const shape = module.types[type]
  if (shape === undefined) throw errors.staticRule(`type index ${type} is out of range`)
  const letter = (valueType: number) => ({ 127: 'i', 126: 'I', 125: 'f', 124: 'F' })[valueType] ?? '?'
  return `${shape.params.map(letter).join('')}:${shape.results.map(letter).join('')}`
}

function checkFunctions(module: WasmModule, limits: CodeLimits): void {
  const count = module.functions.length
  if (count > limits.functions) throw errors.staticRule(`${count} functions, at most ${limits.functions} are allowed`)
  for (const [index, type] of module.types.entries()) {
    if (type.params.length > limits.functionParams) {
      throw errors.staticRule(
        `type ${index} has ${type.params.length} parameters, at most ${limits.functionParams} are allowed`,
      )
    }
    if (type.results.length > limits.functionResults) {
      throw errors.staticRule(
        `type ${index} has ${type.results.length} results, at most ${limits.functionResults} are allowed`,
      )
    }
  }
  let params = 0
  let locals = 0
  for (const body of module.bodies) {
    const type = module.types[body.type]
    if (type === undefined)
      throw errors.staticRule(`function ${body.index} has type ${body.type}, which does not exist`)
    params += type.params.length
    locals += body.localCount
    const size = body.span.end - body.span.start
    if (size > limits.bodyBytes) {
      throw errors.staticRule(`function ${body.index} has ${size} bytes, at most ${limits.bodyBytes} are allowed`)
    }
    if (body.localCount > limits.functionLocals) {
      throw errors.staticRule(
        `function ${body.index} has ${body.localCount} locals, at most ${limits.functionLocals} are allowed`,
      )
    }
  }
  if (params > limits.totalParams) {
    throw errors.staticRule(`${params} function parameters in total, at most ${limits.totalParams} are allowed`)
  }
  if (locals > limits.totalLocals) {
    throw errors.staticRule(`${locals} locals in total, at most ${limits.totalLocals} are allowed`)
  }
}

/** Which WebAssembly feature an operator outside the list belongs to. */
function featureOf(code: number): string {
  if (code === 0xfd) return 'SIMD'
  if (code === 0xfe) return 'threads'
  if (code === 0xfb) return 'garbage collection'
  if (code === 0xfc) return 'bulk memory or reference types'
  if (code === 0x12 || code === 0x13) return 'tail calls'
  if ((code >= 0x06 && code <= 0x0a) || code === 0x18 || code === 0x19 || code === 0x1f) return 'exceptions'
  if (code === 0x1c || code === 0x25 || code === 0x26 || (code >= 0xd0 && code <= 0xd6)) return 'reference types'
  return 'an unknown extension'
}

function checkOperators(module: WasmModule, body: FunctionBody): void {
  const reader = new Reader(module.bytes, body.code, body.span.end)
  try {
    while (reader.at < reader.end) checkOperator(reader)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw errors.staticRule(`function ${body.index}: ${error.message.replace(`: ${errors.staticRule.text}`, '')}`)
  }
}

function checkOperator(reader: Reader): void {
  const at = reader.at
  const code = reader.byte()
  const refuse = (feature: string): never =>
    reader.fail(`operator 0x${code.toString(16)} belongs to ${feature}, which contracts may not use,`, at)
  switch (immediates[code]) {
    case Immediate.none:
      return
    case Immediate.block:
      checkBlockType(reader)
      return
    case Immediate.index:
      reader.u32()
      return
    case Immediate.table:
      reader.vector(() => reader.u32())
      reader.u32()
      return
    case Immediate.callIndirect:
      reader.u32()
      if (reader.byte() !== 0) refuse('reference types')
      return
    case Immediate.memory:
      if (reader.u32() >= 64) refuse('multi-memory')
      reader.u32()
      return
    case Immediate.memorySize:
      if (reader.byte() !== 0) refuse('multi-memory')
      return
    case Immediate.i32:
      reader.skipSigned(32)
      return
    case Immediate.i64:
      reader.skipSigned(64)
      return
    case Immediate.f32:
      reader.pass(4)
      return
    case Immediate.f64:
      reader.pass(8)
      return
    case Immediate.prefix: {
      const second = reader.u32()
      if (second > maxPrefixed)
        reader.fail(`operator 0xfc ${second} belongs to ${featureOf(0xfc)}, which contracts may not use,`, at)
      return
    }
    default:
      refuse(featureOf(code))
  }
}

function checkBlockType(reader: Reader): void {
  const byte = reader.bytes[reader.at]
  if (byte === 0x40 || (byte !== undefined && valueTypeNames.has(byte))) {
    reader.at++
    return
  }
  if (byte !== undefined && byte < 0x80 && byte & 0x40) {
    reader.fail(`block type 0x${byte.toString(16)} belongs to a feature that contracts may not use`)
  }
  reader.u32()
}

function describe(module: WasmModule): CodeReport {
  const names = new Set<string>([...entryPoints, ...callbackEntryPoints, 'allocate', 'deallocate'])
  const signatures = new Map<string, string>()
  const capabilities: string[] = []
  for (const entry of module.exports) {
    if (entry.kind !== 0) continue
    if (names.has(entry.name)) signatures.set(entry.name, signature(module, functionType(module, entry.index)))
    if (entry.name.startsWith('requires_') && entry.name !== 'requires_') capabilities.push(entry.name.slice(9))
  }
  return {
    entryPoints: entryPoints.filter((name) => signatures.has(name)).sort(),
    requiredCapabilities: [...new Set(capabilities)].sort(),
    hasIbcEntryPoints: ibcEntryPoints.every((name) => signatures.has(name)),
    migrateVersion: migrateVersion(module),
    signatures,
  }
}

function functionType(module: WasmModule, index: number): number {
  if (index >= module.importedFunctions) return module.functions[index - module.importedFunctions]!
  return module.imports[index]!.type
}

function migrateVersion(module: WasmModule): bigint | undefined {
  let version: bigint | undefined
  for (const section of module.custom) {
    if (section.name !== 'cw_migrate_version') continue
    const text = String.fromCharCode(
      ...module.bytes.subarray(section.span.start, Math.min(section.span.end, section.span.start + 32)),
    )
    if (!/^\+?[0-9]{1,30}$/.test(text) || BigInt(text) >= 1n << 64n) {
      throw errors.staticRule(
        `custom section "cw_migrate_version" at byte ${section.span.start} is not a 64-bit number: "${text}"`,
      )
    }
    version = BigInt(text)
  }
  return version
}

function checkExports(module: WasmModule, report: CodeReport): void {
  for (const name of ['allocate', 'deallocate']) {
    if (!report.signatures.has(name)) throw errors.staticRule(`required export "${name}" is missing`)
  }
  if (!module.exports.some((entry) => entry.name === 'memory' && entry.kind === 2)) {
    throw errors.staticRule('required export "memory" is missing')
  }
  const versions = module.exports.filter((entry) => entry.kind === 0 && entry.name.startsWith('interface_version_'))
  if (versions.length === 0) throw errors.staticRule('marker export "interface_version_8" is missing')
  if (versions.length > 1) {
    throw errors.staticRule(`more than one marker export: ${versions.map((entry) => `"${entry.name}"`).join(', ')}`)
  }
  if (versions[0]!.name !== 'interface_version_8') {
    throw errors.staticRule(`marker export "${versions[0]!.name}" is unknown, "interface_version_8" is supported`)
  }
}

function checkCapabilities(report: CodeReport, available: ReadonlySet<string>): void {
  const missing = report.requiredCapabilities.filter((name) => !available.has(name))
  if (missing.length > 0) {
    throw errors.staticRule(
      `contract requires unavailable capabilities: ${missing.map((name) => `"${name}"`).join(', ')}`,
    )
  }
}
