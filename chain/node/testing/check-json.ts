import type { OpenApiDocument, Schema } from '../openapi/openapi-types.js'

/** Where and how a JSON value is not what a schema of the document says. Empty: it is. */
export function checkJson(
  value: unknown,
  schema: Schema,
  { components }: Pick<OpenApiDocument, 'components'>,
  at = '$',
): readonly string[] {
  const wrong = (expected: string): readonly string[] => [
    `${at}: ${JSON.stringify(value)?.slice(0, 80)}, expected ${expected}`,
  ]
  const check = (inner: unknown, its: Schema, where: string): readonly string[] =>
    checkJson(inner, its, { components }, where)
  if (value === null && schema.nullable === true) return []
  if (schema.$ref !== undefined) {
    const target = components.schemas[schema.$ref.replace('#/components/schemas/', '')]
    return target === undefined ? [`${at}: ${schema.$ref} is not in the document`] : check(value, target, at)
  }
  if (schema.allOf !== undefined) return schema.allOf.flatMap((it) => check(value, it, at))
  switch (schema.type) {
    case undefined:
      return []
    case 'string':
      return checkText(value, schema) ? [] : wrong(`a string ${JSON.stringify(schema)}`)
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong('a boolean')
    case 'integer':
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? -Infinity) ? [] : wrong('an integer')
    case 'number':
      return typeof value === 'number' ? [] : wrong('a number')
    case 'array':
      if (!Array.isArray(value)) return wrong('an array')
      return value.flatMap((item, index) => check(item, schema.items ?? {}, `${at}[${index}]`))
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object')
      return checkObject(value as Record<string, unknown>, schema, check, at)
  }
}

function checkObject(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties }: Schema,
  check: (inner: unknown, schema: Schema, where: string) => readonly string[],
  at: string,
): readonly string[] {
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`)
  const inner = Object.entries(value).flatMap(([name, it]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema !== undefined) return check(it, schema, `${at}.${name}`)
    if (typeof additionalProperties === 'object') return check(it, additionalProperties, `${at}.${name}`)
    // Stricter than JSON Schema: what is printed must be in the document.
    return additionalProperties === true ? [] : [`${at}.${name} is not in the document`]
  })
  return [...missing, ...inner]
}

function checkText(value: unknown, { enum: names, pattern, format }: Schema): boolean {
  if (typeof value !== 'string') return false
  if (names !== undefined && !names.includes(value)) return false
  if (format === 'byte' && !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return false
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) return false
  return pattern === undefined || new RegExp(pattern).test(value)
}

/** The operation of a document that answers a verb and path, and the template of the path. */
export function operationAt(
  { paths }: Pick<OpenApiDocument, 'paths'>,
  verb: string,
  path: string,
): { readonly template: string; readonly operation: OpenApiDocument['paths'][string][string] } | undefined {
  const matches = Object.entries(paths).filter(([template, operations]) => {
    if (operations[verb.toLowerCase()] === undefined) return false
    // The last variable may hold slashes.
    const pattern = template.replace(/\{[^}]+\}$/, '.+').replaceAll(/\{[^}]+\}/g, '[^/]+')
    return new RegExp(`^${pattern}$`).test(path)
  })
  // The most literal template, as the router prefers it.
  const literal = (template: string): number => template.replaceAll(/\{[^}]+\}/g, '').length
  const [best] = matches.sort(([a], [b]) => literal(b) - literal(a))
  return best && { template: best[0], operation: best[1][verb.toLowerCase()]! }
}
