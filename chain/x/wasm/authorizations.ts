import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { type Acceptance, type AuthorizationKind, onAuthorization } from '@coin/runtime/authorization'
import type { Write } from '@coin/runtime/context'
import { plainError, sdkErrors, undefinedErrors } from '@coin/runtime/errors'
import { gunzip, isGzip } from '@coin/vm/gzip'
import type { AddressCodec } from '@coin/wire/addresses'
import {
  type CodeGrant,
  ContractExecutionAuthorization,
  type ContractGrant,
  ContractMigrationAuthorization,
  StoreCodeAuthorization,
} from '@coin/wire/gen/cosmwasm/wasm/v1/authz'
import type { MsgExecuteContract, MsgMigrateContract, MsgStoreCode } from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import type { AccessConfig } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { sha256 } from '@coin/wire/sha256'
import { checkAccessConfig, isSubset } from './access.js'
import { unpackFilter } from './authorization-filters.js'
import { unpackLimit } from './authorization-limits.js'
import { codeBytesMax } from './checks.js'
import { errors } from './errors.js'
import { uncompressCost } from './gas-register.js'

/** What accounts may let each other do with codes and contracts (wasmd's types/authz.go). */
export function wasmAuthorizations(addresses: AddressCodec): Readonly<Record<string, AuthorizationKind>> {
  const check = ({ grants }: { grants: readonly ContractGrant[] }) => checkContractGrants(grants, addresses)
  return {
    '/cosmwasm.wasm.v1.ContractExecutionAuthorization': onAuthorization<ContractExecutionAuthorization>({
      codec: ContractExecutionAuthorization,
      msgTypeUrl: () => '/cosmwasm.wasm.v1.MsgExecuteContract',
      check,
      accept: (ctx, { grants }, msg) => acceptCall(ctx, grants, msg as MsgExecuteContract),
    }),
    '/cosmwasm.wasm.v1.ContractMigrationAuthorization': onAuthorization<ContractMigrationAuthorization>({
      codec: ContractMigrationAuthorization,
      msgTypeUrl: () => '/cosmwasm.wasm.v1.MsgMigrateContract',
      check,
      accept: (ctx, { grants }, msg) => acceptCall(ctx, grants, { ...(msg as MsgMigrateContract), funds: [] }),
    }),
    '/cosmwasm.wasm.v1.StoreCodeAuthorization': onAuthorization<StoreCodeAuthorization>({
      codec: StoreCodeAuthorization,
      msgTypeUrl: () => '/cosmwasm.wasm.v1.MsgStoreCode',
      check: ({ grants }) => checkCodeGrants(grants, addresses),
      accept: (ctx, { grants }, msg) => acceptCode(ctx, grants, msg as MsgStoreCode),
    }),
  }
}

type Call = Pick<MsgExecuteContract, 'contract' | 'msg' | 'funds'>

/** The first grant for the contract whose limit and filter let the call pass; only its limit changes. */
function acceptCall(
  ctx: Write,
  grants: readonly ContractGrant[],
  call: Call,
): Acceptance<{ readonly grants: ContractGrant[] }> {
  for (const [index, grant] of grants.entries()) {
    if (grant.contract !== call.contract) continue
    const use = inPart('limit', () => unpackLimit(grant.limit).use(call.funds))
    if (use.outcome === 'refused') continue
    if (!inPart('filter', () => unpackFilter(grant.filter).accepts(ctx, call.msg))) continue
    if (use.outcome === 'kept') return { outcome: 'kept' }
    const changed = use.outcome === 'updated' ? [{ ...grant, limit: use.updated }] : []
    const rest = [...grants.slice(0, index), ...changed, ...grants.slice(index + 1)]
    return rest.length === 0 ? { outcome: 'spent' } : { outcome: 'updated', updated: { grants: rest } }
  }
  return { outcome: 'refused' }
}

function checkContractGrants(grants: readonly ContractGrant[], addresses: AddressCodec): void {
  if (grants.length === 0) throw errors.empty('grants')
  for (const [index, { contract, limit, filter }] of grants.entries()) {
    inPart(`position ${index}`, () => {
      inPart('contract', () => checkAddress(addresses, contract))
      inPart('limit', () => unpackLimit(limit).check())
      inPart('filter', () => unpackFilter(filter).check())
    })
  }
}

/** In wasmd a text that is no address has no code of its own here. */
function checkAddress(addresses: AddressCodec, text: string): void {
  try {
    addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? plainError(error.message) : error
  }
}

/** Stands for any code. */
const isWildcard = ({ codeHash }: CodeGrant): boolean => codeHash.length === 1 && codeHash[0] === 0x2a

function checkCodeGrants(grants: readonly CodeGrant[], addresses: AddressCodec): void {
  if (grants.length === 0) throw errors.empty('grants')
  for (const [index, grant] of grants.entries()) {
    if (grants.length > 1 && isWildcard(grant)) {
      throw sdkErrors.invalidRequest('cannot have multiple grants when wildcard grant is one of them')
    }
    inPart(`position ${index}`, () => {
      if (grant.codeHash.length === 0) throw errors.empty('code hash')
      if (grant.instantiatePermission !== undefined) checkAccessConfig(grant.instantiatePermission, addresses)
    })
  }
  if (new Set(grants.map(({ codeHash }) => foldedBytes(codeHash))).size !== grants.length) {
    throw sdkErrors.invalidRequest('cannot have multiple grants with same code hash')
  }
}

function acceptCode(
  ctx: Write,
  grants: readonly CodeGrant[],
  { wasmByteCode, instantiatePermission }: MsgStoreCode,
): Acceptance<StoreCodeAuthorization> {
  const hash = foldedBytes(checksumOf(unpacked(ctx, wasmByteCode)))
  const isCovered = (grant: CodeGrant): boolean =>
    (isWildcard(grant) || foldedBytes(grant.codeHash) === hash) &&
    (grant.instantiatePermission === undefined || isNarrower(instantiatePermission, grant.instantiatePermission))
  return { outcome: grants.some(isCovered) ? 'kept' : 'refused' }
}

/** A message that leaves the permission open makes wasmd panic here. */
function isNarrower(permission: AccessConfig | undefined, granted: AccessConfig): boolean {
  if (permission === undefined) throw undefinedErrors.panic('the message has no instantiate permission')
  return isSubset(permission, granted)
}

function unpacked(ctx: Write, code: Bytes): Bytes {
  if (!isGzip(code)) return code
  ctx.gas.consume(uncompressCost(code.length), 'Uncompress gzip bytecode')
  try {
    return gunzip(code, codeBytesMax)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidRequest('uncompress wasm archive') : error
  }
}

const wasmMagic = [0x00, 0x61, 0x73, 0x6d] as const

function checksumOf(code: Bytes): Bytes {
  if (wasmMagic.some((byte, at) => code[at] !== byte)) throw sdkErrors.invalidRequest('checksum')
  return sha256(code)
}

/** wasmd compares hashes as texts without regard to case. */
function foldedBytes(bytes: Bytes): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)
  return text
}

/** Names the part of the authorization in an error. */
function inPart<T>(part: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(part) : error
  }
}
