import type { SignatureDescriptor } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { SignerData } from '@coin/wire/sign-doc'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import { combineSignatures, isValidSignature, signatureAddress } from '../client/multisig.js'
import { accountOf, chainIdOf, type SignerFlags } from '../client/send-tx.js'
import { formatSignatures, formatTx, readSignatures, readTx, readTxs, writeDocument } from '../client/tx-file.js'
import { withSignatures } from '../client/tx-signatures.js'
import { type CliContext, contextOf } from '../context.js'
import { documentFlag, example, ignoredFlags, signerFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

interface MultisignFlags extends SignerFlags {
  readonly signatureOnly: boolean
  readonly skipSignatureVerification?: boolean
  readonly autoIncrement?: boolean
  readonly outputDocument?: string
}

export function addMultisign(group: Command, terminal: Terminal): void {
  addMultisignOne(group, terminal)
  addMultisignBatch(group, terminal)
}

function multisignFlags(command: Command): Command {
  return ignoredFlags(documentFlag(signerFlags(command)), '-y, --yes').option(
    '--signature-only',
    'print only the signature',
    false,
  )
}

/** What all signatures of a run have in common. */
interface Multisigning {
  readonly context: CliContext
  readonly key: KeyInfo
  readonly chainId: string
  readonly account: { readonly accountNumber: bigint; readonly sequence: bigint }
}

async function begin(context: CliContext, flags: MultisignFlags, name: string): Promise<Multisigning> {
  const key = await context.keyring.find(name)
  const chainId = await chainIdOf(context, flags.offline)
  const account = await accountOf(context, flags, context.addresses.account.encode(key.address))
  return { context, key, chainId, account }
}

/** The transaction with one signature of the multisig key. Throws `txFailed` as `combineSignatures`. */
function combine(
  { context, key }: Multisigning,
  tx: Tx,
  parts: readonly SignatureDescriptor[],
  signer: SignerData,
  isChecked: boolean,
) {
  const check = (part: SignatureDescriptor) => {
    if (isValidSignature(tx, part, signer)) return
    const { chainId, accountNumber, sequence } = signer
    throw nodeErrors.txFailed(
      `the signature of ${context.addresses.account.encode(signatureAddress(part)!)} is not for this transaction with ` +
        `chain id ${chainId}, account number ${accountNumber} and sequence ${sequence}`,
    )
  }
  return combineSignatures(key, parts, signer.sequence, isChecked ? check : undefined)
}

function addMultisignOne(group: Command, terminal: Terminal): void {
  const command = multisignFlags(group.command('multisign <file> <key> <signatures...>').alias('multi-sign'))
  command
    .description('put the signatures of members together to that of a multisig key')
    .option('--skip-signature-verification', 'do not check the signatures', false)
  example(command, 'tx multisign unsigned.json treasury alice.json bob.json --output-document signed.json')
  command.action(async (file: string, name: string, files: readonly string[]) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<MultisignFlags>()
    const tx = await readTx(file, terminal)
    const parts = files.flatMap(readSignatures)
    const run = await begin(context, flags, name)
    const signer = { ...run.account, chainId: run.chainId }
    const signature = combine(run, tx, parts, signer, flags.skipSignatureVerification !== true)
    const text = flags.signatureOnly ? formatSignatures([signature]) : formatTx(withSignatures(tx, [signature]))
    writeDocument(text, flags.outputDocument, terminal)
  })
}

function addMultisignBatch(group: Command, terminal: Terminal): void {
  const command = multisignFlags(
    group.command('multisign-batch <file> <key> <signatures...>').alias('multi-sign-batch'),
  )
  command
    .description('as multisign, for transactions and signatures of one line each')
    .option('--no-auto-increment', 'the same sequence for all')
  example(command, 'tx multisign-batch unsigned.json treasury alice.json bob.json --output-document signed.json')
  command.action(async (file: string, name: string, files: readonly string[]) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<MultisignFlags>()
    const txs = await readTxs([file], terminal)
    const columns = files.map(readSignatures)
    for (const [i, { length }] of columns.entries()) {
      if (length !== txs.length)
        throw nodeErrors.badFile(`${files[i]} has ${length} signatures for ${txs.length} transactions`)
    }
    const run = await begin(context, flags, name)
    const lines = txs.map((tx, i) => {
      const step = flags.autoIncrement === false ? 0n : BigInt(i)
      const signer = { ...run.account, sequence: run.account.sequence + step, chainId: run.chainId }
      const parts = columns.map((column) => column[i]!)
      const signature = combine(run, tx, parts, signer, true)
      return flags.signatureOnly ? formatSignatures([signature]) : formatTx(withSignatures(tx, [signature]))
    })
    writeDocument(lines.join('\n'), flags.outputDocument, terminal)
  })
}
