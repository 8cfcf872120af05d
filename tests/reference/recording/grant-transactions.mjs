import { authzSteps } from './authz-transactions.mjs'
import { feegrantSteps } from './feegrant-transactions.mjs'
import { wasmGrantSteps } from './wasm-grant-transactions.mjs'

/** Contracts that the transactions hold, by their names in contract-transactions.mjs. */
export const grantFiles = ['hackatom']

/** In order; each sees what came before it. `known.now` is the time of the last block in seconds. */
export const grantSteps = [...feegrantSteps, ...authzSteps, ...wasmGrantSteps]
