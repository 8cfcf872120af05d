import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '@coin/base/testing/random'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWal } from './wal.js'

const headerBytes = 20
const frameBytes = 16

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'coin-wal-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const fileOf = (first: number) => join(path, `${String(first).padStart(15, '0')}.wal`)
const records = ['one', 'two two', 'three three three', 'last']
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))

function readAll(from = 1): string[] {
  return [...openWal(path).read(from)].map((record) => Buffer.from(record).toString())
}

function writeAll(texts: readonly string[] = records, first = 1): void {
  const wal = openWal(path)
  let height = first + [...wal.read(1)].length
  for (const text of texts) wal.append(height++, bytesOf(text))
  wal.close()
}

describe('write-ahead log', () => {
  it('gives back what was appended, over many openings', () => {
    writeAll(['a', ''])
    writeAll(['b'])
    writeAll([])
    writeAll(['c'])
    expect(readAll()).toEqual(['a', '', 'b', 'c'])
    expect(readdirSync(path)).toEqual(['000000000000001.wal'])
  })

  it('leaves out a last frame cut off at any byte, and goes on behind the one before', () => {
    writeAll()
    const whole = readFileSync(fileOf(1))
    const lastAt = whole.length - frameBytes - records.at(-1)!.length
    for (let length = lastAt; length < whole.length; length++) {
      writeFileSync(fileOf(1), whole.subarray(0, length))
      expect(readAll(), `${length} bytes`).toEqual(records.slice(0, -1))
      writeAll(['again'])
      expect(readAll(), `${length} bytes`).toEqual([...records.slice(0, -1), 'again'])
    }
  })

  it('starts anew when a crash left only a part of the header', () => {
    for (let length = 0; length <= headerBytes; length++) {
      writeFileSync(fileOf(1), Buffer.alloc(length))
      expect(readAll()).toEqual([])
      writeAll(['first'])
      expect(readAll()).toEqual(['first'])
      rmSync(fileOf(1))
    }
  })

  it('leaves out an end that a power failure left as zeros or as pages in part', () => {
    writeAll()
    const whole = readFileSync(fileOf(1))
    const lastAt = whole.length - frameBytes - records.at(-1)!.length
    for (const zeros of [1, 7, frameBytes, 4096, 70_000]) {
      writeFileSync(fileOf(1), Buffer.concat([whole, Buffer.alloc(zeros)]))
      expect(readAll(), `${zeros} zeros`).toEqual(records)
    }
    // The frame has its length, but one of its parts did not arrive.
    for (const [from, to] of [
      [lastAt, lastAt + 8],
      [lastAt + 8, lastAt + 12],
      [lastAt + 12, lastAt + 16],
      [lastAt + 16, whole.length],
    ] as const) {
      writeFileSync(fileOf(1), Buffer.from(whole).fill(0, from, to))
      expect(readAll(), `zeros from ${from}`).toEqual(records.slice(0, -1))
    }
  })

  it('leaves out a last frame whose length is garbage', () => {
    writeAll()
    const whole = readFileSync(fileOf(1))
    const lengthAt = whole.length - records.at(-1)!.length - 8
    for (const length of [0, 1, 3, 5, 1000, 0x7fffffff, 0xffffffff]) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt32LE(length, lengthAt)
      writeFileSync(fileOf(1), damaged)
      expect(readAll(), `length ${length}`).toEqual(records.slice(0, -1))
    }
  })

  it('refuses damage at any byte before the last frame, naming file and byte', () => {
    writeAll()
    const whole = readFileSync(fileOf(1))
    const lastAt = whole.length - frameBytes - records.at(-1)!.length
    for (let at = 0; at < lastAt; at++) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 0x40
      writeFileSync(fileOf(1), damaged)
      expect(() => readAll(), `byte ${at}`).toThrow(/000000000000001\.wal is damaged at byte \d+.*log is corrupt/)
    }
    const damaged = Buffer.from(whole)
    damaged[headerBytes + frameBytes]! ^= 1
    writeFileSync(fileOf(1), damaged)
    const second = headerBytes + frameBytes + records[0]!.length
    expect(() => readAll()).toThrow(`damaged at byte ${headerBytes}; the next whole record is at byte ${second}`)
    expect(readFileSync(fileOf(1))).toEqual(damaged) // nothing is cut off while there is doubt
  })

  it('is not deceived by records that look like frames', () => {
    const random = createRandom(3)
    writeAll(['x'])
    const copied = readFileSync(fileOf(1))
    // A user cannot know the mark of a segment; that of another, or a lucky one without the rest, is no frame.
    const wal = openWal(path)
    for (const _ of wal.read(1));
    wal.rotate()
    wal.append(2, copied)
    wal.append(3, copied.subarray(headerBytes, headerBytes + 8))
    wal.append(4, bytesOf('last'))
    wal.close()
    const whole = readFileSync(fileOf(2))
    writeFileSync(fileOf(2), whole.subarray(0, whole.length - 1 - random.int(3)))
    expect(readAll()).toHaveLength(3)
  })

  it('refuses a header of another format, and a damaged one before frames', () => {
    writeAll()
    const whole = readFileSync(fileOf(1))
    writeFileSync(fileOf(1), Buffer.from(whole).fill(0, 0, headerBytes))
    expect(() => readAll()).toThrow('damaged at byte 0')
    writeFileSync(fileOf(1), whole.subarray(headerBytes))
    expect(() => readAll()).toThrow('damaged at byte 0')
  })

  it('begins new segments, reads from a height and removes what is older', () => {
    const wal = openWal(path)
    for (let height = 5; height <= 16; height++) {
      wal.append(height, bytesOf(String(height)))
      if (height % 3 === 0) wal.rotate()
    }
    expect(readdirSync(path).map((name) => Number.parseInt(name, 10))).toEqual([5, 7, 10, 13, 16])
    expect(readAll(11)).toEqual(['10', '11', '12', '13', '14', '15', '16'])
    expect(readAll(99)).toEqual(['16'])
    expect(readAll(1)[0]).toBe('5')
    wal.removeBefore(10)
    expect(readAll(1)[0]).toBe('10')
    wal.removeBefore(99)
    expect(readAll(1)).toEqual(['16'])
    wal.append(17, bytesOf('17'))
    wal.close()
    expect(readAll(1)).toEqual(['16', '17'])
  })

  it('refuses an end cut off a segment that others follow', () => {
    const wal = openWal(path)
    wal.append(1, bytesOf('one'))
    wal.rotate()
    wal.append(2, bytesOf('two'))
    wal.close()
    const whole = readFileSync(fileOf(1))
    writeFileSync(fileOf(1), whole.subarray(0, -1))
    expect(() => readAll()).toThrow(`damaged at byte ${headerBytes}, and newer files follow`)
    expect(readAll(2)).toEqual(['two'])
  })

  it('takes nothing more after the disk refused', () => {
    const wal = openWal(path)
    wal.append(1, bytesOf('one'))
    wal.rotate()
    symlinkSync('/dev/full', fileOf(2))
    expect(() => wal.append(2, bytesOf('two'))).toThrow(/block 2 is not in the log.*ENOSPC.*could not write/)
    rmSync(fileOf(2))
    expect(() => wal.append(2, bytesOf('two'))).toThrow('could not write')
    wal.close()
    expect(readAll()).toEqual(['one'])
    writeAll(['two'])
    expect(readAll()).toEqual(['one', 'two'])
  })

  it('has what it acknowledged when the disk is full in the middle of a write', () => {
    const module = new URL('./wal.js', import.meta.url).href
    const script = `import { openWal } from ${JSON.stringify(module)}
      const wal = openWal(process.argv[1])
      const record = new Uint8Array(100_000).fill(65)
      for (let height = 1; ; height++) {
        try { wal.append(height, record) } catch (error) { console.log(height, error.message); break }
      }`
    // Files of this process cannot grow beyond 256 KiB.
    const command = [
      '-c',
      'ulimit -f 256; exec "$@"',
      'bash',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
      path,
    ]
    expect(execFileSync('bash', command).toString()).toMatch(/^3 block 3 is not in the log .*EFBIG.*could not write/)
    expect(readAll().map((text) => text.length)).toEqual([100_000, 100_000])
  })

  it('leaves other files alone', () => {
    writeAll()
    appendFileSync(join(path, 'notes.txt'), 'mine')
    expect(readAll()).toEqual(records)
  })
})
