import type { Bytes } from '@coin/base/bytes'
import { encodeBech32 } from '@coin/wire/bech32'
import { type Coins, coinsToProto, type ProtoCoin, parseCoins, parseDecCoins } from '@coin/wire/coins'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, Tx, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { type Json, messageToJson } from '@coin/wire/json'
import { encodeAny, type MessageOf, type TypeName } from '@coin/wire/registry'
import { signSecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { directSignBytes } from '@coin/wire/sign-doc'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo, Keyring } from '../../keys/keyring.js'
import { queryAccount, queryChainId, simulateGas } from './chain.js'
import { type RpcClient, txParam } from './rpc.js'

export interface TxOptions {
  /** `auto` simulates first. */
  readonly gas: 'auto' | bigint
  /** Factor on what a simulation used. */
  readonly gasAdjustment: number
  readonly fees: string | undefined
  readonly gasPrices: string | undefined
  readonly note: string
  readonly timeoutHeight: bigint
  readonly broadcastMode: 'sync' | 'async'
  /** Empty asks the node. */
  readonly chainId: string
}

export interface TxContext {
  readonly rpc: RpcClient
  readonly keyring: Keyring
  readonly prefix: string
  /** Shows the transaction and returns whether to go on. */
  confirm(tx: Json): Promise<boolean>
  /** Tells people what happens. */
  say(text: string): void
}

/** The key that `from` names, by its name or address. Throws `keyNotFound`. */
export async function signerOf(
  { keyring, prefix }: Pick<TxContext, 'keyring' | 'prefix'>,
  from: string,
): Promise<KeyInfo & { readonly text: string }> {
  const key = await keyring.find(from)
  return { ...key, text: encodeBech32(prefix, key.address) }
}

/**
 * Builds, signs (SIGN_MODE_DIRECT) and broadcasts a transaction of one message. The result is the node's answer as a
 * `TxResponse`; a `code` other than 0 means that it was refused.
 */
export async function sendTx<N extends TypeName>(
  context: TxContext,
  options: TxOptions,
  signer: KeyInfo & { readonly text: string },
  typeName: N,
  message: MessageOf<N>,
): Promise<TxResponse> {
  const { rpc, keyring } = context
  const chainId = options.chainId === '' ? await queryChainId(rpc) : options.chainId
  const { accountNumber, sequence } = await queryAccount(rpc, signer.text)
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({
      messages: [encodeAny(typeName, message)],
      memo: options.note,
      timeoutHeight: options.timeoutHeight,
    }),
  ).finish()
  const authInfo = (gas: bigint, fee: Coins) => authInfoBytes(signer.publicKey, sequence, gas, coinsToProto(fee))
  const simulated = () => simulateGas(rpc, rawTx(bodyBytes, authInfo(0n, []), new Uint8Array(0)))
  const gas = options.gas === 'auto' ? adjusted(await simulated(), options.gasAdjustment) : options.gas
  if (options.gas === 'auto') context.say(`gas estimate: ${gas}`)
  const auth = authInfo(gas, feeOf(options, gas))
  const unsigned = Tx.fromPartial({ body: TxBody.decode(bodyBytes), authInfo: AuthInfo.decode(auth), signatures: [] })
  if (!(await context.confirm(messageToJson('cosmos.tx.v1beta1.Tx', unsigned))))
    throw nodeErrors.cancelled('nothing was sent')
  const { privateKey } = await keyring.open(signer.name)
  const digest = sha256(directSignBytes(bodyBytes, auth, { chainId, accountNumber }))
  return broadcast(rpc, rawTx(bodyBytes, auth, signSecp256k1(privateKey, digest)), options.broadcastMode)
}

function rawTx(bodyBytes: Bytes, authInfoBytes: Bytes, signature: Bytes): Bytes {
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
}

function authInfoBytes(publicKey: Bytes, sequence: bigint, gasLimit: bigint, amount: ProtoCoin[]): Bytes {
  const key: Any = encodeAny('cosmos.crypto.secp256k1.PubKey', { key: publicKey })
  return AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [{ publicKey: key, modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence }],
      fee: { amount, gasLimit },
    }),
  ).finish()
}

function adjusted(gasUsed: bigint, factor: number): bigint {
  return (gasUsed * BigInt(Math.round(factor * 1000)) + 999n) / 1000n
}

function feeOf({ fees, gasPrices }: TxOptions, gas: bigint): Coins {
  if (fees !== undefined && gasPrices !== undefined)
    throw nodeErrors.badFlag('--fees and --gas-prices exclude each other')
  if (fees !== undefined) return parseCoins(fees)
  return parseDecCoins(gasPrices ?? '').map(({ denom, amount }) => ({ denom, amount: amount.mulInt(gas).ceilInt() }))
}

async function broadcast(rpc: RpcClient, txBytes: Bytes, mode: 'sync' | 'async'): Promise<TxResponse> {
  const { code, codespace, log, hash, data } = await rpc.call(`broadcast_tx_${mode}`, txParam(txBytes))
  return TxResponse.fromPartial({
    txhash: String(hash),
    code: Number(code ?? 0),
    codespace: String(codespace ?? ''),
    rawLog: String(log ?? ''),
    data: String(data ?? ''),
  })
}
