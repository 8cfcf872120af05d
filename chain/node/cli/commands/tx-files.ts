import { equalBytes, hexToBytes } from '@coin/base/bytes'
import { decodeBase64, encodeBase64 } from '@coin/wire/base64'
import { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { decodeTx } from '@coin/wire/tx'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { broadcastTx } from '../client/broadcast.js'
import { simulationBytes } from '../client/build-tx.js'
import { simulate } from '../client/chain.js'
import { isValidSignature, signatureAddress } from '../client/multisig.js'
import { accountOf, chainIdOf, printResponse, type SignerFlags, signerOf } from '../client/send-tx.js'
import { requiredSigners } from '../client/sign-tx.js'
import { formatTx, readTx } from '../client/tx-file.js'
import { encodeTx, signaturesOf } from '../client/tx-signatures.js'
import { type CliContext, contextOf } from '../context.js'
import { broadcastFlag, example, ignoredFlags, queryFlags, signerFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** What is done with transactions in files: sent, simulated, put into bytes and back, checked. "-" reads the input. */
export function addTxFiles(group: Command, terminal: Terminal): void {
  addBroadcast(group, terminal)
  addSimulate(group, terminal)
  addEncode(group, terminal)
  addDecode(group, terminal)
  addValidateSignatures(group, terminal)
}

function addBroadcast(group: Command, terminal: Terminal): void {
  const command = broadcastFlag(queryFlags(group.command('broadcast <file>').description('send a signed transaction')))
  ignoredFlags(
    command,
    '-y, --yes',
    '--from <key>',
    '--chain-id <id>',
    '--keyring-backend <name>',
    '--keyring-dir <folder>',
  )
  ignoredFlags(command, '--gas <limit>', '--gas-adjustment <factor>', '--gas-prices <coins>', '--fees <coins>')
  example(command, 'tx broadcast signed.json --broadcast-mode block')
  command.action(async (file: string) => {
    const context = contextOf(command, terminal)
    const bytes = encodeTx(await readTx(file, terminal))
    const mode = context.client['broadcast-mode']
    printResponse(context, await broadcastTx(context.rpc, bytes, mode, (text) => terminal.err(text)))
  })
}

function addSimulate(group: Command, terminal: Terminal): void {
  const command = signerFlags(group.command('simulate <file>').description('what a transaction would do, and its gas'))
  example(command, 'tx simulate unsigned.json --from alice')
  command.action(async (file: string) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<SignerFlags>()
    if (flags.offline) throw nodeErrors.badFlag('--offline cannot simulate')
    const { body, authInfo } = await readTx(file, terminal)
    const { address, key } = await signerOf(context, flags.from, false)
    const { sequence } = await accountOf(context, flags, address)
    const tx = Tx.fromPartial({ ...(body && { body }), authInfo: { ...(authInfo && { fee: authInfo.fee }) } })
    const result = await simulate(context.rpc, simulationBytes(tx, key, sequence))
    context.printMessage('cosmos.tx.v1beta1.SimulateResponse', result)
  })
}

function addEncode(group: Command, terminal: Terminal): void {
  const command = group.command('encode <file>').description('the bytes of a transaction, in base64')
  example(command, 'tx encode signed.json')
  command.action(async (file: string) => {
    terminal.out(encodeBase64(encodeTx(await readTx(file, terminal))))
  })
}

function addDecode(group: Command, terminal: Terminal): void {
  const command = group.command('decode <bytes>').description('the JSON of a transaction from its bytes in base64')
  command.option('-x, --hex', 'the bytes are hexadecimal', false)
  example(command, 'tx decode CgQSAggBEgQSAhAB')
  command.action((text: string) => {
    const bytes = command.opts<{ hex: boolean }>().hex ? hexToBytes(text) : decodeBase64(text)
    const { body, authInfo, signatures } = decodeTx(bytes)
    terminal.out(formatTx({ body, authInfo, signatures: [...signatures] }))
  })
}

function addValidateSignatures(group: Command, terminal: Terminal): void {
  const command = signerFlags(group.command('validate-signatures <file>'))
  command.description('who must sign a transaction, who has, and whether that is right')
  example(command, 'tx validate-signatures signed.json')
  command.action(async (file: string) => {
    const context = contextOf(command, terminal)
    const flags = command.opts<SignerFlags>()
    const tx = await readTx(file, terminal)
    const signers = requiredSigners(tx)
    const signatures: { address: string; status: string }[] = []
    for (const [i, signature] of signaturesOf(tx).entries()) {
      const bytes = signatureAddress(signature)
      const address = bytes === undefined ? '' : context.addresses.account.encode(bytes)
      const expected = signers[i]
      const isInPlace =
        bytes !== undefined && expected !== undefined && equalBytes(bytes, context.addresses.account.decode(expected))
      const status = isInPlace
        ? await signatureStatus(context, flags, tx, i, address)
        : `ERROR: expected the signature of ${expected ?? 'nobody'}`
      signatures.push({ address, status })
    }
    context.print({ signers, signatures })
    const isRight =
      signatures.length === signers.length && signatures.every(({ status }) => !status.startsWith('ERROR'))
    if (!isRight)
      throw nodeErrors.txFailed(`${signatures.length} signatures of ${signers.length}, not all of them right`)
  })
}

async function signatureStatus(
  context: CliContext,
  flags: SignerFlags,
  tx: Tx,
  index: number,
  address: string,
): Promise<string> {
  const isGiven = flags.accountNumber !== undefined && flags.sequence !== undefined
  if (flags.offline && !isGiven) return 'not checked: for that a node is asked'
  const signer = { ...(await accountOf(context, flags, address)), chainId: await chainIdOf(context, flags.offline) }
  const signature = signaturesOf(tx)[index]!
  // A direct signature is over the sequence that the transaction says, which may be an old one.
  if (signature.sequence === signer.sequence && isValidSignature(tx, signature, signer)) return 'OK'
  const { chainId, accountNumber, sequence } = signer
  return `ERROR: not for chain id ${chainId}, account number ${accountNumber} and sequence ${sequence}`
}
