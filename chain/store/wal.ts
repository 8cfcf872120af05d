import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import { syncFolder, writeWhole } from './files.js'

// <first height, 15 digits>.wal, little-endian:
//   header  'COINLOG', format 1 (1 byte), mark (8 bytes, random), CRC-32 of these 16 bytes (4)
//   frames  mark (8), length of the record (4), its CRC-32 (4), record
// The mark tells an end that a crash cut off from damage before the end: frames are found behind damage, and nothing that users
// write can pass for one.
const magic = Buffer.from('COINLOG')
const format = 1
const markBytes = 8
const headerBytes = 20
const frameBytes = 16
const segmentName = /^(\d{15})\.wal$/

/**
 * The write-ahead log: what is in it has happened, even if power fails the next moment. A folder of segments, each named for the
 * first height in it; one frame a block.
 */
export interface Wal {
  /**
   * The records from the segment that has `height`, or else from the first, oldest first. To be read to the end, before the first
   * append. A frame that a crash cut off at the very end is left out, and overwritten later: its block was never acknowledged.
   * Damage anywhere else throws `corruptLog` with file and byte.
   */
  read(height: number): Iterable<Uint8Array>
  /**
   * Returns after the disk has the record. Throws `diskFailed`, and then takes no more: what the disk has is known after the log
   * is opened again.
   */
  append(height: number, record: Bytes): void
  /** Begins a new segment with the next record. */
  rotate(): void
  /** Removes the segments that hold only heights below `height`. */
  removeBefore(height: number): void
  close(): void
}

/** The segment that is written to. */
interface Tail {
  readonly mark: Buffer
  fd: number | undefined
  /** Where the next frame begins. */
  end: number
}

