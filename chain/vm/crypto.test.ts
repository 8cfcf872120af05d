import { createHash, generateKeyPairSync, sign as nodeSign } from 'node:crypto'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import {
  cryptoCodes as codes,
  ed25519BatchVerify,
  ed25519Verify,
  secp256k1Recover,
  secp256k1Verify,
  secp256r1Recover,
  secp256r1Verify,
} from './crypto.js'
import { aggregate, hashToCurve, pairingEquality } from './crypto-bls.js'

const hash = new Uint8Array(createHash('sha256').update('message').digest())
const secret = new Uint8Array(32).fill(7)

const curves = [
  { name: 'secp256k1', curve: secp256k1, verify: secp256k1Verify, recover: secp256k1Recover },
  { name: 'secp256r1', curve: p256, verify: secp256r1Verify, recover: secp256r1Recover },
] as const

/** r and the other s. */
function flipped(curve: typeof p256 | typeof secp256k1, signature: Uint8Array): Uint8Array {
  const { r, s } = curve.Signature.fromBytes(signature, 'compact')
  return new curve.Signature(r, curve.Point.Fn.ORDER - s).toBytes('compact')
}

describe.each(curves)('$name', ({ curve, verify, recover }) => {
  const signed = curve.sign(hash, secret, { prehash: false, format: 'recovered' })
  const [param, signature] = [signed[0]!, signed.slice(1)]
  const compressed = curve.getPublicKey(secret, true)
  const uncompressed = curve.getPublicKey(secret, false)

  it('accepts a signature under both forms of the key, with low and high s', () => {
    for (const key of [compressed, uncompressed]) {
      expect(verify(hash, signature, key)).toBe(codes.ok)
      expect(verify(hash, flipped(curve, signature), key)).toBe(codes.ok)
    }
  })

  it('tells a wrong signature from one that is none', () => {
    expect(verify(new Uint8Array(32), signature, compressed)).toBe(codes.invalid)
    expect(verify(hash, signature, curve.getPublicKey(new Uint8Array(32).fill(8)))).toBe(codes.invalid)
    expect(verify(hash.subarray(1), signature, compressed)).toBe(codes.hashFormat)
    expect(verify(hash, signature.subarray(1), compressed)).toBe(codes.signatureFormat)
    expect(verify(hash, signature, compressed.subarray(1))).toBe(codes.keyFormat)
    const hybrid = Uint8Array.from(uncompressed)
    hybrid[0] = 6
    expect(verify(hash, signature, hybrid)).toBe(codes.keyFormat)
    expect(verify(hash, new Uint8Array(64), compressed)).toBe(codes.generic)
    expect(verify(hash, new Uint8Array(64).fill(0xff), compressed)).toBe(codes.generic)
    const offCurve = Uint8Array.from(uncompressed)
    offCurve[64]! ^= 1
    expect(verify(hash, signature, offCurve)).toBe(codes.generic)
  })

  it('recovers the key, for either s', () => {
    expect(recover(hash, signature, param)).toEqual(uncompressed)
    expect(recover(hash, flipped(curve, signature), param ^ 1)).toEqual(uncompressed)
    expect(recover(hash, signature, param ^ 1)).not.toEqual(uncompressed)
    expect(recover(hash.subarray(1), signature, param)).toBe(codes.hashFormat)
    expect(recover(hash, signature.subarray(1), param)).toBe(codes.signatureFormat)
    expect(recover(hash, signature, 4)).toBe(codes.recoveryParam)
    expect(recover(hash, new Uint8Array(64), param)).toBe(codes.generic)
  })

  it('agrees with what the reference tests with', () => {
    // From cosmwasm-vm's imports.rs.
    const known = {
      secp256k1: [
        '5ae8317d34d1e595e3fa7247db80c0af4320cce1116de187f8f7e2e099c0d8d0',
        '207082eb2c3dfa0b454e0906051270ba4074ac93760ba9e7110cd9471475111151eb0dbbc9920e72146fb564f99d039802bf6ef2561446eb126ef364d21ee9c4',
        '04051c1ee2190ecfb174bfe4f90763f2b4ff7517b70a2aec1876ebcfd644c4633fb03f3cfbd94b1f376e34592d9d41ccaf640bb751b00a1fadeb0c01157769eb73',
      ],
      secp256r1: [
        'b804cf88af0c2eff8bbbfb3660ebb3294138e9d3ebd458884e19818061dacff0',
        '35fb60f5ca0f3ca08542fb3cc641c8263a2cab7a90ee6a5e1583fac2bb6f6bd1ee59d81bc9db1055cc0ed97b159d8784af04e98511d0a9a407b99bb292572e96',
        '0474ccd8a62fba0e667c50929a53f78c21b8ff0c3c737b0b40b1750b2302b0bde829074e21f3a0ef88b9efdf10d06aa4c295cc1671f758ca0e4cd108803d0f2614',
      ],
    }[verify === secp256k1Verify ? 'secp256k1' : 'secp256r1'].map(hexToBytes)
    expect(verify(known[0]!, known[1]!, known[2]!)).toBe(codes.ok)
    const found = [0, 1].map((id) => recover(known[0]!, known[1]!, id))
    expect(found.map((key) => (typeof key === 'number' ? key : bytesToHex(key)))).toContain(bytesToHex(known[2]!))
  })
})

