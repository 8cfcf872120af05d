/** Who may import whom: architecture.md's table as data. */

interface RoomRule {
  /** Workspace packages (without `@coin/`) whose values and types may be imported. */
  readonly may: readonly string[]
  /** Packages of which only types may be imported, as `room/file`. */
  readonly mayTypes?: readonly string[]
  /** Whether `node:` built-ins are allowed outside tests. */
  readonly builtins: boolean | readonly RegExp[]
}

export const roomRules: Readonly<Record<string, RoomRule>> = {
  'chain/base': { may: [], builtins: false },
  'chain/wire': { may: ['base'], builtins: [/\/native\//, /-node\.ts$/] },
  'chain/store': { may: ['base', 'wire'], builtins: true },
  'chain/engine': { may: ['base', 'wire', 'store'], builtins: [/\/embedded\//] },
  'chain/vm': { may: ['base', 'wire'], builtins: true },
  'chain/runtime': { may: ['base', 'wire', 'store'], mayTypes: ['engine/application'], builtins: false },
  'chain/x': { may: ['base', 'wire', 'runtime'], builtins: false },
  'chain/x/wasm': { may: ['base', 'wire', 'runtime', 'vm'], builtins: false },
  'chain/app': {
    may: ['base', 'wire', 'store', 'runtime', 'x', 'vm'],
    mayTypes: ['engine/application'],
    builtins: false,
  },
  'chain/node': { may: ['base', 'wire', 'store', 'engine', 'runtime', 'x', 'vm', 'app'], builtins: true },
  client: { may: ['base', 'wire'], builtins: false },
  devnet: { may: ['base', 'wire', 'node', 'client'], builtins: true },
}

export interface ImportLine {
  readonly specifier: string
  readonly typeOnly: boolean
}

/** The `from '...'` and `import('...')` of a source text. `import type` and `export type` count as types only. */
export function readImports(text: string): ImportLine[] {
  const lines: ImportLine[] = []
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?\bfrom\s+)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g
  for (const match of text.matchAll(pattern)) {
    const specifier = match[3] ?? match[4]
    if (specifier !== undefined) lines.push({ specifier, typeOnly: match[2] !== undefined })
  }
  return lines
}

/** The most specific rule for a path, with its name. */
export function ruleOf(path: string): { readonly room: string; readonly rule: RoomRule } | undefined {
  const room = Object.keys(roomRules)
    .filter((name) => path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0]
  return room === undefined ? undefined : { room, rule: roomRules[room]! }
}

/** What is wrong with one import, or `undefined`. */
export function checkImport(path: string, line: ImportLine): string | undefined {
  const found = ruleOf(path)
  if (found === undefined) return undefined
  const { room, rule } = found
  const { specifier } = line
  if (specifier.startsWith('node:')) {
    const allowed =
      rule.builtins === true || (Array.isArray(rule.builtins) && rule.builtins.some((at) => at.test(path)))
    return allowed ? undefined : `${room} may not import ${specifier}: inject it as a port`
  }
  const target = /^@coin\/([^/]+)\/?(.*)$/.exec(specifier)
  if (target === null) return specifier.startsWith('.') ? checkRelative(path, specifier, room) : undefined
  const [, name = '', file = ''] = target
  if (rule.may.includes(name)) return undefined
  if (line.typeOnly && rule.mayTypes?.includes(`${name}/${file}`)) return undefined
  return `${room} may not import ${specifier}; it may import ${rule.may.join(', ') || 'nothing'}`
}

/** A relative import stays in its room; a module of chain/x sees a sibling's types only in its own ports.ts. */
function checkRelative(path: string, specifier: string, room: string): string | undefined {
  const target = new URL(specifier, `file:///${path}`).pathname.slice(1)
  const workspace = room === 'chain/x/wasm' ? 'chain/x' : room
  if (!target.startsWith(`${workspace}/`)) return `${specifier} leaves ${workspace}: import it by its package name`
  if (workspace !== 'chain/x') return undefined
  const [from, to] = [path.split('/')[2], target.split('/')[2]]
  const shared = target.split('/').length === 3
  return from === to || shared || path.split('/').length === 3
    ? undefined
    : `module ${from} may not reach into module ${to}: declare a port`
}
