import { parse as parseToml } from 'smol-toml'
import { nodeErrors } from '../errors.js'

/** Where the value of a key stands in the lines of a TOML text. */
interface Place {
  /** Lines of the value, both inclusive. */
  readonly from: number
  readonly to: number
}

/**
 * The text with another value of a key, `api.address`; all else, comments too, stays as it is. A key that is not there is added to its
 * section with a comment. `value` is TOML: `"tcp://localhost:1317"`. Throws `badConfig` for a text that is no TOML then.
 */
export function setTomlValue(text: string, key: string, value: string, comment?: string): string {
  const { section, name } = split(key)
  const lines = text.split('\n')
  const place = findKey(lines, section, name)
  const entry = `${name} = ${value}`
  const next =
    place === undefined ? insert(lines, section, comment === undefined ? [entry] : [`# ${comment}`, entry]) : replaced()
  function replaced(): string[] {
    const indent = /^\s*/.exec(lines[place!.from]!)![0]
    return lines.toSpliced(place!.from, place!.to - place!.from + 1, `${indent}${entry}`)
  }
  const result = next.join('\n')
  try {
    parseToml(result)
  } catch (error) {
    throw nodeErrors.badConfig(`${key} = ${value} is no TOML: ${(error as Error).message.split('\n')[0]}`)
  }
  return result
}

function split(key: string): { readonly section: string; readonly name: string } {
  const dot = key.lastIndexOf('.')
  return { section: dot < 0 ? '' : key.slice(0, dot), name: key.slice(dot + 1) }
}

/** The name in `[name]`; undefined for other lines. */
const sectionOf = (line: string): string | undefined => /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim()

function findKey(lines: readonly string[], section: string, name: string): Place | undefined {
  let current = ''
  for (const [at, line] of lines.entries()) {
    current = sectionOf(line) ?? current
    const found = /^\s*(?:"([^"]+)"|([A-Za-z0-9_-]+))\s*=/.exec(line)
    if (current !== section || (found?.[1] ?? found?.[2]) !== name) continue
    return { from: at, to: endOfValue(lines, at) }
  }
  return undefined
}

/** A list may go over several lines. */
function endOfValue(lines: readonly string[], from: number): number {
  for (let to = from; to < lines.length; to++) {
    try {
      parseToml(lines.slice(from, to + 1).join('\n'))
      return to
    } catch {
      // not whole yet
    }
  }
  return from
}

function insert(lines: readonly string[], section: string, added: readonly string[]): string[] {
  const begin = section === '' ? -1 : lines.findIndex((line) => sectionOf(line) === section)
  if (section !== '' && begin < 0) {
    const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines
    return [...body, '', `[${section}]`, '', ...added, '']
  }
  const next = lines.findIndex((line, at) => at > begin && sectionOf(line) !== undefined)
  let end = next < 0 ? lines.length : next
  while (end > begin + 1 && lines[end - 1]!.trim() === '') end--
  return lines.toSpliced(end, 0, '', ...added)
}
