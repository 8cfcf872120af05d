import { existsSync, readFileSync } from 'node:fs'
import { parse as parseToml, TomlError } from 'smol-toml'
import { fileReason, nodeErrors } from '../errors.js'
import type { Settings, Values } from './settings.js'

/** One configuration file: its settings and the keys that are accepted and not used. */
export interface FileForm<S extends Settings> {
  /** `app.toml` */
  readonly name: string
  readonly settings: S
  /** A key, or a section with everything in it. */
  readonly unused: readonly string[]
}

/** Values that go before those of the file, by key: text from flags and the environment, with where it came from. */
export type Overrides = ReadonlyMap<string, { readonly text: string; readonly from: string }>

export interface FileValues<S extends Settings> {
  readonly values: Values<S>
  /** Keys that were set in the file or by an override. */
  readonly given: ReadonlySet<string>
  /** What an operator should know: unknown keys. */
  readonly warnings: readonly string[]
}

/** Reads and validates a file; a file that is not there is all defaults. Throws `badConfig` with file, key, value and expectation. */
export function readTomlFile<S extends Settings>(path: string, form: FileForm<S>, overrides: Overrides): FileValues<S> {
  const given = new Map<string, { raw: unknown; from: string }>()
  const warnings: string[] = []
  for (const [key, raw] of existsSync(path) ? flattenToml(parseFile(path)) : []) {
    if (Object.hasOwn(form.settings, key)) given.set(key, { raw, from: `${path}: ${key}` })
    else if (!isUnused(key, form.unused)) warnings.push(`${path}: unknown key ${key} is ignored`)
  }
  for (const [key, { text, from }] of overrides)
    if (Object.hasOwn(form.settings, key)) given.set(key, { raw: text, from })
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(form.settings)) {
    const { raw, from } = given.get(key) ?? { raw: parseToml(`it = ${setting.toml}`).it, from: `default of ${key}` }
    const value = setting.parse(raw)
    if (value === undefined)
      throw nodeErrors.badConfig(`${from} is ${JSON.stringify(raw)}, expected ${setting.expected}`)
    values[key] = value
  }
  return { values: values as Values<S>, given: new Set(given.keys()), warnings }
}

function parseFile(path: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof TomlError)
      throw nodeErrors.badConfig(`${path} line ${error.line}: ${error.message.split('\n')[0]}`)
    throw nodeErrors.badFile(`${path}: ${fileReason(error)}`)
  }
}

/** `{ api: { enable: true } }` -> `['api.enable', true]`. */
export function flattenToml(table: Readonly<Record<string, unknown>>, prefix = ''): [key: string, value: unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    return isTable ? flattenToml(value as Record<string, unknown>, `${prefix}${name}.`) : [[`${prefix}${name}`, value]]
  })
}

function isUnused(key: string, unused: readonly string[]): boolean {
  return unused.some((entry) => key === entry || key.startsWith(`${entry}.`))
}

/** The text of a new file: every setting with its comment; `changed` gives TOML values that are not the default. */
export function formatTomlFile<S extends Settings>(form: FileForm<S>, changed: ReadonlyMap<string, string>): string {
  const lines = [`# ${form.name}. Values here can be overridden by flags and by COIND_ environment variables.`]
  let section = ''
  for (const [key, setting] of Object.entries(form.settings)) {
    const dot = key.indexOf('.')
    const inside = dot < 0 ? '' : key.slice(0, dot)
    if (inside !== section) {
      section = inside
      lines.push('', `[${section}]`)
    }
    lines.push('', `# ${setting.about}`, `${key.slice(dot + 1)} = ${changed.get(key) ?? setting.toml}`)
  }
  return `${lines.join('\n')}\n`
}
