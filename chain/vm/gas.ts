/** `base + perItem * items`, VM gas. */
export interface LinearCost {
  readonly base: number
  readonly perItem: number
}

/**
 * Prices of everything the VM itself meters, in VM gas (about 10^12 per second of the reference machine).
 * Source: cosmwasm-vm's engine.rs (operators), environment.rs (GasConfig) and, for 2.3.4, metering.rs (locals).
 */
export interface GasSchedule {
  readonly name: string
  readonly operator: number
  /** Operators that branch or are branched to: loop, end, if, else, br, br_if, br_table, call, call_indirect, return. */
  readonly accountingOperator: number
  /** From how many declared locals a function pays `operator` for each of them from that one on; undefined: never. */
  readonly chargedLocalsFrom: number | undefined
  readonly hostCall: number
  readonly readRegionSmall: LinearCost
  /** For more than 8,000,000 bytes. */
  readonly readRegionLarge: LinearCost
  readonly stringFromBytes: LinearCost
  readonly secp256k1Verify: number
  readonly secp256k1Recover: number
  readonly secp256r1Verify: number
  readonly secp256r1Recover: number
  readonly ed25519Verify: number
  readonly ed25519Batch: LinearCost
  readonly ed25519BatchOneKey: LinearCost
  readonly blsAggregateG1: LinearCost
  readonly blsAggregateG2: LinearCost
  readonly blsHashToG1: number
  readonly blsHashToG2: number
  readonly blsPairingEquality: LinearCost
}

const perMicrosecond = 1_000_000

const schedule230: GasSchedule = {
  name: '2.3.0',
  operator: 115,
  accountingOperator: 14 * 115,
  chargedLocalsFrom: undefined,
  hostCall: 18_000,
  readRegionSmall: { base: 200_000, perItem: 115 },
  readRegionLarge: { base: 0, perItem: 520 },
  stringFromBytes: { base: 28_700, perItem: 1_400 },
  secp256k1Verify: 96 * perMicrosecond,
  secp256k1Recover: 194 * perMicrosecond,
  secp256r1Verify: 279 * perMicrosecond,
  secp256r1Recover: 592 * perMicrosecond,
  ed25519Verify: 35 * perMicrosecond,
  ed25519Batch: { base: 24 * perMicrosecond, perItem: 21 * perMicrosecond },
  ed25519BatchOneKey: { base: 36 * perMicrosecond, perItem: 10 * perMicrosecond },
  blsAggregateG1: { base: 68 * perMicrosecond, perItem: 12 * perMicrosecond },
  blsAggregateG2: { base: 103_500_000, perItem: 24_500_000 },
  blsHashToG1: 563 * perMicrosecond,
  blsHashToG2: 871 * perMicrosecond,
  blsPairingEquality: { base: 2_112 * perMicrosecond, perItem: 163 * perMicrosecond },
}

/** Known schedules by the cosmwasm-vm version they belong to; wasmd v0.60 locks 2.3.0. A chain fixes one for ever. */
export const gasSchedules = {
  '2.3.0': schedule230,
  '2.3.4': { ...schedule230, name: '2.3.4', chargedLocalsFrom: 30 },
} as const satisfies Record<string, GasSchedule>

export type GasScheduleName = keyof typeof gasSchedules

export function linearCost(cost: LinearCost, items: number): number {
  return cost.base + cost.perItem * items
}

const smallRegionBytes = 8_000_000

/** Price of copying `bytes` out of the contract's memory. */
export function readRegionCost(schedule: GasSchedule, bytes: number): number {
  return linearCost(bytes <= smallRegionBytes ? schedule.readRegionSmall : schedule.readRegionLarge, bytes)
}

/** Gas limits are kept in a signed 64-bit counter: "no limit" is this. */
export const maxGasLimit = (1n << 63n) - 1n

/** What a call used, VM gas. `usedInternally` is what the VM must charge; external gas was charged by the host already. */
export interface GasReport {
  readonly limit: bigint
  readonly remaining: bigint
  readonly usedExternally: bigint
  readonly usedInternally: bigint
}
