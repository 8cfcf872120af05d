import * as crypto from './crypto.js'
import * as bls from './crypto-bls.js'
import { hostFunction } from './current.js'
import { linearCost } from './gas.js'
import type { ContractInstance } from './instance.js'
import { decodeSections } from './sections.js'

const hashBytesMax = 32
const signatureBytesMax = 64
const ecdsaKeyBytesMax = 65
const edKeyBytesMax = 32
const edMessageBytesMax = 128 * 1024
const edBatchMax = 256
const blsPointsBytesMax = 2 * 1024 * 1024
const blsMessageBytesMax = 5 * 1024 * 1024
const blsDomainBytesMax = 5 * 1024

/** The signature functions and curve operations of `env`. Answers are the codes of crypto.ts. */
export function cryptoImports(): Record<string, WebAssembly.ImportValue> {
  return { ...ecdsaImports(), ...ed25519Imports(), ...blsImports() }
}

function ecdsaImports(): Record<string, WebAssembly.ImportValue> {
  const verify = (price: 'secp256k1Verify' | 'secp256r1Verify', check: typeof crypto.secp256k1Verify) => {
    return (hash: number, signature: number, key: number) =>
      hostFunction((instance) => {
        const hashBytes = instance.readRegion(hash >>> 0, hashBytesMax, 'hash')
        const signatureBytes = instance.readRegion(signature >>> 0, signatureBytesMax, 'signature')
        const keyBytes = instance.readRegion(key >>> 0, ecdsaKeyBytesMax, 'public key')
        instance.charge(instance.schedule[price])
        return check(hashBytes, signatureBytes, keyBytes)
      })
  }
  const recover = (price: 'secp256k1Recover' | 'secp256r1Recover', find: typeof crypto.secp256k1Recover) => {
    return (hash: number, signature: number, param: number) =>
      hostFunction((instance) => {
        const hashBytes = instance.readRegion(hash >>> 0, hashBytesMax, 'hash')
        const signatureBytes = instance.readRegion(signature >>> 0, signatureBytesMax, 'signature')
        if (param >>> 0 > 255) return BigInt(crypto.cryptoCodes.recoveryParam) << 32n
        instance.charge(instance.schedule[price])
        const found = find(hashBytes, signatureBytes, param)
        return typeof found === 'number' ? BigInt(found) << 32n : BigInt(instance.give(found))
      })
  }
  return {
    secp256k1_verify: verify('secp256k1Verify', crypto.secp256k1Verify),
    secp256r1_verify: verify('secp256r1Verify', crypto.secp256r1Verify),
    secp256k1_recover_pubkey: recover('secp256k1Recover', crypto.secp256k1Recover),
    secp256r1_recover_pubkey: recover('secp256r1Recover', crypto.secp256r1Recover),
  }
}

function ed25519Imports(): Record<string, WebAssembly.ImportValue> {
  return {
    ed25519_verify: (message: number, signature: number, key: number) =>
      hostFunction((instance) => {
        const messageBytes = instance.readRegion(message >>> 0, edMessageBytesMax, 'message')
        const signatureBytes = instance.readRegion(signature >>> 0, signatureBytesMax, 'signature')
        const keyBytes = instance.readRegion(key >>> 0, edKeyBytesMax, 'public key')
        instance.charge(instance.schedule.ed25519Verify)
        return crypto.ed25519Verify(messageBytes, signatureBytes, keyBytes)
      }),
    ed25519_batch_verify: (messages: number, signatures: number, keys: number) =>
      hostFunction((instance) => {
        const read = (pointer: number, itemBytesMax: number, what: string) =>
          instance.readRegion(pointer >>> 0, (itemBytesMax + 4) * edBatchMax, what)
        const messageBytes = read(messages, edMessageBytesMax, 'messages')
        const signatureBytes = read(signatures, signatureBytesMax, 'signatures')
        const keyBytes = read(keys, edKeyBytesMax, 'public keys')
        const messageList = decodeSections(messageBytes)
        const signatureList = decodeSections(signatureBytes)
        const keyList = decodeSections(keyBytes)
        const { ed25519Batch, ed25519BatchOneKey } = instance.schedule
        instance.charge(linearCost(keyList.length === 1 ? ed25519BatchOneKey : ed25519Batch, signatureList.length))
        return crypto.ed25519BatchVerify(messageList, signatureList, keyList)
      }),
  }
}

function blsImports(): Record<string, WebAssembly.ImportValue> {
  const answer = (instance: ContractInstance, out: number, result: Uint8Array | number) => {
    if (typeof result === 'number') return result
    instance.writeRegion(out >>> 0, result)
    return crypto.cryptoCodes.ok
  }
  const aggregate = (group: 'g1' | 'g2') => (points: number, out: number) =>
    hostFunction((instance) => {
      const bytes = instance.readRegion(points >>> 0, blsPointsBytesMax, 'points')
      const price = instance.schedule[group === 'g1' ? 'blsAggregateG1' : 'blsAggregateG2']
      instance.charge(linearCost(price, Math.floor(bytes.length / bls.pointBytes[group])))
      return answer(instance, out, bls.aggregate(group, bytes))
    })
  const hash = (group: 'g1' | 'g2') => (hashFunction: number, message: number, domain: number, out: number) =>
    hostFunction((instance) => {
      const messageBytes = instance.readRegion(message >>> 0, blsMessageBytesMax, 'message')
      const domainBytes = instance.readRegion(domain >>> 0, blsDomainBytesMax, 'domain')
      instance.charge(instance.schedule[group === 'g1' ? 'blsHashToG1' : 'blsHashToG2'])
      if (hashFunction !== 0) return crypto.cryptoCodes.hashFunction
      return answer(instance, out, bls.hashToCurve(group, messageBytes, domainBytes))
    })
  return {
    bls12_381_aggregate_g1: aggregate('g1'),
    bls12_381_aggregate_g2: aggregate('g2'),
    bls12_381_hash_to_g1: hash('g1'),
    bls12_381_hash_to_g2: hash('g2'),
    bls12_381_pairing_equality: (ps: number, qs: number, r: number, s: number) =>
      hostFunction((instance) => {
        const left = instance.readRegion(ps >>> 0, blsPointsBytesMax, 'points')
        const right = instance.readRegion(qs >>> 0, blsPointsBytesMax, 'points')
        const rBytes = instance.readRegion(r >>> 0, bls.pointBytes.g1, 'point')
        const sBytes = instance.readRegion(s >>> 0, bls.pointBytes.g2, 'point')
        const pairs = Math.floor(left.length / bls.pointBytes.g1) + 1
        instance.charge(linearCost(instance.schedule.blsPairingEquality, pairs))
        return bls.pairingEquality(left, right, rBytes, sBytes)
      }),
  }
}
