import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bytes } from '@coin/base/bytes'
import { createAddressCodecs } from '@coin/wire/addresses'
import { type Coin, coinsFromProto, formatCoins, type ProtoCoin } from '@coin/wire/coins'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, Tx, TxBody } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { type Json, messageFromJson, messageToJson } from '@coin/wire/json'
import { decodeAny, encodeAny } from '@coin/wire/registry'
import { signSecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { directSignBytes } from '@coin/wire/sign-doc'
import { nodeErrors } from '../errors.js'
import { balanceInGenesis } from './genesis-accounts.js'
import type { GenesisJson, JsonObject } from './genesis-file.js'

/** A validator that wants to be there from the first block. */
export interface ValidatorOffer {
  /** The operator's account, 20 bytes. */
  readonly operator: Bytes
  /** Consensus key. */
  readonly pubKey: Any
  readonly stake: Coin
  readonly description: {
    readonly moniker: string
    readonly identity: string
    readonly website: string
    readonly securityContact: string
    readonly details: string
  }
  /** Decimals as text: `0.1`. */
  readonly commission: { readonly rate: string; readonly maxRate: string; readonly maxChangeRate: string }
  readonly minSelfDelegation: string
}

const createValidatorType = 'cosmos.staking.v1beta1.MsgCreateValidator'

/** The `MsgCreateValidator` of an offer. Throws `badFlag` for what no chain would take. */
export function createValidatorMsg(offer: ValidatorOffer, prefix: string): Any {
  const { description, commission, stake } = offer
  const rates = [commission.rate, commission.maxRate, commission.maxChangeRate].map(Number)
  const [rate = 0, maxRate = 0, maxChange = 0] = rates
  const isOrdered = rates.every((value) => value >= 0 && value <= 1) && rate <= maxRate && maxChange <= maxRate
  if (!isOrdered)
    throw nodeErrors.badFlag(
      `commission rate ${commission.rate}, maximum ${commission.maxRate}, change ${commission.maxChangeRate}: ` +
        'expected decimals from 0 to 1, and none above the maximum',
    )
  if (stake.amount <= 0n) throw nodeErrors.badFlag(`amount ${stake.amount}${stake.denom}, expected more than 0`)
  return messageFromJson('google.protobuf.Any', {
    '@type': `/${createValidatorType}`,
    description: {
      moniker: description.moniker,
      identity: description.identity,
      website: description.website,
      security_contact: description.securityContact,
      details: description.details,
    },
    commission: { rate: commission.rate, max_rate: commission.maxRate, max_change_rate: commission.maxChangeRate },
    min_self_delegation: offer.minSelfDelegation,
    delegator_address: '',
    validator_address: createAddressCodecs(prefix).validator.encode(offer.operator),
    pubkey: messageToJson('google.protobuf.Any', offer.pubKey),
    value: { denom: stake.denom, amount: String(stake.amount) },
  })
}

export interface GentxOptions {
  readonly chainId: string
  /** Where the node is found: `<node id>@<address>:<port>`. */
  readonly memo: string
  readonly gasLimit: bigint
  readonly fee: readonly ProtoCoin[]
  /** As transactions carry it. */
  readonly signerKey: Any
  /** Left out, the transaction is not signed. */
  readonly privateKey?: Bytes | undefined
}

/** A genesis transaction: signed for account 0 and sequence 0, as all of them are. */
export function createGentx(message: Any, options: GentxOptions): Tx {
  const body = TxBody.fromPartial({ messages: [message], memo: options.memo })
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [{ publicKey: options.signerKey, modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } } }],
    fee: { amount: [...options.fee], gasLimit: options.gasLimit },
  })
  if (options.privateKey === undefined) {
    return Tx.fromPartial({ body, authInfo: { ...authInfo, signerInfos: [] }, signatures: [] })
  }
  const account = { chainId: options.chainId, accountNumber: 0n }
  const signed = directSignBytes(TxBody.encode(body).finish(), AuthInfo.encode(authInfo).finish(), account)
  return Tx.fromPartial({ body, authInfo, signatures: [signSecp256k1(options.privateKey, sha256(signed))] })
}

/** The JSON on one line, as the reference writes it into its file. */
export function formatTx(tx: Tx): string {
  return JSON.stringify(messageToJson('cosmos.tx.v1beta1.Tx', tx))
}

/** Throws `badGenesis` unless the account is in the genesis and holds that much. */
export function requireStake(genesis: GenesisJson, address: string, { denom, amount }: Coin): void {
  const held = balanceInGenesis(genesis, address, denom)
  if (held === undefined)
    throw nodeErrors.badGenesis(`account ${address} has no balance; add it with "coind genesis add-genesis-account"`)
  if (held < amount)
    throw nodeErrors.badGenesis(`account ${address} holds ${held}${denom}, less than the stake of ${amount}${denom}`)
}

/** A genesis transaction that was collected. */
export interface CollectedGentx {
  readonly file: string
  readonly moniker: string
  readonly stake: string
}

/**
 * Puts the transactions of a folder's `.json` files, in the order of their names, into `app_state.genutil.gen_txs`. Throws `badFile`
 * naming the file, and `badGenesis` when a validator does not hold its stake.
 */
export function collectGentxs(genesis: GenesisJson, folder: string, prefix: string): readonly CollectedGentx[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter((name) => name.endsWith('.json')).sort()
  if (files.length === 0)
    throw nodeErrors.badFile(`${folder} has no genesis transaction; make one with "coind genesis gentx"`)
  const read = files.map((name) => readGentx(genesis, join(folder, name), prefix))
  genesis.app_state ??= {}
  const state = genesis.app_state
  state.genutil = { ...(state.genutil as JsonObject | undefined), gen_txs: read.map(({ json }) => json) }
  return read.map(({ collected }) => collected)
}

function readGentx(genesis: GenesisJson, file: string, prefix: string) {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8')) as Json
    const tx = messageFromJson<Tx>('cosmos.tx.v1beta1.Tx', json)
    const messages = tx.body?.messages ?? []
    const [message] = messages
    if (message === undefined || messages.length !== 1)
      throw nodeErrors.badFile(`it has ${messages.length} messages, expected one`)
    if (message.typeUrl !== `/${createValidatorType}`)
      throw nodeErrors.badFile(`its message is ${message.typeUrl}, expected /${createValidatorType}`)
    if (tx.signatures.length === 0) throw nodeErrors.badFile('it is not signed')
    const { validatorAddress, value, description } = decodeAny(message).message as {
      readonly validatorAddress: string
      readonly value: ProtoCoin
      readonly description: { readonly moniker: string }
    }
    const { account, validator } = createAddressCodecs(prefix)
    const [stake] = coinsFromProto([value])
    requireStake(genesis, account.encode(validator.decode(validatorAddress)), stake!)
    const collected = { file, moniker: description.moniker, stake: formatCoins([stake!]) }
    return { json: messageToJson('cosmos.tx.v1beta1.Tx', tx), collected }
  } catch (error) {
    throw nodeErrors.badFile(`${file}: ${(error as Error).message}`)
  }
}

/** A consensus key as messages carry it. */
export function ed25519Any(publicKey: Bytes): Any {
  return encodeAny('cosmos.crypto.ed25519.PubKey', { key: publicKey })
}
