import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Bytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import { type BlockRecord, decodeRecord } from './record.js'

/** Before each record: its length and its CRC-32, 4 bytes each, little-endian. */
const frameBytes = 8
const segmentName = /^(\d{15})\.wal$/

/**
 * The write-ahead log: what is in it has happened, even if power fails the next moment. A folder of segments, each named for the
 * first height in it; one frame a block.
 */
export interface Wal {
  /** Returns after the disk has the record. Heights ascend by one. */
  append(height: number, record: Bytes): void
  /** Bytes in the segment being written. */
  segmentBytes(): number
  /** Begins a new segment with the next record. */
  rotate(): void
  /** Removes the segments that hold only heights below `height`. */
  removeBefore(height: number): void
  close(): void
}

export interface OpenedWal {
  readonly wal: Wal
  /** What the log holds, oldest first; read lazily, once. */
  readonly records: Iterable<BlockRecord>
}

/**
 * Opens the log in the folder `path`, which exists. A frame that a crash cut off at the very end is dropped: its block was never
 * acknowledged. Damage anywhere else throws `corruptLog` while reading the records; read them all before the first append.
 */
export function openWal(path: string): OpenedWal {
  const segments = readdirSync(path)
    .flatMap((name) => segmentName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
  const fileOf = (first: number) => join(path, `${String(first).padStart(15, '0')}.wal`)
  let fd: number | undefined
  let bytes = 0

  function* records(): Generator<BlockRecord> {
    for (const [index, first] of segments.entries()) {
      const isLast = index === segments.length - 1
      const end = yield* readSegment(fileOf(first), isLast)
      if (isLast) bytes = end
    }
  }

  function startSegment(first: number): void {
    fd = openSync(fileOf(first), 'a')
    syncFolder(path)
    if (segments.at(-1) !== first) segments.push(first) // a torn first record leaves its segment empty
    bytes = 0
  }

  const wal: Wal = {
    append(height, record) {
      const last = segments.at(-1)
      if (fd === undefined && last !== undefined && bytes > 0) fd = openSync(fileOf(last), 'a')
      else if (fd === undefined) startSegment(height)
      const frame = Buffer.allocUnsafe(frameBytes + record.length)
      frame.writeUInt32LE(record.length, 0)
      frame.writeUInt32LE(crc32(record), 4)
      frame.set(record, frameBytes)
      writeWhole(fd!, frame)
      fdatasyncSync(fd!)
      bytes += frame.length
    },
    segmentBytes: () => bytes,
    rotate() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
      bytes = 0
    },
    removeBefore(height) {
      // A segment's heights end where the next one begins; the last is kept.
      while (segments.length > 1 && segments[1]! <= height) rmSync(fileOf(segments.shift()!))
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
  return { wal, records: { [Symbol.iterator]: records } }
}

/** Yields the records and returns where the good part ends. Cuts a torn end off the last segment. */
function* readSegment(path: string, isLast: boolean): Generator<BlockRecord, number> {
  const bytes = readFileSync(path)
  let at = 0
  while (at < bytes.length) {
    const length = at + frameBytes <= bytes.length ? bytes.readUInt32LE(at) : undefined
    const end = length === undefined ? bytes.length + 1 : at + frameBytes + length
    const record =
      end <= bytes.length
        ? new Uint8Array(bytes.buffer, bytes.byteOffset + at + frameBytes, end - at - frameBytes)
        : undefined
    if (record === undefined || crc32(record) !== bytes.readUInt32LE(at + 4)) {
      // A crash in the middle of a write leaves an end that is short, or as long as the frame but not yet filled.
      if (!isLast || end < bytes.length) throw storeErrors.corruptLog(`${path} is damaged at byte ${at}`)
      truncate(path, at)
      return at
    }
    yield decodeRecord(record)
    at = end
  }
  return at
}

function truncate(path: string, length: number): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, length)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes new, renamed or removed names of a folder durable. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** `writeSync` may write less than it was given. */
export function writeWhole(fd: number, bytes: Bytes): void {
  let at = 0
  while (at < bytes.length) at += writeSync(fd, bytes, at)
}
