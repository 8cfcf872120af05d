import type { Json } from '@coin/wire/json'

export type OutputFormat = 'text' | 'json'

/** JSON on one line, or the same value as YAML, as the reference prints it. */
export function formatOutput(value: Json, format: OutputFormat): string {
  return format === 'json' ? JSON.stringify(value) : formatYaml(value).join('\n')
}

const plainWord = /^[A-Za-z_/][A-Za-z0-9_/.@:+= -]*$/
const meansSomethingElse = /^(?:true|false|null|yes|no|on|off|y|n|~)$|: | #|[: ]$/i

function formatScalar(value: null | boolean | number | string): string {
  if (typeof value !== 'string') return String(value)
  return plainWord.test(value) && !meansSomethingElse.test(value) ? value : JSON.stringify(value)
}

function formatYaml(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [formatScalar(value)]
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]']
    return (value as readonly Json[]).flatMap((item) =>
      formatYaml(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)),
    )
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>)
  if (members.length === 0) return ['{}']
  return members.flatMap(([name, child]) => {
    const lines = formatYaml(child)
    const isBlock = typeof child === 'object' && child !== null && lines[0] !== '[]' && lines[0] !== '{}'
    if (!isBlock) return [`${formatScalar(name)}: ${lines[0]}`]
    return [`${formatScalar(name)}:`, ...lines.map((line) => (Array.isArray(child) ? line : `  ${line}`))]
  })
}
