import { txHash } from '@coin/wire/tx'
import { callRpc, type NodeProcess, startNodeProcess } from '../process/node-process.js'
import { send, signReferenceTx, storeCode } from './reference-signer.js'
import { type PlayedTx, playedTxs, readContract, type TxResultJson } from './vectors.js'

/** A recorded transaction and what this node made of it. */
export interface Replayed {
  readonly recorded: PlayedTx
  /** On this node. */
  readonly height: number
  readonly result: TxResultJson
  /** What the fee collector held before, in ucosm: on the reference it is emptied at the beginning of each block. */
  readonly collected: bigint
  readonly fee: bigint
}

/** Transactions that a module does, which is not built yet. */
export const unbuilt: ReadonlySet<string> = new Set(['delegate'])

/** The node of the reference's home folder. */
export function startReplay(root: string, blockTime: string): Promise<NodeProcess> {
  const grpc = ['--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0']
  return startNodeProcess(root, ['--minimum-gas-prices', '0.001ucosm', '--engine.block-time', blockTime, ...grpc])
}

/** `127.0.0.1:<port>` of its gRPC interface. */
export function grpcAddress(node: NodeProcess): string {
  const address = /gRPC is open address=(\S+)/.exec(node.log())?.[1]
  if (address === undefined) throw new Error(`the node has no gRPC:\n${node.log()}`)
  return address
}

/** The bytes of a recorded transaction; those that store a contract are signed anew, and are the same. */
export async function bytesOf({ name, tx, hash }: PlayedTx): Promise<Uint8Array> {
  if (!tx.startsWith('redacted:')) return new Uint8Array(Buffer.from(tx, 'base64'))
  const [from, contract, sequence] = name === 'store_hackatom' ? ['alice', 'hackatom', 8] : ['bob', 'reflect', 3]
  const messages = [storeCode(from as string, readContract(contract as string))]
  const bytes = await signReferenceTx({ from: from as string, sequence: sequence as number, gas: 5_000_000, messages })
  if (txHash(bytes) !== hash) throw new Error(`${name} has hash ${txHash(bytes)}, recorded is ${hash}`)
  return bytes
}

interface CommitAnswer {
  readonly check_tx: { readonly code: number; readonly log: string }
  readonly tx_result: TxResultJson
  readonly height: string
}

export async function commitTx(node: NodeProcess, tx: Uint8Array): Promise<CommitAnswer> {
  const answer = await callRpc<CommitAnswer>(node.rpc, 'broadcast_tx_commit', {
    tx: Buffer.from(tx).toString('base64'),
  })
  if (answer.check_tx.code !== 0) throw new Error(`refused: ${answer.check_tx.log}`)
  return answer
}

/**
 * Sends the recorded transactions in order, each into a block of its own, `last` being the last. In the place of what an
 * unbuilt module would do comes a send of the same fee and amount, so that sequences and balances stay those of the recording.
 */
export async function play(node: NodeProcess, last: string): Promise<readonly Replayed[]> {
  const replayed: Replayed[] = []
  let collected = 0n
  for (const recorded of playedTxs()) {
    const fee = (BigInt(recorded.result.gas_wanted) + 999n) / 1000n
    if (unbuilt.has(recorded.name)) {
      const messages = [send('alice', 'validator', '1000000', 'stake')]
      await commitTx(node, await signReferenceTx({ from: 'alice', sequence: 23, gas: 300_000, messages }))
    } else {
      const { tx_result: result, height } = await commitTx(node, await bytesOf(recorded))
      replayed.push({ recorded, height: Number(height), result, collected, fee })
    }
    collected += fee
    if (recorded.name === last) break
  }
  return replayed
}
