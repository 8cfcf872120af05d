import { utf8ToBytes } from '@coin/base/bytes'
import { createRandom, type Random } from '@coin/base/testing/random'
import { memoryFiles } from '@coin/vm/files'
import { WasmVm } from '@coin/vm/vm'
import { createAddressCodec } from '@coin/wire/addresses'
import type { FieldDescriptor } from '@coin/wire/descriptors'
import { MsgMultiSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import { LegacyAminoPubKey } from '@coin/wire/gen/cosmos/crypto/multisig/keys'
import { MultiSignature } from '@coin/wire/gen/cosmos/crypto/multisig/v1beta1/multisig'
import { PubKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { codecs } from '@coin/wire/gen/registry'
import { codecOf, descriptors } from '@coin/wire/registry'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, type TestChain } from './testing/test-chain.js'
import { addWasm } from './wasm.js'

let alice: TestAccount
let chain: TestChain

beforeAll(async () => {
  alice = await testAccount('alice')
  const wasm = addWasm(new WasmVm({ files: memoryFiles() }))
  chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000000000' }), wasm })
  chain.deliver()
})

const { SIGN_MODE_DIRECT: direct, SIGN_MODE_LEGACY_AMINO_JSON: amino, SIGN_MODE_TEXTUAL: textual } = SignMode

function txOf(messages: Any[], mode: SignMode, body: Partial<TxBody> = {}): Uint8Array {
  const publicKey = { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key: alice.pubKey }).finish() }
  const signerInfos = [{ publicKey, modeInfo: { single: { mode } }, sequence: chain.sequence(alice.address) }]
  return TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages, ...body })).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ signerInfos, fee: { gasLimit: 2_000_000n } })).finish(),
    signatures: [new Uint8Array(64)],
  }).finish()
}

/** The transaction as if a multisignature of `count` members had signed it. */
function membersOf(raw: TxRaw, count: number): { tx: Uint8Array; jobsMax: number } {
  const publicKeys = Array.from({ length: count }, (_, i) => {
    const key = Uint8Array.from({ length: 33 }, (_, at) => (at === 0 ? 2 : at < 4 ? (i >> (8 * at)) & 255 : 1))
    return { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key }).finish() }
  })
  const value = LegacyAminoPubKey.encode({ threshold: count, publicKeys }).finish()
  const multi = {
    bitarray: { extraBitsStored: 0, elems: new Uint8Array(count / 8).fill(255) },
    modeInfos: publicKeys.map(() => ({ single: { mode: amino } })),
  }
  const publicKey = { typeUrl: '/cosmos.crypto.multisig.LegacyAminoPubKey', value }
  const signerInfos = [{ publicKey, modeInfo: { multi }, sequence: chain.sequence(alice.address) }]
  const authInfo = AuthInfo.fromPartial({ signerInfos, fee: { gasLimit: 2_000_000n } })
  const signature = MultiSignature.encode({ signatures: publicKeys.map(() => new Uint8Array(64)) }).finish()
  const authInfoBytes = AuthInfo.encode(authInfo).finish()
  return { tx: TxRaw.encode({ ...raw, authInfoBytes, signatures: [signature] }).finish(), jobsMax: 7 }
}

/** Everything that an unsigned transaction of anybody can make a node do. What is thrown here stops the node. */
function meet(tx: Uint8Array): number {
  chain.app.signatureJobs(tx)
  const { code } = chain.app.checkTx(tx, 'new')
  try {
    chain.app.simulate(tx)
  } catch (error) {
    expect(error).toHaveProperty('codespace')
  }
  return code
}

