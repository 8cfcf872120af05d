import { base64ToBytes, utf8ToBytes } from '@coin/base/bytes'
import type { FinalizeBlockResult, TxResult } from '@coin/engine/application'
import type { Block, Commit, Header, Validator } from '@coin/engine/comet/types'
import { validatorAddress } from '@coin/engine/comet/validator-set'
import { defaultConsensusParams, type Genesis } from '@coin/engine/genesis'
import { type CommitJson, commitOf, type HeaderJson, headerOf, readVectors } from '@coin/engine/testing/comet-vectors'
import { merkleProofs } from '@coin/store/simple-merkle'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import * as json from './comet-json.js'

const vectors = readVectors<Readonly<Record<string, string>>>('rpc-json.json')
const fill = (length: number, byte: number) => new Uint8Array(length).fill(byte)
const none = new Uint8Array(0)
const text = (value: string) => utf8ToBytes(value)

const time = 1_700_000_000_250_000_000n
const id = { hash: fill(32, 1), parts: { total: 1, hash: fill(32, 2) } }
const header: Header = {
  version: { block: 11n, app: 0n },
  chainId: 'coin-1',
  height: 7,
  time,
  lastBlockId: id,
  lastCommitHash: fill(32, 3),
  dataHash: fill(32, 4),
  validatorsHash: fill(32, 5),
  nextValidatorsHash: fill(32, 5),
  consensusHash: fill(32, 6),
  appHash: fill(32, 7),
  lastResultsHash: fill(32, 8),
  evidenceHash: fill(32, 9),
  proposerAddress: fill(20, 10),
}
const commit: Commit = {
  height: 6,
  round: 0,
  blockId: id,
  signatures: [
    { flag: 2, validatorAddress: fill(20, 10), timestamp: time, signature: fill(64, 11) },
    { flag: 1, validatorAddress: none, timestamp: -62_135_596_800_000_000_000n, signature: none },
  ],
}
const block: Block = { header, txs: [text('hello'), text('<b>')], evidence: [], lastCommit: commit }
const good: TxResult = {
  code: 0,
  codespace: '',
  data: text('data'),
  log: 'a "log" <&> \u2028',
  info: '',
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
  ],
}
const bad: TxResult = {
  code: 5,
  codespace: 'sdk',
  data: none,
  log: 'insufficient',
  info: 'i',
  gasWanted: 0,
  gasUsed: 0,
  events: [],
}
const pubKey = base64ToBytes('g10ZxFFum2I3H6gyARC57ZwpCQKxpSsbZlJnfaXk9IM=')
const validator: Validator = {
  address: validatorAddress('ed25519', pubKey),
  keyType: 'ed25519',
  pubKey,
  power: 10n,
  proposerPriority: 0n,
}
const secpKey = base64ToBytes('Akj+f/72W5u4TxLZQcxBK/E0oCGqCdKT8imSsT0mYwHT')
const other: Validator = {
  address: validatorAddress('secp256k1', secpKey),
  keyType: 'secp256k1',
  pubKey: secpKey,
  power: 3n,
  proposerPriority: -5n,
}
const results: FinalizeBlockResult = {
  txResults: [good, bad],
  events: [{ type: 'block', attributes: [{ key: 'k', value: 'v', index: true }] }],
  validatorUpdates: [{ keyType: 'ed25519', pubKey, power: 4n }],
  consensusParamUpdates: defaultConsensusParams,
  appHash: fill(32, 12),
}
const genesis: Genesis = {
  chainId: 'coin-1',
  time,
  initialHeight: 1,
  consensusParams: defaultConsensusParams,
  validators: [],
  appHash: none,
  appState: text('{"bank":{"x":"1"}}'),
}

describe('answers equal those of CometBFT v0.38.17 byte for byte', () => {
  const pairs: Readonly<Record<string, json.Json>> = {
    block: { block_id: json.blockIdJson(id), block: json.blockJson(block) },
    header: { header: json.headerJson(header) },
    commit: { signed_header: { header: json.headerJson(header), commit: json.commitJson(commit) }, canonical: true },
    block_results: json.blockResultsJson(7, results),
    block_results_none: json.blockResultsJson(7, {
      appHash: fill(32, 12),
      txResults: [],
      events: [],
      validatorUpdates: [],
    }),
    blockchain: {
      last_height: '7',
      block_metas: [json.blockMetaJson({ blockId: id, blockSize: 500, header, txCount: 2 })],
    },
    validators: {
      block_height: '7',
      validators: [json.validatorJson(validator), json.validatorJson(other)],
      count: '2',
      total: '2',
    },
    consensus_params: { block_height: '7', consensus_params: json.consensusParamsJson(defaultConsensusParams) },
    abci_query: {
      response: json.queryResultJson({
        code: 0,
        codespace: '',
        log: '',
        key: text('k'),
        value: text('v'),
        height: 7,
        proofOps: [{ type: 'ics23:iavl', key: text('k'), data: text('d') }],
      }),
    },
    abci_query_none: {
      response: json.queryResultJson({
        code: 6,
        codespace: 'sdk',
        log: 'unknown',
        key: none,
        value: none,
        height: 7,
        proofOps: [],
      }),
    },
    event_new_block: {
      query: "tm.event='NewBlock'",
      data: {
        type: 'tendermint/event/NewBlock',
        value: {
          block: json.blockJson(block),
          block_id: json.blockIdJson(id),
          result_finalize_block: json.finalizeBlockJson(results),
        },
      },
      events: { 'tm.event': ['NewBlock'] },
    },
    event_tx_index1: {
      query: "tm.event='Tx'",
      data: {
        type: 'tendermint/event/Tx',
        value: { TxResult: { height: '7', index: 1, tx: 'aGVsbG8=', result: json.shortTxResultJson(bad) } },
      },
      events: { 'tx.hash': ['AA', 'BB'] },
    },
    event_tx: {
      query: "tm.event='Tx'",
      data: {
        type: 'tendermint/event/Tx',
        value: { TxResult: { height: '7', tx: 'aGVsbG8=', result: json.shortTxResultJson(good) } },
      },
      events: { 'tx.hash': ['AA', 'BB'] },
    },
  }
  it.each(Object.keys(pairs))('%s', (name) => {
    expect(json.toJsonText(pairs[name]!)).toBe(json.escapeJson(vectors[name]!))
  })

  it('a transaction with its proof', () => {
    const { root, proofs } = merkleProofs(block.txs.map((tx) => sha256(tx)))
    const answer = {
      hash: json.hex(fill(32, 13)),
      height: '7',
      index: 1,
      tx_result: json.txResultJson(bad),
      tx: json.base64(text('<b>')),
      proof: json.txProofJson(root, text('<b>'), proofs[1]!),
    }
    expect(json.toJsonText(answer)).toBe(vectors.tx_proof)
  })

  it('genesis, with and without validators', () => {
    expect(`{"genesis":${json.genesisText(genesis)}}`).toBe(vectors.genesis)
    const named = { ...genesis, appState: text('{}'), validators: [{ ...validator, name: 'v' }] }
    expect(`{"genesis":${json.genesisText(named)}}`).toBe(vectors.genesis_validators)
  })
})

describe('headers and commits', () => {
  it('print as they were recorded, odd ones included', () => {
    const hashes = readVectors<{ headers: { header: HeaderJson }[]; commits: { commit: CommitJson }[] }>('hashes.json')
    for (const { header } of hashes.headers) expect(json.headerJson(headerOf(header))).toEqual(header)
    for (const { commit } of hashes.commits) expect(json.commitJson(commitOf(commit))).toEqual(commit)
  })
})
