import { type Bytes, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec, secp256k1Address } from '@coin/wire/addresses'
import { MsgSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import { PubKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { secp256k1PublicKey, signSecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { directSignBytes } from '@coin/wire/sign-doc'

/** An account that signs as fast as the machine can: tests and benchmarks need tens of thousands of transactions. */
export interface Sender {
  readonly address: string
  readonly publicKey: Bytes
  readonly accountNumber: bigint
  /** Sequence of the next transaction; `sign` raises it. */
  sequence: bigint
  sign(messages: readonly Any[], options?: SignOptions): Bytes
}

export interface SignOptions {
  readonly gas?: bigint
  readonly fee?: bigint
  readonly feeDenom?: string
  readonly memo?: string
  readonly chainId?: string
  readonly timeoutHeight?: bigint
  /** Signs with this sequence and leaves the sender's own as it is. */
  readonly sequence?: bigint
}

/** The key of account `index` of `seed`: the same every time, of no value anywhere. */
export function privateKeyOf(seed: string, index: number): Bytes {
  return sha256(concatBytes(utf8ToBytes(`coin test account ${seed}`), Uint8Array.of(index >>> 16, index >>> 8, index)))
}

export function createSender(
  privateKey: Bytes,
  chain: {
    readonly chainId: string
    readonly prefix: string
    readonly accountNumber: bigint
    readonly sequence?: bigint
  },
): Sender {
  const publicKey = secp256k1PublicKey(privateKey)
  const keyAny = { typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: PubKey.encode({ key: publicKey }).finish() }
  const sender: Sender = {
    address: createAddressCodec(chain.prefix).encode(secp256k1Address(publicKey)),
    publicKey,
    accountNumber: chain.accountNumber,
    sequence: chain.sequence ?? 0n,
    sign(messages, options = {}) {
      const sequence = options.sequence ?? sender.sequence
      const bodyBytes = TxBody.encode(
        TxBody.fromPartial({
          messages: [...messages],
          memo: options.memo ?? '',
          timeoutHeight: options.timeoutHeight ?? 0n,
        }),
      ).finish()
      const authInfoBytes = AuthInfo.encode(
        AuthInfo.fromPartial({
          signerInfos: [{ publicKey: keyAny, modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence }],
          fee: {
            amount: [{ denom: options.feeDenom ?? 'ucoin', amount: String(options.fee ?? 5_000n) }],
            gasLimit: options.gas ?? 200_000n,
          },
        }),
      ).finish()
      const chainId = options.chainId ?? chain.chainId
      const digest = sha256(directSignBytes(bodyBytes, authInfoBytes, { chainId, accountNumber: chain.accountNumber }))
      if (options.sequence === undefined) sender.sequence++
      const signatures = [signSecp256k1(privateKey, digest)]
      return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
    },
  }
  return sender
}

export function sendMessage(from: string, to: string, amount: bigint, denom = 'ucoin'): Any {
  const message = { fromAddress: from, toAddress: to, amount: [{ denom, amount: String(amount) }] }
  return { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: MsgSend.encode(message).finish() }
}

export function executeMessage(sender: string, contract: string, msg: object, amount = 0n, denom = 'ucoin'): Any {
  const funds = amount === 0n ? [] : [{ denom, amount: String(amount) }]
  const message = { sender, contract, msg: utf8ToBytes(JSON.stringify(msg)), funds }
  return { typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value: MsgExecuteContract.encode(message).finish() }
}
