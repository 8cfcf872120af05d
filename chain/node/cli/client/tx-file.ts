import { readFileSync, writeFileSync } from 'node:fs'
import { CodedError } from '@coin/base/errors'
import { type SignatureDescriptor, SignatureDescriptors } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { messageFromJsonText, messageToJsonText } from '@coin/wire/json'
import { fileReason, nodeErrors } from '../../errors.js'
import type { Terminal } from '../terminal.js'

// The files that transactions travel in between who writes, who signs and who sends them; those of the Go SDK.

const txType = 'cosmos.tx.v1beta1.Tx'
const signaturesType = 'cosmos.tx.signing.v1beta1.SignatureDescriptors'

/** The text of a file, or for "-" of what is piped in. Throws `badFile`. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return terminal.readAll()
  return new TextDecoder().decode(readBytes(file))
}

/** Throws `badFile`. */
export function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw nodeErrors.badFile(`${file}: ${fileReason(error)}`)
  }
}

/** Throws `badFile`, naming what is wrong where. */
export async function readTx(file: string, terminal: Terminal): Promise<Tx> {
  return parse<Tx>(txType, await readText(file, terminal), file)
}

/** Transactions of one line each. */
export async function readTxs(files: readonly string[], terminal: Terminal): Promise<readonly Tx[]> {
  const txs: Tx[] = []
  for (const file of files) {
    const lines = (await readText(file, terminal)).split('\n').filter((line) => line.trim() !== '')
    txs.push(...lines.map((line, i) => parse<Tx>(txType, line, `${file} line ${i + 1}`)))
  }
  return txs
}

/** Signatures that `tx sign --signature-only` wrote: one document, or one a line. */
export function readSignatures(file: string): readonly SignatureDescriptor[] {
  const text = new TextDecoder().decode(readBytes(file))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isLines = lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))
  const documents = isLines ? lines : [text]
  return documents.flatMap((document) => parse<SignatureDescriptors>(signaturesType, document, file).signatures)
}

function parse<T>(typeName: string, text: string, file: string): T {
  try {
    return messageFromJsonText<T>(typeName, text)
  } catch (error) {
    if (error instanceof CodedError) throw nodeErrors.badFile(`${file}: ${error.message}`)
    throw error
  }
}

export function formatTx(tx: Tx): string {
  return messageToJsonText(txType, tx)
}

export function formatSignatures(signatures: readonly SignatureDescriptor[]): string {
  return messageToJsonText(signaturesType, SignatureDescriptors.fromPartial({ signatures: [...signatures] }))
}

/** Prints a document of one or more lines, or writes it to `file`. */
export function writeDocument(text: string, file: string | undefined, terminal: Terminal): void {
  if (file === undefined) terminal.out(text)
  else writeFileSync(file, `${text}\n`)
}
