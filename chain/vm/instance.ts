import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { withCurrent } from './current.js'
import { errors, FatalVmError } from './errors.js'
import { type GasReport, type GasSchedule, maxGasLimit, readRegionCost } from './gas.js'
import type { Host, HostIterator } from './host.js'
import { explainTrap } from './traps.js'
import { added, type MemoryLayout } from './wasm/instrument.js'

const pageBytes = 65_536

/** Deepest nesting of WebAssembly in one instance: an entry point, and the `allocate` that a host function calls. */
const callDepthMax = 2

/** Stack units (8 bytes each) that one chain of nested calls may use; fits Node's default main stack with room for JS. */
export const defaultStackUnits = 65_536

/** Everything about a code that its instances share. */
export interface LoadedCode {
  readonly key: string
  readonly module: WebAssembly.Module
  readonly layout: MemoryLayout
  readonly signatures: ReadonlyMap<string, string>
  /** What the data segments put into a fresh memory, ascending and apart from each other. */
  readonly image: readonly { readonly offset: number; readonly bytes: Bytes }[]
}

export interface CallLimits {
  /** VM gas, at most `maxGasLimit`. */
  readonly gas: bigint
  readonly stackUnits: number
}

type WasmFunction = (...args: number[]) => number | bigint | undefined

/** One WebAssembly instance and the call it is serving. Reused for later calls after `reset`. */
export class ContractInstance {
  readonly code: LoadedCode
  readonly schedule: GasSchedule
  readonly memory: WebAssembly.Memory
  private readonly exported: WebAssembly.Exports
  private readonly gasGlobal: WebAssembly.Global
  private readonly stackGlobal: WebAssembly.Global
  private readonly pagesGlobal: WebAssembly.Global
  private readonly fatalGlobal: WebAssembly.Global
  private readonly resetFunction: (gas: bigint, stack: number) => void
  private readonly hostCallCost: bigint
  private memoryBytes: Uint8Array
  private memoryView: DataView

  private limit = 0n
  private external = 0n
  /** VM gas left, while `inHost`; otherwise the global has it. */
  private left = 0n
  private inHost = false
  private depth = 0
  private activeHost: Host | undefined
  private iterators: HostIterator[] = []
  /** Set during queries: writing to the storage ends the call. */
  readonly = false

  constructor(code: LoadedCode, schedule: GasSchedule, imports: WebAssembly.Imports) {
    this.code = code
    this.schedule = schedule
    this.hostCallCost = BigInt(schedule.hostCall)
    this.exported = instantiate(code, imports)
    this.memory = this.exported.memory as WebAssembly.Memory
    this.gasGlobal = this.exported[added.gas] as WebAssembly.Global
    this.stackGlobal = this.exported[added.stack] as WebAssembly.Global
    this.pagesGlobal = this.exported[added.pages] as WebAssembly.Global
    this.fatalGlobal = this.exported[added.fatal] as WebAssembly.Global
    this.resetFunction = this.exported[added.reset] as (gas: bigint, stack: number) => void
    this.memoryBytes = new Uint8Array(this.memory.buffer)
    this.memoryView = new DataView(this.memory.buffer)
  }

  /** Readies a fresh or reset instance for one call. */
  begin(host: Host, limits: CallLimits, readonly = false): void {
    this.limit = limits.gas > maxGasLimit ? maxGasLimit : limits.gas
    this.external = 0n
    this.inHost = false
    this.depth = 0
    this.activeHost = host
    this.iterators = []
    this.readonly = readonly
    this.resetFunction(this.limit, limits.stackUnits)
  }

  /** Forgets the call's host. */
  finish(): void {
    this.activeHost = undefined
    this.iterators = []
  }

  /**
   * Puts the memory back to what a fresh instance has; globals follow with the next `begin`. Answers false when the memory
   * has grown beyond its start: it can never shrink again, so the instance must be dropped.
   */
  reset(): boolean {
    const bytes = this.bytes()
    if (bytes.length !== this.code.layout.pagesPhysical * pageBytes) return false
    let at = 0
    for (const piece of this.code.image) {
      bytes.fill(0, at, piece.offset)
      bytes.set(piece.bytes, piece.offset)
      at = piece.offset + piece.bytes.length
    }
    bytes.fill(0, at)
    return true
  }

