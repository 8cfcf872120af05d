import { bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { describe, expect, it } from 'vitest'
import {
  createAddressCodec,
  createAddressCodecs,
  moduleAddress,
  moduleSubAddress,
  secp256k1Address,
} from './addresses.js'

describe('addresses', () => {
  it('derives the account of a public key as wallets do', () => {
    const key = hexToBytes('02394bc53633366a2ab9b5d697a94c8c0121cc5e3f0d554a63167edb318ceae8bc')
    expect(secp256k1Address(key)).toEqual(rawSecp256k1PubkeyToRawAddress(key))
  })

  it('gives module accounts the addresses that every Cosmos chain shows', () => {
    const { account } = createAddressCodecs('cosmos')
    expect(account.encode(moduleAddress('gov'))).toBe('cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn')
    expect(account.encode(moduleAddress('fee_collector'))).toBe('cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta')
    expect(account.encode(moduleAddress('mint'))).toBe('cosmos1m3h30wlvsf8llruxtpukdvsy0km2kum8g38c8q')
  })

  it('derives sub-accounts of modules: the first contract of code 1 has its well-known address', () => {
    const ids = new Uint8Array(16)
    ids[7] = 1
    ids[15] = 1
    const contract = moduleSubAddress('wasm', ids)
    expect(createAddressCodec('cosmos').encode(contract)).toBe(
      'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr',
    )
    expect(moduleSubAddress('wasm', ids, utf8ToBytes('x'))).toHaveLength(32)
    expect(moduleSubAddress('gov')).toEqual(moduleAddress('gov'))
  })

  it('reads back what it writes and keeps kinds apart', () => {
    const { account, validator, consensus } = createAddressCodecs('coin')
    const bytes = hexToBytes('00112233445566778899aabbccddeeff00112233')
    expect(account.decode(account.encode(bytes))).toEqual(bytes)
    expect(account.decode(account.encode(bytes))).toBe(account.decode(account.encode(bytes)))
    expect(validator.encode(bytes)).toMatch(/^coinvaloper1/)
    expect(() => account.decode(consensus.encode(bytes))).toThrow('has the prefix "coinvalcons", expected "coin"')
    expect(bytesToHex(account.decode(account.encode(bytes).toUpperCase()))).toBe(bytesToHex(bytes))
  })

  it('refuses empty, too short and too long addresses', () => {
    const codec = createAddressCodec('coin')
    expect(() => codec.decode(' ')).toThrow('empty')
    expect(() => codec.encode(new Uint8Array(0))).toThrow('expected 1 to 255')
    expect(() => codec.encode(new Uint8Array(256))).toThrow('expected 1 to 255')
  })
})
