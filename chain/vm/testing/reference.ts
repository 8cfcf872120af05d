import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where tests/reference/fetch-contracts.sh puts the reference's own test contracts. */
const folder = join(import.meta.dirname, '../../../../tests/reference/.cache/contracts')

/** A contract as `wasmvm-2.3.1/hackatom.wasm`; `undefined` when it has not been fetched. */
export function referenceContract(path: string): Uint8Array | undefined {
  const file = join(folder, path)
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined
}

/** Whether all are there; prints what is missing, so that a skipped test is seen. */
export function haveContracts(...paths: readonly string[]): boolean {
  const missing = paths.filter((path) => !existsSync(join(folder, path)))
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: needs ${missing.join(', ')}; run tests/reference/fetch-contracts.sh\n`)
  }
  return missing.length === 0
}
