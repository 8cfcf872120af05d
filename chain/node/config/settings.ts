import { type DecCoins, parseDecCoins } from '@coin/wire/coins'
import { parseDurationNs } from '@coin/wire/time'

/** One key of a configuration file: how its value is read, and how its default stands in the file. */
export interface Setting<T> {
  /** For error messages: `a duration like "1s"`. */
  readonly expected: string
  /** The default as TOML. */
  readonly toml: string
  /** The comment above the key. */
  readonly about: string
  /** The value, or `undefined` when `raw`, a TOML value or the text of a flag or of the environment, is not one. */
  parse(raw: unknown): T | undefined
}

export type Settings = Readonly<Record<string, Setting<unknown>>>

/** The values of settings by key. */
export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

const quoted = (text: string): string => JSON.stringify(text)

export function text(fallback: string, about: string): Setting<string> {
  const parse = (raw: unknown) => (typeof raw === 'string' ? raw : undefined)
  return { expected: 'a string', toml: quoted(fallback), about, parse }
}

export function flag(fallback: boolean, about: string): Setting<boolean> {
  const words = new Map<unknown, boolean>([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
  ])
  return { expected: 'true or false', toml: String(fallback), about, parse: (raw) => words.get(raw) }
}

/** `asText`: the reference writes some of its integers in quotes. Both forms are read. */
export function integer(
  fallback: number,
  about: string,
  limits: { min?: number; max?: number; asText?: boolean } = {},
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, asText = false } = limits
  function parse(raw: unknown): number | undefined {
    const value = typeof raw === 'string' && /^-?[0-9]{1,16}$/.test(raw) ? Number(raw) : raw
    return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : undefined
  }
  const expected =
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`
  return { expected, toml: asText ? quoted(String(fallback)) : String(fallback), about, parse }
}

/** In milliseconds, at most a day. */
export function duration(fallback: string, about: string): Setting<number> {
  function parse(raw: unknown): number | undefined {
    if (typeof raw !== 'string') return undefined
    try {
      const ms = Number(parseDurationNs(raw) / 1_000_000n)
      return ms >= 0 && ms <= 86_400_000 ? ms : undefined
    } catch {
      return undefined
    }
  }
  return { expected: 'a duration like "1s" or "500ms", at most 24 hours', toml: quoted(fallback), about, parse }
}

export function oneOf<const T extends string>(choices: readonly T[], fallback: T, about: string): Setting<T> {
  const parse = (raw: unknown) => choices.find((choice) => choice === raw)
  return { expected: `one of ${choices.map(quoted).join(', ')}`, toml: quoted(fallback), about, parse }
}

/** A list of strings; in a flag or the environment separated by commas. */
export function list(fallback: readonly string[], about: string): Setting<readonly string[]> {
  function parse(raw: unknown): readonly string[] | undefined {
    if (typeof raw === 'string') return raw === '' ? [] : raw.split(',').map((item) => item.trim())
    return Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : undefined
  }
  return { expected: 'a list of strings', toml: `[${fallback.map(quoted).join(', ')}]`, about, parse }
}

/** `tcp://127.0.0.1:26657`, `localhost:9090`, `:1317` (every interface), `[::1]:80`. Port 0 takes a free one. */
export function address(fallback: string, about: string): Setting<ListenAddress> {
  return {
    expected: 'an address like "tcp://127.0.0.1:26657"',
    toml: quoted(fallback),
    about,
    parse: parseListenAddress,
  }
}

function parseListenAddress(raw: unknown): ListenAddress | undefined {
  const match = typeof raw === 'string' ? /^(?:tcp:\/\/)?(\[[0-9a-fA-F:]+\]|[^:/\s]*):([0-9]{1,5})$/.exec(raw) : null
  if (match === null || Number(match[2]) > 65_535) return undefined
  const host = match[1]!.replace(/^\[(.*)\]$/, '$1')
  return { host: host === '' ? '0.0.0.0' : host, port: Number(match[2]) }
}

export function gasPrices(fallback: string, about: string): Setting<DecCoins> {
  function parse(raw: unknown): DecCoins | undefined {
    if (typeof raw !== 'string') return undefined
    try {
      return parseDecCoins(raw)
    } catch {
      return undefined
    }
  }
  return { expected: 'prices like "0.025ucoin"', toml: quoted(fallback), about, parse }
}
