import { CodedError, defineErrors } from '@coin/base/errors'

/** The `sdk` codespace: numbers and texts of the Cosmos SDK (types/errors), on which every Cosmos client matches. */
export const sdkErrors = defineErrors('sdk', {
  txDecode: [2, 'tx parse error'],
  invalidSequence: [3, 'invalid sequence'],
  unauthorized: [4, 'unauthorized'],
  insufficientFunds: [5, 'insufficient funds'],
  unknownRequest: [6, 'unknown request'],
  invalidAddress: [7, 'invalid address'],
  invalidPubKey: [8, 'invalid pubkey'],
  unknownAddress: [9, 'unknown address'],
  invalidCoins: [10, 'invalid coins'],
  outOfGas: [11, 'out of gas'],
  memoTooLarge: [12, 'memo too large'],
  insufficientFee: [13, 'insufficient fee'],
  tooManySignatures: [14, 'maximum number of signatures exceeded'],
  noSignatures: [15, 'no signatures supplied'],
  jsonMarshal: [16, 'failed to marshal JSON bytes'],
  jsonUnmarshal: [17, 'failed to unmarshal JSON bytes'],
  invalidRequest: [18, 'invalid request'],
  txInMempoolCache: [19, 'tx already in mempool'],
  mempoolIsFull: [20, 'mempool is full'],
  txTooLarge: [21, 'tx too large'],
  keyNotFound: [22, 'key not found'],
  wrongPassword: [23, 'invalid account password'],
  invalidSigner: [24, 'tx intended signer does not match the given signer'],
  invalidGasAdjustment: [25, 'invalid gas adjustment'],
  invalidHeight: [26, 'invalid height'],
  invalidVersion: [27, 'invalid version'],
  invalidChainId: [28, 'invalid chain-id'],
  invalidType: [29, 'invalid type'],
  txTimeoutHeight: [30, 'tx timeout height'],
  unknownExtensionOptions: [31, 'unknown extension options'],
  wrongSequence: [32, 'incorrect account sequence'],
  packAny: [33, 'failed packing protobuf message to Any'],
  unpackAny: [34, 'failed unpacking protobuf message from Any'],
  logic: [35, 'internal logic error'],
  conflict: [36, 'conflict'],
  notSupported: [37, 'feature not supported'],
  notFound: [38, 'not found'],
  io: [39, 'internal IO error'],
  appConfig: [40, 'error in app.toml'],
  invalidGasLimit: [41, 'invalid gas limit'],
  txTimeout: [42, 'tx timeout'],
})

/** The `store` codespace: what `abci_query` answers for `/store/...` paths (cosmossdk.io/store/types). */
export const storeQueryErrors = defineErrors('store', {
  txDecode: [3, 'tx parse error'],
  unknownRequest: [4, 'unknown request'],
})

/** What Go's plain `fmt.Errorf` (code 1) and a recovered panic become in an ABCI result. */
export const undefinedErrors = defineErrors('undefined', { internal: [1, 'internal'], panic: [111222, 'panic'] })

/** A genesis file that contradicts itself: the chain does not start. */
export const genesisErrors = defineErrors('genesis', { invalid: [1, 'invalid genesis'] })

/** What Go's modules answer without a code of their own: the message alone, with code 1 of `undefined`. */
export function plainError(message: string): CodedError {
  return new CodedError('undefined', undefinedErrors.internal.code, message)
}

export function isPlainError({ codespace, code }: CodedError): boolean {
  return codespace === 'undefined' && code === undefinedErrors.internal.code
}
