import type { Json } from '@coin/wire/json'
import { JsonArray, type JsonNode, JsonNumber, JsonObject, parseJson } from '@coin/wire/json-text'

export type OutputFormat = 'text' | 'json'

/** JSON on one line, or the same value as YAML, as the reference prints it. */
export function formatOutput(value: Json, format: OutputFormat): string {
  return formatJsonText(JSON.stringify(value), format)
}

/** As `formatOutput`, of JSON text on one line: numbers keep their digits, however many they have. */
export function formatJsonText(text: string, format: OutputFormat): string {
  return format === 'json' ? text : formatYaml(parseJson(text)).join('\n')
}

const plainWord = /^[A-Za-z0-9_/][A-Za-z0-9_/.:@+=,() -]*$/
const isSyntax = /: | #|[: ]$/
const printable = /^[\x20-\x7e]+$/
/** What YAML reads as a truth value, a number or a time. */
const isOtherType =
  /^(?:true|false|null|yes|no|on|off|y|n|~|[-+]?[0-9.][0-9_,.:]*(?:e[-+]?[0-9]*)?|0x[0-9a-f_]*|0[ob][0-9_]*|[0-9]{4}-[0-9-]+(?:[t ].*)?|)$/i

/** Quotes as the reference does: only where they are needed, so that a script may cut a word out of a line. */
function formatText(text: string): string {
  if (isOtherType.test(text)) return JSON.stringify(text)
  if (plainWord.test(text) && !isSyntax.test(text)) return text
  return printable.test(text) ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text)
}

function formatScalar(node: JsonNode): string {
  if (typeof node === 'string') return formatText(node)
  return node instanceof JsonNumber ? node.text : String(node)
}

function formatYaml(node: JsonNode): string[] {
  if (node instanceof JsonArray) {
    if (node.items.length === 0) return ['[]']
    return node.items.flatMap((item) => formatYaml(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)))
  }
  if (!(node instanceof JsonObject)) return [formatScalar(node)]
  if (node.members.size === 0) return ['{}']
  return [...node.members].flatMap(([name, child]) => {
    const lines = formatYaml(child)
    const isBlock =
      (child instanceof JsonArray || child instanceof JsonObject) && lines[0] !== '[]' && lines[0] !== '{}'
    if (!isBlock) return [`${formatText(name)}: ${lines[0]}`]
    return [`${formatText(name)}:`, ...lines.map((line) => (child instanceof JsonArray ? line : `  ${line}`))]
  })
}
