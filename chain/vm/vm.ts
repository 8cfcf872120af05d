import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { CodeStore } from './codes.js'
import { errors } from './errors.js'
import type { FilePort } from './files.js'
import { type GasReport, type GasScheduleName, gasSchedules } from './gas.js'
import type { Host } from './host.js'
import { createImports } from './imports.js'
import { type CallLimits, defaultStackUnits } from './instance.js'
import {
  type Env,
  encodeEnv,
  encodeInfo,
  encodeMigrateInfo,
  encodeReply,
  type MessageInfo,
  type MigrateInfo,
  type Reply,
  replySize,
} from './json.js'
import { defaultPoolLimits, InstancePool, type PoolLimits } from './pool.js'
import { type CodeLimits, type CodeReport, defaultCapabilities, defaultCodeLimits } from './wasm/check.js'

export interface WasmVmOptions {
  readonly files: FilePort
  /** Consensus: the same on every node, for the whole life of a chain. */
  readonly gasSchedule?: GasScheduleName
  readonly limits?: CodeLimits
  readonly capabilities?: readonly string[]
  /** Pages (64 KiB) that a contract's memory may grow to. Consensus. */
  readonly memoryPagesMax?: number
  /** Consensus: where deep recursion stops. */
  readonly stackUnits?: number
  readonly pool?: PoolLimits
  /** Compiled codes kept in memory besides the pinned ones. */
  readonly compiledMax?: number
}

/** One call: whom it serves and how far it may go. */
export interface Call {
  readonly host: Host
  /** VM gas; more than 2^63-1 counts as that. */
  readonly gasLimit: bigint
  /** What is left of the caller's stack budget when a contract queries another one; left out, the whole budget. */
  readonly stackLeft?: number
}

/**
 * What a call came to. Gas was used either way and must be charged by the caller. `data` is the JSON that the contract
 * returned, `{"ok": ...}` or `{"error": "..."}`; `error` says why there is none.
 */
export type CallResult =
  | { readonly gas: GasReport; readonly data: Bytes }
  | { readonly gas: GasReport; readonly error: CodedError }

export interface StoredCode {
  /** 32 bytes, sha256 of the code. */
  readonly checksum: Bytes
  readonly report: CodeReport
}

const memoryPagesMaxDefault = 512

/** A contract's answer may be this long before anyone tries to read it. */
const resultBytesMax = 64 * 1024 * 1024

/**
 * Runs CosmWasm contracts. Synchronous; one thread.
 *
 * Every entry point answers with a `CallResult` for whatever the contract does, and throws only what means that this node
 * must not go on (`FatalVmError`), what the host threw that is not a `CodedError`, and `noSuchCode`.
 */
export class WasmVm {
  private readonly codes: CodeStore
  private readonly pool: InstancePool
  private readonly stackUnits: number
  private readonly memoryBytesMax: number

  constructor(options: WasmVmOptions) {
    const schedule = gasSchedules[options.gasSchedule ?? '2.3.0']
    const pagesMax = options.memoryPagesMax ?? memoryPagesMaxDefault
    this.memoryBytesMax = pagesMax * 65_536
    this.codes = new CodeStore({
      files: options.files,
      schedule,
      limits: options.limits ?? defaultCodeLimits,
      capabilities: new Set(options.capabilities ?? defaultCapabilities),
      pagesMax,
      compiledMax: options.compiledMax ?? 100,
    })
    this.pool = new InstancePool(schedule, createImports(), options.pool ?? defaultPoolLimits)
    this.stackUnits = options.stackUnits ?? defaultStackUnits
  }

  /** Checks a code and keeps it. Throws `staticRule`, naming the rule and where it is broken. */
  storeCode(code: Bytes): StoredCode {
    const { checksum, report } = this.codes.store(code)
    return { checksum, report }
  }

  /** Everything that `storeCode` checks, keeping nothing. */
  checkCode(code: Bytes): StoredCode {
    const { checksum, report } = this.codes.check(code)
    return { checksum, report }
  }

