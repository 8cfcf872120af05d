import { MsgSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { MsgStoreCode } from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { facts, mnemonicOf } from './vectors.js'

export interface ReferenceTx {
  /** Name of the account. */
  readonly from: string
  readonly sequence: number
  readonly gas: number
  readonly messages: readonly Any[]
  readonly memo?: string
}

/** Account numbers of the recorded genesis. */
const accountNumbers: Readonly<Record<string, number>> = { validator: 0, alice: 1, bob: 2 }

/** Signs as the recording did, with the same key, fee and form, so that the same transaction has the same bytes. */
export async function signReferenceTx({ from, sequence, gas, messages, memo }: ReferenceTx): Promise<Uint8Array> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonicOf(from), { prefix: 'wasm' })
  const [account] = await wallet.getAccounts()
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo: memo ?? '' })).finish()
  const key = { type: 'tendermint/PubKeySecp256k1', value: Buffer.from(account!.pubkey).toString('base64') }
  const fee = [{ denom: 'ucosm', amount: String(Math.ceil(gas / 1000)) }]
  const authInfoBytes = makeAuthInfoBytes([{ pubkey: encodePubkey(key), sequence }], fee, gas, undefined, undefined)
  const doc = makeSignDoc(bodyBytes, authInfoBytes, 'testing', accountNumbers[from]!)
  const { signature } = await wallet.signDirect(account!.address, doc)
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes,
    signatures: [new Uint8Array(Buffer.from(signature.signature, 'base64'))],
  }).finish()
}

export function storeCode(from: string, wasmByteCode: Uint8Array): Any {
  const message = MsgStoreCode.fromPartial({ sender: facts().addresses[from]!, wasmByteCode })
  return { typeUrl: '/cosmwasm.wasm.v1.MsgStoreCode', value: MsgStoreCode.encode(message).finish() }
}

export function send(from: string, to: string, amount: string, denom: string): Any {
  const { addresses } = facts()
  const message = { fromAddress: addresses[from]!, toAddress: addresses[to]!, amount: [{ denom, amount }] }
  return { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: MsgSend.encode(message).finish() }
}
