import { describe, expect, it } from 'vitest'
import { createLogger } from './node-logger.js'

function linesOf(format: 'plain' | 'json', level: 'debug' | 'info' = 'info') {
  const lines: string[] = []
  return { lines, logger: createLogger({ format, level }, { write: (line) => void lines.push(line) }) }
}

describe('log', () => {
  it('has the fields of the reference in JSON', () => {
    const { lines, logger } = linesOf('json')
    logger.debug({}, 'not told')
    logger.info({ height: 5, txs: 2 }, 'committed block')
    logger.error({ error: new TypeError('broken') }, 'failed')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      height: 5,
      txs: 2,
      message: 'committed block',
    })
    expect(JSON.parse(lines[1]!)).toMatchObject({ level: 'error', error: { type: 'TypeError', message: 'broken' } })
  })

  it('is one plain line for people', () => {
    const { lines, logger } = linesOf('plain', 'debug')
    logger.debug({ height: 5, why: 'two words', big: { n: 7n } }, 'committed block')
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d DEB committed block height=5 why="two words" big={"n":"7"}\n$/),
    ])
  })
})
