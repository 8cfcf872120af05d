import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bytes, bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type KvDatabase, kvKeyBytesMax, memoryKvDatabase } from './kv-database.js'
import { openKvDatabase } from './lmdb-kv-database.js'

const folder = mkdtempSync(join(tmpdir(), 'kv-database-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let opened = 0
const twins: Record<string, () => KvDatabase> = {
  memory: memoryKvDatabase,
  lmdb: () => openKvDatabase(join(folder, `db${opened++}.d`)),
}

const key = (text: string): Bytes => utf8ToBytes(text)
const listed = (db: KvDatabase, start?: Bytes, end?: Bytes, reverse?: boolean) =>
  [...db.iterate(start, end, reverse)].map(([k, v]) => `${bytesToHex(k)}=${bytesToHex(v)}`)

describe.each(Object.entries(twins))('%s key-value database', (_, openTwin) => {
  it('gives back what was written, empty values too, and nothing for what was not', async () => {
    const db = openTwin()
    db.batch(
      [
        [key('a'), key('1')],
        [key('b'), new Uint8Array(0)],
      ],
      { sync: true },
    )
    expect(db.get(key('a'))).toEqual(key('1'))
    expect(db.get(key('b'))).toEqual(new Uint8Array(0))
    expect(db.has(key('b'))).toBe(true)
    expect(db.get(key('c'))).toBeUndefined()
    expect(db.has(key('c'))).toBe(false)
    await db.close()
  })

  it('applies a batch in order, the last write of a key wins', async () => {
    const db = openTwin()
    db.batch(
      [
        [key('a'), key('1')],
        [key('a'), undefined],
        [key('b'), key('1')],
        [key('b'), key('2')],
        [key('none'), undefined],
      ],
      { sync: false },
    )
    expect(listed(db)).toEqual(['62=32'])
    await db.close()
  })

  it('refuses empty and too long keys and then has written nothing of the batch', async () => {
    const db = openTwin()
    const longest = new Uint8Array(kvKeyBytesMax).fill(255)
    db.batch([[longest, key('edge')]], { sync: false })
    expect(db.get(longest)).toEqual(key('edge'))
    const tooLong = new Uint8Array(kvKeyBytesMax + 1)
    expect(() =>
      db.batch(
        [
          [key('x'), key('1')],
          [tooLong, key('1')],
        ],
        { sync: true },
      ),
    ).toThrow('1979 bytes, at most 1978')
    expect(() => db.batch([[new Uint8Array(0), key('1')]], { sync: true })).toThrow('key is empty')
    expect(() => db.get(tooLong)).toThrow('key is too long')
    expect(db.has(key('x'))).toBe(false)
    await db.close()
  })

  it('keeps no hold on the arrays it was given or gave', async () => {
    const db = openTwin()
    const backing = new Uint8Array([9, 1, 2, 9])
    db.batch([[backing.subarray(1, 2), backing.subarray(1, 3)]], { sync: false })
    backing.fill(7)
    const got = db.get(Uint8Array.of(1))!
    expect(got).toEqual(Uint8Array.of(1, 2))
    got.fill(8)
    expect(db.get(Uint8Array.of(1))).toEqual(Uint8Array.of(1, 2))
    await db.close()
  })

  it('iterates over the state at the first entry, whatever is written meanwhile', async () => {
    const db = openTwin()
    db.batch(
      [
        [key('a'), key('1')],
        [key('b'), key('2')],
        [key('c'), key('3')],
      ],
      { sync: false },
    )
    const walk = db.iterate(undefined, undefined)
    expect(walk.next().value).toEqual([key('a'), key('1')])
    db.batch(
      [
        [key('b'), undefined],
        [key('bb'), key('new')],
        [key('c'), key('changed')],
      ],
      { sync: false },
    )
    expect(walk.next().value).toEqual([key('b'), key('2')])
    expect(walk.next().value).toEqual([key('c'), key('3')])
    expect(walk.next().done).toBe(true)
    expect(listed(db)).toHaveLength(3)
    await db.close()
  })

  it('answers a range like a sorted list does, both ways', async () => {
    const db = openTwin()
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 3, max: 3 })
    const keys = bytes.filter((k) => k.length > 0)
    const model = new Map<string, string>()
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keys, fc.option(bytes, { nil: undefined })), { maxLength: 12 }),
        fc.option(bytes, { nil: undefined }),
        fc.option(bytes, { nil: undefined }),
        fc.boolean(),
        (operations, start, end, reverse) => {
          db.batch(operations, { sync: false })
          for (const [k, v] of operations) {
            if (v === undefined) model.delete(bytesToHex(k))
            else model.set(bytesToHex(k), bytesToHex(v))
          }
          const expected = [...model]
            .filter(
              ([k]) => (start === undefined || k >= bytesToHex(start)) && (end === undefined || k < bytesToHex(end)),
            )
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => `${k}=${v}`)
          expect(listed(db, start, end, reverse)).toEqual(reverse ? expected.reverse() : expected)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
    await db.close()
  })
})

describe('the database on disk', () => {
  it('is there after closing and opening again, large values too', async () => {
    const path = join(folder, 'again')
    const large = new Uint8Array(20_000_000).fill(5)
    const first = openKvDatabase(path)
    first.batch(
      [
        [key('large'), large],
        [key('small'), key('1')],
      ],
      { sync: false },
    )
    await first.close()
    const second = openKvDatabase(path)
    expect(second.get(key('small'))).toEqual(key('1'))
    expect(Buffer.compare(second.get(key('large'))!, large)).toBe(0)
    await second.close()
  })
})
