import { createRandom } from '@coin/base/testing/random'
import { describe, expect, it } from 'vitest'
import { Journal } from './journal.js'
import type { KvRead } from './kv.js'
import { Overlay } from './overlay.js'
import { byCharacters, keyText, SortedKeys, textKey } from './sorted-keys.js'

const key = (text: string) => textKey(text)
const pairs = (store: KvRead, reverse = false) =>
  [...store.iterate(undefined, undefined, reverse)].map(([k, value]) => `${keyText(k)}=${keyText(value)}`)

function overlayOf(...texts: string[]): Overlay {
  const overlay = new Overlay()
  for (const text of texts) overlay.changes.put(text, { key: key(text), value: key(text) })
  return overlay
}

function journalOver(...texts: string[]) {
  const base = overlayOf(...texts)
  const journal = new Journal({ store: () => base })
  return { journal, store: journal.store('any') }
}

describe('sorted keys', () => {
  it('come in order whatever is added between', () => {
    const random = createRandom(4)
    for (let round = 0; round < 50; round++) {
      const keys = new SortedKeys()
      const all = new Set<string>()
      for (let looks = 0; looks < 10; looks++) {
        for (let adds = random.int(40); adds > 0; adds--) {
          const text = String(random.int(300))
          keys.add(text)
          all.add(text)
        }
        const reverse = random.int(2) === 0
        const next = keys.walk(undefined, undefined, reverse)
        const found: string[] = []
        for (let text = next(); text !== undefined; text = next()) found.push(text)
        const sorted = [...all].sort(byCharacters)
        expect(found).toEqual(reverse ? sorted.reverse() : sorted)
      }
    }
  })
})

describe('iterating over changes', () => {
  it('goes on in order while keys already passed are written and deleted', () => {
    for (const reverse of [false, true]) {
      const { store } = journalOver('a', 'c', 'e', 'g')
      store.set(key('d'), key('D'))
      const seen: string[] = []
      for (const [k] of store.iterate(undefined, undefined, reverse)) {
        const text = keyText(k)
        seen.push(text)
        store.delete(k)
        const passed = String.fromCharCode(text.charCodeAt(0) + (reverse ? 1 : -1))
        if (passed !== '`' && passed !== 'd') store.set(key(passed), key('new'))
      }
      expect(seen).toEqual(reverse ? ['g', 'e', 'd', 'c', 'a'] : ['a', 'c', 'd', 'e', 'g'])
    }
  })

  it('sees what is left when changes are taken back meanwhile', () => {
    const { journal, store } = journalOver('a', 'c', 'e')
    store.set(key('b'), key('kept'))
    const mark = journal.mark()
    store.set(key('d'), key('taken back'))
    store.set(key('e'), key('taken back'))
    store.delete(key('c'))
    const iterator = store.iterate(undefined, undefined)
    expect(keyText(iterator.next().value![0])).toBe('a')
    journal.revert(mark)
    const rest = [...iterator].map(([k, value]) => `${keyText(k)}=${keyText(value)}`)
    expect(rest).toEqual(['b=kept', 'c=c', 'e=e'])
    expect(pairs(store)).toEqual(['a=a', 'b=kept', 'c=c', 'e=e'])
  })

  it('takes back to any of nested marks', () => {
    const { journal, store } = journalOver('a')
    const states: string[][] = []
    const marks: number[] = []
    for (let i = 0; i < 5; i++) {
      states.push(pairs(store))
      marks.push(journal.mark())
      store.set(key(`k${i % 2}`), key(String(i)))
      store.delete(key(i % 2 === 0 ? 'a' : 'k0'))
    }
    journal.revert(marks[3]!)
    expect(pairs(store)).toEqual(states[3])
    journal.revert(marks[1]!)
    expect(pairs(store)).toEqual(states[1])
    journal.revert(marks[4]!)
    expect(pairs(store)).toEqual(states[1])
    journal.revert(0)
    expect(journal.changes().flatMap(({ entries }) => entries)).toEqual([])
  })

  it('keeps no track of keys that were forgotten', () => {
    const overlay = overlayOf('x')
    for (let i = 0; i < 5000; i++) {
      overlay.changes.put(`k${i}`, { key: key(`k${i}`), value: key('v') })
      if (i % 100 === 0) expect(overlay.iterate(undefined, undefined).next().done).toBe(false)
      overlay.changes.forget(`k${i}`)
    }
    expect(pairs(overlay)).toEqual(['x=x'])
    expect(pairs(overlay, true)).toEqual(['x=x'])
  })
})
