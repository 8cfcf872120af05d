import { describe, expect, it } from 'vitest'
import { createSigner, formatSignState, memorySignState, parseSignState, type SignState } from './signer.js'

const key = new Uint8Array(32).fill(1)
const vote = {
  chainId: 'coin-1',
  height: 5,
  round: 0,
  blockId: { hash: new Uint8Array(32).fill(2), parts: { total: 1, hash: new Uint8Array(32).fill(3) } },
  timestamp: 1_700_000_000_000_000_000n,
}
const other = { ...vote, blockId: { ...vote.blockId, hash: new Uint8Array(32).fill(4) } }

describe('the signer', () => {
  it('gives the same signature again for the same block, even when asked at another time or after a restart', () => {
    const port = memorySignState()
    const signer = createSigner(key, port)
    const first = signer.signPrecommit(vote)
    expect(signer.signPrecommit({ ...vote, timestamp: vote.timestamp + 5n })).toEqual(first)
    expect(createSigner(key, port).signPrecommit({ ...vote, timestamp: 1n })).toEqual(first)
  })

  it('refuses another block at the same height and round, and everything behind', () => {
    const signer = createSigner(key, memorySignState())
    signer.signPrecommit({ ...vote, round: 1 })
    expect(() => signer.signPrecommit({ ...other, round: 1 })).toThrow('was signed for another block: refusing to sign')
    expect(() => signer.signPrecommit(vote)).toThrow('height 5 round 0 is behind height 5 round 1')
    expect(() => signer.signPrecommit({ ...vote, height: 4 })).toThrow('is behind')
    expect(signer.freeRound(5)).toBe(2)
    expect(signer.freeRound(6)).toBe(0)
  })

  it('remembers before it answers', () => {
    const signer = createSigner(key, {
      load: () => undefined,
      save: () => {
        throw new RangeError('disk full')
      },
    })
    expect(() => signer.signPrecommit(vote)).toThrow('disk full')
  })

  it('keeps its state in the form of priv_validator_state.json', () => {
    const states: (SignState | undefined)[] = []
    const port = memorySignState()
    createSigner(key, { load: port.load, save: (state) => states.push(state) }).signPrecommit(vote)
    const text = formatSignState(states[0]!)
    expect(Object.keys(JSON.parse(text))).toEqual(['height', 'round', 'step', 'signature', 'signbytes'])
    expect(JSON.parse(text)).toMatchObject({ height: '5', round: 0, step: 3 })
    expect(parseSignState(text)).toEqual(states[0])
    expect(parseSignState('{"height":"0","round":0,"step":0}')).toEqual({ height: 0, round: 0, step: 0 })
    for (const bad of [
      '',
      '{}',
      '{"height":"x","round":0,"step":0}',
      '{"height":"1","round":0,"step":3,"signature":"?"}',
    ])
      expect(() => parseSignState(bad)).toThrow('invalid key file')
  })
})
