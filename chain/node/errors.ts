import { CodedError, defineErrors } from '@coin/base/errors'

/** What can be wrong with the files, flags and keys that an operator gives the node. */
export const nodeErrors = defineErrors('node', {
  badConfig: [1, 'invalid configuration'],
  noHome: [2, 'no node home'],
  homeExists: [3, 'already initialized'],
  badFile: [4, 'unreadable file'],
  badGenesis: [5, 'invalid genesis'],
  badKeyName: [6, 'invalid key name'],
  keyNotFound: [7, 'key not found'],
  keyExists: [8, 'key exists'],
  badPassphrase: [9, 'wrong passphrase'],
  badMnemonic: [10, 'invalid mnemonic'],
  badFlag: [11, 'invalid flag'],
  rpcFailed: [12, 'the node did not answer'],
  queryFailed: [13, 'query failed'],
  txFailed: [14, 'transaction failed'],
  cancelled: [15, 'cancelled'],
  notBuilt: [16, 'not available'],
  cannotListen: [17, 'cannot listen'],
  haltReached: [18, 'halt height or time is reached'],
  keyNotLocal: [30, 'no private key'],
  noState: [31, 'no chain yet'],
  notWell: [32, 'the node is not well'],
  waitTimeout: [31, 'timed out'],
  doorsGone: [19, 'the doors are closed'],
  readerGone: [20, 'a reader has ended'],
})

/** A server could not open its port. */
export function isCannotListen(error: unknown): boolean {
  return error instanceof CodedError && error.codespace === 'node' && error.code === nodeErrors.cannotListen.code
}

/** Why a file cannot be read, without its path, which the message names already: `ENOENT: no such file or directory`. */
export function fileReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, [a-z]+(?: '.*')?$/, '') : String(error)
}

/** Of LMDB: what a database's file holds does not fit together. Its own number is no errno. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('MDB_')
}

/** Of a file that cannot be read or written, a full disk and the like: the message has the path and the reason. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'errno' in error
}
