import { existsSync, readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { nodeErrors } from '../errors.js'
import { homePaths } from '../home/paths.js'
import { writeFileWhole } from '../home/write-file.js'
import { clientForm } from './client-config.js'
import { appForm, cometForm } from './node-config.js'
import type { Settings } from './settings.js'
import { setTomlValue } from './toml-edit.js'
import { type FileForm, flattenToml } from './toml-file.js'

/** A configuration file of a home folder, for the commands that show and change it. */
export interface ConfigFile {
  readonly path: string
  readonly form: FileForm<Settings>
}

/** The file that `name` means: `app`, `config` (also `comet`) or `client`. Throws `badFlag`. */
export function configFile(root: string, name: string): ConfigFile {
  const paths = homePaths(root)
  switch (name.replace(/\.toml$/, '')) {
    case 'app':
      return { path: paths.appToml, form: appForm }
    case 'config':
    case 'comet':
      return { path: paths.configToml, form: cometForm }
    case 'client':
      return { path: paths.clientToml, form: clientForm }
    default:
      throw nodeErrors.badFlag(`configuration "${name}", expected app, config or client`)
  }
}

/** Its text; that of defaults when it is not there. Throws `noHome`. */
export function readConfigText({ path }: ConfigFile): string {
  if (!existsSync(path)) throw nodeErrors.noHome(`${path} is not there; run "coind init <moniker>" first`)
  return readFileSync(path, 'utf8')
}

/** What the file says of a key, or else the default. Throws `badFlag` for a key that nobody knows. */
export function configValue(file: ConfigFile, key: string): unknown {
  const given = new Map(flattenToml(parseToml(readConfigText(file)))).get(key)
  if (given !== undefined) return given
  const setting = file.form.settings[key]
  if (setting === undefined) throw unknownKey(file, key)
  return parseToml(`it = ${setting.toml}`).it
}

function unknownKey({ form }: ConfigFile, key: string) {
  const last = key.split('.').at(-1)!
  const near = Object.keys(form.settings).filter((name) => name.includes(last))
  return nodeErrors.badFlag(
    `${form.name} has no key "${key}"${near.length === 0 ? '; "coind config view" shows all' : `, but ${near.join(', ')}`}`,
  )
}

/** The text with the new value, checked as a start would. `text` is as in a flag: `true`, `500ms`. Throws `badConfig`. */
export function withConfigValue(file: ConfigFile, key: string, text: string, validate = true): string {
  const setting = file.form.settings[key]
  const isKnown = setting !== undefined || file.form.unused.some((name) => key === name || key.startsWith(`${name}.`))
  if (validate && !isKnown) throw unknownKey(file, key)
  const before = setting === undefined ? new Map(flattenToml(parseToml(readConfigText(file)))).get(key) : undefined
  if (setting !== undefined && validate && setting.parse(text) === undefined)
    throw nodeErrors.badConfig(`${key} is ${JSON.stringify(text)}, expected ${setting.expected}`)
  const sample = setting === undefined ? before : parseToml(`it = ${setting.toml}`).it
  return setTomlValue(readConfigText(file), key, tomlOf(text, sample), setting?.about)
}

/** A value in the form of the one that stands there. */
function tomlOf(text: string, sample: unknown): string {
  if (typeof sample === 'boolean' || typeof sample === 'number' || typeof sample === 'bigint') return text
  if (Array.isArray(sample)) {
    const items = text === '' ? [] : text.split(',').map((item) => item.trim())
    return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`
  }
  return JSON.stringify(text)
}

export function writeConfigText({ path }: ConfigFile, text: string): void {
  writeFileWhole(path, text)
}

/** A setting that is not the default. */
export interface ConfigDifference {
  readonly file: string
  readonly key: string
  readonly value: unknown
  readonly default: unknown
}

export function configDifferences(file: ConfigFile): readonly ConfigDifference[] {
  const given = new Map(flattenToml(parseToml(readConfigText(file))))
  return Object.entries(file.form.settings).flatMap(([key, setting]): ConfigDifference[] => {
    const fallback = parseToml(`it = ${setting.toml}`).it
    const value = given.get(key)
    const isSame =
      value === undefined || JSON.stringify(setting.parse(value)) === JSON.stringify(setting.parse(fallback))
    return isSame ? [] : [{ file: file.form.name, key, value, default: fallback }]
  })
}

/** Left out, it is consensus.timeout_commit of config.toml: writing a default would change the block time. */
const meaningfulWhenMissing = new Set(['engine.block-time'])

/** The text with the settings that it lacks, each with its default and comment; and which these are. */
export function withMissingSettings(file: ConfigFile): { readonly text: string; readonly added: readonly string[] } {
  let text = readConfigText(file)
  const given = new Set(flattenToml(parseToml(text)).map(([key]) => key))
  const missing = Object.entries(file.form.settings).filter(
    ([key]) => !given.has(key) && !meaningfulWhenMissing.has(key),
  )
  for (const [key, setting] of missing) text = setTomlValue(text, key, setting.toml, setting.about)
  return { text, added: missing.map(([key]) => key) }
}
