import { type RestNode, startRestNode } from '../rest/rest-node.js'

export interface GrpcNode extends RestNode {
  /** `127.0.0.1:<port>` */
  readonly grpc: string
}

/** A real node with its gRPC door on a free port, and web pages of any origin let in. */
export async function startGrpcNode(chainId: string, accounts: number): Promise<GrpcNode> {
  const flags = ['--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0', '--api.enabled-unsafe-cors', 'true']
  const node = await startRestNode(chainId, accounts, flags)
  const grpc = /gRPC is open address=(\S+)/.exec(node.process.log())?.[1]
  if (grpc === undefined) throw new Error(`the node has no gRPC door:\n${node.process.log()}`)
  return { ...node, grpc }
}
