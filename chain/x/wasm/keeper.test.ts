import { gzipSync } from 'node:zlib'
import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { buildModule, executing, op } from '@coin/vm/testing/module-builder'
import { haveContracts, referenceContract } from '@coin/vm/testing/reference'
import { createAddressCodec } from '@coin/wire/addresses'
import { AccessType, type CodeInfo } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { messageFromJsonText, messageToJsonText } from '@coin/wire/json'
import { sha256 } from '@coin/wire/sha256'
import { beforeEach, describe, expect, it } from 'vitest'
import { predictableAddress } from './contract-address.js'
import { createWasmModule } from './module.js'
import {
  account,
  addresses,
  alice,
  bob,
  createWasmChain,
  governance,
  json,
  text,
  type WasmChain,
} from './testing/wasm-chain.js'

const code = (marker = 1) => {
  const { functions = [], ...rest } = executing(new Array<number>(marker).fill(op.nop))
  return buildModule({ ...rest, functions: functions.flatMap((item) => [item, { ...item, export: 'instantiate' }]) })
}
const store = (chain: WasmChain, sender: Bytes, wasmByteCode = code(), instantiatePermission?: object) =>
  chain.run('StoreCode', { sender: text(sender), wasmByteCode, instantiatePermission })
const create = (chain: WasmChain, sender: Bytes, codeId = 1n, change: object = {}) =>
  chain.run('InstantiateContract', {
    ...{ sender: text(sender), admin: '', codeId, label: 'label', msg: json({}), funds: [], ...change },
  })
const only = (...list: Bytes[]) => ({ permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES, addresses: list.map(text) })
const nobody = { permission: AccessType.ACCESS_TYPE_NOBODY, addresses: [] }

