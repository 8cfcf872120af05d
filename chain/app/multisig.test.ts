import { MultiSignature } from '@coin/wire/gen/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  makeSignDoc,
  pubkeyToAddress,
  Secp256k1Wallet,
} from '@cosmjs/amino'
import { encodePubkey } from '@cosmjs/proto-signing'
import { AminoTypes, createBankAminoConverters } from '@cosmjs/stargate'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeMsg, sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain, type TestChain } from './testing/test-chain.js'

let members: TestAccount[]
let address: string
let chain: TestChain
const fee = { amount: [{ denom: 'ucoin', amount: '500' }], gas: '200000' }

beforeAll(async () => {
  members = await Promise.all(['one', 'two', 'three'].map((name) => testAccount(name)))
  address = pubkeyToAddress(pubKey(), 'coin')
})

const pubKey = () =>
  createMultisigThresholdPubkey(
    members.map((member) => encodeSecp256k1Pubkey(member.pubKey)),
    2,
    true,
  )

function start(): void {
  chain = createTestChain({ appState: appStateOf({ [address]: '1000000', [members[0]!.address]: '5' }) })
  chain.deliver()
}

/** Each of these members signs CosmJS's amino document; the signatures are put together as CosmJS does it. */
async function sign(signers: readonly number[], sequence = 0, memo = ''): Promise<Uint8Array> {
  const msg = sendMsg(address, members[0]!.address, '7')
  const types = new AminoTypes(createBankAminoConverters())
  const doc = makeSignDoc([types.toAmino(msg)], fee, 'test-1', memo, 0, sequence)
  const signatures: Uint8Array[] = []
  for (const index of signers) {
    const wallet = await Secp256k1Wallet.fromKey(members[index]!.key, 'coin')
    const { signature } = await wallet.signAmino(members[index]!.address, doc)
    signatures.push(Buffer.from(signature.signature, 'base64'))
  }
  const elems = Uint8Array.of(signers.reduce((bits, index) => bits | (0x80 >> index), 0))
  const single = { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON }
  const modeInfo = { multi: { bitarray: { extraBitsStored: 3, elems }, modeInfos: signers.map(() => ({ single })) } }
  const signerInfos = [{ publicKey: encodePubkey(pubKey()), modeInfo, sequence: BigInt(sequence) }]
  const nothing = { extensionOptions: [], nonCriticalExtensionOptions: [] }
  return TxRaw.encode({
    bodyBytes: TxBody.encode({
      ...{ messages: [encodeMsg(msg)], memo: '', timeoutHeight: 0n, unordered: false, timeoutTimestamp: undefined },
      ...nothing,
    }).finish(),
    authInfoBytes: AuthInfo.encode({
      signerInfos,
      fee: { amount: fee.amount, gasLimit: 200_000n, payer: '', granter: '' },
      tip: undefined,
    }).finish(),
    signatures: [MultiSignature.encode({ signatures }).finish()],
  }).finish()
}

describe('an account of several keys', () => {
  it('pays with enough signatures, first with its key and then again', async () => {
    start()
    const first = await sign([0, 2])
    expect(chain.app.signatureJobs(first)).toHaveLength(2)
    const simulated = chain.app.simulate(first)
    expect(chain.app.checkTx(first, 'new')).toMatchObject({ code: 0 })
    const result = chain.deliverOne(first)
    expect(result).toMatchObject({ code: 0, gasUsed: simulated.gasUsed })
    expect(result.events.filter((event) => event.attributes[0]!.key === 'signature')).toHaveLength(3)
    expect(chain.deliverOne(await sign([0, 1, 2], 1))).toMatchObject({ code: 0 })
    expect(chain.balance(members[0]!.address)).toBe(19n)
  })

  it('does not pay with too few, with wrong ones, or with signatures for something else', async () => {
    start()
    const refused = async (tx: Uint8Array, text: string) => {
      const result = chain.app.checkTx(tx, 'new')
      expect(result).toMatchObject({ code: 4, codespace: 'sdk' })
      expect(result.log).toContain(text)
    }
    await refused(await sign([1]), 'signature verification failed')
    await refused(await sign([0, 1], 0, 'another memo'), 'please verify account number (0), sequence (0)')
    const good = TxRaw.decode(await sign([0, 1]))
    const swapped = Uint8Array.from(good.signatures[0]!)
    // Two signatures of 64 bytes, each behind a tag and a length.
    swapped.set(good.signatures[0]!.subarray(2, 66), 68)
    swapped.set(good.signatures[0]!.subarray(68, 132), 2)
    await refused(TxRaw.encode({ ...good, signatures: [swapped] }).finish(), 'signature verification failed')
    const empty = TxRaw.encode({ ...good, signatures: [new Uint8Array(0)] }).finish()
    await refused(empty, 'signature verification failed')
    const garbage = chain.app.checkTx(TxRaw.encode({ ...good, signatures: [Uint8Array.of(255)] }).finish(), 'new')
    expect(garbage).toMatchObject({ code: 2, codespace: 'sdk' })
    expect(chain.app.checkTx(TxRaw.encode(good).finish(), 'new').code).toBe(0)
  })
})
