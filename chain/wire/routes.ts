import { assert } from '@coin/base/assert'
import type { Descriptors, HttpRule, MethodDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'

/** One `google.api.http` binding of one method. */
export interface Route {
  readonly rule: HttpRule
  readonly method: MethodDescriptor
}

export interface RouteMatch extends Route {
  /** Field path -> decoded text from the URL path: `{ address: 'coin1...' }`. */
  readonly params: Readonly<Record<string, string>>
  /** A route with the same path template: two methods may share one, for text and for bytes. */
  readonly other: RouteMatch | undefined
}

export interface Routes {
  /** Every route, in the order of the .proto files. */
  readonly all: readonly Route[]
  /**
   * The route of a verb (`GET`) and a path as it stands in the request line, percent-encoded and without its query. A literal
   * segment wins over a variable, and a variable over one that takes several segments. A variable may be empty, as in
   * grpc-gateway: `/txs/` is a hash that is missing. Throws `badRoute` for bad encoding.
   */
  match(verb: string, path: string): RouteMatch | undefined
  /** Verbs that the path has routes for; empty when there is no such path. */
  verbsOf(path: string): readonly string[]
}

interface TreeNode {
  readonly literals: Map<string, TreeNode>
  /** One segment, whatever it says. */
  variable: TreeNode | undefined
  /** Route that ends here, by verb. */
  readonly ends: Map<string, Leaf>
  /** Route whose last variable takes this segment and all that follow, by verb. */
  readonly rests: Map<string, Leaf>
}

/** Which segments go to which variable. `end` undefined: to the last. */
interface Variable {
  readonly path: string
  readonly start: number
  readonly end: number | undefined
}

interface Leaf {
  readonly route: Route
  readonly variables: readonly Variable[]
}

const newNode = (): TreeNode => ({ literals: new Map(), variable: undefined, ends: new Map(), rests: new Map() })

/** All REST routes of the chain, from the descriptors alone. */
export function createRoutes(descriptors: Descriptors): Routes {
  const root = newNode()
  const all: Route[] = []
  for (const service of descriptors.services()) {
    for (const method of service.methods) {
      for (const rule of method.http) {
        const route = { rule, method }
        all.push(route)
        addRoute(root, route, descriptors)
      }
    }
  }
  function match(verb: string, path: string): RouteMatch | undefined {
    const segments = splitPath(path)
    const [best, ...others] = find(root, segments, 0, verb)
    if (best === undefined) return undefined
    const same = others.filter(({ route }) => shapeOf(route) === shapeOf(best.route))
    return [best, ...same].reduceRight<RouteMatch | undefined>(
      (other, leaf) => ({ ...leaf.route, params: paramsOf(leaf, segments), other }),
      undefined,
    )
  }
  const verbs = [...new Set(all.map(({ rule }) => rule.verb))]
  return { all, match, verbsOf: (path) => verbs.filter((verb) => find(root, splitPath(path), 0, verb).length > 0) }
}

/** A template without the names of its variables. */
const shapeOf = ({ rule }: Route): string => rule.path.replace(/\{[^}]*\}/g, '{}')

function splitPath(path: string): readonly string[] {
  return path.replace(/^\//, '').split('/')
}

/** `{`, the field path, and what it stands for when that is given. */
const variablePattern = /^\{([^{}=]+)(?:=(\*\*?))?\}$/

function addRoute(root: TreeNode, route: Route, descriptors: Descriptors): void {
  const parts = splitPath(route.rule.path)
  const variables: Variable[] = []
  let node = root
  for (const [index, part] of parts.entries()) {
    const variable = variablePattern.exec(part)
    if (variable === null) {
      assert(!part.includes('{'), `path template ${route.rule.path} is of a form that is not supported`)
      const next = node.literals.get(part) ?? newNode()
      node.literals.set(part, next)
      node = next
      continue
    }
    const isLast = index === parts.length - 1
    assert(variable[2] !== '**' || isLast, `path template ${route.rule.path} has ** before its end`)
    const path = variable[1]!
    const takesRest = isLast && (variable[2] === '**' || isBytesField(route.method, path, descriptors))
    variables.push({ path, start: index, end: takesRest ? undefined : index + 1 })
    if (takesRest) {
      addLeaf(node.rests, { route, variables })
      return
    }
    node.variable ??= newNode()
    node = node.variable
  }
  addLeaf(node.ends, { route, variables })
}

/** The first route of the .proto files stays, as in grpc-gateway. */
function addLeaf(leaves: Map<string, Leaf>, leaf: Leaf): void {
  const { verb } = leaf.route.rule
  if (!leaves.has(verb)) leaves.set(verb, leaf)
}

/** A bytes variable at the end takes slashes too: standard base64 has them, and clients do not always escape. */
function isBytesField(method: MethodDescriptor, path: string, descriptors: Descriptors): boolean {
  const { fields } = descriptors.requireMessage(method.input)
  return fields.some((field) => field.name === path && field.kind === 'bytes')
}

/** The best first. */
function find(node: TreeNode, segments: readonly string[], index: number, verb: string): readonly Leaf[] {
  const ended = node.ends.get(verb)
  if (index === segments.length) return ended === undefined ? [] : [ended]
  const segment = segments[index]!
  const literal = node.literals.get(segment)
  const rest = node.rests.get(verb)
  return [
    ...(literal === undefined ? [] : find(literal, segments, index + 1, verb)),
    ...(node.variable === undefined ? [] : find(node.variable, segments, index + 1, verb)),
    ...(rest === undefined ? [] : [rest]),
  ]
}

function paramsOf({ variables }: Leaf, segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const { path, start, end } of variables) params[path] = segments.slice(start, end).map(decodeSegment).join('/')
  return params
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw errors.badRoute(`${excerpt(segment)} is not percent-encoded UTF-8`)
  }
}
