import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInCode, isTest, listFiles, listSources, root, stripNonCode } from './tree.js'

const sources = listSources()
const stateMachine = /^chain\/(runtime|x|app)\//
const chain = /^chain\//

interface Ban {
  readonly where: RegExp
  readonly what: RegExp
  /** What to do instead. */
  readonly instead: string
  readonly except?: RegExp
}

const bans: readonly Ban[] = [
  { where: stateMachine, what: /\bDate\b/, instead: "the block header's time (ctx.time)" },
  {
    where: stateMachine,
    what: /\bMath\.random\b|\brandomBytes\b/,
    instead: 'nothing: the state machine has no chance',
  },
  { where: stateMachine, what: /\basync\b|\bawait\b|\bPromise\b/, instead: 'synchronous code; wait in engine or node' },
  {
    where: stateMachine,
    what: /\bparseFloat\b|\btoFixed\b|\btoLocale\w+|\bIntl\b/,
    instead: 'bigint and chain/wire/dec',
  },
  { where: stateMachine, what: /\bprocess\.|\bsetTimeout\b|\bconsole\./, instead: 'an injected logger or clock' },
  { where: /^chain\/(base|wire|store|engine|vm)\//, what: /\bMath\.random\b/, instead: 'injected randomness' },
  { where: /^chain\/(base|wire|engine|vm)\//, what: /\bDate\.now\b|\bnew Date\(\)/, instead: 'the injected Clock' },
  { where: chain, what: /throw new Error\(/, instead: 'defineErrors (the user is at fault) or assert (we are)' },
  {
    where: /^(chain|client|services|web|devnet)\//,
    what: /\bconsole\.log\b/,
    instead: 'the logger, or stdout of the CLI',
  },
  { where: /./, what: /\bexport \*/, instead: 'named exports' },
  { where: /./, what: /^\s*(?:export\s+)?(?:const\s+)?enum\s/, instead: 'an `as const` object' },
  {
    where: /./,
    what: /\.(?:skip|only|todo)\(/,
    instead: 'a test that runs, or a counted skip that prints why (skipIf)',
  },
  { where: /./, what: /@ts-ignore|@ts-nocheck|\bas any\b/, instead: 'the right type' },
]

describe('house rules', () => {
  for (const ban of bans) {
    it(`no ${ban.what.source} in ${ban.where.source}: use ${ban.instead}`, () => {
      const hits = sources
        .filter((file) => ban.where.test(file.path) && (!isTest(file.path) || ban.where.source === '.'))
        .filter((file) => !file.path.startsWith('tidy/'))
        .flatMap((file) => findInCode(file, ban.what))
      expect(hits).toEqual([])
    })
  }

  it('files stay under 400 lines', () => {
    const long = sources.flatMap((file) => {
      const lines = file.text.split('\n').length - 1
      return lines > 400 ? [`${file.path}: ${lines}`] : []
    })
    expect(long).toEqual([])
  })

  it('names are kebab-case, and no folder is a junk drawer', () => {
    const bad = sources
      .map((file) => file.path)
      .filter((path) => !/^[a-z0-9./_-]+$/.test(path) || /\/(utils?|helpers?|common|misc)(\/|\.ts)/.test(path))
    expect(bad).toEqual([])
  })

  it('package.json has at most 12 scripts, and every dependency is pinned exactly', () => {
    const manifests = listFiles().filter((path) => path.endsWith('package.json'))
    for (const path of manifests) {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
      expect(Object.keys(manifest.scripts ?? {}).length, path).toBeLessThanOrEqual(12)
      const ranges = Object.entries({
        ...manifest.dependencies,
        ...manifest.devDependencies,
        ...manifest.overrides,
        ...manifest.overrides?.['@cosmjs/encoding'],
      })
      const loose = ranges.filter(
        ([, range]) => typeof range === 'string' && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(range)),
      )
      expect(loose, path).toEqual([])
    }
  })

  it('lint and format are clean (Biome)', () => {
    const biome = join(root, 'node_modules', '.bin', 'biome')
    const run = () =>
      execFileSync(biome, ['check', '--max-diagnostics=20', '.'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    expect(run).not.toThrow()
  })
})

describe('the rules themselves', () => {
  it('see calls but not comments or strings', () => {
    const file = { path: 'x.ts', text: '', code: stripNonCode("// Date.now()\nconst a = 'Date.now()'\nDate.now()\n") }
    expect(findInCode(file, /Date\.now/)).toEqual(['x.ts:3'])
  })
})
