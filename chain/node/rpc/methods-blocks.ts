import type { BlockMeta } from '@coin/engine/comet/types'
import {
  blockIdJson,
  blockJson,
  blockMetaJson,
  blockResultsJson,
  commitJson,
  consensusParamsJson,
  headerJson,
  type Json,
  validatorJson,
} from './comet-json.js'
import { failure, method, orderOf, perPageOf, type RpcMethod, type RpcPorts, requireHeight, skipOf } from './method.js'

/** Bytes of the blocks in one answer of `block_search`; one may be larger. */
const pageBytesMax = 32 * 1024 * 1024
/** Block metas in one answer of `blockchain`. */
const metasMax = 20

/** Blocks, their commits, results, validators and parameters. */
export function blockMethods(ports: RpcPorts): readonly (readonly [string, RpcMethod])[] {
  const { blocks } = ports
  const heightOf = (height: number | undefined) => requireHeight(blocks, blocks.height(), height)
  /** Validators and parameters are known for one height more. */
  const nextHeightOf = (height: number | undefined) => requireHeight(blocks, blocks.height() + 1, height)
  const blockOf = (height: number): Json => {
    const [meta, block] = [blocks.meta(height), blocks.block(height)]
    return meta && block ? { block_id: blockIdJson(meta.blockId), block: blockJson(block) } : noBlock
  }
  return [
    method('block', { height: 'int' }, 'height', ({ height }) => blockOf(heightOf(height))),
    method('block_by_hash', { hash: 'bytes' }, 'always', ({ hash }) => {
      const height = hash && blocks.heightOf(hash)
      return height === undefined ? noBlock : blockOf(height)
    }),
    method('header', { height: 'int' }, 'height', ({ height }) => {
      const meta = blocks.meta(heightOf(height))
      return { header: meta ? headerJson(meta.header) : null }
    }),
    method('header_by_hash', { hash: 'hex' }, 'always', ({ hash }) => {
      const height = hash && blocks.heightOf(hash)
      const meta = height === undefined ? undefined : blocks.meta(height)
      return { header: meta ? headerJson(meta.header) : null }
    }),
    method('blockchain', { minHeight: 'int', maxHeight: 'int' }, 'maxHeight', ({ minHeight = 0, maxHeight = 0 }) => {
      const [from, to] = metaRange(ports, minHeight, maxHeight)
      const metas: BlockMeta[] = []
      for (let height = to; height >= from; height--) {
        const meta = blocks.meta(height)
        if (meta) metas.push(meta)
      }
      return { last_height: String(blocks.height()), block_metas: metas.map(blockMetaJson) }
    }),
    method('block_results', { height: 'int' }, 'height', ({ height }) => {
      const asked = heightOf(height)
      const results = blocks.results(asked)
      if (!results) throw failure(`could not find results for height #${asked}`)
      return blockResultsJson(asked, results)
    }),
    // The commit of the last block becomes canonical with the next block, which carries it.
    method('commit', { height: 'int' }, 'height', ({ height }) => {
      const asked = heightOf(height)
      const [meta, commit] = [blocks.meta(asked), blocks.commit(asked)]
      if (!meta || !commit) throw failure(`no commit for height ${asked}`)
      return {
        signed_header: { header: headerJson(meta.header), commit: commitJson(commit) },
        canonical: asked < blocks.height(),
      }
    }),
    method('validators', { height: 'int', page: 'int', per_page: 'int' }, 'height', ({ height, page, per_page }) => {
      const asked = nextHeightOf(height)
      const all = blocks.validators(asked)?.validators
      if (!all) throw failure(`could not find validator set for height #${asked}`)
      const perPage = perPageOf(per_page)
      const skip = skipOf(page, perPage, all.length)
      const validators = all.slice(skip, skip + perPage).map(validatorJson)
      return {
        block_height: String(asked),
        validators,
        count: String(validators.length),
        total: String(all.length),
      }
    }),
    method('consensus_params', { height: 'int' }, 'height', ({ height }) => {
      const asked = nextHeightOf(height)
      const params = blocks.consensusParams(asked)
      if (!params) throw failure(`could not find consensus params for height #${asked}`)
      return { block_height: String(asked), consensus_params: consensusParamsJson(params) }
    }),
    blockSearch(ports, blockOf),
  ]
}

function blockSearch({ index, blocks }: RpcPorts, blockOf: (height: number) => Json): readonly [string, RpcMethod] {
  return method(
    'block_search',
    { query: 'string', page: 'int', per_page: 'int', order_by: 'string' },
    'never',
    async ({ query = '', page, per_page, order_by }) => {
      if (!index) throw failure('block indexing is disabled')
      const perPage = perPageOf(per_page)
      const order = orderOf(order_by, 'desc')
      const skip = page === undefined ? 0 : Math.max(0, page - 1) * perPage
      const { heights, total } = await index.searchBlocks({ query, order, limit: perPage, skip })
      skipOf(page, perPage, total)
      checkSize(blocks, heights)
      // Pruning may have taken a block meanwhile.
      const blocksFound = heights.map(blockOf).filter((found) => found !== noBlock)
      return { blocks: blocksFound, total_count: String(total) }
    },
  )
}

/** A page of large blocks would take the node's memory. */
function checkSize(blocks: RpcPorts['blocks'], heights: readonly number[]): void {
  let bytes = 0
  for (const [before, height] of heights.entries()) {
    bytes += blocks.meta(height)?.blockSize ?? 0
    if (bytes > pageBytesMax && before > 0)
      throw failure(`the page has more than ${pageBytesMax} bytes of blocks; ask for at most ${before} per page`)
  }
}

const noBlock: Json = { block_id: { hash: '', parts: { total: 0, hash: '' } }, block: null }

/** The range of `blockchain`: 0 means "from the first", "to the last"; at most 20, the highest ones (rpc/core/blocks.go). */
function metaRange({ blocks }: RpcPorts, min: number, max: number): readonly [from: number, to: number] {
  if (min < 0 || max < 0) throw failure('heights must be non-negative')
  const to = Math.min(max === 0 ? blocks.height() : max, blocks.height())
  const low = Math.max(min === 0 ? 1 : min, blocks.base(), to - metasMax + 1)
  if (low > to) throw failure(`min height ${low} can't be greater than max height ${to}`)
  return [low, to]
}
