import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from './folder-lock.js'

let path: string
const children: ChildProcess[] = []

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'coin-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(path, { recursive: true, force: true })
})

const locks = () => readdirSync(path).filter((name) => name.startsWith('lock.'))

/** A process that says whether it got the folder, and keeps it. */
async function lockInChild(): Promise<{ readonly child: ChildProcess; readonly answer: string }> {
  const module = new URL('./folder-lock.js', import.meta.url).href
  const script = `import { lockFolder } from ${JSON.stringify(module)}
    try { lockFolder(process.argv[1]); console.log('locked') } catch (error) { console.log(error.message) }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path])
  children.push(child)
  const [answer] = await once(child.stdout!, 'data')
  return { child, answer: String(answer).trim() }
}

describe('folder lock', () => {
  it('is given back', () => {
    lockFolder(path)()
    lockFolder(path)()
    expect(locks()).toEqual([])
  })

  it('is had once in a process', () => {
    lockFolder(path)
    expect(() => lockFolder(path)).toThrow(`belongs to process ${process.pid}`)
  })

  it('names the process that has it, and is taken over when that was killed', async () => {
    const { child, answer } = await lockInChild()
    expect(answer).toBe('locked')
    expect(() => lockFolder(path)).toThrow(`belongs to process ${child.pid}; stop it`)
    expect(locks()).toHaveLength(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(path)
    expect(locks()).toHaveLength(1)
    expect((await lockInChild()).answer).toContain(`belongs to process ${process.pid}`)
  })

  it('is not given to two of several that come at once', async () => {
    writeFileSync(join(path, 'lock.999999999.gone-1'), '')
    const answers = await Promise.all(Array.from({ length: 4 }, () => lockInChild()))
    expect(answers.filter(({ answer }) => answer === 'locked').length).toBeLessThanOrEqual(1)
    expect(locks()).not.toContain('lock.999999999.gone-1')
  })

  it('does not take a number that was used again for the process that had it', () => {
    writeFileSync(join(path, `lock.${process.pid}.another-boot-1`), '')
    lockFolder(path)
    expect(locks()).toHaveLength(1)
  })
})
