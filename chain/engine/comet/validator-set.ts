import { type Bytes, bytesToHex, compareBytes, equalBytes } from '@coin/base/bytes'
import { hash160, sha256 } from '@coin/wire/sha256'
import type { ValidatorUpdate } from '../application.js'
import { engineErrors } from '../errors.js'
import type { Validator, ValidatorSet } from './types.js'

/** Go's largest int64 divided by eight, so that sums of powers never overflow there (types/validator_set.go). */
const totalPowerMax = (2n ** 63n - 1n) / 8n
/** Priorities stay within this many total powers of each other. */
const priorityWindow = 2n

/** Consensus address: 20 bytes. */
export function validatorAddress(keyType: Validator['keyType'], pubKey: Bytes): Bytes {
  return keyType === 'ed25519' ? sha256(pubKey).slice(0, 20) : hash160(pubKey)
}

export function totalPower(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, validator) => sum + validator.power, 0n)
}

/** The set as genesis makes it. Throws `badConsensusUpdate` for an empty list, powers below 1 and duplicates. */
export function createValidatorSet(initial: readonly ValidatorUpdate[]): ValidatorSet {
  const removal = initial.find((update) => update.power <= 0n)
  if (removal)
    throw engineErrors.badConsensusUpdate(`validator ${bytesToHex(removal.pubKey)} has power ${removal.power}`)
  const { validators } = updateValidators({ validators: [], proposer: new Uint8Array(0) }, initial)
  return advanceProposer({ validators, proposer: new Uint8Array(0) })
}

/**
 * Applies the application's changes: power 0 removes, anything else sets. The proposer is chosen afterwards by
 * `advanceProposer`. Throws `badConsensusUpdate` and has then changed nothing.
 */
export function updateValidators(set: ValidatorSet, updates: readonly ValidatorUpdate[]): ValidatorSet {
  if (updates.length === 0) return set
  const changes = updates
    .map((update) => ({ ...update, address: validatorAddress(update.keyType, update.pubKey) }))
    .sort((a, b) => compareBytes(a.address, b.address))
  const next = new Map(set.validators.map((validator) => [bytesToHex(validator.address), validator]))
  checkChanges(changes, next)

  const removed = changes.filter((change) => change.power === 0n)
  const kept = changes.filter((change) => change.power > 0n)
  let powerBeforeRemovals = totalPower(set.validators)
  for (const { address, power } of kept) powerBeforeRemovals += power - (next.get(bytesToHex(address))?.power ?? 0n)
  for (const { address, keyType, pubKey, power } of kept) {
    const name = bytesToHex(address)
    // A newcomer starts far behind, so that leaving and coming back gains nothing.
    const proposerPriority = next.get(name)?.proposerPriority ?? -(powerBeforeRemovals + (powerBeforeRemovals >> 3n))
    next.set(name, { address, keyType, pubKey, power, proposerPriority })
  }
  for (const { address } of removed) next.delete(bytesToHex(address))

  const merged = [...next.values()]
  if (merged.length === 0) throw engineErrors.badConsensusUpdate('the changes would leave no validator')
  const total = totalPower(merged)
  if (total > totalPowerMax) throw engineErrors.badConsensusUpdate(`total power ${total} is over ${totalPowerMax}`)
  const validators = centrePriorities(merged, total).sort((a, b) =>
    a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1,
  )
  return { validators, proposer: set.proposer }
}

function checkChanges(
  changes: readonly (ValidatorUpdate & { readonly address: Bytes })[],
  known: ReadonlyMap<string, Validator>,
): void {
  changes.forEach((change, i) => {
    const name = bytesToHex(change.address)
    const previous = changes[i - 1]
    if (previous && equalBytes(previous.address, change.address))
      throw engineErrors.badConsensusUpdate(`validator ${name} comes twice`)
    if (change.power < 0n) throw engineErrors.badConsensusUpdate(`validator ${name} has power ${change.power}`)
    if (change.power === 0n && !known.has(name))
      throw engineErrors.badConsensusUpdate(`validator ${name} is to be removed but not in the set`)
  })
}

/** Chooses who proposes next: weighted round robin by priorities, as CometBFT's IncrementProposerPriority(1). */
export function advanceProposer(set: ValidatorSet): ValidatorSet {
  const total = totalPower(set.validators)
  const raised = centrePriorities(set.validators, total).map((validator) => ({
    ...validator,
    proposerPriority: validator.proposerPriority + validator.power,
  }))
  let chosen = raised[0]!
  for (const validator of raised) {
    const ahead = validator.proposerPriority - chosen.proposerPriority
    if (ahead > 0n || (ahead === 0n && compareBytes(validator.address, chosen.address) < 0)) chosen = validator
  }
  chosen.proposerPriority -= total
  return { validators: raised, proposer: chosen.address }
}

/** Shrinks priorities into the window and moves their average to zero. */
function centrePriorities(validators: readonly Validator[], total: bigint): Validator[] {
  const priorities = validators.map((validator) => validator.proposerPriority)
  const spread = priorities.reduce((a, b) => (a > b ? a : b)) - priorities.reduce((a, b) => (a < b ? a : b))
  const window = priorityWindow * total
  const ratio = spread > window ? (spread + window - 1n) / window : 1n
  const shrunk = priorities.map((priority) => priority / ratio)
  const sum = shrunk.reduce((a, b) => a + b, 0n)
  const average = floorDivide(sum, BigInt(shrunk.length))
  return validators.map((validator, i) => ({ ...validator, proposerPriority: shrunk[i]! - average }))
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}
