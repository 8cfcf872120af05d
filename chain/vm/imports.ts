import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { hostFunction } from './current.js'
import { errors } from './errors.js'
import { linearCost } from './gas.js'
import { cryptoImports } from './imports-crypto.js'
import type { ContractInstance } from './instance.js'
import { encodeQueryAnswer } from './json.js'
import { encodeSections } from './sections.js'

const kibi = 1024
const mebi = 1024 * 1024
const keyBytesMax = 64 * kibi
const valueBytesMax = 128 * kibi
const humanAddressBytesMax = 256
const canonicalAddressBytesMax = 64
const queryBytesMax = 64 * kibi
const messageBytesMax = 2 * mebi
/** Per call, as wasmvm limits them. */
const iteratorsMax = 32_768

/**
 * What contracts import from `env`, by name. Pointers are region pointers. The order in each function is consensus:
 * host call, region reads, specific cost, effect, the host's gas, the answer.
 */
export function createImports(): WebAssembly.Imports {
  return { env: { ...storageImports(), ...addressImports(), ...miscellaneousImports(), ...cryptoImports() } }
}

function checkWritable(instance: ContractInstance): void {
  if (instance.readonly) throw errors.protocol('cannot write to the storage during a query')
}

function storageImports(): Record<string, WebAssembly.ImportValue> {
  const giveOrZero = (instance: ContractInstance, data: Bytes | undefined) =>
    data === undefined ? 0 : instance.give(data)
  const next = (instance: ContractInstance, id: number) => {
    const { value, gas } = instance.iterator(id >>> 0).next()
    instance.spendExternal(gas)
    return value
  }
  return {
    db_read: (key: number) =>
      hostFunction((instance) => {
        const keyBytes = instance.readRegion(key >>> 0, keyBytesMax, 'key')
        const { value, gas } = instance.host().storage.get(keyBytes)
        instance.spendExternal(gas)
        return giveOrZero(instance, value)
      }),
    db_write: (key: number, value: number) =>
      hostFunction((instance) => {
        checkWritable(instance)
        const keyBytes = instance.readRegion(key >>> 0, keyBytesMax, 'key')
        const valueBytes = instance.readRegion(value >>> 0, valueBytesMax, 'value')
        instance.spendExternal(instance.host().storage.set(keyBytes, valueBytes).gas)
      }),
    db_remove: (key: number) =>
      hostFunction((instance) => {
        checkWritable(instance)
        const keyBytes = instance.readRegion(key >>> 0, keyBytesMax, 'key')
        instance.spendExternal(instance.host().storage.remove(keyBytes).gas)
      }),
    db_scan: (start: number, end: number, order: number) =>
      hostFunction((instance) => {
        const bound = (pointer: number) =>
          pointer === 0 ? undefined : instance.readRegion(pointer >>> 0, keyBytesMax, 'key')
        const from = bound(start)
        const to = bound(end)
        if (order !== 1 && order !== 2) throw errors.protocol(`order of a scan is ${order}, expected 1 or 2`)
        const { value, gas } = instance.host().storage.scan(from, to, order === 1 ? 'ascending' : 'descending')
        instance.spendExternal(gas)
        if (instance.iteratorCount() >= iteratorsMax) throw errors.host(`reached iterator limit (${iteratorsMax})`)
        return instance.addIterator(value)
      }),
    db_next: (id: number) =>
      hostFunction((instance) => {
        const [key, value] = next(instance, id) ?? [new Uint8Array(0), new Uint8Array(0)]
        return instance.give(encodeSections([key, value]))
      }),
    db_next_key: (id: number) => hostFunction((instance) => giveOrZero(instance, next(instance, id)?.[0])),
    db_next_value: (id: number) => hostFunction((instance) => giveOrZero(instance, next(instance, id)?.[1])),
  }
}

/** The text in a region, or what to tell the contract about it. */
function readAddress(instance: ContractInstance, pointer: number): { text: string } | { problem: number } {
  const bytes = instance.readRegion(pointer >>> 0, humanAddressBytesMax, 'address')
  if (bytes.length === 0) return { problem: instance.give(utf8ToBytes('Input is empty')) }
  instance.charge(linearCost(instance.schedule.stringFromBytes, bytes.length))
  try {
    return { text: bytesToUtf8(bytes) }
  } catch {
    return { problem: instance.give(utf8ToBytes('Input is not valid UTF-8')) }
  }
}

function addressImports(): Record<string, WebAssembly.ImportValue> {
  return {
    addr_validate: (source: number) =>
      hostFunction((instance) => {
        const address = readAddress(instance, source)
        if ('problem' in address) return address.problem
        const { value, gas } = instance.host().api.validate(address.text)
        instance.spend(gas)
        return 'error' in value ? instance.give(utf8ToBytes(value.error)) : 0
      }),
    addr_canonicalize: (source: number, destination: number) =>
      hostFunction((instance) => {
        const address = readAddress(instance, source)
        if ('problem' in address) return address.problem
        const { value, gas } = instance.host().api.canonicalize(address.text)
        instance.spend(gas)
        if ('error' in value) return instance.give(utf8ToBytes(value.error))
        instance.writeRegion(destination >>> 0, value.ok)
        return 0
      }),
    addr_humanize: (source: number, destination: number) =>
      hostFunction((instance) => {
        const canonical = instance.readRegion(source >>> 0, canonicalAddressBytesMax, 'address')
        const { value, gas } = instance.host().api.humanize(canonical)
        instance.spend(gas)
        if ('error' in value) return instance.give(utf8ToBytes(value.error))
        instance.writeRegion(destination >>> 0, utf8ToBytes(value.ok))
        return 0
      }),
  }
}

function miscellaneousImports(): Record<string, WebAssembly.ImportValue> {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
  return {
    debug: (message: number) =>
      hostFunction((instance) => {
        const bytes = instance.readRegion(message >>> 0, messageBytesMax, 'debug message')
        instance.host().debug?.(lossy.decode(bytes))
      }),
    abort: (message: number) =>
      hostFunction((instance) => {
        const bytes = instance.readRegion(message >>> 0, messageBytesMax, 'abort message')
        instance.charge(linearCost(instance.schedule.stringFromBytes, bytes.length))
        throw errors.aborted(lossy.decode(bytes))
      }),
    query_chain: (request: number) =>
      hostFunction((instance) => {
        const bytes = instance.readRegion(request >>> 0, queryBytesMax, 'query')
        const { value, gas } = instance.host().querier.query(bytes, instance.gasLeft(), instance.stackLeft())
        instance.spendExternal(gas)
        return instance.give(encodeQueryAnswer(value))
      }),
  }
}
