import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { encodeBech32 } from '@coin/wire/bech32'
import { sha256 } from '@coin/wire/sha256'
import { CodeStore } from '../codes.js'
import { memoryFiles } from '../files.js'
import { type GasScheduleName, gasSchedules } from '../gas.js'
import type { Host } from '../host.js'
import { createImports } from '../imports.js'
import { ContractInstance, defaultStackUnits } from '../instance.js'
import type { Env, MessageInfo } from '../json.js'

export const MiB = 1024 * 1024

/** A fresh, unpooled instance that keeps its state from call to call, as cosmwasm-vm's own tests use one. */
export function freshInstance(
  code: Uint8Array,
  options: { schedule?: GasScheduleName; memoryPages?: number; capabilities?: readonly string[] } = {},
): ContractInstance {
  const schedule = gasSchedules[options.schedule ?? '2.3.0']
  const codes = new CodeStore({
    files: memoryFiles(),
    schedule,
    pagesMax: options.memoryPages ?? 512,
    compiledMax: 1,
    ...(options.capabilities === undefined ? {} : { capabilities: new Set(options.capabilities) }),
  })
  return new ContractInstance(codes.check(code).loaded, schedule, createImports())
}

/** Begins a series of calls on one instance. */
export function beginCalls(instance: ContractInstance, host: Host, gas: bigint, readonly = false): void {
  instance.begin(host, { gas, stackUnits: defaultStackUnits }, readonly)
}

/** Runs an entry point with JSON arguments and answers with the text that the contract returned. */
export function runText(instance: ContractInstance, entry: string, ...args: readonly Uint8Array[]): string {
  return bytesToUtf8(instance.run(entry, args, 64 * MiB))
}

export const json = (value: unknown): Uint8Array => utf8ToBytes(JSON.stringify(value))

/** cosmwasm-vm's mock addresses: bech32 of the sha256 of a name. */
export const addressOf = (name: string): string => encodeBech32('cosmwasm', sha256(utf8ToBytes(name)))

/** `mock_env()` of cosmwasm-vm. */
export const cosmwasmVmEnv: Env = {
  block: { height: 12_345, timeNs: 1_571_797_419_879_305_533n, chainId: 'cosmos-testnet-14002' },
  transaction: { index: 3 },
  contract: { address: addressOf('cosmos2contract') },
}

/** `MockEnv()` of wasmvm. */
export const wasmvmEnv: Env = {
  block: { height: 123, timeNs: 1_578_939_743_987_654_321n, chainId: 'foobar' },
  transaction: { index: 4 },
  contract: { address: 'contract' },
}

/** `MockInfoWithFunds(sender)` of wasmvm. */
export const wasmvmInfo = (sender: string): MessageInfo => ({ sender, funds: [{ denom: 'ATOM', amount: 100n }] })
