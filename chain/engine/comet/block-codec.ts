import type { Bytes } from '@coin/base/bytes'
import { Block as BlockMessage } from '@coin/wire/gen/tendermint/types/block'
import { commitToMessage, headerToMessage, messageToCommit, messageToHeader, present } from './codec.js'
import { evidenceToMessage, messageToEvidence } from './evidence-codec.js'
import type { Block } from './types.js'

/** The bytes that are cut into parts: `tendermint.types.Block`. */
export function encodeBlock(block: Block): Bytes {
  return BlockMessage.encode({
    header: headerToMessage(block.header),
    data: { txs: block.txs as Bytes[] },
    evidence: { evidence: block.evidence.map(evidenceToMessage) },
    lastCommit: commitToMessage(block.lastCommit),
  }).finish()
}

export function decodeBlock(bytes: Bytes): Block {
  const message = BlockMessage.decode(bytes)
  return {
    header: messageToHeader(present(message.header, 'header')),
    txs: message.data?.txs ?? [],
    evidence: message.evidence?.evidence.map(messageToEvidence) ?? [],
    lastCommit: messageToCommit(message.lastCommit),
  }
}