  /** The code as it was stored. */
  getCode(checksum: Bytes): Bytes | undefined {
    return this.codes.original(checksum)
  }

  removeCode(checksum: Bytes): void {
    this.pool.drop(this.codes.load(checksum).loaded.key)
    this.codes.remove(checksum)
  }

  /** What a stored code offers and asks for. Throws `noSuchCode`. */
  analyze(checksum: Bytes): CodeReport {
    return this.codes.load(checksum).report
  }

  /** Keeps a code compiled. Throws `noSuchCode`. */
  pin(checksum: Bytes): void {
    this.codes.pin(checksum)
  }

  unpin(checksum: Bytes): void {
    this.codes.unpin(checksum)
  }

  instantiate(checksum: Bytes, env: Env, info: MessageInfo, msg: Bytes, call: Call): CallResult {
    return this.call(checksum, 'instantiate', [encodeEnv(env), encodeInfo(info), msg], call)
  }

  execute(checksum: Bytes, env: Env, info: MessageInfo, msg: Bytes, call: Call): CallResult {
    return this.call(checksum, 'execute', [encodeEnv(env), encodeInfo(info), msg], call)
  }

  query(checksum: Bytes, env: Env, msg: Bytes, call: Call): CallResult {
    return this.call(checksum, 'query', [encodeEnv(env), msg], call)
  }

  /** With `info` for codes whose `migrate` takes three arguments, without it for the others. */
  migrate(checksum: Bytes, env: Env, msg: Bytes, info: MigrateInfo, call: Call): CallResult {
    const args = [encodeEnv(env), msg, encodeMigrateInfo(info)]
    const isOld = this.analyze(checksum).signatures.get('migrate') === 'ii:i'
    return isOld
      ? this.call(checksum, 'migrate', args.slice(0, 2), call, args)
      : this.call(checksum, 'migrate', args, call)
  }

  sudo(checksum: Bytes, env: Env, msg: Bytes, call: Call): CallResult {
    return this.call(checksum, 'sudo', [encodeEnv(env), msg], call)
  }

  reply(checksum: Bytes, env: Env, reply: Reply, call: Call): CallResult {
    // What no contract's memory can take is not even written: escaped, it may be longer than a string can be.
    const size = replySize(reply)
    if (size > this.memoryBytesMax) {
      const gas = { limit: call.gasLimit, remaining: call.gasLimit, usedExternally: 0n, usedInternally: 0n }
      return { gas, error: errors.protocol(`reply of ${size} bytes, a contract has at most ${this.memoryBytesMax}`) }
    }
    return this.call(checksum, 'reply', [encodeEnv(env), encodeReply(reply)], call)
  }

  /** Any `ibc_*` entry point; `msg` is its JSON argument. */
  ibc(checksum: Bytes, entry: `ibc_${string}`, env: Env, msg: Bytes, call: Call): CallResult {
    return this.call(checksum, entry, [encodeEnv(env), msg], call)
  }

  /**
   * Any entry point with its arguments as bytes. `unused` are put into the contract's memory before: cosmwasm-vm tries a
   * migration with three arguments first and only then with two, and what that costs is part of the gas.
   */
  call(checksum: Bytes, entry: string, args: readonly Bytes[], call: Call, unused: readonly Bytes[] = []): CallResult {
    const { loaded } = this.codes.load(checksum)
    const limits: CallLimits = {
      gas: call.gasLimit,
      stackUnits: Math.min(call.stackLeft ?? this.stackUnits, this.stackUnits),
    }
    const instance = this.pool.take(loaded)
    instance.begin(call.host, limits, entry === 'query')
    try {
      instance.place(unused)
      const data = instance.run(entry, args, resultBytesMax)
      return { gas: instance.report(), data }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return { gas: instance.report(), error }
    } finally {
      this.pool.give(instance)
    }
  }

  /** Idle instances, for metrics. */
  idleInstances(): number {
    return this.pool.size()
  }
}
