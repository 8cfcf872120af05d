import { status } from '@coin/runtime/status'
import type { TxIndex } from '../ports.js'

/** As CometBFT says it. */
export const indexingDisabled = 'transaction indexing is disabled'

/** What a node that keeps no index answers: `unimplemented`, 501 over REST. */
export const noTxIndex: TxIndex = {
  get() {
    throw status('unimplemented', indexingDisabled)
  },
  search() {
    throw status('unimplemented', indexingDisabled)
  },
}
