import { base64ToBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import type { TxResult } from '@coin/engine/application'
import { type CommitJson, commitOf, type HeaderJson, headerOf, readVectors } from '@coin/engine/testing/comet-vectors'
import { describe, expect, it } from 'vitest'
import { event } from '../testing/event-chain.js'
import { escapeJson } from './comet-json.js'
import { eventsOf } from './subscriptions.js'

/** Recorded from CometBFT: the messages that subscribers got. */
const vectors = readVectors<Readonly<Record<string, string>>>('rpc-json.json')

interface BlockJson {
  readonly header: HeaderJson
  readonly last_commit: CommitJson
}

const dataOf = (name: string) => JSON.parse(vectors[name]!).data as { readonly type: string; readonly value: unknown }
const { block } = dataOf('event_new_block').value as { readonly block: BlockJson }

const result = (given: Partial<TxResult>): TxResult => ({
  code: 0,
  codespace: '',
  data: emptyBytes,
  log: '',
  info: '',
  gasWanted: 0,
  gasUsed: 0,
  events: [],
  ...given,
})

const committed = {
  block: {
    header: headerOf(block.header),
    txs: [utf8ToBytes('hello'), utf8ToBytes('hello')],
    evidence: [],
    lastCommit: commitOf(block.last_commit),
  },
  blockId: headerOf(block.header).lastBlockId,
  txHashes: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
  results: {
    events: [event('block', { k: 'v' })],
    txResults: [
      result({
        data: utf8ToBytes('data'),
        log: 'a "log" <&> \u2028',
        gasWanted: 100,
        gasUsed: 50,
        events: [
          {
            type: 'transfer',
            attributes: [
              { key: 'recipient', value: 'coin1x', index: true },
              { key: 'n', value: '', index: false },
            ],
          },
          { type: 'bare', attributes: [] },
          { type: '', attributes: [{ key: 'lost', value: '1', index: true }] },
        ],
      }),
      result({ code: 5, log: 'insufficient', info: 'i', codespace: 'sdk', events: [event('tm', { event: 'mine' })] }),
    ],
    validatorUpdates: [
      {
        keyType: 'ed25519' as const,
        pubKey: base64ToBytes('g10ZxFFum2I3H6gyARC57ZwpCQKxpSsbZlJnfaXk9IM='),
        power: 10n,
      },
    ],
    consensusParamUpdates: undefined,
    appHash: new Uint8Array(32).fill(12),
  },
}

const bus = eventsOf(committed, { commit: () => undefined, validators: () => undefined })
const parsed = bus.map(
  (it) => JSON.parse(`{${it.text()}}`) as { data: { type: string; value: unknown }; events: object },
)

describe('the events of a block', () => {
  it('come in the order of CometBFT', () => {
    const types = ['NewBlock', 'NewBlockHeader', 'NewBlockEvents', 'Tx', 'Tx', 'ValidatorSetUpdates', 'RoundState']
    expect(parsed.map(({ data }) => data.type)).toEqual(types.map((type) => `tendermint/event/${type}`))
  })

  it('carry its tags: of all attributes, indexed or not, and what CometBFT adds', () => {
    const hash = (byte: string) => byte.repeat(32)
    expect(parsed.map(({ events }) => events)).toEqual([
      { 'block.k': ['v'], 'tm.event': ['NewBlock'] },
      { 'tm.event': ['NewBlockHeader'] },
      { 'block.k': ['v'], 'tm.event': ['NewBlockEvents'] },
      {
        'tm.event': ['Tx'],
        'transfer.n': [''],
        'transfer.recipient': ['coin1x'],
        'tx.hash': [hash('01')],
        'tx.height': ['7'],
      },
      { 'tm.event': ['mine', 'Tx'], 'tx.hash': [hash('02')], 'tx.height': ['7'] },
      { 'tm.event': ['ValidatorSetUpdates'] },
      { 'tm.event': ['NewRoundStep'] },
    ])
  })

  it('are not made, nor the block read for them, when nobody wants them', () => {
    const { header } = committed.block
    const unread = {
      ...committed,
      get results(): never {
        throw new RangeError('read')
      },
      block: { header } as never,
    }
    const reads = { commit: () => undefined, validators: () => undefined }
    const names = (...wanted: readonly string[]) =>
      eventsOf(unread, reads, (name) => wanted.includes(name)).map(({ name }) => name)
    expect(names('NewBlockHeader')).toEqual(['NewBlockHeader'])
    expect(names('NewRoundStep', 'NewBlockHeader')).toEqual(['NewBlockHeader', 'NewRoundStep'])
    expect(names()).toEqual([])
    expect(() => names('Tx')).toThrow()
  })

  it('print as they were recorded', () => {
    const recorded = (name: string) => `"data":${JSON.stringify(dataOf(name))}`
    const text = (index: number) => bus[index]!.text().replace(/,"events":\{[^}]*\}$/, '')
    expect(text(1)).toBe(escapeJson(recorded('event_new_block_header')))
    expect(text(2)).toBe(escapeJson(recorded('event_new_block_events').replace('"num_txs":"2"', '"num_txs":"2"')))
    expect(text(5)).toBe(escapeJson(recorded('event_validators')))
  })

  it('of transactions print as they were recorded', () => {
    const [plain, failed] = [dataOf('event_tx'), dataOf('event_tx_index1')]
    const good = parsed[3]!.data as typeof plain
    // Events without a type were not recorded.
    const { TxResult } = good.value as { TxResult: { result: { events: object[] } } }
    TxResult.result.events.pop()
    expect(good).toEqual(plain)
    const bad = parsed[4]!.data.value as { TxResult: { result: { events?: object } } }
    delete bad.TxResult.result.events
    expect({ TxResult: bad.TxResult }).toEqual(failed.value)
  })
})
