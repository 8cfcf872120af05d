import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inputsHash } from '../gen/descriptor-set.js'

// This file runs from chain/wire/dist/protobuf.
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const generator = join(root, 'proto/generate.mjs')
const gen = join(root, 'chain/wire/gen')

function contents(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return new Map(names.sort().map((name) => [name, readFileSync(join(dir, name), 'utf8')]))
}

describe('generated code', () => {
  it('was made from the .proto files and the generator as they are now', async () => {
    const module = (await import(pathToFileURL(generator).href)) as { inputsHash(): string }
    expect(inputsHash, 'run "npm run gen" and commit chain/wire/gen').toBe(module.inputsHash())
  })

  it.skipIf(!existsSync(join(root, 'node_modules/.bin/buf')))('is what the generator makes, byte for byte', () => {
    const fresh = mkdtempSync(join(tmpdir(), 'gen-check-'))
    try {
      execFileSync(process.execPath, [generator, fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
      const made = contents(fresh)
      const committed = contents(gen)
      expect([...made.keys()]).toEqual([...committed.keys()])
      for (const [name, text] of made) expect(text === committed.get(name), `${name} is stale`).toBe(true)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  })
})
