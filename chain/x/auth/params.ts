import { genesisErrors } from '@coin/runtime/errors'
import type { Params } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'

/** The SDK's defaults. Costs are SDK gas. */
export const paramsDefault: Params = {
  maxMemoCharacters: 256n,
  txSigLimit: 7n,
  txSizeCostPerByte: 10n,
  sigVerifyCostEd25519: 590n,
  sigVerifyCostSecp256k1: 1000n,
}

/** Throws `genesisErrors.invalid` unless every figure is above zero and a safe integer. */
export function checkParams(params: Params): void {
  const { maxMemoCharacters, txSigLimit, txSizeCostPerByte, sigVerifyCostEd25519, sigVerifyCostSecp256k1 } = params
  const figures = { maxMemoCharacters, txSigLimit, txSizeCostPerByte, sigVerifyCostEd25519, sigVerifyCostSecp256k1 }
  for (const [name, value] of Object.entries(figures)) {
    if (value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) continue
    throw genesisErrors.invalid(`auth parameter ${name} is ${value}, expected 1 to ${Number.MAX_SAFE_INTEGER}`)
  }
}
