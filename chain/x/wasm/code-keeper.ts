import { type Bytes, bytesToHex, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { gunzip, isGzip } from '@coin/vm/gzip'
import type { WasmVm } from '@coin/vm/vm'
import type { AddressCodec } from '@coin/wire/addresses'
import type { AccessConfig, CodeInfo } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { accessName, defaultAccess, isTypeSubset, type Policy, paramsDefault } from './access.js'
import { codeBytesMax } from './checks.js'
import { consumeVmGas, vmGasLeft } from './contract-calls.js'
import { errors, noSuchCode } from './errors.js'
import { compileCost, uncompressCost } from './gas-register.js'
import { codes, nextCodeId, params, pinnedCodes } from './state.js'

/** Stores codes and decides who may use them. */
export interface CodeKeeper {
  /** Throws `unauthorized` or `createFailed`. `access` left out gives the chain's default. */
  create(
    ctx: Write,
    creator: string,
    code: Bytes,
    access: AccessConfig | undefined,
    policy: Policy,
  ): { readonly codeId: bigint; readonly checksum: Bytes }
  /** A code of the genesis file, kept under its number. */
  importCode(ctx: Write, codeId: bigint, info: CodeInfo, code: Bytes): void
  /** Throws `noSuchCode`. */
  require(ctx: Read, codeId: bigint): CodeInfo
  bytes(ctx: Read, codeId: bigint): Bytes | undefined
  setAccess(ctx: Write, codeId: bigint, caller: string, access: AccessConfig, policy: Policy): void
  pin(ctx: Write, codeId: bigint): void
  unpin(ctx: Write, codeId: bigint): void
  /** At the node's start: takes what state says is pinned into memory. */
  loadPinned(ctx: Read): void
}

export function createCodeKeeper(vm: WasmVm, addresses: AddressCodec): CodeKeeper {
  const requireCode = (ctx: Read, codeId: bigint): CodeInfo => {
    const info = codes.get(ctx, codeId)
    if (info === undefined) throw noSuchCode(codeId)
    return info
  }
  return {
    create: (ctx, creator, code, access, policy) => create(vm, ctx, { creator, code, access, policy }),
    importCode: (ctx, codeId, info, code) => importCode(vm, ctx, codeId, info, code),
    require: requireCode,
    bytes(ctx, codeId) {
      const info = codes.get(ctx, codeId)
      return info === undefined ? undefined : vm.getCode(info.codeHash)
    },
    setAccess(ctx, codeId, caller, access, policy) {
      const info = requireCode(ctx, codeId)
      const chain = (params.get(ctx) ?? paramsDefault).instantiateDefaultPermission
      const creator = addresses.encode(addresses.decode(info.creator))
      if (!policy.canModifyCodeAccess(creator, caller, isTypeSubset(access.permission, chain))) {
        throw sdkErrors.unauthorized('can not modify code access config')
      }
      codes.set(ctx, codeId, { ...info, instantiateConfig: access })
      const attributes = { code_permission: accessName(access.permission), code_id: codeId.toString() }
      const listed: Record<string, string> =
        access.addresses.length === 0 ? {} : { authorized_addresses: access.addresses.join(',') }
      ctx.emit('update_code_access_config', { ...attributes, ...listed })
    },
    pin(ctx, codeId) {
      vm.pin(requireCode(ctx, codeId).codeHash)
      pinnedCodes.set(ctx, codeId, Uint8Array.of(1))
      ctx.emit('pin_code', { code_id: codeId.toString() })
    },
    unpin(ctx, codeId) {
      vm.unpin(requireCode(ctx, codeId).codeHash)
      pinnedCodes.remove(ctx, codeId)
      ctx.emit('unpin_code', { code_id: codeId.toString() })
    },
    loadPinned(ctx) {
      for (const [codeId] of pinnedCodes.entries(ctx)) vm.pin(requireCode(ctx, codeId).codeHash)
    },
  }
}

interface NewCode {
  readonly creator: string
  readonly code: Bytes
  readonly access: AccessConfig | undefined
  readonly policy: Policy
}

function create(vm: WasmVm, ctx: Write, { creator, code, access, policy }: NewCode) {
  const { instantiateDefaultPermission } = params.get(ctx) ?? paramsDefault
  const instantiate = defaultAccess(instantiateDefaultPermission, creator)
  const { codeUploadAccess: upload } = params.get(ctx) ?? paramsDefault
  const config = access ?? instantiate
  if (!policy.canCreateCode(config, { upload, instantiate }, creator)) {
    throw sdkErrors.unauthorized('can not create code')
  }
  const wasm = uncompress(ctx, code)
  const { checksum } = compile(vm, ctx, wasm)
  const codeId = nextCodeId.next(ctx)
  codes.set(ctx, codeId, { codeHash: checksum, creator, instantiateConfig: config })
  ctx.emit('store_code', { code_checksum: bytesToHex(checksum), code_id: codeId.toString() })
  return { codeId, checksum }
}

function uncompress(ctx: Write, code: Bytes): Bytes {
  if (!isGzip(code)) return code
  ctx.gas.consume(uncompressCost(code.length), 'Uncompress gzip bytecode')
  return unpack(code, codeBytesMax)
}

function unpack(code: Bytes, bytesMax: number): Bytes {
  try {
    return gunzip(code, bytesMax)
  } catch (error) {
    if (error instanceof CodedError) throw errors.createFailed(`uncompress wasm archive: ${error.message}`)
    throw error
  }
}

/** The price is due also for a code that is refused; with too little gas nothing is compiled. A simulation keeps no file. */
function compile(vm: WasmVm, ctx: Write, wasm: Bytes) {
  const cost = compileCost(wasm.length)
  if (vmGasLeft(ctx.gas) < cost) {
    consumeVmGas(ctx.gas, cost)
    throw errors.createFailed('Out of gas')
  }
  try {
    const stored = ctx.mode === 'simulate' ? vm.checkCode(wasm) : vm.storeCode(wasm)
    consumeVmGas(ctx.gas, cost)
    return stored
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    consumeVmGas(ctx.gas, cost)
    throw errors.createFailed(error.message)
  }
}

function importCode(vm: WasmVm, ctx: Write, codeId: bigint, info: CodeInfo, code: Bytes): void {
  const wasm = isGzip(code) ? unpack(code, Number.MAX_SAFE_INTEGER) : code
  let checksum: Bytes
  try {
    checksum = vm.storeCode(wasm).checksum
  } catch (error) {
    throw error instanceof CodedError ? errors.createFailed(error.message) : error
  }
  if (!equalBytes(checksum, info.codeHash)) throw errors.invalid('code hashes not same')
  if (codes.has(ctx, codeId)) throw errors.duplicate(`duplicate code: ${codeId}`)
  codes.set(ctx, codeId, info)
}
