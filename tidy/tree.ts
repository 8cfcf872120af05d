import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root: this file runs from tidy/dist. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the insides of string literals, line breaks kept: for looking for calls. */
  readonly code: string
}

/** Everything git tracks or would track. */
export function listFiles(): string[] {
  const out = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return [...new Set(out.split('\n').filter((line) => line !== ''))].sort()
}

/** Hand-written TypeScript; generated code is in folders named `gen`, AssemblyScript ends in `.as.ts`. */
export function listSources(): SourceFile[] {
  return listFiles()
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.as.ts') && !path.includes('/gen/'))
    .flatMap((path) => {
      try {
        const text = readFileSync(join(root, path), 'utf8')
        return [{ path, text, code: stripNonCode(text) }]
      } catch {
        return [] // tracked but deleted in the working tree
      }
    })
}

export function isTest(path: string): boolean {
  return (
    path.endsWith('.test.ts') || path.startsWith('tests/') || path.startsWith('tidy/') || path.includes('/testing/')
  )
}

/** Removes comments and blanks string contents. A template's `${}` parts go too, which is fine for a search of calls. */
export function stripNonCode(text: string): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
  return text.replace(pattern, (match) => {
    const breaks = match.replace(/[^\n]/g, '')
    return match.startsWith('/') ? breaks : `''${breaks}`
  })
}

/** `path:line` of every match of `pattern` in the code of `file`. */
export function findInCode(file: SourceFile, pattern: RegExp): string[] {
  return file.code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}`] : []))
}
