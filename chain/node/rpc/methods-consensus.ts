import { CodedError } from '@coin/base/errors'
import { checkEvidence } from '@coin/engine/comet/check-evidence'
import { base64 } from './comet-json.js'
import { failure, method, type RpcMethod, type RpcPorts } from './method.js'
import { roundStateJson, shortRoundStateJson } from './round-json.js'

/** Where consensus stands, and evidence of validators' misbehavior. */
export function consensusMethods({ consensus }: RpcPorts): readonly (readonly [string, RpcMethod])[] {
  return [
    method('dump_consensus_state', {}, 'never', async () => ({
      round_state: roundStateJson(await consensus.round()),
      peers: [],
    })),
    method('consensus_state', {}, 'never', async () => ({
      round_state: shortRoundStateJson(await consensus.round()),
    })),
    method('broadcast_evidence', { evidence: 'evidence' }, 'never', async ({ evidence }) => {
      if (!evidence) throw failure('no evidence was provided')
      await within('evidence.ValidateBasic failed', () => checkEvidence(evidence))
      const hash = await within('failed to add evidence', () => consensus.addEvidence(evidence))
      return { hash: base64(hash) }
    }),
  ]
}

/** What CometBFT serves when config.toml has `rpc.unsafe = true`. */
export function unsafeMethods({ consensus }: RpcPorts): readonly (readonly [string, RpcMethod])[] {
  const noPeers = () => failure('this node has no peers: it makes its blocks alone')
  return [
    method('dial_seeds', { seeds: 'strings' }, 'never', ({ seeds = [] }) => {
      throw seeds.length === 0 ? failure('no seeds provided') : noPeers()
    }),
    method(
      'dial_peers',
      { peers: 'strings', persistent: 'bool', unconditional: 'bool', private: 'bool' },
      'never',
      ({ peers = [] }) => {
        throw peers.length === 0 ? failure('no peers provided') : noPeers()
      },
    ),
    method('unsafe_flush_mempool', {}, 'never', async () => {
      await consensus.flushMempool()
      return {}
    }),
  ]
}

async function within<T>(context: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(context) : error
  }
}
