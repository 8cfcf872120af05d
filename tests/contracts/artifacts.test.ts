import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// From tests/dist/contracts to the repository's contracts folder.
const contracts = fileURLToPath(new URL('../../../contracts/', import.meta.url))
const artifacts = ['launchpad', 'amm', 'cw20_base']
const codeSizeMax = 800 * 1024

interface Named {
  readonly name: string
  readonly module?: string
}

/** The part of the global that is asked here; its types come only with a browser's. */
const { Module } = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Module: {
    new (bytes: Uint8Array<ArrayBuffer>): object
    exports(module: object): Named[]
    imports(module: object): Named[]
  }
}

const read = (path: string): Uint8Array => readFileSync(join(contracts, path))
const text = (path: string): string => readFileSync(join(contracts, path), 'utf8')
const sha256 = (path: string): string => createHash('sha256').update(read(path)).digest('hex')

/** The files that contracts/build.sh lists: everything that the artifacts are made of, tests left out. */
function listSources(): string[] {
  const inFolders = ['packages', 'contracts'].flatMap((folder) =>
    readdirSync(join(contracts, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(contracts.length).replaceAll('\\', '/'))
      .filter((path) => !path.includes('/tests/')),
  )
  return ['Cargo.toml', 'Cargo.lock', 'build.sh', ...inFolders].sort()
}

/** Lines of `sha256sum`: hash, two blanks, path. */
function readSums(path: string): Map<string, string> {
  const lines = text(path).trimEnd().split('\n')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

describe('contract artifacts', () => {
  it('were built from the sources as they are (else run `npm run contracts`)', () => {
    const recorded = readSums('artifacts/sources.sha256')
    const present = new Map(listSources().map((path) => [path, sha256(path)]))
    const changed = [...new Set([...recorded.keys(), ...present.keys()])].filter(
      (path) => recorded.get(path) !== present.get(path),
    )
    expect(changed).toEqual([])
    expect(present.size).toBeGreaterThan(20)
  })

  it('have the recorded checksums', () => {
    const recorded = readSums('artifacts/checksums.txt')
    expect([...recorded.keys()].sort()).toEqual(artifacts.map((name) => `${name}.wasm`).sort())
    for (const [file, sum] of recorded) expect([file, sha256(`artifacts/${file}`)]).toEqual([file, sum])
  })

  it.each(artifacts)(
    '%s fits on a chain, has the contract interface, and names no folder of a build machine',
    (name) => {
      const bytes = read(`artifacts/${name}.wasm`)
      expect(bytes.length).toBeLessThanOrEqual(codeSizeMax)
      const module = new Module(new Uint8Array(bytes))
      const exported = Module.exports(module).map((entry) => entry.name)
      for (const name of ['interface_version_8', 'allocate', 'deallocate', 'instantiate', 'execute', 'query']) {
        expect(exported).toContain(name)
      }
      expect(exported.filter((name) => name.startsWith('requires_'))).toEqual(['requires_iterator'])
      expect(new Set(Module.imports(module).map((entry) => entry.module))).toEqual(new Set(['env']))
      const folder = /\/(?:root|home|Users|work|tmp|build)\/[\w.-]+/.exec(Buffer.from(bytes).toString('latin1'))
      expect(folder).toBeNull()
    },
  )

  it('answers to the entry points that each contract needs', () => {
    const exportsOf = (name: string) =>
      Module.exports(new Module(new Uint8Array(read(`artifacts/${name}.wasm`)))).map((entry) => entry.name)
    expect(exportsOf('launchpad')).toContain('reply')
    expect(exportsOf('cw20_base')).toContain('migrate')
  })

  it.each(['launchpad', 'amm'])('%s has a schema with its messages', (name) => {
    const schema = JSON.parse(text(`schema/${name}.json`)) as {
      readonly contract_name: string
      readonly execute: { readonly oneOf: readonly { readonly required: readonly string[] }[] }
    }
    expect(schema.contract_name).toBe(name)
    const messages = schema.execute.oneOf.flatMap((variant) => variant.required)
    const expected =
      name === 'amm' ? ['create_pool', 'swap', 'receive'] : ['create_token', 'buy', 'receive', 'graduate']
    for (const message of expected) expect(messages).toContain(message)
  })
})
