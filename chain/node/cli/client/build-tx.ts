import { type Coins, coinsToProto, parseCoins, parseDecCoins } from '@coin/wire/coins'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { type ModeInfo, Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { nsToTimestamp } from '@coin/wire/time'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import { checkMnemonic } from '../../keys/mnemonic.js'
import { membersOf } from './multisig.js'
import { encodeTx } from './tx-signatures.js'

/** What a transaction says besides its messages, as the flags have it. */
export interface TxOptions {
  /** `auto` simulates first. */
  readonly gas: 'auto' | bigint
  /** Factor on what a simulation used. */
  readonly gasAdjustment: number
  readonly fees?: string
  readonly gasPrices?: string
  readonly feePayer?: string
  readonly feeGranter?: string
  readonly note: string
  /** 0 for never. */
  readonly timeoutHeight: bigint
  /** Nanoseconds from now. */
  readonly timeoutDuration?: bigint
  readonly unordered?: boolean
}

/** An unsigned transaction. Throws `badFlag` for options that contradict each other. */
export function buildTx(messages: readonly Any[], gas: bigint, options: TxOptions, nowMs: number): Tx {
  const { note, timeoutHeight, timeoutDuration, unordered = false, feePayer, feeGranter } = options
  if (unordered && timeoutDuration === undefined)
    throw nodeErrors.badFlag('--unordered needs --timeout-duration: without a sequence, time makes it unique')
  if (isMnemonic(note)) throw nodeErrors.badFlag('--note holds the words of a key, and everybody can read it')
  return Tx.fromPartial({
    body: {
      messages: [...messages],
      memo: note,
      timeoutHeight,
      unordered,
      ...(timeoutDuration && { timeoutTimestamp: nsToTimestamp(BigInt(nowMs) * 1_000_000n + timeoutDuration) }),
    },
    authInfo: {
      fee: {
        amount: coinsToProto(feeOf(options, gas)),
        gasLimit: gas,
        payer: feePayer ?? '',
        granter: feeGranter ?? '',
      },
    },
  })
}

function isMnemonic(text: string): boolean {
  try {
    checkMnemonic(text)
    return true
  } catch {
    return false
  }
}

/** The fee as given, or the price times the gas, rounded up. */
function feeOf({ fees, gasPrices }: TxOptions, gas: bigint): Coins {
  if (fees !== undefined && gasPrices !== undefined)
    throw nodeErrors.badFlag('--fees and --gas-prices exclude each other')
  if (fees !== undefined) return parseCoins(fees)
  return parseDecCoins(gasPrices ?? '').map(({ denom, amount }) => ({ denom, amount: amount.mulInt(gas).ceilInt() }))
}

/** The gas limit for what a simulation used. */
export function adjustedGas(gasUsed: bigint, factor: number): bigint {
  return (gasUsed * BigInt(Math.round(factor * 1000)) + 999n) / 1000n
}

/** The bytes to simulate: an empty signature stands where the key's will be, or that of a key nobody knows yet. */
export function simulationBytes(tx: Tx, key: KeyInfo | undefined, sequence: bigint): Uint8Array {
  const modeInfo: ModeInfo =
    key?.type === 'multi'
      ? { multi: { bitarray: undefined, modeInfos: Array.from({ length: membersOf(key).threshold }, aminoMode) } }
      : { single: { mode: SignMode.SIGN_MODE_DIRECT } }
  const { fee, tip } = tx.authInfo!
  const authInfo = { fee, tip, signerInfos: [{ publicKey: key?.pubKey, modeInfo, sequence }] }
  return encodeTx({ ...tx, authInfo, signatures: [new Uint8Array(0)] })
}

const aminoMode = (): ModeInfo => ({ single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } })
