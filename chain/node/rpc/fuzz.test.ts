import { CodedError } from '@coin/base/errors'
import { silentLogger } from '@coin/base/logger'
import { createRandom, type Random } from '@coin/base/testing/random'
import { checkEvidence } from '@coin/engine/comet/check-evidence'
import { encodeEvidence } from '@coin/engine/comet/evidence-codec'
import { readVectors } from '@coin/engine/testing/comet-vectors'
import { describe, expect, it } from 'vitest'
import { openRpc } from '../testing/open-rpc.js'
import { readEvidence } from './evidence-json.js'
import { answerRequest, parseRequests, rpcCodes } from './json-rpc.js'
import { blockMethods } from './methods-blocks.js'
import { consensusMethods } from './methods-consensus.js'
import { readJsonParams, readUriParams } from './params.js'

const seed = 20_260_102
const { cases } = readVectors<{ readonly cases: readonly { readonly evidence: unknown }[] }>('evidence.json')

const oddities: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e30, 2 ** 53, '', '0', '-1', '5', '1e30', '0x', '0xab', '9223372036854775808'],
  ...[
    '\u0000',
    '"',
    '"x',
    '\ud800',
    '__proto__',
    'constructor',
    'A'.repeat(100),
    [],
    {},
    [[]],
    { a: 1 },
    ['5'],
    [null],
  ],
  ...['2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '99999-01-01T00:00:00Z', 'AAAA', '====', '{"type":"x"}'],
]

/** The same with one value in it changed, wherever. */
function mutated(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.int(12) === 0) return random.pick(oddities)
  const keys = Object.keys(value)
  if (keys.length === 0) return random.pick(oddities)
  const key = random.pick(keys)
  const copy = structuredClone(value) as Record<string, unknown>
  const dropped = random.int(20) === 0
  if (dropped && !Array.isArray(copy)) delete copy[key]
  else copy[key] = mutated(random, copy[key])
  return copy
}

/** What a stranger sends ends in a value or in an error with a code, never in anything else. */
function expectCoded(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
  }
}

describe(`whatever comes (seed ${seed})`, () => {
  it('evidence is read or refused, and what passes its check can be encoded', () => {
    const random = createRandom(seed)
    for (let i = 0; i < 5000; i++) {
      const json = mutated(random, random.pick(cases).evidence)
      expectCoded(() => {
        const evidence = readEvidence(json)
        checkEvidence(evidence)
        encodeEvidence(evidence)
      })
    }
  })

  it('parameters are read or refused', () => {
    const random = createRandom(seed)
    const types = {
      a: 'int',
      b: 'uint',
      c: 'string',
      d: 'bool',
      e: 'bytes',
      f: 'hex',
      g: 'strings',
      h: 'evidence',
    } as const
    for (let i = 0; i < 20_000; i++) {
      const params = random.pick([
        Object.fromEntries(Object.keys(types).map((name) => [name, random.pick(oddities)])),
        Object.keys(types).map(() => random.pick(oddities)),
        random.pick(oddities),
      ])
      expectCoded(() => readJsonParams(types, params))
      const name = random.pick(Object.keys(types))
      expectCoded(() =>
        readUriParams(types, new URLSearchParams([[name, String(JSON.stringify(random.pick(oddities)))]])),
      )
    }
  })

  it('requests are answered, without a failure that would have to be logged', async () => {
    const random = createRandom(seed)
    const rpc = await openRpc()
    for (let i = 0; i < 5; i++) rpc.chain.engine.produceBlock()
    const { engine } = rpc.chain
    const ports = {
      blocks: engine.blocks,
      consensus: { round: () => engine.round(), addEvidence: (it: never) => engine.addEvidence(it) },
    }
    const methods = new Map([...blockMethods(ports as never), ...consensusMethods(ports as never)])
    const failures: unknown[] = []
    const log = { ...silentLogger, error: (fields: unknown) => void failures.push(fields) }
    const context = { log, gone: new AbortController().signal, badParams: rpcCodes.params }
    const template = { jsonrpc: '2.0', id: 1, method: '', params: {} }
    for (let i = 0; i < 5000; i++) {
      const [method, { params }] = random.pick([...methods])
      const given = Object.fromEntries(Object.keys(params).map((name) => [name, random.pick(oddities)]))
      const request = { ...template, method, params: given }
      const text = JSON.stringify(random.int(3) === 0 ? mutated(random, request) : request)
      try {
        for (const parsed of parseRequests(text)) {
          const answer = await answerRequest(methods, parsed, context)
          if (answer) JSON.parse(answer.text)
        }
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
      }
    }
    expect(failures).toEqual([])
    await rpc.close()
  })
})
