import { readFileSync } from 'node:fs'
import { Bip39, EnglishMnemonic, Secp256k1, Slip10, Slip10Curve, sha256, stringToPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { StargateClient } from '@cosmjs/stargate'
import { AuthInfo, TxBody, TxRaw } from '../../../chain/wire/dist/gen/cosmos/tx/v1beta1/tx.js'
import { codecOf, encodeAny } from '../../../chain/wire/dist/registry.js'
import { aminoSignBytes } from '../../../chain/wire/dist/sign-doc.js'

const accounts = JSON.parse(readFileSync(new URL('../accounts.json', import.meta.url), 'utf8'))
const aminoMode = 127

/** `pack('cosmos.bank.v1beta1.MsgSend', {...})`, with what is left out at its default. */
export const pack = (name, value) => encodeAny(name, codecOf(name).fromPartial(value))

/** Base64. */
export async function publicKeyOf(name) {
  const { mnemonic } = accounts.find((account) => account.name === name)
  const [{ pubkey }] = await (await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'wasm' })).getAccounts()
  return Buffer.from(pubkey).toString('base64')
}

/** Signs for one account by hand: fee granters, amino, and messages that no client would make. */
export async function createGrantSigner(rpcUrl, name) {
  const { mnemonic, address } = accounts.find((account) => account.name === name)
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'wasm' })
  const [{ pubkey }] = await wallet.getAccounts()
  const client = await StargateClient.connect(rpcUrl)
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
  const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath("m/44'/118'/0'/0/0"))
  return async (messages, { gas = 200_000, fee, granter, amino = false } = {}) => {
    const { accountNumber, sequence } = (await client.getAccount(address)) ?? { accountNumber: 0, sequence: 0 }
    const body = TxBody.fromPartial({})
    body.messages = messages
    const bodyBytes = TxBody.encode(body).finish()
    const amount = fee ?? [{ denom: 'ucosm', amount: String(Math.ceil(gas / 1000)) }]
    const key = encodePubkey({ type: 'tendermint/PubKeySecp256k1', value: Buffer.from(pubkey).toString('base64') })
    const authInfoBytes = makeAuthInfoBytes(
      [{ pubkey: key, sequence }],
      amount,
      gas,
      granter,
      undefined,
      amino ? aminoMode : 1,
    )
    const signature = amino
      ? await signAmino(privkey, body, AuthInfo.decode(authInfoBytes).fee, {
          ...{ chainId: 'testing', accountNumber: BigInt(accountNumber), sequence: BigInt(sequence) },
        })
      : (await wallet.signDirect(address, makeSignDoc(bodyBytes, authInfoBytes, 'testing', accountNumber))).signature
          .signature
    return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [Buffer.from(signature, 'base64')] }).finish()
  }
}

async function signAmino(privkey, body, fee, signer) {
  const signature = await Secp256k1.createSignature(sha256(aminoSignBytes(body, fee, signer)), privkey)
  return Buffer.from([...signature.r(32), ...signature.s(32)]).toString('base64')
}
