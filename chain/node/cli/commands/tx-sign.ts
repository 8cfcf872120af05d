import { equalBytes } from '@coin/base/bytes'
import { coinsFromProto, coinsOf, coinsToProto } from '@coin/wire/coins'
import { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import type { SignerAccount } from '../client/chain.js'
import { membersOf } from '../client/multisig.js'
import { accountOf, chainIdOf, type SignerFlags, signerOf } from '../client/send-tx.js'
import { requiredSigners, signTx } from '../client/sign-tx.js'
import { formatSignatures, formatTx, readTx, readTxs, writeDocument } from '../client/tx-file.js'
import { signaturesOf } from '../client/tx-signatures.js'
import { type CliContext, contextOf } from '../context.js'
import { documentFlag, example, ignoredFlags, signerFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

interface SignFlags extends SignerFlags {
  readonly multisig?: string
  readonly signatureOnly: boolean
  readonly overwrite?: boolean
  readonly append?: boolean
  readonly outputDocument?: string
  readonly note?: string
}

export function addSign(group: Command, terminal: Terminal): void {
  addSignOne(group, terminal)
  addSignBatch(group, terminal)
}

function signFlags(command: Command): Command {
  return ignoredFlags(documentFlag(signerFlags(command)), '-y, --yes')
    .option('--multisig <key>', 'sign as a member of this multisig key; prints the signature only')
    .option('--signature-only', 'print the signatures without the transaction', false)
}

function addSignOne(group: Command, terminal: Terminal): void {
  const command = signFlags(group.command('sign <file>').description('sign a transaction that --generate-only made'))
  command.option('--overwrite', 'replace the signatures that are there instead of adding one', false)
  example(command, 'tx sign unsigned.json --from alice --output-document signed.json')
  command.action(async (file: string) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<SignFlags>()
    const tx = await readTx(file, terminal)
    const sign = await signerFor(context, flags)
    const account = await accountOf(context, flags, sign.address)
    const signed = await sign.sign(tx, account, flags.overwrite === true)
    writeDocument(formatSigned(signed, flags), flags.outputDocument, terminal)
  })
}

function formatSigned(tx: Tx, { signatureOnly, multisig }: SignFlags): string {
  return signatureOnly || multisig !== undefined ? formatSignatures(signaturesOf(tx)) : formatTx(tx)
}

interface Signing {
  /** Whose account number and sequence count. */
  readonly address: string
  sign(tx: Tx, account: SignerAccount, overwrite: boolean): Promise<Tx>
}

/** The key of `--from`, signing for itself or for the multisig key it is a member of. Throws `txFailed` for neither. */
async function signerFor(context: CliContext, flags: SignFlags): Promise<Signing> {
  const { key } = await signerOf(context, flags.from, true)
  const chainId = await chainIdOf(context, flags.offline)
  const multi = flags.multisig === undefined ? undefined : await context.keyring.find(flags.multisig)
  if (multi !== undefined) requireMember(multi, key!)
  const address = context.addresses.account.encode((multi ?? key!).address)
  // Members of a multisig key sign without knowing what the others do, which only this mode allows.
  const mode = flags.signMode ?? (multi === undefined ? 'direct' : 'amino-json')
  return {
    address,
    sign: (tx, account, overwrite) => {
      const signers = requiredSigners(tx)
      if (multi === undefined && !signers.includes(address))
        throw nodeErrors.txFailed(`"${key!.name}" (${address}) is no signer of it, expected ${signers.join(', ')}`)
      return signTx(tx, key!, context.keyring, { ...account, chainId, mode, overwrite })
    },
  }
}

function requireMember(multi: KeyInfo, key: KeyInfo): void {
  if (!membersOf(multi).keys.some((member) => equalBytes(member, key.publicKey)))
    throw nodeErrors.txFailed(`key "${key.name}" is no member of the multisig key "${multi.name}"`)
}

function addSignBatch(group: Command, terminal: Terminal): void {
  const command = signFlags(group.command('sign-batch <files...>'))
  command
    .description('sign transactions of one line each; the sequence rises from one to the next')
    .option('--append', 'make one transaction of all messages', false)
    .option('--note <text>', 'memo, with --append', '')
  example(command, 'tx sign-batch unsigned.json --from alice --output-document signed.json')
  command.action(async (files: readonly string[]) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<SignFlags>()
    const read = await readTxs(files, terminal)
    if (read.length === 0) throw nodeErrors.badFile(`${files.join(', ')}: no transactions`)
    const sign = await signerFor(context, flags)
    const account = await accountOf(context, flags, sign.address)
    const txs = flags.append === true ? [joined(read, flags.note ?? '')] : read
    const lines: string[] = []
    for (const [i, tx] of txs.entries()) {
      const sequence = account.sequence + BigInt(i)
      lines.push(formatSigned(await sign.sign(tx, { ...account, sequence }, true), flags))
    }
    writeDocument(lines.join('\n'), flags.outputDocument, terminal)
  })
}

/** One transaction with the messages, the gas and the fees of all. */
function joined(txs: readonly Tx[], memo: string): Tx {
  const fees = txs.map(({ authInfo }) => authInfo?.fee)
  return Tx.fromPartial({
    body: { messages: txs.flatMap(({ body }) => body?.messages ?? []), memo },
    authInfo: {
      fee: {
        amount: coinsToProto(coinsOf(fees.flatMap((fee) => coinsFromProto(fee?.amount ?? [])))),
        gasLimit: fees.reduce((sum, fee) => sum + (fee?.gasLimit ?? 0n), 0n),
      },
    },
  })
}
