import { type Bytes, bytesToHex, equalBytes } from '@coin/base/bytes'
import { verifyEd25519 } from '@coin/wire/ed25519'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { engineErrors } from '../errors.js'
import { precommitSignBytes } from './sign-bytes.js'
import { type BlockId, blockIdFlags, type Commit, type Validator } from './types.js'
import { totalPower } from './validator-set.js'

const bad = engineErrors.badEvidence

/** Whether a validator has signed a message. */
export function isSignedBy(
  { keyType, pubKey }: Pick<Validator, 'keyType' | 'pubKey'>,
  message: Bytes,
  signature: Bytes,
): boolean {
  return keyType === 'ed25519'
    ? verifyEd25519(pubKey, message, signature)
    : verifySecp256k1(pubKey, sha256(message), signature)
}

export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return equalBytes(a.hash, b.hash) && a.parts.total === b.parts.total && equalBytes(a.parts.hash, b.parts.hash)
}

/**
 * That more than two thirds of the validators' power have signed the block of a commit, with every signature right
 * (types/validation.go, VerifyCommitLightAllSignatures). Throws `badEvidence`.
 */
export function verifyCommit(chainId: string, validators: readonly Validator[], commit: Commit): void {
  const { signatures } = commit
  if (validators.length !== signatures.length)
    throw bad(`the commit has ${signatures.length} signatures for ${validators.length} validators`)
  const needed = (totalPower(validators) * 2n) / 3n
  verifySignatures(chainId, commit, needed, (_address, index) => validators[index])
}

/**
 * That more than a third of the power of `trusted` has signed a commit of another set, with every signature of theirs right
 * (types/validation.go, VerifyCommitLightTrustingAllSignatures). Throws `badEvidence`.
 */
export function verifyCommitTrusting(chainId: string, trusted: readonly Validator[], commit: Commit): void {
  const byAddress = new Map(trusted.map((validator) => [bytesToHex(validator.address), validator]))
  const seen = new Set<string>()
  verifySignatures(chainId, commit, totalPower(trusted) / 3n, (address, index) => {
    const name = bytesToHex(address)
    const validator = byAddress.get(name)
    if (validator === undefined) return undefined
    if (seen.has(name)) throw bad(`validator ${name} has signed twice, the second time as #${index}`)
    seen.add(name)
    return validator
  })
}

function verifySignatures(
  chainId: string,
  { height, round, blockId, signatures }: Commit,
  needed: bigint,
  signerOf: (address: Bytes, index: number) => Validator | undefined,
): void {
  let power = 0n
  for (const [index, { flag, validatorAddress, timestamp, signature }] of signatures.entries()) {
    if (flag !== blockIdFlags.commit) continue
    const signer = signerOf(validatorAddress, index)
    if (signer === undefined) continue
    const message = precommitSignBytes({ chainId, height, round, blockId, timestamp })
    if (!isSignedBy(signer, message, signature)) throw bad(`wrong signature (#${index}): ${bytesToHex(signature)}`)
    power += signer.power
  }
  if (power <= needed) throw bad(`insufficient voting power: got ${power}, needed more than ${needed}`)
}