it('supports recovery parameters 2 and 3 for secp256r1 only', () => {
  const signature = p256.sign(hash, secret, { prehash: false })
  expect(secp256k1Recover(hash, signature, 2)).toBe(codes.recoveryParam)
  expect(secp256r1Recover(hash, signature, 2)).toBe(codes.generic)
})

describe('ed25519', () => {
  const message = utf8ToBytes('Hello World!')
  const key = ed25519.getPublicKey(secret)
  const signature = ed25519.sign(message, secret)

  it('accepts what libraries sign and nothing else', () => {
    expect(ed25519Verify(message, signature, key)).toBe(codes.ok)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))
    expect(ed25519Verify(message, new Uint8Array(nodeSign(null, message, privateKey)), raw)).toBe(codes.ok)
    expect(ed25519Verify(utf8ToBytes('other'), signature, key)).toBe(codes.invalid)
    expect(ed25519Verify(message, signature.subarray(1), key)).toBe(codes.signatureFormat)
    expect(ed25519Verify(message, signature, key.subarray(1))).toBe(codes.keyFormat)
    expect(ed25519Verify(message, signature, new Uint8Array(32).fill(0xff))).toBe(codes.invalid)
  })

  it('follows ZIP 215 where RFC 8032 would refuse', () => {
    // The key and R are points of small order, s is zero: every message fits, by the cofactored equation only.
    const smallOrder = [
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    ]
    for (const point of smallOrder.map(hexToBytes)) {
      for (const other of smallOrder.map(hexToBytes)) {
        const odd = concatBytes(other, new Uint8Array(32))
        expect(ed25519Verify(utf8ToBytes('Zcash'), odd, point)).toBe(codes.ok)
      }
    }
  })

  it('checks batches of the three shapes', () => {
    const other = ed25519.sign(utf8ToBytes('second'), secret)
    const second = utf8ToBytes('second')
    expect(ed25519BatchVerify([], [], [])).toBe(codes.ok)
    expect(ed25519BatchVerify([message, second], [signature, other], [key, key])).toBe(codes.ok)
    expect(ed25519BatchVerify([message, second], [signature, other], [key])).toBe(codes.ok)
    expect(ed25519BatchVerify([message], [signature, signature], [key, key])).toBe(codes.ok)
    expect(ed25519BatchVerify([message], [], [])).toBe(codes.ok)
    expect(ed25519BatchVerify([message, second], [other, signature], [key, key])).toBe(codes.invalid)
    expect(ed25519BatchVerify([message, second], [signature], [key, key])).toBe(codes.batch)
    expect(ed25519BatchVerify([message], [signature.subarray(1)], [key])).toBe(codes.signatureFormat)
  })
})

