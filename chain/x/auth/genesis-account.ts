import { equalBytes } from '@coin/base/bytes'
import type { Account, Vesting } from '@coin/runtime/account'
import { genesisErrors } from '@coin/runtime/errors'
import { isMultiKey } from '@coin/runtime/multisig'
import { publicKeyAddress } from '@coin/runtime/public-key'
import { isSecp256k1 } from '@coin/runtime/secp256k1-key'
import { type AddressCodec, moduleAddress } from '@coin/wire/addresses'
import type { Coins } from '@coin/wire/coins'
import { isPositiveSet, vestingDefect } from './vesting.js'

/** Throws `genesisErrors.invalid` for an account that contradicts itself, in the SDK's words where it has some. */
export function checkAccount(account: Account, addresses: AddressCodec): void {
  const defect = vestingProblem(account.vesting) ?? moduleProblem(account, addresses) ?? keyProblem(account, addresses)
  if (defect === undefined) return
  throw genesisErrors.invalid(`invalid account found in genesis state; address: ${account.address}, error: ${defect}`)
}

const int64Max = (1n << 63n) - 1n

function vestingProblem(vesting: Vesting | undefined): string | undefined {
  if (vesting === undefined) return undefined
  const defect = vestingDefect(vesting)
  if (defect !== undefined) return defect
  // The SDK takes these two, and fails when the account first spends.
  const { startTime, endTime, delegatedFree, delegatedVesting } = vesting
  if (endTime - startTime > int64Max) return `vesting from ${startTime} to ${endTime} is longer than 2^63 - 1 seconds`
  const isSet = (coins: Coins): boolean => coins.length === 0 || isPositiveSet(coins)
  return isSet(delegatedFree) && isSet(delegatedVesting) ? undefined : 'delegated coins are not sorted and positive'
}

function moduleProblem({ module, address }: Account, addresses: AddressCodec): string | undefined {
  if (module === undefined) return undefined
  if (module.name.trim() === '') return 'module account name cannot be blank'
  if (addresses.encode(moduleAddress(module.name)) === address.toLowerCase()) return undefined
  return `address ${address} cannot be derived from the module name '${module.name}'`
}

/** Keys of kinds that cannot sign here are taken as they are. */
function keyProblem({ address, pubKey }: Account, addresses: AddressCodec): string | undefined {
  if (pubKey === undefined || !(isSecp256k1(pubKey) || isMultiKey(pubKey))) return undefined
  if (equalBytes(publicKeyAddress(pubKey), addresses.decode(address))) return undefined
  return 'account address and pubkey address do not match'
}