/** Opens the log in the folder `path`, which exists. */
export function openWal(path: string): Wal {
  const segments = readdirSync(path)
    .flatMap((name) => segmentName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
  const fileOf = (first: number) => join(path, `${String(first).padStart(15, '0')}.wal`)
  let tail: Tail | undefined
  let failure: string | undefined
  let wasRead = segments.length === 0

  function* read(height: number): Generator<Uint8Array> {
    const from = segments.findLastIndex((first) => first <= height)
    for (const first of segments.slice(Math.max(from, 0))) {
      const isLast = first === segments.at(-1)
      tail = yield* readSegment(fileOf(first), isLast)
      if (tail === undefined) segments.pop()
    }
    wasRead = true
  }

  function startSegment(first: number): Tail {
    const fd = openSync(fileOf(first), 'w')
    tail = { mark: randomBytes(markBytes), fd, end: headerBytes }
    writeWhole(fd, encodeHeader(tail.mark), 0)
    fsyncSync(fd) // from here on a bad header is damage, and no torn write
    syncFolder(path)
    if (segments.at(-1) !== first) segments.push(first)
    return tail
  }

  function openTail(height: number): Tail & { fd: number } {
    tail ??= startSegment(height)
    if (tail.fd === undefined) {
      tail.fd = openSync(fileOf(segments.at(-1)!), 'r+')
      ftruncateSync(tail.fd, tail.end)
    }
    return tail as Tail & { fd: number }
  }

  function closeTail(): void {
    if (tail?.fd !== undefined) closeSync(tail.fd)
    tail = undefined
  }

  return {
    read,
    append(height, record) {
      assert(wasRead, 'the log is read before it is written')
      if (failure !== undefined) throw storeErrors.diskFailed(failure)
      try {
        const { fd, mark, end } = openTail(height)
        const frame = encodeFrame(mark, record)
        writeWhole(fd, frame, end)
        fdatasyncSync(fd)
        tail!.end = end + frame.length
      } catch (error) {
        failure = `block ${height} is not in the log ${path}: ${(error as Error).message}`
        dropUnfinished(tail)
        throw storeErrors.diskFailed(failure)
      }
    },
    rotate: closeTail,
    removeBefore(height) {
      // A segment's heights end where the next one begins; the last is kept.
      while (segments.length > 1 && segments[1]! <= height) rmSync(fileOf(segments.shift()!))
    },
    close: closeTail,
  }
}

/** One file of the log as it is on disk. */
export interface SegmentScan {
  readonly path: string
  readonly bytes: number
  /** Whole records and where their frames begin. */
  readonly frames: readonly { readonly at: number; readonly record: Uint8Array }[]
  /** Where the last whole frame ends. */
  readonly end: number
  /** What `read` would refuse; a torn end of the last file is none. */
  readonly damage?: string
}

/** Looks at the log in the folder `path` and changes nothing. Oldest file first; each is read when it is asked for. */
export function* scanWal(path: string): Generator<SegmentScan> {
  const names = readdirSync(path)
    .filter((name) => segmentName.test(name))
    .sort()
  for (const name of names) yield scanSegment(join(path, name), name === names.at(-1))
}

function scanSegment(path: string, isLast: boolean): SegmentScan {
  const bytes = readFileSync(path)
  const mark = readMark(path, bytes)
  if (mark === undefined) {
    const isUnfinished = isLast && bytes.length <= headerBytes
    return { path, bytes: bytes.length, frames: [], end: 0, ...(!isUnfinished && { damage: 'damaged at byte 0' }) }
  }
  const frames: { at: number; record: Uint8Array }[] = []
  let end = headerBytes
  for (let record = recordAt(bytes, mark, end); record !== undefined; record = recordAt(bytes, mark, end)) {
    frames.push({ at: end, record })
    end += frameBytes + record.length
  }
  const isTorn = end < bytes.length
  const isDamaged = isTorn && (!isLast || findFrame(bytes, mark, end + 1) !== undefined)
  return { path, bytes: bytes.length, frames, end, ...(isDamaged && { damage: `damaged at byte ${end}` }) }
}

/** Takes the last record out of the log in `path`, for good. The log must not be open. Throws `corruptLog` when it has none. */
export function cutLastRecord(path: string): void {
  const segments = [...scanWal(path)]
  const last = segments.findLast(({ frames }) => frames.length > 0)
  if (last === undefined) throw storeErrors.corruptLog(`${path} has no record`)
  for (const { path: file, frames } of segments.slice(segments.indexOf(last) + 1)) {
    assert(frames.length === 0, `${file} has no records`)
    rmSync(file)
  }
  // A file without records would be taken for the end of the log.
  if (last.frames.length === 1) rmSync(last.path)
  else truncateSynced(last.path, last.frames.at(-1)!.at)
  syncFolder(path)
}

function truncateSynced(path: string, bytes: number): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function encodeHeader(mark: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.set(magic, 0)
  header[magic.length] = format
  header.set(mark, headerBytes - 4 - markBytes)
  header.writeUInt32LE(crc32(header.subarray(0, headerBytes - 4)), headerBytes - 4)
  return header
}

function encodeFrame(mark: Buffer, record: Bytes): Buffer {
  const frame = Buffer.allocUnsafe(frameBytes + record.length)
  frame.set(mark, 0)
  frame.writeUInt32LE(record.length, markBytes)
  frame.writeUInt32LE(crc32(record), markBytes + 4)
  frame.set(record, frameBytes)
  return frame
}

/** Yields the records and returns where to go on; undefined when not even the header was finished, and the file is gone then. */
function* readSegment(path: string, isLast: boolean): Generator<Uint8Array, Tail | undefined> {
  const bytes = readFileSync(path)
  const mark = readMark(path, bytes)
  if (mark === undefined) {
    if (!isLast || bytes.length > headerBytes) throw storeErrors.corruptLog(`${path} is damaged at byte 0`)
    rmSync(path)
    return undefined
  }
  let at = headerBytes
  while (at < bytes.length) {
    const record = recordAt(bytes, mark, at)
    if (record === undefined) {
      const next = findFrame(bytes, mark, at + 1)
      if (!isLast) throw storeErrors.corruptLog(`${path} is damaged at byte ${at}, and newer files follow`)
      if (next !== undefined)
        throw storeErrors.corruptLog(`${path} is damaged at byte ${at}; the next whole record is at byte ${next}`)
      break
    }
    yield record
    at += frameBytes + record.length
  }
  return { mark, fd: undefined, end: at }
}

function readMark(path: string, bytes: Buffer): Buffer | undefined {
  if (bytes.length < headerBytes) return undefined
  const isWhole = crc32(bytes.subarray(0, headerBytes - 4)) === bytes.readUInt32LE(headerBytes - 4)
  if (!isWhole || !bytes.subarray(0, magic.length).equals(magic)) return undefined
  if (bytes[magic.length] !== format)
    throw storeErrors.unknownFormat(`${path} has format ${bytes[magic.length]}, this program knows ${format}`)
  return bytes.subarray(headerBytes - 4 - markBytes, headerBytes - 4)
}

/** The record of the frame that begins at `at`; undefined when there is none, or not a whole one. */
function recordAt(bytes: Buffer, mark: Buffer, at: number): Uint8Array | undefined {
  const from = at + frameBytes
  if (from > bytes.length || !bytes.subarray(at, at + markBytes).equals(mark)) return undefined
  const length = bytes.readUInt32LE(at + markBytes)
  if (from + length > bytes.length) return undefined
  const record = new Uint8Array(bytes.buffer, bytes.byteOffset + from, length)
  return crc32(record) === bytes.readUInt32LE(at + markBytes + 4) ? record : undefined
}

function findFrame(bytes: Buffer, mark: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    if (recordAt(bytes, mark, at) !== undefined) return at
  }
  return undefined
}

/** After a failed write: as far as the disk still does anything, the block does not come back when the log is opened. */
function dropUnfinished(tail: Tail | undefined): void {
  if (tail?.fd === undefined) return
  try {
    ftruncateSync(tail.fd, tail.end)
    fsyncSync(tail.fd)
  } catch {
    // Opening the log cuts the end off, or finds the block whole.
  }
}
