import { type Bytes, bytesToUtf8, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import type { Application, Event, FinalizeBlock, TxResult } from '../application.js'

/** What the tally keeps over restarts. */
export interface TallyDisk {
  height: number
  appHash: Bytes
  entries: Map<string, string>
}

export function emptyTallyDisk(): TallyDisk {
  return { height: 0, appHash: emptyBytes, entries: new Map() }
}

/**
 * The smallest application that engine and RPC can be tested with. A transaction is text: `key=value` pairs separated by
 * `&`. Each pair is kept and becomes an attribute of an event `tally`; some keys mean more:
 * `gas=5` wants that much gas, `refuse=1` fails CheckTx, `fail=1` fails in the block, `once=x` is valid until `x` is known,
 * `crash=1` makes CheckTx throw.
 */
export function createTally(disk: TallyDisk): Application {
  let pending: TallyDisk | undefined

  const readPairs = (tx: Bytes) => new Map([...new URLSearchParams(bytesToUtf8(tx))])

  function judge(pairs: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): [code: number, log: string] {
    if (pairs.has('refuse')) return [1, 'refused']
    const once = pairs.get('once')
    return once !== undefined && known.has(`once/${once}`) ? [2, `${once} is known`] : [0, '']
  }

  function result(code: number, log: string, pairs: ReadonlyMap<string, string>, events: readonly Event[]): TxResult {
    const gasWanted = Number(pairs.get('gas') ?? 1)
    const data = code === 0 && events.length > 0 ? utf8ToBytes(String(pairs.size)) : emptyBytes
    return { code, codespace: code === 0 ? '' : 'tally', data, log, info: '', gasWanted, gasUsed: 1, events }
  }

  function deliver(tx: Bytes, entries: Map<string, string>): TxResult {
    const pairs = readPairs(tx)
    const [code, log] = pairs.has('fail') ? [3, 'failed'] : judge(pairs, entries)
    if (code === 0)
      for (const [key, value] of pairs)
        entries.set(key === 'once' ? `once/${value}` : key, key === 'once' ? '1' : value)
    const attributes = [...pairs].map(([key, value]) => ({ key, value, index: true }))
    return result(code, log, pairs, [{ type: 'tally', attributes }])
  }

  return {
    info: () => ({ lastHeight: disk.height, lastAppHash: disk.appHash, version: 'tally', appVersion: 0n }),
    initChain: ({ appState }) => {
      pending = { height: 0, appHash: emptyBytes, entries: new Map(Object.entries(JSON.parse(bytesToUtf8(appState)))) }
      disk.entries = pending.entries
      return { appHash: hashOf(pending.entries, 0), validators: [] }
    },
    checkTx(tx) {
      const pairs = readPairs(tx)
      if (pairs.has('crash')) throw new RangeError('the tally crashed')
      const [code, log] = judge(pairs, disk.entries)
      return result(code, log, pairs, [])
    },
    prepareProposal: ({ txs }) => txs,
    processProposal: () => true,
    finalizeBlock({ height, txs }: FinalizeBlock) {
      const entries = new Map(disk.entries)
      const txResults = txs.map((tx) => deliver(tx, entries))
      pending = { height, entries, appHash: hashOf(entries, height) }
      const attributes = [{ key: 'count', value: String(txs.length), index: true }]
      return {
        appHash: pending.appHash,
        txResults,
        events: [{ type: 'block_tally', attributes }],
        validatorUpdates: [],
      }
    },
    commit() {
      if (pending) Object.assign(disk, pending)
      return { retainHeight: 0 }
    },
    query({ data }) {
      const value = disk.entries.get(bytesToUtf8(data))
      const found = { codespace: '', key: data, height: disk.height, proofOps: [] }
      if (value === undefined) return { ...found, code: 1, codespace: 'tally', log: 'not known', value: emptyBytes }
      return { ...found, code: 0, log: '', value: utf8ToBytes(value) }
    },
    signatureJobs: () => [],
  }
}

function hashOf(entries: ReadonlyMap<string, string>, height: number): Bytes {
  return sha256(utf8ToBytes(JSON.stringify([height, [...entries].sort(([a], [b]) => (a < b ? -1 : 1))])))
}
