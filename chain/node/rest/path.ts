/** Path and query of a request line, which a proxy's client sends as a whole URL. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)]
}

/**
 * The path that is meant by one with doubled slashes and dots: `//a/./b/../c/` is `/a/c/`. The reference redirects there; a POST
 * would lose its body on the way.
 */
export function cleanPath(path: string): string {
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const last = segments.at(-1)
  return `/${kept.join('/')}${kept.length > 0 && (last === '' || last === '.' || last === '..') ? '/' : ''}`
}
