import { type Bytes, bytesToHex, concatBytes, equalBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { errors } from './errors.js'
import type { FilePort } from './files.js'
import type { GasSchedule } from './gas.js'
import type { LoadedCode } from './instance.js'
import {
  type CheckedCode,
  type CheckOptions,
  type CodeReport,
  callbackEntryPoints,
  checkCode,
  entryPoints,
} from './wasm/check.js'
import { instrument, memoryLayout, rewriterVersion } from './wasm/instrument.js'
import type { WasmModule } from './wasm/reader.js'

const keptExports: ReadonlySet<string> = new Set([
  ...entryPoints,
  ...callbackEntryPoints,
  'allocate',
  'deallocate',
  'memory',
])

/** Gap between data segments below which they become one piece of the memory image. */
const imageGapBytes = 4096

/** A code ready to run. */
export interface CompiledCode {
  readonly checksum: Bytes
  readonly report: CodeReport
  readonly loaded: LoadedCode
}

export interface CodeStoreOptions extends CheckOptions {
  readonly files: FilePort
  readonly schedule: GasSchedule
  /** Pages that a contract's memory may grow to. */
  readonly pagesMax: number
  /** Compiled codes kept besides the pinned ones. */
  readonly compiledMax: number
}

/**
 * Codes by their sha256. The original bytes are kept for ever; the rewritten ones are a cache, keyed by checksum, rewriter
 * version and gas schedule, so that a restart pays for compiling only. A damaged cache file is made anew.
 */
export class CodeStore {
  private readonly options: CodeStoreOptions
  private readonly pinned = new Map<string, CompiledCode>()
  /** Least recently used first. */
  private readonly recent = new Map<string, CompiledCode>()

  constructor(options: CodeStoreOptions) {
    this.options = options
  }

  /** Checks, rewrites and compiles without keeping anything. Throws `staticRule`. */
  check(code: Bytes): CompiledCode {
    const bytes = ownBytes(code)
    const checked = checkCode(bytes, this.options)
    return this.compile(sha256(bytes), checked, this.rewrite(checked.module))
  }

  /** As `check`, and keeps the code. Storing one that is there already does nothing. */
  store(code: Bytes): CompiledCode {
    const bytes = ownBytes(code)
    const checksum = sha256(bytes)
    const key = bytesToHex(checksum)
    const known = this.pinned.get(key) ?? this.recent.get(key)
    if (known !== undefined) return known
    const checked = checkCode(bytes, this.options)
    const rewritten = this.rewrite(checked.module)
    const compiled = this.compile(checksum, checked, rewritten)
    this.options.files.write(originalName(key), bytes)
    this.writeCache(key, rewritten)
    this.remember(key, compiled)
    return compiled
  }

  /** The bytes as they were stored. */
  original(checksum: Bytes): Bytes | undefined {
    const bytes = this.options.files.read(originalName(bytesToHex(checksum)))
    return bytes !== undefined && equalBytes(sha256(bytes), checksum) ? bytes : undefined
  }

  /** Throws `noSuchCode`. */
  load(checksum: Bytes): CompiledCode {
    const key = bytesToHex(checksum)
    const pinned = this.pinned.get(key)
    if (pinned !== undefined) return pinned
    const recent = this.recent.get(key)
    if (recent !== undefined) {
      this.recent.delete(key)
      this.recent.set(key, recent)
      return recent
    }
    const original = this.original(checksum)
    if (original === undefined) throw errors.noSuchCode(key)
    const checked = checkCode(ownBytes(original), this.options)
    let rewritten = this.readCache(key)
    if (rewritten === undefined) {
      rewritten = this.rewrite(checked.module)
      this.writeCache(key, rewritten)
    }
    const compiled = this.compile(checksum, checked, rewritten)
    this.remember(key, compiled)
    return compiled
  }

  pin(checksum: Bytes): void {
    const compiled = this.load(checksum)
    const key = bytesToHex(checksum)
    this.pinned.set(key, compiled)
    this.recent.delete(key)
  }

  unpin(checksum: Bytes): void {
    const key = bytesToHex(checksum)
    const compiled = this.pinned.get(key)
    if (compiled === undefined) return
    this.pinned.delete(key)
    this.remember(key, compiled)
  }

  /** Forgets a code. Throws `noSuchCode`. */
  remove(checksum: Bytes): void {
    const key = bytesToHex(checksum)
    if (this.original(checksum) === undefined) throw errors.noSuchCode(key)
    this.options.files.remove(originalName(key))
    this.options.files.remove(this.cacheName(key))
    this.pinned.delete(key)
    this.recent.delete(key)
  }

  private remember(key: string, compiled: CompiledCode): void {
    this.recent.set(key, compiled)
    for (const oldest of this.recent.keys()) {
      if (this.recent.size <= this.options.compiledMax) return
      this.recent.delete(oldest)
    }
  }

  private rewrite(module: WasmModule): Uint8Array<ArrayBuffer> {
    return instrument(module, this.options.schedule, memoryLayout(module, this.options.pagesMax), keptExports)
  }

  private compile(checksum: Bytes, checked: CheckedCode, rewritten: Uint8Array<ArrayBuffer>): CompiledCode {
    const { module, report } = checked
    const loaded: LoadedCode = {
      key: bytesToHex(checksum),
      module: compileModule(rewritten),
      layout: memoryLayout(module, this.options.pagesMax),
      signatures: report.signatures,
      image: memoryImage(module),
    }
    return { checksum, report, loaded }
  }

  private cacheName(key: string): string {
    return `rewritten/${key}-r${rewriterVersion}-g${this.options.schedule.name}-p${this.options.pagesMax}.wasm`
  }

  private writeCache(key: string, rewritten: Bytes): void {
    this.options.files.write(this.cacheName(key), concatBytes(sha256(rewritten), rewritten))
  }

  private readCache(key: string): Uint8Array<ArrayBuffer> | undefined {
    const file = this.options.files.read(this.cacheName(key))
    if (file === undefined || file.length < 32) return undefined
    const rewritten = ownBytes(file.subarray(32))
    return equalBytes(sha256(rewritten), file.subarray(0, 32)) ? rewritten : undefined
  }
}

const originalName = (key: string): string => `codes/${key}.wasm`

/** A copy that nobody else can change and that V8 takes. */
function ownBytes(bytes: Bytes): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}