  /**
   * Runs an entry point with JSON (or other) arguments and returns what it answers. Throws a `CodedError` of errors.ts
   * for what the contract did, `FatalVmError` for what the machine did, and passes on what a host function threw.
   */
  run(entry: string, args: readonly Bytes[], resultBytesMax: number): Bytes {
    const pointers = this.place(args)
    const result = this.call(entry, pointers, `${'i'.repeat(args.length)}:i`)
    const pointer = Number(result) >>> 0
    this.enterHost()
    const data = this.readRegion(pointer, resultBytesMax)
    this.leaveHost()
    this.call('deallocate', [pointer], 'i:')
    return data
  }

  /** Puts bytes into regions that the contract makes for them. The contract frees what it is given. */
  place(args: readonly Bytes[]): number[] {
    return args.map((bytes) => {
      const pointer = this.allocate(bytes.length)
      this.writeRegion(pointer, bytes)
      return pointer
    })
  }

  /** Calls an exported function of the given signature. */
  call(name: string, args: readonly number[], expected: string): number | bigint | undefined {
    const actual = this.code.signatures.get(name)
    if (actual === undefined) throw errors.protocol(`contract does not export a function "${name}"`)
    if (actual !== expected) {
      throw errors.protocol(`export "${name}" has signature ${actual}, called with ${expected}`)
    }
    if (this.depth >= callDepthMax) throw errors.protocol('call depth exceeds the limit')
    const target = this.exported[name] as WasmFunction
    this.depth++
    try {
      return withCurrent(this, target, args)
    } catch (error) {
      throw this.explain(error)
    } finally {
      this.depth--
    }
  }

  /** What an exception that came out of WebAssembly means. */
  private explain(error: unknown): unknown {
    if (error instanceof CodedError || error instanceof FatalVmError) return error
    if (error instanceof RangeError && error.message.includes('call stack')) {
      return new FatalVmError(
        'the native stack overflowed inside a contract call; start node with a larger --stack-size',
      )
    }
    if (!(error instanceof WebAssembly.RuntimeError)) return error
    if (this.fatalGlobal.value === 1) return new FatalVmError('the machine has no memory left for contracts')
    if (this.gasLeft() === 0n && (this.gasGlobal.value as bigint) < 0n) return errors.outOfGas()
    if ((this.stackGlobal.value as number) < 0) return errors.stackLimit()
    return errors.trap(explainTrap(error.message))
  }

  /** Region of `size` bytes made by the contract itself; metered. */
  allocate(size: number): number {
    const pointer = Number(this.call('allocate', [size], 'i:i')) >>> 0
    if (pointer === 0) throw errors.protocol('allocate returned a zero address')
    return pointer
  }

  /** Gas used since `begin`. */
  report(): GasReport {
    const remaining = this.gasLeft()
    const internal = this.limit - this.external - remaining
    return {
      limit: this.limit,
      remaining,
      usedExternally: this.external,
      usedInternally: internal < 0n ? 0n : internal,
    }
  }

  gasLeft(): bigint {
    const left = this.inHost ? this.left : (this.gasGlobal.value as bigint)
    return left < 0n ? 0n : left
  }

  stackLeft(): number {
    return this.stackGlobal.value as number
  }

  /** Pages as the contract sees them. */
  pages(): number {
    return this.pagesGlobal.value as number
  }

  host(): Host {
    if (this.activeHost === undefined) throw errors.protocol('host functions are only available during a call')
    return this.activeHost
  }

  // Between these two the gas counter lives in `left`: host functions touch the slow BigInt global only twice.

  enterHost(): void {
    this.left = this.gasGlobal.value as bigint
    this.inHost = true
  }

  leaveHost(): void {
    this.gasGlobal.value = this.left
    this.inHost = false
  }

  chargeHostCall(): void {
    this.spend(this.hostCallCost)
  }

  charge(gas: number): void {
    this.spend(BigInt(gas))
  }

  /** Gas of the VM's own kind. */
  spend(gas: bigint): void {
    this.left -= gas
    if (this.left < 0n) this.runOut()
  }

