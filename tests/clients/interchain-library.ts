import { createRequire } from 'node:module'

// InterchainJS 1.21, unmodified: its CommonJS build. What it cannot do with any node, found in its own code:
// - Its ES modules import files without extension, so Node loads its CommonJS build only. The index of `interchainjs` needs a package
//   that it does not name (@interchainjs/solana); its parts, imported by path, do not.
// - A subscription waits for an identifier, as Ethereum's nodes send it; CometBFT answers {}.
// - createUnifiedClient asks for the status at the WebSocket's own path, where CometBFT takes no POST.
// - getBlockByHash hands on the text that it is given, and CometBFT reads base64 there: the hexadecimal that it asks for finds nothing.
// - A proof of a transaction and the hashes in the status are read in the wrong encoding: getTx with a proof throws.
const require = createRequire(import.meta.url)
export const cosmos = require('@interchainjs/cosmos') as typeof import('@interchainjs/cosmos', { with: {
  'resolution-mode': 'require',
}})
export const { HDPath } = require('@interchainjs/types') as typeof import('@interchainjs/types', { with: {
  'resolution-mode': 'require',
}})
export const bank =
  require('interchainjs/cosmos/bank/v1beta1/query.rpc.func') as typeof import('interchainjs/cosmos/bank/v1beta1/query.rpc.func', { with: {
    'resolution-mode': 'require',
  }})
export const auth =
  require('interchainjs/cosmos/auth/v1beta1/query.rpc.func') as typeof import('interchainjs/cosmos/auth/v1beta1/query.rpc.func', { with: {
    'resolution-mode': 'require',
  }})
export const wasm =
  require('interchainjs/cosmwasm/wasm/v1/query.rpc.func') as typeof import('interchainjs/cosmwasm/wasm/v1/query.rpc.func', { with: {
    'resolution-mode': 'require',
  }})
export const bankTxs =
  require('interchainjs/cosmos/bank/v1beta1/tx.rpc.func') as typeof import('interchainjs/cosmos/bank/v1beta1/tx.rpc.func', { with: {
    'resolution-mode': 'require',
  }})
export const wasmTxs =
  require('interchainjs/cosmwasm/wasm/v1/tx.rpc.func') as typeof import('interchainjs/cosmwasm/wasm/v1/tx.rpc.func', { with: {
    'resolution-mode': 'require',
  }})
export const { MsgSend } =
  require('interchainjs/cosmos/bank/v1beta1/tx') as typeof import('interchainjs/cosmos/bank/v1beta1/tx', { with: {
    'resolution-mode': 'require',
  }})