function compileModule(rewritten: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(rewritten)
  } catch (error) {
    // Only V8's own limits are left: the original was valid and the rewriting keeps that.
    if (!(error instanceof WebAssembly.CompileError)) throw error
    throw errors.staticRule(`too large to compile with metering: ${error.message}`)
  }
}

/** What the data segments put into a fresh memory, near ones joined. */
function memoryImage(module: WasmModule): { offset: number; bytes: Bytes }[] {
  const pieces: { offset: number; end: number; segments: { offset: number; bytes: Bytes }[] }[] = []
  const memoryEnd = module.memories[0]!.min * 65_536
  const segments = module.data
    .map((segment, order) => ({
      ...segment,
      order,
      bytes: module.bytes.subarray(segment.span.start, segment.span.end),
    }))
    // Segments that do not fit make instantiation fail, so their image is never used.
    .filter((segment) => segment.bytes.length > 0 && segment.offset + segment.bytes.length <= memoryEnd)
    .sort((a, b) => a.offset - b.offset)
  for (const segment of segments) {
    const last = pieces.at(-1)
    const end = segment.offset + segment.bytes.length
    if (last !== undefined && segment.offset <= last.end + imageGapBytes) {
      last.end = Math.max(last.end, end)
      last.segments.push(segment)
    } else pieces.push({ offset: segment.offset, end, segments: [segment] })
  }
  const orderOf = new Map(segments.map((segment) => [segment as object, segment.order]))
  return pieces.map(({ offset, end, segments: inside }) => {
    const bytes = new Uint8Array(end - offset)
    // Where segments overlap, the later one in the module wins.
    inside.sort((a, b) => orderOf.get(a)! - orderOf.get(b)!)
    for (const segment of inside) bytes.set(segment.bytes, segment.offset - offset)
    return { offset, bytes }
  })
}
