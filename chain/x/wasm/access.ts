import { CodedError } from '@coin/base/errors'
import { sdkErrors } from '@coin/runtime/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import { type AccessConfig, AccessType, type Params } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { errors } from './errors.js'

export const allowEverybody: AccessConfig = { permission: AccessType.ACCESS_TYPE_EVERYBODY, addresses: [] }

export const paramsDefault: Params = {
  codeUploadAccess: allowEverybody,
  instantiateDefaultPermission: AccessType.ACCESS_TYPE_EVERYBODY,
}

const accessNames: ReadonlyMap<AccessType, string> = new Map([
  [AccessType.ACCESS_TYPE_NOBODY, 'Nobody'],
  [AccessType.ACCESS_TYPE_EVERYBODY, 'Everybody'],
  [AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES, 'AnyOfAddresses'],
])

/** As events name it. */
export function accessName(type: AccessType): string {
  return accessNames.get(type) ?? 'Unspecified'
}

/** Most addresses that one message may name. */
const addressesMax = 50

/** Throws `empty`, `invalid`, `duplicate` or an address error unless the config can be stored. */
export function checkAccessConfig(config: AccessConfig, addresses: AddressCodec): void {
  if (config.permission === AccessType.ACCESS_TYPE_UNSPECIFIED) throw errors.empty('type')
  if (!accessNames.has(config.permission)) throw errors.invalid(`unknown type: "${config.permission}"`)
  if (config.permission === AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES) checkAddresses(config.addresses, addresses)
}

function checkAddresses(list: readonly string[], addresses: AddressCodec): void {
  if (list.length === 0) throw errors.empty('addresses').wrap('addresses')
  if (list.length > addressesMax) {
    throw sdkErrors.invalidRequest(`total number of addresses is greater than ${addressesMax}`).wrap('addresses')
  }
  const seen = new Set<string>()
  for (const address of list) {
    try {
      addresses.decode(address)
    } catch (error) {
      throw error instanceof CodedError ? error.wrap(`addresses: address: ${address}`) : error
    }
    const normal = address.toUpperCase()
    if (seen.has(normal)) throw errors.duplicate('duplicate addresses').wrap('addresses')
    seen.add(normal)
  }
}

export function checkParams(params: Params, addresses: AddressCodec): void {
  const { instantiateDefaultPermission: permission } = params
  if (permission === AccessType.ACCESS_TYPE_UNSPECIFIED)
    throw errors.empty('type').wrap('instantiate default permission')
  if (!accessNames.has(permission)) {
    throw errors.invalid(`unknown type: "${permission}"`).wrap('instantiate default permission')
  }
  checkAccessConfig(params.codeUploadAccess, addresses)
}

/** The chain's default for codes of one creator. */
export function defaultAccess(type: AccessType, creator: string): AccessConfig {
  return { permission: type, addresses: type === AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES ? [creator] : [] }
}

/** `actor` is bech32. */
export function isAllowed(config: AccessConfig, actor: string): boolean {
  if (config.permission === AccessType.ACCESS_TYPE_EVERYBODY) return true
  return config.permission === AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES && config.addresses.includes(actor)
}

export function isTypeSubset(type: AccessType, superset: AccessType): boolean {
  switch (superset) {
    case AccessType.ACCESS_TYPE_EVERYBODY:
      return type !== AccessType.ACCESS_TYPE_UNSPECIFIED
    case AccessType.ACCESS_TYPE_NOBODY:
      return type === AccessType.ACCESS_TYPE_NOBODY
    case AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES:
      return type === AccessType.ACCESS_TYPE_NOBODY || type === AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES
    default:
      return false
  }
}

/** Whether `config` lets in nobody whom `superset` keeps out. */
export function isSubset(config: AccessConfig, superset: AccessConfig): boolean {
  if (superset.permission !== AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES) {
    return isTypeSubset(config.permission, superset.permission)
  }
  if (config.permission === AccessType.ACCESS_TYPE_NOBODY) return true
  return (
    config.permission === AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES &&
    config.addresses.every((address) => superset.addresses.includes(address))
  )
}

/** What may be done to codes and contracts by whom. Governance has its own. */
export interface Policy {
  canCreateCode(
    config: AccessConfig,
    chain: { upload: AccessConfig; instantiate: AccessConfig },
    actor: string,
  ): boolean
  canInstantiate(config: AccessConfig, actor: string): boolean
  /** `admin` is empty for contracts without one. */
  canModifyContract(admin: string, actor: string): boolean
  canModifyCodeAccess(creator: string, actor: string, isSubset: boolean): boolean
  /** The policy for messages that a contract sends while it is being instantiated or migrated. */
  ofSubmessages(action: 'instantiate' | 'migrate'): Policy
}

export const defaultPolicy: Policy = {
  canCreateCode: (config, chain, actor) => isAllowed(chain.upload, actor) && isSubset(config, chain.instantiate),
  canInstantiate: isAllowed,
  canModifyContract: (admin, actor) => admin !== '' && admin === actor,
  canModifyCodeAccess: (creator, actor, subset) => creator === actor && subset,
  ofSubmessages: () => defaultPolicy,
}

/** A contract that governance instantiates may itself instantiate what its creator could not. */
const instantiatingPolicy: Policy = {
  ...defaultPolicy,
  canInstantiate: () => true,
  ofSubmessages: () => instantiatingPolicy,
}

export const governancePolicy: Policy = {
  canCreateCode: () => true,
  canInstantiate: () => true,
  canModifyContract: () => true,
  canModifyCodeAccess: () => true,
  ofSubmessages: (action) => (action === 'instantiate' ? instantiatingPolicy : defaultPolicy),
}
