import type { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { type Json, messageToJsonText } from '@coin/wire/json'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import { addressResolver } from '../autocli/addresses.js'
import { askYes, type CliContext } from '../context.js'
import { formatOutput } from '../output.js'
import { broadcastTx } from './broadcast.js'
import { adjustedGas, buildTx, simulationBytes, type TxOptions } from './build-tx.js'
import { queryAccount, queryChainId, queryDenomMetadata, type SignerAccount, simulateGas } from './chain.js'
import { type SignModeName, signTx } from './sign-tx.js'
import { denomsOf, summarizeTx } from './summary.js'
import { encodeTx } from './tx-signatures.js'

/** Flags of commands that sign. */
export interface SignerFlags {
  readonly from?: string
  readonly accountNumber?: bigint
  readonly sequence?: bigint
  readonly offline: boolean
  readonly signMode?: SignModeName
}

/** Flags of commands that build, sign and send. */
export interface TxFlags extends SignerFlags, TxOptions {
  readonly generateOnly: boolean
  readonly dryRun: boolean
  readonly yes: boolean
}

/** Who signs. Without a key when only the address is needed and no key has it. */
export interface Signer {
  readonly address: string
  readonly key: KeyInfo | undefined
}

/** What `--from` names: a key, or an address when no signature is wanted. Throws `keyNotFound`, and `badFlag` for neither. */
export async function signerOf(
  { keyring, addresses, client }: CliContext,
  given: string | undefined,
  needsKey: boolean,
): Promise<Signer> {
  const from = given ?? client['keyring-default-keyname']
  if (from === '') throw nodeErrors.badFlag('--from is missing: the name or address of the key that signs')
  if (!needsKey && from.startsWith(`${addresses.account.prefix}1`)) {
    addresses.account.decode(from)
    return { address: from, key: undefined }
  }
  const key = await keyring.find(from)
  return { address: addresses.account.encode(key.address), key }
}

/** The chain that is signed for: as set, otherwise as the node says. Throws `badFlag` when no node may be asked. */
export async function chainIdOf({ client, rpc }: CliContext, offline: boolean): Promise<string> {
  if (client['chain-id'] !== '') return client['chain-id']
  if (offline) throw nodeErrors.badFlag('--chain-id is missing, which --offline needs')
  return queryChainId(rpc)
}

/** Account number and sequence of the signer: as given, otherwise as the node says. Throws `badFlag` as `chainIdOf`. */
export async function accountOf(context: CliContext, flags: SignerFlags, address: string): Promise<SignerAccount> {
  const { accountNumber, sequence, offline } = flags
  if (accountNumber !== undefined && sequence !== undefined) return { accountNumber, sequence }
  if (offline) throw nodeErrors.badFlag('--account-number and --sequence are missing, which --offline needs')
  const found = await queryAccount(context.rpc, address)
  return { accountNumber: accountNumber ?? found.accountNumber, sequence: sequence ?? found.sequence }
}

/**
 * Builds a transaction of these messages, then prints it (`--generate-only`), simulates it (`--dry-run`) or signs, sends and
 * prints the node's answer. Throws `txFailed` after printing an answer that says so.
 */
export async function runTx(
  context: CliContext,
  given: TxFlags,
  signer: Signer,
  messages: readonly Any[],
): Promise<void> {
  const { terminal, rpc, client } = context
  checkTogether(given)
  const flags = { ...given, ...(await othersOf(context, given)) }
  const account = flags.generateOnly && flags.gas !== 'auto' ? undefined : await accountFor(context, flags, signer)
  const gas = await gasOf(context, flags, signer, account, messages)
  if (flags.dryRun) {
    context.print({ gas_estimate: String(gas) })
    return
  }
  const tx = buildTx(messages, gas, flags, Date.now())
  if (flags.generateOnly) {
    terminal.out(messageToJsonText('cosmos.tx.v1beta1.Tx', tx))
    return
  }
  const { key } = signer
  if (key === undefined || account === undefined) throw nodeErrors.keyNotFound(signer.address)
  if (key.type === 'multi')
    throw nodeErrors.badFlag(
      `"${key.name}" is a multisig key: use --generate-only, let its members "tx sign --multisig ${key.name}", then "tx multisign"`,
    )
  const chainId = await chainIdOf(context, flags.offline)
  if (!flags.yes)
    await confirm(context, tx, { chain_id: chainId, signer: `${key.name} (${signer.address})` }, flags.offline)
  const mode = flags.signMode ?? 'direct'
  const signed = await signTx(tx, key, context.keyring, { ...account, chainId, mode, overwrite: true })
  if (flags.offline) {
    terminal.out(messageToJsonText('cosmos.tx.v1beta1.Tx', signed))
    return
  }
  const say = (text: string) => terminal.err(text)
  printResponse(context, await broadcastTx(rpc, encodeTx(signed), client['broadcast-mode'], say))
}

/** Who else pays, by address or key name. */
async function othersOf(context: CliContext, { feePayer, feeGranter }: TxFlags): Promise<Partial<TxFlags>> {
  const resolve = addressResolver(context, 'own')
  return {
    ...(feePayer !== undefined && { feePayer: await resolve(feePayer, 'account') }),
    ...(feeGranter !== undefined && { feeGranter: await resolve(feeGranter, 'account') }),
  }
}

function checkTogether({ offline, gas, dryRun, generateOnly, unordered, sequence }: TxFlags): void {
  if (offline && (gas === 'auto' || dryRun))
    throw nodeErrors.badFlag('--offline cannot simulate: give --gas a number and leave --dry-run out')
  if (dryRun && generateOnly) throw nodeErrors.badFlag('--dry-run and --generate-only exclude each other')
  if (unordered === true && sequence !== undefined)
    throw nodeErrors.badFlag('--unordered and --sequence exclude each other')
}

async function accountFor(context: CliContext, flags: TxFlags, { address }: Signer): Promise<SignerAccount> {
  const account = await accountOf(context, flags, address)
  return flags.unordered === true ? { ...account, sequence: 0n } : account
}

async function gasOf(
  { rpc, terminal }: CliContext,
  flags: TxFlags,
  { key }: Signer,
  account: SignerAccount | undefined,
  messages: readonly Any[],
): Promise<bigint> {
  if (flags.gas !== 'auto' && !flags.dryRun) return flags.gas
  // With a price, the least fee there is: taking a fee costs gas whatever its amount.
  const tx = buildTx(messages, 1n, flags, Date.now())
  const gas = adjustedGas(await simulateGas(rpc, simulationBytes(tx, key, account!.sequence)), flags.gasAdjustment)
  terminal.err(`gas estimate: ${gas}`)
  return gas
}

/** Shows what is signed, for whom, and asks. Throws `cancelled`. */
async function confirm(
  context: CliContext,
  tx: Tx,
  about: Readonly<Record<string, Json>>,
  offline: boolean,
): Promise<void> {
  const { terminal, rpc } = context
  const known = new Map<string, Awaited<ReturnType<typeof queryDenomMetadata>>>()
  if (!offline) for (const denom of denomsOf(tx)) known.set(denom, await queryDenomMetadata(rpc, denom))
  const summary = summarizeTx(tx, (denom) => known.get(denom)) as Readonly<Record<string, Json>>
  terminal.err(formatOutput({ ...about, ...summary }, 'text'))
  if (!(await askYes(terminal, 'Sign and send this transaction?'))) throw nodeErrors.cancelled('nothing was sent')
}

/** Prints what a node answered to a transaction. Throws `txFailed` when it was refused, or failed in its block. */
export function printResponse(context: CliContext, response: TxResponse): void {
  context.printMessage('cosmos.base.abci.v1beta1.TxResponse', response)
  const { code, codespace, rawLog, txhash, height } = response
  if (code === 0) return
  const where = height === 0n ? 'was refused' : `failed in block ${height}`
  throw nodeErrors.txFailed(`transaction ${txhash} ${where}: ${rawLog} (${codespace} ${code})`)
}
