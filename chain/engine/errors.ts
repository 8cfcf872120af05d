import { defineErrors } from '@coin/base/errors'

/** Everything the engine refuses. Codes are ours; texts that CometBFT's clients may match on are in mempool errors. */
export const engineErrors = defineErrors('engine', {
  badGenesis: [1, 'invalid genesis'],
  badBlock: [2, 'invalid block'],
  doubleSign: [3, 'refusing to sign'],
  notValidator: [4, 'this node cannot make blocks alone'],
  stateMismatch: [5, 'application and block store do not fit together'],
  corruptStore: [6, 'block store is corrupt'],
  badConsensusUpdate: [7, 'invalid update from the application'],
  halted: [8, 'the node has stopped making blocks'],
  badKeyFile: [9, 'invalid key file'],
  badEvidence: [10, 'invalid evidence'],
  evidenceFull: [11, 'too much evidence waits'],
})

/** Reasons for which a transaction does not enter the mempool before, or beside, the application's own check. */
export const mempoolErrors = defineErrors('mempool', {
  inCache: [1, 'tx already exists in cache'],
  full: [2, 'mempool is full'],
  tooLarge: [3, 'Tx too large'],
  gasTooHigh: [4, 'tx wants more gas than a block has'],
  notIncluded: [5, 'timed out waiting for tx to be included in a block'],
  halted: [6, 'the node has stopped making blocks'],
  evicted: [7, 'tx is no longer valid after a later block'],
})
