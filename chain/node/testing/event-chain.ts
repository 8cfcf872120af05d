import { type Bytes, emptyBytes } from '@coin/base/bytes'
import type { Event, FinalizeBlockResult, TxResult } from '@coin/engine/application'
import { type Block, type BlockId, emptyBlockId, emptyCommit, type Header } from '@coin/engine/comet/types'
import { type BlockStore, createBlockStore } from '@coin/engine/embedded/block-store'
import { type ChainState, genesisState, stateAfter } from '@coin/engine/embedded/chain-state'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { defaultConsensusParams, type Genesis } from '@coin/engine/genesis'
import type { KvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'

export interface EventTx {
  readonly bytes: Bytes
  readonly events?: readonly Event[]
  /** 0 when left out. */
  readonly code?: number
}

/** A real block store that is filled with events; nothing is executed or signed. */
export interface EventChain {
  readonly blocks: BlockStore
  /** Adds a block; answers it as the engine's listeners get it. */
  add(txs: readonly EventTx[], events?: readonly Event[]): CommittedBlock
}

const fill = (length: number, byte: number) => new Uint8Array(length).fill(byte)
const pubKey = fill(32, 7)

const genesis: Genesis = {
  time: 1_700_000_000_000_000_000n,
  chainId: 'events-1',
  initialHeight: 1,
  consensusParams: defaultConsensusParams,
  validators: [{ address: fill(20, 7), keyType: 'ed25519', pubKey, power: 10n, name: '' }],
  appHash: emptyBytes,
  appState: emptyBytes,
}

export function createEventChain(db: KvDatabase): EventChain {
  const blocks = createBlockStore(db)
  let state: ChainState = blocks.loadState() ?? genesisState(genesis, { appHash: emptyBytes, validators: [] }, 0n)
  if (state.lastHeight === 0) blocks.saveState(state, undefined)
  return {
    blocks,
    add(given, events = []) {
      const height = state.lastHeight + 1
      const hash = sha256(Uint8Array.of(height >>> 16, height >>> 8, height))
      const blockId: BlockId = { hash, parts: { total: 1, hash } }
      const txs = given.map(({ bytes }) => bytes)
      const block: Block = { header: headerOf(height, state.lastBlockId), txs, evidence: [], lastCommit: emptyCommit }
      blocks.saveBlock(
        block,
        { blockId, blockSize: 100, header: block.header, txCount: txs.length },
        { height, round: 0, blockId, signatures: [] },
      )
      const results: FinalizeBlockResult = {
        events,
        txResults: given.map(resultOf),
        validatorUpdates: [],
        consensusParamUpdates: undefined,
        appHash: hash,
      }
      state = stateAfter(state, block.header, blockId, txs.length, results)
      blocks.saveState(state, results)
      return { block, blockId, txHashes: txs.map((tx) => sha256(tx)), results }
    },
  }
}

function resultOf({ events = [], code = 0 }: EventTx): TxResult {
  return { code, codespace: '', data: emptyBytes, log: '', info: '', gasWanted: 1, gasUsed: 1, events }
}

function headerOf(height: number, lastBlockId: BlockId): Header {
  const hash = fill(32, 1)
  return {
    version: { block: 11n, app: 0n },
    chainId: genesis.chainId,
    height,
    time: genesis.time + BigInt(height) * 1_000_000_000n,
    lastBlockId: height === 1 ? emptyBlockId : lastBlockId,
    lastCommitHash: hash,
    dataHash: hash,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: hash,
    appHash: hash,
    lastResultsHash: hash,
    evidenceHash: hash,
    proposerAddress: fill(20, 7),
  }
}

/** `event('transfer', { amount: '5ucoin' })`, every attribute indexed. */
export function event(type: string, attributes: Readonly<Record<string, string>>): Event {
  return { type, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })) }
}
