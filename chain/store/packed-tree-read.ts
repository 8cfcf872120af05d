import type { Bytes } from '@coin/base/bytes'
import { compareToNode, field, type PackedArena, prefixWord } from './packed-arena.js'
import type { KeyPath, KeyRange, LeafPath, PathStep } from './tree.js'

/** Readers of one root's tree. They write nothing, so a root of a retained version may be read in any thread. */
type Nodes = Pick<PackedArena, 'words' | 'bytes' | 'keyOf' | 'hashOf'>

export function hasKey(nodes: Nodes, root: number, key: Bytes): boolean {
  if (root === 0) return false
  const { words, bytes } = nodes
  const p0 = prefixWord(key, 0)
  const p1 = prefixWord(key, 4)
  let node = root
  while ((words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
    const side = compareToNode(words, bytes, key, p0, p1, node) < 0 ? field.left : field.right
    node = words[node * 16 + side]!
  }
  return compareToNode(words, bytes, key, p0, p1, node) === 0
}

/** Numbers of the nodes from the root to a leaf. */
type Way = number[]

/** The way on from the last node of `way` along one side down to a leaf. */
function followSide(nodes: Nodes, way: Way, side: 0 | 1): Way {
  let node = way.at(-1)!
  while ((nodes.words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
    node = nodes.words[node * 16 + side]!
    way.push(node)
  }
  return way
}

/** The way to the leaf before (side left) or after (side right) the leaf at the end of `way`; undefined at the edge. */
function neighbour(nodes: Nodes, way: Way, side: 0 | 1): Way | undefined {
  for (let i = way.length - 2; i >= 0; i--) {
    const child = nodes.words[way[i]! * 16 + side]!
    if (child !== way[i + 1]) return followSide(nodes, [...way.slice(0, i + 1), child], side === 0 ? 1 : 0)
  }
  return undefined
}

function wayToLeaf(nodes: Nodes, way: Way): LeafPath {
  const { words } = nodes
  const steps: PathStep[] = []
  for (let i = way.length - 2; i >= 0; i--) {
    const at = way[i]! * 16
    const fromLeft = words[at + field.left] === way[i + 1]
    steps.push({
      height: words[at + field.heightAndKeyLength]! & 0xff,
      size: words[at + field.size]!,
      version: words[at + field.version]!,
      sibling: nodes.hashOf(words[at + (fromLeft ? field.right : field.left)]!),
      siblingSide: fromLeft ? 'right' : 'left',
    })
  }
  const leaf = way.at(-1)!
  return { key: nodes.keyOf(leaf), version: words[leaf * 16 + field.version]!, steps }
}

export function findPath(nodes: Nodes, root: number, key: Bytes): KeyPath {
  if (root === 0) return { found: false, left: undefined, right: undefined }
  const { words, bytes } = nodes
  const p0 = prefixWord(key, 0)
  const p1 = prefixWord(key, 4)
  const way: Way = [root]
  let node = root
  while ((words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
    const side = compareToNode(words, bytes, key, p0, p1, node) < 0 ? field.left : field.right
    node = words[node * 16 + side]!
    way.push(node)
  }
  const order = compareToNode(words, bytes, key, p0, p1, node)
  if (order === 0) return { found: true, leaf: wayToLeaf(nodes, way) }
  const leftWay = order > 0 ? way : neighbour(nodes, way, 0)
  const rightWay = order < 0 ? way : neighbour(nodes, way, 1)
  return {
    found: false,
    left: leftWay && wayToLeaf(nodes, leftWay),
    right: rightWay && wayToLeaf(nodes, rightWay),
  }
}

/** Keys of a range. Subtrees outside it are not visited. */
export function* iterateKeys(nodes: Nodes, root: number, range: KeyRange): IterableIterator<Bytes> {
  if (root === 0) return
  const { start, end, reverse = false } = range
  const bound = (key: Bytes) => ({ key, p0: prefixWord(key, 0), p1: prefixWord(key, 4) })
  const low = start && bound(start)
  const high = end && bound(end)
  const stack: number[] = [root]
  for (;;) {
    const node = stack.pop()
    if (node === undefined) return
    const { words, bytes } = nodes
    const at = node * 16
    const lowOrder = low ? compareToNode(words, bytes, low.key, low.p0, low.p1, node) : -1
    const highOrder = high ? compareToNode(words, bytes, high.key, high.p0, high.p1, node) : 1
    if ((words[at + field.heightAndKeyLength]! & 0xff) === 0) {
      if (lowOrder <= 0 && highOrder > 0) yield nodes.keyOf(node)
      continue
    }
    // Keys on the left are below the node's key, those on the right are it or above.
    const goLeft = lowOrder < 0
    const goRight = highOrder > 0
    const first = reverse ? field.left : field.right
    if (first === field.left ? goLeft : goRight) stack.push(words[at + first]!)
    if (first === field.left ? goRight : goLeft) stack.push(words[at + 1 - first]!)
  }
}