describe('BLS12-381', () => {
  // Generators, and the point at infinity.
  const g1 = hexToBytes(
    '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  )
  const g2 = hexToBytes(
    '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
  )
  const infinity1 = Uint8Array.from({ length: 48 }, (_, i) => (i === 0 ? 0xc0 : 0))
  const infinity2 = Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0xc0 : 0))

  it('adds points', () => {
    expect(aggregate('g1', concatBytes(g1, infinity1))).toEqual(g1)
    expect(aggregate('g2', concatBytes(g2, infinity2))).toEqual(g2)
    expect(aggregate('g1', infinity1)).toEqual(infinity1)
    const double = aggregate('g1', concatBytes(g1, g1))
    expect(typeof double === 'number' ? double : bytesToHex(double)).toBe(
      'a572cbea904d67468808c8eb50a9450c9721db309128012543902d0ac358a62ae28f75bb8f1c7c42c39a8c5529bf0f4e',
    )
  })

  it('refuses what is no point', () => {
    expect(aggregate('g1', new Uint8Array(0))).toBe(codes.aggregateEmpty)
    expect(aggregate('g1', g1.subarray(1))).toBe(codes.aggregateMultiple)
    expect(aggregate('g1', new Uint8Array(48))).toBe(codes.point)
    expect(aggregate('g2', new Uint8Array(96).fill(0xff))).toBe(codes.point)
    // On the curve, but not in the subgroup (x = 4).
    const outside = Uint8Array.from({ length: 48 }, (_, i) => (i === 0 ? 0x80 : i === 47 ? 4 : 0))
    expect(aggregate('g1', outside)).toBe(codes.point)
    const lying = Uint8Array.from(infinity1)
    lying[47] = 1
    expect(aggregate('g1', lying)).toBe(codes.point)
  })

  it('hashes to the curve as RFC 9380 says', () => {
    // RFC 9380, J.9.1 and J.10.1, message "": the x coordinates.
    const x1 = '052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1'
    const domain1 = utf8ToBytes('QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_')
    const hashed1 = bytesToHex(hashToCurve('g1', new Uint8Array(0), domain1))
    expect((BigInt(`0x${hashed1}`) & ((1n << 381n) - 1n)).toString(16).padStart(96, '0')).toBe(x1)
    const x2 = '05cb8437535e20ecffaef7752baddf98034139c38452458baeefab379ba13dff5bf5dd71b72418717047f5b0f37da03d'
    const domain2 = utf8ToBytes('QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_')
    const hashed2 = bytesToHex(hashToCurve('g2', new Uint8Array(0), domain2).subarray(0, 48))
    expect((BigInt(`0x${hashed2}`) & ((1n << 381n) - 1n)).toString(16).padStart(96, '0')).toBe(x2)
    // An empty domain is allowed.
    expect(aggregate('g1', hashToCurve('g1', utf8ToBytes('m'), new Uint8Array(0)))).toHaveLength(48)
  })

  it('hashes as another implementation does, for domains of every length', () => {
    for (const length of [1, 43, 255, 256, 300]) {
      const DST = new Uint8Array(length).fill(length & 0xff)
      const message = new Uint8Array(length * 3).fill(5)
      expect(hashToCurve('g1', message, DST)).toEqual(bls12_381.G1.hashToCurve(message, { DST }).toBytes(true))
      expect(hashToCurve('g2', message, DST)).toEqual(bls12_381.G2.hashToCurve(message, { DST }).toBytes(true))
    }
  })

  it('compares pairings', () => {
    const double1 = aggregate('g1', concatBytes(g1, g1)) as Uint8Array
    const double2 = aggregate('g2', concatBytes(g2, g2)) as Uint8Array
    expect(pairingEquality(double1, g2, g1, double2)).toBe(codes.ok)
    expect(pairingEquality(concatBytes(g1, g1), concatBytes(g2, g2), double1, g2)).toBe(codes.ok)
    expect(pairingEquality(g1, g2, double1, g2)).toBe(codes.invalid)
    expect(pairingEquality(new Uint8Array(0), new Uint8Array(0), infinity1, g2)).toBe(codes.ok)
    expect(pairingEquality(g1, infinity2, infinity1, g2)).toBe(codes.ok)
    expect(pairingEquality(g1.subarray(1), g2, g1, g2)).toBe(codes.pairingG1)
    expect(pairingEquality(g1, g2.subarray(1), g1, g2)).toBe(codes.pairingG2)
    expect(pairingEquality(concatBytes(g1, g1), g2, g1, g2)).toBe(codes.pairingCount)
    expect(pairingEquality(g1, g2, g1.subarray(1), g2)).toBe(codes.point)
  })
})
