import { blockBytesMax } from '../genesis.js'

/** Room that CometBFT sets aside in a block for everything but transactions (types/block.go). */
const overheadBytes = 11
const headerBytesMax = 626
const commitOverheadBytes = 94
const commitSigBytesMax = 109 + 2

/** Bytes that a transaction of `length` bytes takes in a block: tag, length, bytes. */
export function txDataBytes(length: number): number {
  let lengthBytes = 1
  for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) lengthBytes++
  return 1 + lengthBytes + length
}

/** Bytes of transactions that fit into a block beside its evidence; `blockBytes` -1 stands for the protocol's maximum. */
export function dataBytesMax(blockBytes: bigint, validators: number, evidenceBytes: number): number {
  const whole = Number(blockBytes === -1n ? blockBytesMax : blockBytes)
  const commitBytes = commitOverheadBytes + commitSigBytesMax * validators
  return Math.max(0, whole - overheadBytes - headerBytesMax - commitBytes - evidenceBytes)
}
