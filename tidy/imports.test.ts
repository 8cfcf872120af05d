import { describe, expect, it } from 'vitest'
import { checkImport, readImports } from './imports.js'
import { isTest, listSources } from './tree.js'

describe('import rules', () => {
  it('hold in every source file', () => {
    const broken = listSources()
      .filter((file) => !isTest(file.path))
      .flatMap((file) =>
        readImports(file.text).flatMap((line) => {
          const problem = checkImport(file.path, line)
          return problem === undefined ? [] : [`${file.path}: ${problem}`]
        }),
      )
    expect(broken).toEqual([])
  })

  it('are noticed when broken', () => {
    const value = { specifier: '@coin/node/start', typeOnly: false }
    expect(checkImport('chain/runtime/gas.ts', value)).toContain('may not import')
    expect(checkImport('chain/x/bank/keeper.ts', { specifier: 'node:fs', typeOnly: false })).toContain('port')
    expect(checkImport('chain/x/bank/keeper.ts', { specifier: '../auth/keeper.js', typeOnly: false })).toContain('auth')
    expect(checkImport('chain/x/bank/keeper.ts', { specifier: '@coin/vm/vm', typeOnly: false })).toContain('may not')
    expect(checkImport('chain/x/wasm/keeper.ts', { specifier: '@coin/vm/vm', typeOnly: false })).toBeUndefined()
    const application = '@coin/engine/application'
    expect(checkImport('chain/runtime/application.ts', { specifier: application, typeOnly: true })).toBeUndefined()
    expect(checkImport('chain/runtime/application.ts', { specifier: application, typeOnly: false })).toContain(
      'may not',
    )
  })

  it('are read from every form of import', () => {
    const text =
      "import type { A } from 'a'\nimport { b,\n c } from 'b'\nimport 'c'\nexport { d } from 'd'\nconst e = await import('e')\n"
    expect(readImports(text).map((line) => line.specifier)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(readImports(text)[0]!.typeOnly).toBe(true)
  })
})
