import { type Bytes, bytesToHex, bytesToUtf8, compareBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { decodeBech32, encodeBech32 } from '@coin/wire/bech32'
import { errors } from '../errors.js'
import type { Answer, Charged, Host, HostIterator, HostStorage, QueryAnswer } from '../host.js'
import { encodeQueryAnswer } from '../json.js'

// Doubles of the hosts that the reference's own tests use, with their prices: gas figures of those tests carry over.

export interface StoragePrices {
  get(key: Bytes): number
  set(key: Bytes, value: Bytes): number
  remove(key: Bytes): number
  readonly range: number
}

/** A sorted store in memory; `spent` counts the external gas. `limit` makes it run out as an SDK meter does. */
export class MockStorage implements HostStorage {
  readonly entries = new Map<string, Bytes>()
  spent = 0n
  limit: bigint | undefined
  private readonly prices: StoragePrices

  constructor(prices: StoragePrices) {
    this.prices = prices
  }

  private charge(price: number): bigint {
    const gas = BigInt(price)
    this.spent += gas
    if (this.limit !== undefined && this.spent > this.limit) throw errors.outOfGas('storage')
    return gas
  }

  get(key: Bytes): Charged<Bytes | undefined> {
    const gas = this.charge(this.prices.get(key))
    return { value: this.entries.get(bytesToHex(key)), gas }
  }

  set(key: Bytes, value: Bytes): Charged<void> {
    const gas = this.charge(this.prices.set(key, value))
    this.entries.set(bytesToHex(key), value)
    return { value: undefined, gas }
  }

  remove(key: Bytes): Charged<void> {
    const gas = this.charge(this.prices.remove(key))
    this.entries.delete(bytesToHex(key))
    return { value: undefined, gas }
  }

  scan(start: Bytes | undefined, end: Bytes | undefined, order: 'ascending' | 'descending'): Charged<HostIterator> {
    const gas = this.charge(this.prices.range)
    const found = [...this.entries]
      .map(([key, value]) => [hexToBytes(key), value] as const)
      .filter(([key]) => (!start || compareBytes(key, start) >= 0) && (!end || compareBytes(key, end) < 0))
      .sort(([a], [b]) => (order === 'ascending' ? compareBytes(a, b) : compareBytes(b, a)))
    let at = 0
    return { value: { next: () => ({ value: found[at++], gas: 0n }) }, gas }
  }
}

export type MockHost = Host & { readonly storage: MockStorage }

interface Balance {
  readonly address: string
  readonly coins: readonly { readonly denom: string; readonly amount: string }[]
}

/** Answers bank queries; the order of fields is that of wasmvm's types. */
function answerBank(request: string, balances: readonly Balance[], goResponse: boolean): QueryAnswer {
  const { bank } = JSON.parse(request) as {
    bank?: { balance?: { address: string; denom: string }; all_balances?: { address: string } }
  }
  const coinsOf = (address: string) => balances.find((entry) => entry.address === address)?.coins ?? []
  if (bank?.all_balances !== undefined) {
    const amount = coinsOf(bank.all_balances.address)
    return { ok: utf8ToBytes(JSON.stringify({ amount })) }
  }
  if (bank?.balance !== undefined) {
    const { address, denom } = bank.balance
    const amount = coinsOf(address).find((coin) => coin.denom === denom) ?? { denom, amount: '0' }
    return { ok: utf8ToBytes(JSON.stringify({ amount })) }
  }
  return { systemError: goResponse ? { unsupported_request: { kind: 'custom' } } : { unknown: {} } }
}

/** The host of cosmwasm-vm's own tests: bech32 addresses with prefix `cosmwasm`, storage priced by bytes. */
export function cosmwasmVmHost(balances: readonly Balance[]): MockHost {
  const multiplier = 140_000n
  const canonicalize = (human: string): Answer<Bytes> => {
    try {
      const { prefix, bytes } = decodeBech32(human)
      return prefix === 'cosmwasm' ? { ok: bytes } : { error: 'Wrong bech32 prefix' }
    } catch {
      return { error: 'Error decoding bech32' }
    }
  }
  const storage = new MockStorage({
    get: (key) => key.length,
    set: (key, value) => key.length + value.length,
    remove: (key) => key.length,
    range: 11,
  })
  return {
    storage,
    api: {
      canonicalize: (human) => ({ value: canonicalize(human), gas: 5n * multiplier }),
      humanize: (canonical) => ({ value: { ok: encodeBech32('cosmwasm', canonical) }, gas: 4n * multiplier }),
      validate(human) {
        const canonical = canonicalize(human)
        if ('error' in canonical) return { value: canonical, gas: 5n * multiplier }
        const normal = encodeBech32('cosmwasm', canonical.ok) === human
        return {
          value: normal ? { ok: undefined } : { error: 'Invalid input: address not normalized' },
          gas: 9n * multiplier,
        }
      },
    },
    querier: {
      query(request) {
        const value = answerBank(bytesToUtf8(request), balances, false)
        return { value, gas: 100_000n + 100n * BigInt(encodeQueryAnswer(value).length) }
      },
    },
  }
}

/** The host of wasmvm's own tests: any text is an address, storage has fixed prices, queries cost their length. */
export function wasmvmHost(balances: readonly Balance[]): MockHost {
  const canonicalLength = 32
  const canonicalize = (human: string): Answer<Bytes> => {
    if (human.length > canonicalLength) return { error: 'human encoding too long' }
    const out = new Uint8Array(canonicalLength)
    out.set(utf8ToBytes(human))
    return { ok: out }
  }
  const storage = new MockStorage({ get: () => 99_000, set: () => 187_000, remove: () => 142_000, range: 261_000 })
  return {
    storage,
    api: {
      canonicalize: (human) => ({ value: canonicalize(human), gas: 440n }),
      humanize(canonical) {
        if (canonical.length !== canonicalLength) return { value: { error: 'wrong canonical length' }, gas: 0n }
        const end = canonical.indexOf(0)
        return { value: { ok: bytesToUtf8(canonical.subarray(0, end < 0 ? canonicalLength : end)) }, gas: 550n }
      },
      validate(human) {
        const canonical = canonicalize(human)
        if ('error' in canonical) return { value: canonical, gas: 0n }
        const valid = human === human.toLowerCase()
        return { value: valid ? { ok: undefined } : { error: 'address validation failed' }, gas: 990n }
      },
    },
    querier: {
      query: (request) => ({ value: answerBank(bytesToUtf8(request), balances, true), gas: BigInt(request.length) }),
    },
  }
}