describe('codes', () => {
  let chain = createWasmChain()
  beforeEach(() => {
    chain = createWasmChain()
  })

  it('are numbered from 1, packed or not', () => {
    expect(store(chain, alice)).toMatchObject({ codeId: 1n, checksum: sha256(code()) })
    const packed = new Uint8Array(gzipSync(code(2)))
    expect(store(chain, alice, packed)).toMatchObject({ codeId: 2n, checksum: sha256(code(2)) })
    expect(chain.query('Code', { codeId: 2n }).data).toEqual(code(2))
    expect(chain.query('CodeInfo', { codeId: 2n })).toMatchObject({
      codeId: 2n,
      creator: text(alice),
      checksum: sha256(code(2)),
    })
    expect(chain.query('Codes', {}).codeInfos).toHaveLength(2)
  })

  it('are refused with the rule and the place, and nothing is stored', () => {
    const importing = buildModule({ imports: [{ name: 'send_mail', params: 1, results: 0 }] })
    expect(() => store(chain, alice, importing)).toThrow(
      /import 0 "env\.send_mail" is not a function of the host.*create wasm contract failed/,
    )
    expect(() => store(chain, alice, new Uint8Array(0))).toThrow('code bytes is required')
    expect(() => store(chain, alice, new Uint8Array(800 * 1024 + 1))).toThrow('cannot be longer than 819200 bytes')
    const bomb = new Uint8Array(gzipSync(new Uint8Array(5_000_000)))
    expect(() => store(chain, alice, bomb)).toThrow(
      /uncompress wasm archive: max 819200 bytes.*create wasm contract failed/,
    )
    expect(() => store(chain, alice, Uint8Array.of(0x1f, 0x8b, 8))).toThrow('uncompress wasm archive')
    expect(chain.query('Codes', {}).codeInfos).toEqual([])
    expect(store(chain, alice)).toMatchObject({ codeId: 1n })
  })

  it('cost 3 SDK gas per byte even when they are refused', () => {
    const bytes = new Uint8Array(1000)
    const before = chain.ctx.gas.consumed
    expect(() => store(chain, alice, bytes)).toThrow('create wasm contract failed')
    expect(chain.ctx.gas.consumed - before).toBeGreaterThan(3000)
    expect(() => chain.run('StoreCode', { sender: text(alice), wasmByteCode: code() }, 3000)).toThrow('out of gas')
  })

  it('may be stored and used only by whom the parameters and the creator let in', () => {
    const setParams = (codeUploadAccess: object, type: number = AccessType.ACCESS_TYPE_EVERYBODY) =>
      chain.run('UpdateParams', {
        authority: text(governance),
        params: { codeUploadAccess, instantiateDefaultPermission: type },
      })
    setParams(only(alice))
    store(chain, alice)
    expect(() => store(chain, bob)).toThrow('can not create code')
    chain.run('AddCodeUploadParamsAddresses', { authority: text(governance), addresses: [text(bob)] })
    store(chain, bob)
    chain.run('RemoveCodeUploadParamsAddresses', { authority: text(governance), addresses: [text(bob)] })
    expect(() => store(chain, bob)).toThrow('can not create code')
    setParams(nobody)
    expect(() => store(chain, alice)).toThrow('can not create code')
    expect(store(chain, governance)).toMatchObject({ codeId: 3n })
    setParams(only(alice), AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES)
    store(chain, alice)
    expect(
      (chain.query('CodeInfo', { codeId: 4n }).instantiatePermission as CodeInfo['instantiateConfig'])?.addresses,
    ).toEqual([text(alice)])
    expect(() => create(chain, bob, 4n)).toThrow('can not instantiate')
    create(chain, alice, 4n)
    expect(() => store(chain, alice, code(), { permission: AccessType.ACCESS_TYPE_EVERYBODY, addresses: [] })).toThrow(
      'can not create code',
    )
    expect(() => chain.run('UpdateParams', { authority: text(alice), params: {} })).toThrow()
  })

  it('let their creator narrow who may instantiate', () => {
    store(chain, alice)
    const update = (sender: Bytes, newInstantiatePermission: object) =>
      chain.run('UpdateInstantiateConfig', { sender: text(sender), codeId: 1n, newInstantiatePermission })
    expect(() => update(bob, nobody)).toThrow('can not modify code access config')
    update(alice, only(bob))
    create(chain, bob)
    expect(() => create(chain, alice)).toThrow('can not instantiate')
    create(chain, governance)
    expect(chain.ctx.events.events.some(({ type }) => type === 'update_code_access_config')).toBe(true)
  })

  it('are pinned by governance and then cheaper to use', () => {
    store(chain, alice)
    const { address } = create(chain, alice) as { address: string }
    const gasOf = () => {
      const before = chain.ctx.gas.consumed
      chain.run('ExecuteContract', { sender: text(alice), contract: address, msg: json({}), funds: [] })
      return chain.ctx.gas.consumed - before
    }
    const before = gasOf()
    expect(() => chain.run('PinCodes', { authority: text(alice), codeIds: [1n] })).toThrow('invalid authority')
    chain.run('PinCodes', { authority: text(governance), codeIds: [1n] })
    expect(chain.query('PinnedCodes', {}).codeIds).toEqual([1n])
    expect(before - gasOf()).toBe(58_000)
    chain.keeper.codes.loadPinned(chain.ctx)
    chain.run('UnpinCodes', { authority: text(governance), codeIds: [1n] })
    expect(gasOf()).toBe(before)
    expect(() => chain.run('PinCodes', { authority: text(governance), codeIds: [9n] })).toThrow('no such code')
  })
})