  /** Gas that the host has metered already. */
  spendExternal(gas: bigint): void {
    this.external += gas
    this.spend(gas)
  }

  private runOut(): never {
    this.left = 0n
    throw errors.outOfGas()
  }

  addIterator(iterator: HostIterator): number {
    this.iterators.push(iterator)
    return this.iterators.length - 1
  }

  /** Iterators opened so far in this call. */
  iteratorCount(): number {
    return this.iterators.length
  }

  iterator(id: number): HostIterator {
    const iterator = this.iterators[id]
    if (iterator === undefined) throw errors.host(`iterator with ID ${id} does not exist`)
    return iterator
  }

  // Regions: 12 bytes at a pointer, little endian: offset, capacity, length.

  private bytes(): Uint8Array {
    if (this.memoryBytes.length === 0) {
      this.memoryBytes = new Uint8Array(this.memory.buffer)
      this.memoryView = new DataView(this.memory.buffer)
    }
    return this.memoryBytes
  }

  /** Whether the contract sees all of `[start, start + length)`. */
  private inMemory(start: number, length: number): boolean {
    const end = start + length
    return end <= this.code.layout.pagesMin * pageBytes || end <= this.pages() * pageBytes
  }

  private region(pointer: number): { readonly offset: number; readonly capacity: number; readonly length: number } {
    this.bytes()
    if (!this.inMemory(pointer, 12)) throw errors.protocol(`no region at ${pointer}: outside of the memory`)
    const offset = this.memoryView.getUint32(pointer, true)
    const capacity = this.memoryView.getUint32(pointer + 4, true)
    const length = this.memoryView.getUint32(pointer + 8, true)
    if (offset === 0) throw errors.protocol(`region at ${pointer} has offset zero`)
    if (length > capacity) throw errors.protocol(`region at ${pointer}: length ${length} exceeds capacity ${capacity}`)
    if (capacity > 0xffffffff - offset) {
      throw errors.protocol(`region at ${pointer} exceeds the address space: offset ${offset}, capacity ${capacity}`)
    }
    return { offset, capacity, length }
  }

  /** A copy of the region's bytes, paid for. Only between `enterHost` and `leaveHost`. */
  readRegion(pointer: number, lengthMax: number, what = 'region'): Bytes {
    const { offset, length } = this.region(pointer)
    this.charge(readRegionCost(this.schedule, length))
    if (length > lengthMax) throw errors.protocol(`${what} has ${length} bytes, at most ${lengthMax} are allowed`)
    if (!this.inMemory(offset, length)) {
      throw errors.protocol(`region at ${pointer}: ${length} bytes at ${offset} are outside of the memory`)
    }
    return this.memoryBytes.slice(offset, offset + length)
  }

  /** Fills a region that the contract has prepared. */
  writeRegion(pointer: number, data: Bytes): void {
    const { offset, capacity } = this.region(pointer)
    if (data.length > capacity) {
      throw errors.protocol(`region at ${pointer} has room for ${capacity} bytes, ${data.length} are needed`)
    }
    if (!this.inMemory(offset, data.length)) {
      throw errors.protocol(`region at ${pointer}: ${data.length} bytes at ${offset} are outside of the memory`)
    }
    this.memoryBytes.set(data, offset)
    this.memoryView.setUint32(pointer + 8, data.length, true)
  }

  /** Hands `data` to the contract in a new region; 0 never comes out. Leaves and enters the host again. */
  give(data: Bytes): number {
    this.leaveHost()
    const pointer = this.allocate(data.length)
    this.enterHost()
    this.writeRegion(pointer, data)
    return pointer
  }
}

function instantiate(code: LoadedCode, imports: WebAssembly.Imports): WebAssembly.Exports {
  try {
    return new WebAssembly.Instance(code.module, imports).exports
  } catch (error) {
    if (error instanceof RangeError) throw new FatalVmError(`no address space for another instance: ${error.message}`)
    // Element and data segments that do not fit are the contract's own fault.
    if (error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.LinkError) {
      throw errors.trap(`instantiation failed: ${explainTrap(error.message)}`)
    }
    throw error
  }
}