describe('transactions that nobody signed stop nothing', () => {
  it('bytes that are not UTF-8 in a contract message signed as amino JSON', () => {
    const msg = new Uint8Array([...utf8ToBytes('{"a":"'), 0xff, ...utf8ToBytes('"}')])
    const fields = { sender: alice.address, contract: alice.address, msg, funds: [] }
    const value = codecOf('cosmwasm.wasm.v1.MsgExecuteContract').encode(fields).finish()
    const tx = txOf([{ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value }], amino)
    expect(chain.app.checkTx(tx, 'new')).toMatchObject({ codespace: 'sdk', code: 4 })
    expect(chain.deliverOne(tx)).toMatchObject({ codespace: 'sdk', code: 4 })
  })

  it('twenty thousand signers, or a thousand members of one signer, are not worked for before they have paid', () => {
    const codec = createAddressCodec('coin')
    const inputs = Array.from({ length: 20_000 }, (_, i) => ({
      address: codec.encode(Uint8Array.from({ length: 20 }, (_, at) => (at < 3 ? (i >> (8 * at)) & 255 : 7))),
      coins: [],
    }))
    const typeUrl = '/cosmos.bank.v1beta1.MsgMultiSend'
    const send = (from: typeof inputs) => ({
      typeUrl,
      value: MsgMultiSend.encode({ inputs: from, outputs: [] }).finish(),
    })
    const all = txOf([send(inputs)], direct)
    expect(meet(all)).toBe(4)
    const signatures = inputs.map(() => new Uint8Array(0))
    expect(meet(TxRaw.encode({ ...TxRaw.decode(all), signatures }).finish())).toBe(11)
    const one = send([{ address: alice.address, coins: [] }])
    const raw = TxRaw.decode(txOf([one], amino, { memo: '<\u2028'.repeat(100_000) }))
    const { tx, jobsMax } = membersOf(raw, 1000)
    expect(chain.app.signatureJobs(tx).length).toBeLessThanOrEqual(jobsMax)
    expect(chain.app.checkTx(tx, 'new')).toMatchObject({ codespace: 'sdk', code: 12 })
  })

  it('a signature of other than 64 bytes is none, and is remembered nowhere', () => {
    const raw = TxRaw.decode(txOf([], direct))
    const tx = TxRaw.encode({ ...raw, signatures: [new Uint8Array(500_000)] }).finish()
    expect(chain.app.signatureJobs(tx)).toEqual([])
  })

  it('times that no calendar has', () => {
    for (const seconds of [-(2n ** 63n), 2n ** 63n - 1n, -1n, 1n]) {
      for (const nanos of [-(2 ** 31), 2 ** 31 - 1, 0]) {
        for (const mode of [direct, amino]) meet(txOf([], mode, { timeoutTimestamp: { seconds, nanos } }))
      }
    }
  })

  it.each(Object.keys(codecs).filter((name) => /\.Msg[A-Z]\w*$/.test(name) && !name.endsWith('Response')))(
    '%s with fields of any content',
    (name) => {
      const random = createRandom(name.length * 7919 + name.charCodeAt(name.length - 1))
      const codes = new Set<number>()
      for (let i = 0; i < 24; i++) {
        const value = codecOf(name)
          .encode(hostileMessage(name, random, 0))
          .finish()
        codes.add(meet(txOf([{ typeUrl: `/${name}`, value }], [direct, amino, textual][i % 3]!)))
      }
      expect(codes.has(0)).toBe(false)
    },
  )
})

const texts = () => [
  ...['', ' ', '0', '-0', '-1', '+5', '007', '0x10', '1e3', '1.5', ' 1', '9'.repeat(78), `${2n ** 256n}`],
  ...['ucoin', 'a', 'A\u0000b', '\u2028<>&"\\', '\u{1f600}', 'x'.repeat(2000), '{"a":1}', '[['.repeat(2000)],
  ...[alice.address, alice.address.toUpperCase(), 'coin17xpfvakm2amg962yls6f84z3kell8c5lm5p39w', 'coin1'],
]

const blobs = () => [
  ...[new Uint8Array(0), Uint8Array.of(0xff), new Uint8Array(300), Uint8Array.of(0x1f, 0x8b), Uint8Array.of(0, 0x61)],
  ...['{}', '{"a":1e999}', '{"a":-0}', `${'['.repeat(5000)}${']'.repeat(5000)}`, '{"a":"\\ud800"}', '1e-7'].map(
    utf8ToBytes,
  ),
  ...['"\u00e9', '5', '-'].map(utf8ToBytes),
]

function hostileMessage(name: string, random: Random, depth: number): unknown {
  if (name === 'google.protobuf.Any') return hostileAny(random, depth)
  const message: Record<string, unknown> = {}
  for (const field of descriptors().requireMessage(name).fields) {
    if (field.oneof !== undefined || isMap(field) || random.int(8) === 0) continue
    const one = () => hostileValue(field, random, depth)
    message[field.property] = field.repeated ? Array.from({ length: random.int(3) }, one) : one()
  }
  return codecOf(name).fromPartial(message)
}

/** Maps are in answers only. */
const isMap = ({ kind, typeName }: FieldDescriptor) =>
  kind === 'message' && descriptors().requireMessage(typeName).mapEntry

function hostileAny(random: Random, depth: number): Any {
  const names = Object.keys(codecs)
  const name = random.pick(names)
  const value =
    depth > 3
      ? new Uint8Array(0)
      : codecOf(name)
          .encode(hostileMessage(name, random, depth + 1))
          .finish()
  return { typeUrl: `/${name}`, value }
}

function hostileValue(field: FieldDescriptor, random: Random, depth: number): unknown {
  switch (field.kind) {
    case 'message':
      return depth > 3 ? codecOf(field.typeName).fromPartial({}) : hostileMessage(field.typeName, random, depth + 1)
    case 'string':
      return field.scalar === 'cosmos.AddressString' && random.int(2) === 0 ? alice.address : random.pick(texts())
    case 'bytes':
      return random.pick(blobs())
    case 'bool':
      return random.int(2) === 0
    case 'double':
    case 'float':
      return random.pick([0, -1.5, Number.NaN])
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return random.pick([0n, 1n, 2n ** 53n, 2n ** 63n - 1n])
    default:
      return random.pick([0, 1, 3, 77, 2 ** 31 - 1])
  }
}
