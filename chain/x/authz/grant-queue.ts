import type { Bytes } from '@coin/base/bytes'
import type { Write } from '@coin/runtime/context'
import { errors } from './errors.js'
import { grants, queue, queueKey } from './state.js'

// When grants end. Entries are never taken out singly, as in the SDK: their lists may become empty.

/** Gas of each type URL that is looked at. */
const gasPerType = 20

export function enqueue(ctx: Write, end: bigint, granter: Bytes, grantee: Bytes, msgTypeUrl: string): void {
  const key = [end, [granter, grantee]] as const
  queue.set(ctx, key, { msgTypeUrls: [...(queue.get(ctx, key)?.msgTypeUrls ?? []), msgTypeUrl] })
}

/** Throws `noGrantKeyFound`. The last of the list takes the place of the one that goes. */
export function dequeue(ctx: Write, end: bigint, granter: Bytes, grantee: Bytes, msgTypeUrl: string): void {
  const key = [end, [granter, grantee]] as const
  const item = queue.get(ctx, key)
  if (item === undefined) {
    throw errors.noGrantKeyFound("can't remove grant from the expire queue, grant key not found")
  }
  const urls = [...item.msgTypeUrls]
  for (const [index, url] of urls.entries()) {
    ctx.gas.consume(gasPerType, 'grant queue')
    if (url !== msgTypeUrl) continue
    urls[index] = urls.at(-1)!
    queue.set(ctx, key, { msgTypeUrls: urls.slice(0, -1) })
    return
  }
}

/** A grant may still be used in a block of exactly its time. */
export function removeEnded(ctx: Write): void {
  const ended = [...queue.entries(ctx, { start: new Uint8Array(0), end: queueKey.prefix(ctx.time) })]
  for (const [key, { msgTypeUrls }] of ended) {
    queue.remove(ctx, key)
    for (const url of msgTypeUrls) grants.remove(ctx, [key[1], url])
  }
}
