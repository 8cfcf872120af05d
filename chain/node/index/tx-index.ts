import { type Bytes, concatBytes, hexToBytes } from '@coin/base/bytes'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { KvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import type { Awaitable, IndexedTx, TxIndex, TxPage, TxPosition, TxSearch } from '../ports.js'
import { type SearchPage, type SearchRequest, type SearchSource, search } from './event-search.js'
import { heightOfPlace, indexOfPlace, type Place, placeOf } from './places.js'
import { compileEventQuery } from './query-match.js'
import { parseQuery, type Query, queryErrors } from './query-syntax.js'
import { planSearch } from './search-plan.js'
import { blockTables, hashTable, readIndexedHeight, txTables } from './tables.js'

/** Blocks by their events, for `block_search`. */
export interface BlockIndex {
  searchBlocks(
    request: Omit<TxSearch, 'from' | 'countTotal'>,
  ): Promise<{ readonly heights: readonly number[]; readonly total: number }>
}

export interface IndexReads extends TxIndex, BlockIndex {
  get(hash: Bytes): Awaitable<IndexedTx | undefined>
  search(request: TxSearch): Promise<TxPage>
}

export interface IndexReadDependencies {
  /** The index; some indexer (see `indexer.ts`), here or in a worker, writes it. */
  readonly db: KvDatabase
  readonly blocks: BlockReads
  /** Where a transaction is whose block has not reached the index yet. */
  readonly recent: (hash: Bytes) => TxPosition | undefined
  /** Done when the index holds every block that is committed now. */
  readonly caughtUp: () => Promise<void>
  /** Lets other work run: `setImmediate` as a promise. */
  readonly pause: () => Promise<void>
  /** What one search may cost, in microseconds more or less. Default 400,000. */
  readonly costMax?: number
}

/** Of the transactions of one page, with their events: all of it is held in memory several times. */
const pageBytesMax = 32 * 1024 * 1024

/** Transactions and blocks by hash and by event. Pruned ones are not found. */
export function createIndexReads(dependencies: IndexReadDependencies): IndexReads {
  const { db, blocks, recent, pause } = dependencies
  const costMax = dependencies.costMax ?? 400_000

  async function caughtUp(): Promise<void> {
    await dependencies.caughtUp()
    // Another search may have begun to read before the last block was written.
    if (readIndexedHeight(db) < blocks.height()) db.refresh()
  }

  const bounds = () => ({ from: blocks.base(), to: Math.min(readIndexedHeight(db), blocks.height()) })

  const txSource = (): SearchSource => ({
    db,
    tables: txTables,
    bounds: bounds(),
    events: (place) => blocks.txResult(heightOfPlace(place), indexOfPlace(place))?.events,
    costMax,
    pause,
  })

  function position(hash: Bytes): Place | undefined {
    const fresh = recent(hash)
    if (fresh) return placeOf(fresh.height, fresh.index)
    const row = hash.length === 32 ? db.get(concatBytes(Uint8Array.of(hashTable), hash)) : undefined
    return row && Number(new DataView(row.buffer, row.byteOffset, row.length).getBigUint64(0))
  }

  function load(place: Place): IndexedTx | undefined {
    const height = heightOfPlace(place)
    const index = indexOfPlace(place)
    const bytes = blocks.tx(height, index)
    const result = bytes && blocks.txResult(height, index)
    return result && { hash: sha256(bytes), height, index, bytes, result }
  }

  function find(hash: Bytes): IndexedTx | undefined {
    const place = position(hash)
    return place === undefined ? undefined : load(place)
  }

  return {
    get(hash) {
      const found = find(hash)
      // After a kill the index may lack the last blocks for a moment: nobody is told "not found" of what is in them.
      if (found !== undefined || readIndexedHeight(db) >= blocks.height()) return found
      return caughtUp().then(() => find(hash))
    },
    async search(request) {
      const query = parseQuery(request.query)
      const from = request.from && placeOf(request.from.height, request.from.index)
      const hash = hashOf(query)
      await caughtUp()
      const page = hash
        ? searchOne(query, position(hash), { ...request, from }, txSource())
        : await search(planSearch(query, 'tx.height'), { ...request, from }, txSource())
      const txs = loadPage(page.places, load)
      const next = page.next === undefined ? undefined : positionOf(page.next)
      return { txs, ...(next && { next }), ...(page.total !== undefined && { total: page.total }) }
    },
    async searchBlocks(request) {
      const plan = planSearch(parseQuery(request.query), 'block.height')
      await caughtUp()
      const events = (place: Place) => blocks.results(heightOfPlace(place))?.events
      const source = { ...txSource(), tables: blockTables, events }
      const { places, total } = await search(plan, { ...request, countTotal: true }, source)
      return { heights: places.map(heightOfPlace), total: total! }
    },
  }
}

/** Throws `tooMuch` when they are too large together. */
function loadPage(places: readonly Place[], load: (place: Place) => IndexedTx | undefined): readonly IndexedTx[] {
  const txs: IndexedTx[] = []
  let bytes = 0
  for (const place of places) {
    const tx = load(place)
    if (tx === undefined) continue
    bytes += tx.bytes.length + eventBytes(tx)
    if (bytes > pageBytesMax && txs.length > 0)
      throw queryErrors.tooMuch(`the page has more than ${pageBytesMax} bytes of transactions; ask for fewer at once`)
    txs.push(tx)
  }
  return txs
}

function eventBytes({ result: { events } }: IndexedTx): number {
  let bytes = 0
  for (const { attributes } of events) for (const { key, value } of attributes) bytes += key.length + value.length
  return bytes
}

function positionOf(place: Place): TxPosition {
  return { height: heightOfPlace(place), index: indexOfPlace(place) }
}

/** The hash of `tx.hash='...'`, if the query has one. */
function hashOf(query: Query): Bytes | undefined {
  const condition = query.find(({ tag }) => tag === 'tx.hash')
  if (!condition) return undefined
  const text = condition.operator === '=' && condition.operand?.kind === 'string' ? condition.operand.text : ''
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw queryErrors.badQuery('tx.hash takes = and 64 hexadecimal digits in quotes')
  return hexToBytes(text)
}

/** A query that names one transaction: look whether the other conditions hold for it. */
function searchOne(query: Query, place: Place | undefined, request: SearchRequest, source: SearchSource): SearchPage {
  const rest = query.filter(({ tag }) => tag !== 'tx.hash')
  const { heights } = planSearch(rest, 'tx.height')
  const events = place === undefined ? undefined : source.events(place)
  const others = rest.filter(({ tag }) => tag !== 'tx.height')
  const isMatch =
    place !== undefined &&
    events !== undefined &&
    heightOfPlace(place) >= Math.max(heights.from, source.bounds.from) &&
    heightOfPlace(place) <= heights.to &&
    compileEventQuery(others)(events)
  const isBehind =
    isMatch && (request.from === undefined || (request.order === 'asc' ? place >= request.from : place <= request.from))
  const places = isMatch && isBehind && request.skip === 0 && request.limit > 0 ? [place] : []
  return { places, ...(request.countTotal !== false && { total: isMatch ? 1 : 0 }) }
}