describe('contracts', () => {
  let chain = createWasmChain()
  beforeEach(() => {
    chain = createWasmChain()
    store(chain, alice)
  })

  it('have an address of 32 bytes from their number or their salt', () => {
    const { address } = create(chain, alice) as { address: string }
    // BuildContractAddressClassic(1, 1), here with prefix coin.
    expect(addresses.decode(address)).toHaveLength(32)
    const predictable = {
      ...{ sender: text(alice), admin: text(bob), codeId: 1n, label: 'two', msg: json({ a: 1 }), funds: [] },
      ...{ salt: utf8ToBytes('salt'), fixMsg: false },
    }
    const second = chain.run('InstantiateContract2', predictable) as { address: string }
    const built = chain.query('BuildAddress', {
      codeHash: Buffer.from(sha256(code())).toString('hex'),
      ...{ creatorAddress: text(alice), salt: Buffer.from('salt').toString('hex'), initArgs: new Uint8Array(0) },
    })
    expect(built.address).toBe(second.address)
    expect(text(predictableAddress(sha256(code()), alice, utf8ToBytes('salt'), new Uint8Array(0)))).toBe(second.address)
    expect(() => chain.run('InstantiateContract2', predictable)).toThrow('contract address already exists')
    const fixed = chain.run('InstantiateContract2', { ...predictable, fixMsg: true }) as { address: string }
    expect(fixed.address).not.toBe(second.address)
    const list = chain.query('ContractsByCode', { codeId: 1n }).contracts as string[]
    expect([...list].sort()).toEqual([address, second.address, fixed.address].sort())
    expect(chain.query('ContractsByCreator', { creatorAddress: text(alice) }).contractAddresses).toEqual(list)
    expect(chain.query('ContractInfo', { address: second.address })).toMatchObject({
      contractInfo: { codeId: 1n, creator: text(alice), admin: text(bob), label: 'two', ibcPortId: '' },
    })
  })

  it('refuse bad labels, messages, funds and addresses before anything runs', () => {
    const bad: readonly (readonly [object, string])[] = [
      [{ label: '' }, 'label: is required'],
      [{ label: ' x' }, 'must not start/end with whitespaces'],
      [{ label: 'x'.repeat(129) }, 'cannot be longer than 128'],
      [{ label: 'a\u0000b' }, 'printable characters only'],
      [{ msg: utf8ToBytes('{') }, 'payload msg: invalid'],
      [{ msg: new Uint8Array(0) }, 'payload msg: invalid'],
      [{ funds: [{ denom: 'ucoin', amount: '0' }] }, 'funds'],
      [{ funds: [{ denom: 'ucoin', amount: 'x' }] }, 'funds'],
      [{ funds: [{ denom: 'b', amount: '1' }] }, 'funds'],
      [{ admin: 'nonsense' }, 'admin'],
      [{ codeId: 0n }, 'code id is required'],
      [{ codeId: 99n }, 'no such code'],
    ]
    for (const [change, message] of bad) expect(() => create(chain, alice, 1n, change), message).toThrow(message)
    expect(chain.query('ContractsByCode', { codeId: 1n }).contracts).toEqual([])
  })

  it('change their admin, label and code only by their admin', () => {
    const { address } = create(chain, alice, 1n, { admin: text(alice) }) as { address: string }
    const admin = (sender: Bytes, newAdmin: Bytes) =>
      chain.run('UpdateAdmin', { sender: text(sender), contract: address, newAdmin: text(newAdmin) })
    expect(() => admin(bob, account(3))).toThrow('can not modify contract')
    expect(() => admin(alice, alice)).toThrow('new admin is the same as the old')
    admin(alice, bob)
    expect(() => chain.run('UpdateContractLabel', { sender: text(alice), contract: address, newLabel: 'x' })).toThrow(
      'can not modify',
    )
    chain.run('UpdateContractLabel', { sender: text(bob), contract: address, newLabel: 'new' })
    const migrate = (sender: Bytes) =>
      chain.run('MigrateContract', { sender: text(sender), contract: address, codeId: 1n, msg: json({}) })
    expect(() => migrate(alice)).toThrow('can not migrate')
    expect(() => migrate(bob)).toThrow(/does not export a function "migrate".*wasmvm error/)
    chain.run('ClearAdmin', { sender: text(bob), contract: address })
    expect(() => migrate(bob)).toThrow('can not migrate')
    expect(chain.query('ContractInfo', { address })).toMatchObject({ contractInfo: { admin: '', label: 'new' } })
  })

  it('are not found where there are none', () => {
    for (const name of ['ContractInfo', 'AllContractState', 'RawContractState', 'SmartContractState']) {
      const request = { address: text(alice), queryData: json({}) }
      expect(() => chain.query(name, request), name).toThrow('no such contract')
    }
    expect(() => chain.query('ContractInfo', { address: 'x' })).toThrow()
    expect(() => chain.query('SmartContractState', { address: text(alice), queryData: utf8ToBytes('{') })).toThrow(
      'invalid query data',
    )
    expect(() =>
      chain.query('Codes', {
        pagination: { key: new Uint8Array(0), offset: 1n, limit: 0n, countTotal: false, reverse: false },
      }),
    ).toThrow('offset and count')
    expect(() => chain.query('ContractsByCode', { codeId: 0n })).toThrow('code id')
  })
})

const hackatom = 'wasmd-0.60.2/hackatom.wasm'
const have = haveContracts(hackatom)

