import { assert } from '@coin/base/assert'
import { type Bytes, concatBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { GasMeter, OutOfGas } from '@coin/runtime/gas'
import { prefixEnd } from '@coin/runtime/keys'
import { errors as vmErrors } from '@coin/vm/errors'
import type { Answer, Charged, Host, HostApi, HostIterator, HostStorage, QueryAnswer } from '@coin/vm/host'
import type { AddressCodec } from '@coin/wire/addresses'
import { redacted, systemErrorOf } from './errors.js'
import { addressGas, fromVmGas, gasMultiplier } from './gas-register.js'
import { contractStorePrefix, wasmStore } from './state.js'

/** Answers a contract's query; throws a `CodedError` when it cannot. */
export type QueryHandler = (ctx: Read, contract: Bytes, request: Bytes, stackLeft: number) => Bytes

type Store = ReturnType<Write['store']>

/** What a contract call sees of the chain. With a `Read` context the VM must forbid writing. */
export function createHost(ctx: Read | Write, contract: Bytes, addresses: AddressCodec, answer: QueryHandler): Host {
  const query = (request: Bytes, gasLimit: bigint, stackLeft: number) =>
    answerQuery(ctx, contract, answer, request, gasLimit, stackLeft)
  return { storage: createStorage(ctx, contract), api: createApi(addresses), querier: { query } }
}

/** Runs a metered step and tells the VM what it cost. Running out ends the contract, not the node's loop. */
function metered<T>(meter: GasMeter, step: () => T): Charged<T> {
  const before = meter.consumed
  try {
    const value = step()
    return { value, gas: BigInt(meter.consumed - before) * gasMultiplier }
  } catch (error) {
    throw error instanceof OutOfGas ? vmErrors.outOfGas(error.descriptor) : error
  }
}

function createStorage(ctx: Read | Write, contract: Bytes): HostStorage {
  const store = ctx.store(wasmStore)
  const prefix = contractStorePrefix(contract)
  const { gas } = ctx
  const held: Held = { bytes: 0 }
  const writable = (): Store => {
    assert('set' in store, 'a query tried to write')
    return store as Store
  }
  return {
    get: (key) => metered(gas, () => store.get(concatBytes(prefix, key))),
    set: (key, value) => metered(gas, () => writable().set(concatBytes(prefix, key), value)),
    remove: (key) => metered(gas, () => writable().delete(concatBytes(prefix, key))),
    scan: (start, end, order) =>
      metered(gas, () => {
        const from = start === undefined ? prefix : concatBytes(prefix, start)
        const to = end === undefined ? prefixEnd(prefix) : concatBytes(prefix, end)
        return createIterator(store.iterate(from, to, order === 'descending'), prefix.length, gas, held)
      }),
  }
}

/** What the iterators of one call keep in memory. They read ahead of what is paid for. */
interface Held {
  bytes: number
}

/** Consensus, as it decides which calls fail; far beyond what a contract needs that lists its state. */
const heldBytesMax = 64 * 1024 * 1024

/** Always one entry ahead, as Go's iterators are: moving on pays for the entry that is left. */
function createIterator(
  entries: IterableIterator<readonly [Bytes, Bytes]>,
  prefixBytes: number,
  meter: GasMeter,
  held: Held,
): HostIterator {
  const keep = (step: IteratorResult<readonly [Bytes, Bytes]>, sign: 1 | -1) => {
    if (step.done !== true) held.bytes += sign * (step.value[0].length + step.value[1].length)
    if (held.bytes > heldBytesMax) throw vmErrors.host(`iterators hold more than ${heldBytesMax} bytes`)
    return step
  }
  let current = keep(entries.next(), 1)
  return {
    next() {
      if (current.done === true) return { value: undefined, gas: 0n }
      const [key, value] = current.value
      return metered(meter, () => {
        keep(current, -1)
        current = keep(entries.next(), 1)
        return [key.subarray(prefixBytes), value] as const
      })
    },
  }
}

/** Accounts have 20 bytes, contracts 32; contracts are told that nothing else is an address. */
function checkLength(address: Bytes): Bytes {
  if (address.length !== 20 && address.length !== 32) throw sdkErrors.invalidAddress()
  return address
}

function createApi(addresses: AddressCodec): HostApi {
  const attempt = <T>(run: () => T): Answer<T> => {
    try {
      return { ok: run() }
    } catch (error) {
      if (error instanceof CodedError) return { error: error.message }
      throw error
    }
  }
  const price = (kind: keyof typeof addressGas) => addressGas[kind] * gasMultiplier
  return {
    canonicalize: (human) => ({
      value: attempt(() => checkLength(addresses.decode(human))),
      gas: price('canonicalize'),
    }),
    humanize: (canonical) => ({
      value: attempt(() => addresses.encode(checkLength(canonical))),
      gas: price('humanize'),
    }),
    validate(human) {
      const canonical = attempt(() => checkLength(addresses.decode(human)))
      if ('error' in canonical) return { value: canonical, gas: price('canonicalize') }
      const isNormal = addresses.encode(canonical.ok) === human
      return { value: isNormal ? { ok: undefined } : { error: 'address not normalized' }, gas: price('validate') }
    },
  }
}

/** Runs on a meter of its own with what the contract has left, and charges what it used whatever comes of it. */
function answerQuery(
  ctx: Read,
  contract: Bytes,
  answer: QueryHandler,
  request: Bytes,
  gasLimit: bigint,
  stackLeft: number,
): Charged<QueryAnswer> {
  return metered(ctx.gas, () => {
    const meter = new GasMeter(fromVmGas(gasLimit))
    try {
      return { ok: answer(ctx.withGas(meter), contract, request, stackLeft) }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const systemError = systemErrorOf(error)
      return systemError === undefined ? { error: redacted(error) } : { systemError }
    } finally {
      ctx.gas.consume(meter.consumed, 'contract sub-query')
    }
  })
}
