import { bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { MsgPruneAllowances } from '@coin/wire/gen/cosmos/feegrant/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { sha256 } from '@coin/wire/sha256'
import { makeSignDoc as makeAminoDoc, Secp256k1Wallet } from '@cosmjs/amino'
import {
  DirectSecp256k1Wallet,
  type EncodeObject,
  encodePubkey,
  type GeneratedType,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry,
} from '@cosmjs/proto-signing'
import { AminoTypes, createBankAminoConverters } from '@cosmjs/stargate'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { MsgExecuteContract, MsgInstantiateContract, MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'

export interface TestAccount {
  readonly name: string
  readonly address: string
  readonly key: Uint8Array
  readonly pubKey: Uint8Array
}

export interface SignOptions {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly gas?: number
  /** Amount of ucoin; empty for none. */
  readonly fee?: string
  readonly memo?: string
  readonly timeoutHeight?: bigint
  readonly timeoutTimestamp?: { readonly seconds: bigint; readonly nanos: number }
  readonly unordered?: boolean
  readonly feePayer?: string
  readonly feeGranter?: string
  /** Leaves the signature empty, as wallets do for a simulation. */
  readonly unsigned?: boolean
  readonly amino?: boolean
  /** Signs with this sign mode's number in the signer info. */
  readonly mode?: SignMode
  /** Leaves the public key out, as wallets may once the account has it. */
  readonly withoutKey?: boolean
  readonly extensionOptions?: readonly { readonly typeUrl: string; readonly value: Uint8Array }[]
}

/** Which CosmJS does not have. */
const pruneAllowances = MsgPruneAllowances as unknown as GeneratedType

const registry = new Registry([
  ['/cosmos.bank.v1beta1.MsgSend', MsgSend],
  ['/cosmos.bank.v1beta1.MsgMultiSend', MsgMultiSend],
  ['/cosmos.vesting.v1beta1.MsgCreateVestingAccount', MsgCreateVestingAccount],
  ['/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount', MsgCreatePermanentLockedAccount],
  ['/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', MsgCreatePeriodicVestingAccount],
  ['/cosmos.feegrant.v1beta1.MsgGrantAllowance', MsgGrantAllowance],
  ['/cosmos.feegrant.v1beta1.MsgRevokeAllowance', MsgRevokeAllowance],
  ['/cosmos.feegrant.v1beta1.MsgPruneAllowances', pruneAllowances],
  ['/cosmos.authz.v1beta1.MsgGrant', MsgGrant],
  ['/cosmos.authz.v1beta1.MsgExec', MsgExec],
  ['/cosmos.authz.v1beta1.MsgRevoke', MsgRevoke],
  ['/cosmwasm.wasm.v1.MsgStoreCode', MsgStoreCode],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract', MsgInstantiateContract],
  ['/cosmwasm.wasm.v1.MsgExecuteContract', MsgExecuteContract],
])

export function encodeMsg(msg: EncodeObject): { typeUrl: string; value: Uint8Array } {
  return registry.encodeAsAny(msg)
}

/** An account whose key is the hash of its name. */
export async function testAccount(name: string, prefix = 'coin'): Promise<TestAccount> {
  const key = sha256(utf8ToBytes(name))
  const wallet = await DirectSecp256k1Wallet.fromKey(key, prefix)
  const [account] = await wallet.getAccounts()
  return { name, key, address: account!.address, pubKey: account!.pubkey }
}

export function sendMsg(from: string, to: string, amount: string, denom = 'ucoin'): EncodeObject {
  const value = MsgSend.fromPartial({ fromAddress: from, toAddress: to, amount: [{ denom, amount }] })
  return { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
}

export function multiSendMsg(from: string, outputs: readonly (readonly [to: string, amount: string])[]): EncodeObject {
  const coins = (amount: bigint) => [{ denom: 'ucoin', amount: amount.toString() }]
  const sum = outputs.reduce((total, [, amount]) => total + BigInt(amount), 0n)
  const value = MsgMultiSend.fromPartial({
    inputs: [{ address: from, coins: coins(sum) }],
    outputs: outputs.map(([address, amount]) => ({ address, coins: coins(BigInt(amount)) })),
  })
  return { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
}

/** Signed by CosmJS's own wallets, so that the chain is tested against what clients send. */
export async function signTx(
  from: TestAccount,
  msgs: readonly EncodeObject[],
  options: SignOptions,
): Promise<Uint8Array> {
  const bodyBytes = TxBody.encode({
    messages: msgs.map((msg) => registry.encodeAsAny(msg)),
    memo: options.memo ?? '',
    timeoutHeight: options.timeoutHeight ?? 0n,
    unordered: options.unordered ?? false,
    timeoutTimestamp: options.timeoutTimestamp,
    extensionOptions: [...(options.extensionOptions ?? [])],
    nonCriticalExtensionOptions: [],
  }).finish()
  const authInfoBytes = authInfoOf(from, options)
  const signature = await (options.amino === true ? signAmino : signDirect)(
    from,
    msgs,
    options,
    bodyBytes,
    authInfoBytes,
  )
  const bytes = options.unsigned === true ? new Uint8Array(0) : Buffer.from(signature, 'base64')
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [bytes] }).finish()
}

function feeOf({ fee = '500' }: SignOptions) {
  return fee === '' ? [] : [{ denom: 'ucoin', amount: fee }]
}

function authInfoOf(from: TestAccount, options: SignOptions): Uint8Array {
  const pubkey = encodePubkey({ type: 'tendermint/PubKeySecp256k1', value: bytesToBase64(from.pubKey) })
  const mode =
    options.mode ?? (options.amino === true ? SignMode.SIGN_MODE_LEGACY_AMINO_JSON : SignMode.SIGN_MODE_DIRECT)
  const { gas = 200_000, sequence, feeGranter, feePayer } = options
  const signer = { pubkey, sequence: Number(sequence) }
  const bytes = makeAuthInfoBytes([signer], feeOf(options), gas, feeGranter, feePayer, mode)
  return options.withoutKey === true ? withoutKey(bytes) : bytes
}

function withoutKey(authInfoBytes: Uint8Array): Uint8Array {
  const info = AuthInfo.decode(authInfoBytes)
  const signerInfos = info.signerInfos.map((signer) => ({ ...signer, publicKey: undefined }))
  return AuthInfo.encode({ ...info, signerInfos }).finish()
}

async function signDirect(
  from: TestAccount,
  _: readonly EncodeObject[],
  { chainId, accountNumber }: SignOptions,
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
): Promise<string> {
  const prefix = from.address.slice(0, from.address.lastIndexOf('1'))
  const wallet = await DirectSecp256k1Wallet.fromKey(from.key, prefix)
  const doc = makeSignDoc(bodyBytes, authInfoBytes, chainId, Number(accountNumber))
  return (await wallet.signDirect(from.address, doc)).signature.signature
}

async function signAmino(from: TestAccount, msgs: readonly EncodeObject[], options: SignOptions): Promise<string> {
  const prefix = from.address.slice(0, from.address.lastIndexOf('1'))
  const wallet = await Secp256k1Wallet.fromKey(from.key, prefix)
  const types = new AminoTypes(createBankAminoConverters())
  const { gas = 200_000, chainId, memo = '', accountNumber, sequence, timeoutHeight } = options
  const doc = makeAminoDoc(
    msgs.map((msg) => types.toAmino(msg)),
    { amount: feeOf(options), gas: `${gas}` },
    chainId,
    memo,
    Number(accountNumber),
    Number(sequence),
    timeoutHeight,
  )
  return (await wallet.signAmino(from.address, doc)).signature.signature
}
