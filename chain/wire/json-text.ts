import { errors, excerpt } from './errors.js'

/** A JSON number with its digits as they were written: 64-bit integers do not fit a JavaScript number. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object with the place of its text; of a key given twice, the last counts, as in Go. */
export class JsonObject {
  readonly members: ReadonlyMap<string, JsonNode>
  readonly start: number
  readonly end: number
  constructor(members: ReadonlyMap<string, JsonNode>, start: number, end: number) {
    this.members = members
    this.start = start
    this.end = end
  }
}

export class JsonArray {
  readonly items: readonly JsonNode[]
  readonly start: number
  readonly end: number
  constructor(items: readonly JsonNode[], start: number, end: number) {
    this.items = items
    this.start = start
    this.end = end
  }
}

export type JsonNode = null | boolean | string | JsonNumber | JsonArray | JsonObject

/** Deepest nesting that is read; deeper input is refused instead of exhausting the stack. */
const depthMax = 1000

const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const space = /[ \t\r\n]*/y

/**
 * Reads JSON without losing digits of numbers or the text of parts, which `JSON.parse` would. Throws `badJson` with the place.
 */
export function parseJson(text: string): JsonNode {
  return new JsonReader(text).readAll()
}

class JsonReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  readAll(): JsonNode {
    this.skipSpace()
    const node = this.value(0)
    this.skipSpace()
    if (this.at !== this.text.length) throw this.bad('text after the end of the value')
    return node
  }

  private bad(what: string): Error {
    const near = this.text.slice(this.at, this.at + 20)
    return errors.badJson(`${what} at character ${this.at}${near === '' ? ' (the end)' : ` near ${excerpt(near)}`}`)
  }

  private skipSpace(): void {
    space.lastIndex = this.at
    space.exec(this.text)
    this.at = space.lastIndex
  }

  private token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at = pattern.lastIndex
    return match[0]
  }

  private value(depth: number): JsonNode {
    if (depth > depthMax) throw this.bad(`nested deeper than ${depthMax} levels`)
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth)
      case '[':
        return this.array(depth)
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default: {
        const digits = this.token(numberToken)
        if (digits === undefined) throw this.bad('expected a value')
        return new JsonNumber(digits)
      }
    }
  }

  private word<T extends JsonNode>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.bad('expected a value')
    this.at += word.length
    return value
  }

  /** Finds the closing quote by hand, which stays flat on megabytes of text; `JSON.parse` then decides about escapes. */
  private string(): string {
    const start = this.at
    let escaped = false
    for (let i = start + 1; i < this.text.length; i++) {
      const code = this.text.charCodeAt(i)
      if (code === 0x22) {
        this.at = i + 1
        return escaped ? this.unescape(this.text.slice(start, this.at), start) : this.text.slice(start + 1, i)
      }
      if (code < 0x20) {
        this.at = i
        throw this.bad('a control character inside a string')
      }
      if (code === 0x5c) {
        escaped = true
        i++
      }
    }
    throw this.bad('a string that is not closed')
  }

  private unescape(token: string, start: number): string {
    try {
      return JSON.parse(token) as string
    } catch {
      this.at = start
      throw this.bad('a string with a bad escape')
    }
  }

  private array(depth: number): JsonArray {
    const start = this.at++
    const items: JsonNode[] = []
    this.skipSpace()
    if (this.text[this.at] === ']') return new JsonArray(items, start, ++this.at)
    for (;;) {
      items.push(this.value(depth + 1))
      this.skipSpace()
      const next = this.text[this.at]
      if (next !== ',' && next !== ']') throw this.bad('expected "," or "]"')
      this.at++
      if (next === ']') return new JsonArray(items, start, this.at)
      this.skipSpace()
    }
  }

  private object(depth: number): JsonObject {
    const start = this.at++
    const members = new Map<string, JsonNode>()
    this.skipSpace()
    if (this.text[this.at] === '}') return new JsonObject(members, start, ++this.at)
    for (;;) {
      if (this.text[this.at] !== '"') throw this.bad('expected a member name')
      const name = this.string()
      this.skipSpace()
      if (this.text[this.at] !== ':') throw this.bad('expected ":"')
      this.at++
      this.skipSpace()
      members.set(name, this.value(depth + 1))
      this.skipSpace()
      const next = this.text[this.at]
      if (next !== ',' && next !== '}') throw this.bad('expected "," or "}"')
      this.at++
      if (next === '}') return new JsonObject(members, start, this.at)
      this.skipSpace()
    }
  }
}

/** Nothing to escape; most strings are so, and the test is cheaper than JSON.stringify. */
const plainText = /^[ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/
const goEscaped = /[<>&\u2028\u2029]/g

/** A JSON string as Go's encoding/json writes it: `<`, `>`, `&` and the line separators are escaped too. */
export function quoteJson(text: string): string {
  if (plainText.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(goEscaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The text of one value without the spaces between tokens, as Go's `json.Compact` with HTML escaping. */
export function compactJson(text: string): string {
  let out = ''
  let from = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      out += text.slice(from, i)
      from = i + 1
    }
  }
  out += text.slice(from)
  return out.replace(goEscaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