describe.skipIf(!have)('hackatom', () => {
  const chain = createWasmChain()
  store(chain, alice, referenceContract(have ? hackatom : '')!)
  const { address } = create(chain, alice, 1n, {
    msg: json({ verifier: text(alice), beneficiary: text(bob) }),
    funds: [{ denom: 'ucoin', amount: '55' }],
  }) as { address: string }
  const contract = addresses.decode(address)

  it('answers smart and raw queries and shows its state', () => {
    expect(chain.smart(contract, { verifier: {} })).toEqual({ verifier: text(alice) })
    expect(chain.smart(contract, { other_balance: { address } })).toEqual({
      amount: [{ denom: 'ucoin', amount: '55' }],
    })
    const { models } = chain.query('AllContractState', { address }) as { models: { key: Bytes; value: Bytes }[] }
    expect(models.map(({ key }) => bytesToUtf8(key))).toEqual(['config'])
    expect(chain.query('RawContractState', { address, queryData: utf8ToBytes('config') }).data).toEqual(
      models[0]!.value,
    )
    expect(chain.query('RawContractState', { address, queryData: utf8ToBytes('none') }).data).toEqual(new Uint8Array(0))
    expect(() => chain.smart(contract, { nothing: {} })).toThrow('query wasm contract failed')
  })

  it("uses the SDK gas that wasmd's recursion test expects", () => {
    const cosmos = createAddressCodec('cosmos')
    const sender = cosmos.encode(alice)
    const block = { chainId: '', height: 1_234_567, time: 1_587_556_800_000_000_000n }
    const wasmd = createWasmChain({ addresses: cosmos, block })
    wasmd.run('StoreCode', { sender, wasmByteCode: referenceContract(hackatom)! })
    const { address: self } = wasmd.run('InstantiateContract', {
      ...{ sender, admin: sender, codeId: 1n, label: 'hackatom contract', funds: [] },
      msg: json({ verifier: sender, beneficiary: cosmos.encode(bob) }),
    }) as { address: string }
    const gas = (depth: number, work: number) => wasmd.queryGas(cosmos.decode(self), { recurse: { depth, work } })
    expect([gas(0, 0), gas(0, 50)]).toEqual([63_988, 64_236])
    // Each level is a query of its own; setting up the same code again costs 58,000 less.
    expect([gas(1, 0), gas(1, 50)]).toEqual([63_988 + 5_988 + 72, 64_236 + 6_236 + 60])
    expect(gas(4, 50)).toBe(64_236 + 4 * (6_236 + 60))
  })

  it('may query itself nine levels down and no further', () => {
    expect(chain.smart(contract, { recurse: { depth: 9, work: 0 } })).toHaveProperty('hashed')
    expect(() => chain.smart(contract, { recurse: { depth: 10, work: 0 } })).toThrow(/codespace: wasm, code: 27/)
  })

  it('stops a query at its gas limit', () => {
    const request = { address, queryData: json({ recurse: { depth: 0, work: 2_000_000 } }) }
    expect(() => chain.query('SmartContractState', request)).toThrow(/out of gas in location: .*gasWanted: 3000000/)
  })

  it('survives export and import, also as JSON', () => {
    const { genesis } = createWasmModule(chain.keeper)
    const exported = genesis!.export(chain.ctx) as object
    const type = 'cosmwasm.wasm.v1.GenesisState'
    const again = createWasmChain()
    const restored = createWasmModule(again.keeper).genesis!
    const fresh = createWasmChain()
    restored.init(fresh.ctx, messageFromJsonText(type, messageToJsonText(type, exported)))
    const copy = createWasmModule(again.keeper).genesis!.export(fresh.ctx) as object
    expect(messageToJsonText(type, copy)).toBe(messageToJsonText(type, exported))
    expect(() => restored.init(fresh.ctx, exported)).toThrow('duplicate code')
  })

  it('is not imported from a genesis that contradicts itself', () => {
    const { genesis } = createWasmModule(chain.keeper)
    const exported = genesis!.export(chain.ctx) as {
      codes: object[]
      contracts: object[]
      sequences: object[]
      params: object
    }
    const load = (change: object) => {
      const fresh = createWasmChain()
      return () => createWasmModule(fresh.keeper).genesis!.init(fresh.ctx, { ...exported, ...change })
    }
    expect(load({ sequences: [] })).toThrow('next code id is 1, but code 1 exists')
    expect(load({ sequences: exported.sequences.slice(0, 1) })).toThrow('contract number 1 was used already')
    expect(load({ codes: [{ ...exported.codes[0], codeBytes: code() }] })).toThrow('code hashes not same')
    expect(load({ contracts: [{ ...exported.contracts[0], contractCodeHistory: [] }] })).toThrow(
      'contract history is empty',
    )
    expect(load({ codes: [], contracts: exported.contracts })).toThrow('no such code')
  })
})
