import { defineErrors } from '@coin/base/errors'
import { parseTime } from '@coin/engine/comet/time'

export const queryErrors = defineErrors('query', {
  badQuery: [1, 'invalid query'],
  badCursor: [2, 'invalid cursor'],
  tooMuch: [3, 'the query looks at too much'],
})

/**
 * CometBFT's query language (libs/pubsub/query/syntax), shared by tx search, block search and subscriptions:
 *
 *     conditions = condition { "AND" condition }
 *     condition  = tag ( "=" (string | number | time | date) | ("<" "<=" ">" ">=") (number | time | date)
 *                      | "CONTAINS" string | "EXISTS" )
 *
 * Strings stand in single quotes and have no escapes; numbers may have a fraction; `TIME 2023-11-14T22:13:20Z`,
 * `DATE 2023-11-14`.
 */
export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'

export interface Operand {
  readonly kind: 'string' | 'number' | 'time' | 'date'
  /** As written, without quotes and without the word TIME or DATE. */
  readonly text: string
}

export interface Condition {
  /** Event type and attribute: `transfer.recipient`. */
  readonly tag: string
  readonly operator: Operator
  /** Absent for EXISTS. */
  readonly operand?: Operand
}

/** All conditions must hold; never empty. */
export type Query = readonly Condition[]

interface Token {
  readonly kind: Operand['kind'] | 'tag' | 'operator' | 'and' | 'end'
  readonly text: string
  readonly at: number
}

const space = /\s+/y
const stringToken = /'([^']*)'/y
const compareToken = /<=|>=|=|<|>/y
const numberToken = /\d+(?:\.\d*)?/y
const tagToken = /[\p{L}\p{Nd}_][\p{L}\p{Nd}._-]*/uy
const timeToken = /[-T:+Z\d]*/y
const dateToken = /[-\d]*/y

/** Longest query that RPC takes, as in CometBFT. */
export const queryLengthMax = 512

/** Longest query of all; REST joins several. Each condition has a list that is walked. */
const queryTextMax = 4096

/** Throws `badQuery` with the offset and what was expected there. */
export function parseQuery(text: string): Query {
  if (text.length > queryTextMax)
    throw queryErrors.badQuery(`it has ${text.length} characters, at most ${queryTextMax} are taken`)
  const tokens = readTokens(text)
  let next = 0
  const take = () => tokens[next++]!
  const expect = (expected: string, ...kinds: Token['kind'][]) => {
    const token = take()
    if (!kinds.includes(token.kind)) throw unexpected(token, expected)
    return token
  }

  const conditions: Condition[] = []
  for (;;) {
    const tag = expect('a tag', 'tag').text
    const operator = expect('=, <, <=, >, >=, CONTAINS or EXISTS', 'operator').text as Operator
    if (operator === 'EXISTS') conditions.push({ tag, operator })
    else conditions.push({ tag, operator, operand: readOperand(operator, take()) })
    const end = expect('AND or the end', 'and', 'end')
    if (end.kind === 'end') return conditions
  }
}

function readOperand(operator: Operator, token: Token): Operand {
  const { kind, text } = token
  const allowed: readonly string[] =
    operator === '='
      ? ['string', 'number', 'time', 'date']
      : operator === 'CONTAINS'
        ? ['string']
        : ['number', 'time', 'date']
  if (!allowed.includes(kind)) throw unexpected(token, `${allowed.join(' or ')} after ${operator}${quotesHint(token)}`)
  return { kind: kind as Operand['kind'], text }
}

/** The slip that is made most: a text without quotes. */
function quotesHint({ kind, text }: Token): string {
  return kind === 'tag' ? `; a text stands in single quotes: '${text.slice(0, 80)}'` : ''
}

function notPart(text: string, at: number): Error {
  const hint =
    text[at] === '"' ? '; a text stands in single quotes' : text[at] === "'" ? '; its closing quote is missing' : ''
  return queryErrors.badQuery(`offset ${at}: "${text.slice(at, at + 10)}" is not part of the query language${hint}`)
}

function unexpected({ kind, text, at }: Token, expected: string): Error {
  return queryErrors.badQuery(
    `offset ${at}: got ${kind === 'end' ? 'the end' : `"${text.slice(0, 80)}"`}, expected ${expected}`,
  )
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  for (;;) {
    match(space)
    const start = at
    if (at >= text.length) return [...tokens, { kind: 'end', text: '', at }]
    const quoted = match(stringToken)
    const plain = quoted ? null : (match(compareToken) ?? match(numberToken) ?? match(tagToken))
    if (quoted) tokens.push({ kind: 'string', text: quoted[1]!, at: start })
    else if (plain) tokens.push(wordToken(plain[0], start, match, text))
    else throw notPart(text, at)
  }
}

function wordToken(word: string, at: number, match: (pattern: RegExp) => RegExpExecArray | null, text: string): Token {
  if (/^[<>=]/.test(word) || word === 'CONTAINS' || word === 'EXISTS') return { kind: 'operator', text: word, at }
  if (/^\d/.test(word)) return { kind: 'number', text: word, at }
  if (word === 'AND') return { kind: 'and', text: word, at }
  const isMoment = (word === 'TIME' || word === 'DATE') && text[at + word.length] === ' '
  if (!isMoment) return { kind: 'tag', text: word, at }
  match(space)
  const moment = match(word === 'TIME' ? timeToken : dateToken)![0]
  if (!isYear(moment) || readMoment(moment) === undefined)
    throw queryErrors.badQuery(`offset ${at}: "${moment}" is not a ${word}`)
  return { kind: word === 'TIME' ? 'time' : 'date', text: moment, at }
}

/** As in CometBFT: what is outside is a slip of the pen. */
const isYear = (text: string) => /^(?:19|2\d)\d\d-/.test(text)

/** Nanoseconds since the epoch of a TIME or DATE value; `undefined` for anything else. */
export function readMoment(text: string): bigint | undefined {
  try {
    return parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  } catch {
    return undefined
  }
}

/** The query as one text again, in a fixed form: equal for queries that mean the same tokens. */
export function formatQuery(query: Query): string {
  return query
    .map(({ tag, operator, operand }) => {
      if (!operand) return `${tag} ${operator}`
      const { kind, text } = operand
      const value = kind === 'string' ? `'${text}'` : kind === 'number' ? text : `${kind.toUpperCase()} ${text}`
      return `${tag} ${operator} ${value}`
    })
    .join(' AND ')
}
