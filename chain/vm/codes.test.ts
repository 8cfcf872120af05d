import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bytesToHex, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFiles, memoryFiles } from './files.js'
import { gunzip, isGzip } from './gzip.js'
import { cosmwasmVmEnv } from './testing/contract.js'
import { cosmwasmVmHost } from './testing/mock-hosts.js'
import { buildModule, executing, op } from './testing/module-builder.js'
import { WasmVm } from './vm.js'

const code = buildModule(executing([op.nop]))
const key = bytesToHex(sha256(code))
const call = () => ({ host: cosmwasmVmHost([]), gasLimit: 10n ** 10n })
const run = (vm: WasmVm) =>
  vm.execute(sha256(code), cosmwasmVmEnv, { sender: 's', funds: [] }, utf8ToBytes('{}'), call())

describe('the code store on disk', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'codes-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const open = () => new WasmVm({ files: diskFiles(folder) })

  it('keeps codes over a restart, with the same gas', () => {
    const first = open()
    expect(bytesToHex(first.storeCode(code).checksum)).toBe(key)
    const before = run(first)
    const after = run(open())
    expect(after.gas).toEqual(before.gas)
    expect(open().getCode(sha256(code))).toEqual(code)
  })

  it('makes a damaged or missing cache file anew', () => {
    open().storeCode(code)
    const cached = join(folder, 'rewritten', readdirSync(join(folder, 'rewritten'))[0]!)
    const good = run(open())
    for (const damage of [new Uint8Array(0), new Uint8Array(40), new Uint8Array(statSync(cached).size)]) {
      writeFileSync(cached, damage)
      expect(run(open())).toEqual(good)
    }
    rmSync(cached)
    expect(run(open())).toEqual(good)
  })

  it('does not run an original that has been changed', () => {
    open().storeCode(code)
    writeFileSync(join(folder, 'codes', `${key}.wasm`), concatBytes(code, Uint8Array.of(0, 1, 0)))
    expect(open().getCode(sha256(code))).toBeUndefined()
    expect(() => run(open())).toThrow('no such code')
  })

  it('keeps nothing of a code that is refused or only checked', () => {
    const vm = open()
    expect(() => vm.storeCode(utf8ToBytes('not wasm'))).toThrow('static Wasm validation failed')
    expect(vm.checkCode(code).report.entryPoints).toEqual(['execute'])
    expect(readdirSync(folder)).toEqual([])
    expect(() => vm.analyze(sha256(code))).toThrow('no such code')
  })

  it('removes a code', () => {
    const vm = open()
    vm.storeCode(code)
    run(vm)
    vm.removeCode(sha256(code))
    expect(vm.idleInstances()).toBe(0)
    expect(() => run(vm)).toThrow('no such code')
    expect(() => vm.removeCode(sha256(code))).toThrow('no such code')
  })
})

it('compiled codes are dropped by last use, pinned ones are kept', () => {
  const reads: string[] = []
  const files = memoryFiles()
  const read = (name: string) => {
    reads.push(name)
    return files.read(name)
  }
  const vm = new WasmVm({ files: { ...files, read }, compiledMax: 2 })
  const codes = [1, 2, 3, 4].map((count) => buildModule(executing(new Array<number>(count).fill(op.nop))))
  const checksums = codes.map((bytes) => vm.storeCode(bytes).checksum)
  vm.pin(checksums[0]!)
  reads.length = 0
  for (let i = 0; i < 3; i++) for (const checksum of [checksums[0]!, checksums[2]!, checksums[3]!]) vm.analyze(checksum)
  const loaded = reads.filter((name) => name.startsWith('codes/')).length
  expect(loaded).toBeLessThanOrEqual(2)
  reads.length = 0
  vm.analyze(checksums[0]!)
  expect(reads).toEqual([])
  vm.unpin(checksums[0]!)
  for (const checksum of checksums.slice(1)) vm.analyze(checksum)
  reads.length = 0
  vm.analyze(checksums[0]!)
  expect(reads.length).toBeGreaterThan(0)
})

describe('gunzip', () => {
  const text = utf8ToBytes('hello '.repeat(1000))
  const packed = new Uint8Array(gzipSync(text))

  it('unpacks one member and ignores what follows', () => {
    expect(isGzip(packed)).toBe(true)
    expect(isGzip(text)).toBe(false)
    expect(gunzip(packed, 10_000)).toEqual(text)
    expect(gunzip(concatBytes(packed, packed), 10_000)).toEqual(text)
    expect(gunzip(concatBytes(packed, utf8ToBytes('garbage')), 10_000)).toEqual(text)
  })

  it('reads the optional parts of the header', () => {
    const header = Uint8Array.from(packed.subarray(0, 10))
    header[3] = 4 | 8 | 16
    const extra = [Uint8Array.of(2, 0, 9, 9), utf8ToBytes('name\0'), utf8ToBytes('comment\0')]
    expect(gunzip(concatBytes(header, ...extra, packed.subarray(10)), 10_000)).toEqual(text)
  })

  it('stops at the limit, in both sizes', () => {
    expect(gunzip(packed, text.length)).toEqual(text)
    expect(() => gunzip(packed, text.length - 1)).toThrow(`max ${text.length - 1} bytes: exceeds limit`)
    expect(() => gunzip(packed, packed.length - 1)).toThrow('exceeds limit')
    const bomb = new Uint8Array(gzipSync(new Uint8Array(50_000_000)))
    expect(() => gunzip(bomb, 800 * 1024)).toThrow('exceeds limit')
  })

  it('refuses damaged files', () => {
    for (let length = 0; length < packed.length; length++) {
      expect(() => gunzip(packed.subarray(0, length), 10_000)).toThrow('not gzip')
    }
    for (const at of [12, packed.length - 8, packed.length - 1]) {
      const damaged = Uint8Array.from(packed)
      damaged[at]! ^= 0x55
      expect(() => gunzip(damaged, 10_000)).toThrow(/not gzip|exceeds limit/)
    }
  })
})
