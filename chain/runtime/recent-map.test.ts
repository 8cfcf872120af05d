import { describe, expect, it } from 'vitest'
import { RecentMap } from './recent-map.js'

describe('what was used last', () => {
  it('is kept, and the rest forgotten', () => {
    const map = new RecentMap<number>(4)
    for (let i = 0; i < 10; i++) {
      map.set(`${i}`, i)
      expect(map.get('0')).toBe(0)
    }
    expect([5, 9].map((i) => map.get(`${i}`))).toEqual([undefined, 9])
  })

  it('counts by weight', () => {
    const map = new RecentMap<number>(100)
    for (let i = 0; i < 50; i++) map.set(`${i}`, i, 25)
    const kept = Array.from({ length: 50 }, (_, i) => map.get(`${i}`)).filter((value) => value !== undefined)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThanOrEqual(4)
    for (let i = 0; i < 50; i++) map.set('one', i, 25)
    expect(map.get('49')).toBe(49)
  })
})
