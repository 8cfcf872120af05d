import { type Bytes, concatBytes } from '@coin/base/bytes'
import { encodeFrame } from '@coin/node/grpc/frames'
import { QueryBalanceRequest, QueryBalanceResponse } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GrpcNode, startGrpcNode } from './grpc-node.js'

const path = '/cosmos.bank.v1beta1.Query/Balance'
let node: GrpcNode
let request: Bytes

beforeAll(async () => {
  node = await startGrpcNode('grpc-web-1', 1)
  const { address } = node.senders[0]!
  request = QueryBalanceRequest.encode(QueryBalanceRequest.fromPartial({ address, denom: 'ucoin' })).finish()
})
afterAll(() => node.close())

describe('a web page of another origin', () => {
  const origin = 'http://page.example'

  it('may call gRPC-Web on the REST port', async () => {
    const preflight = await fetch(node.process.rest + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-grpc-web,x-user-agent',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-grpc-web')
    const response = await fetch(node.process.rest + path, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
      body: encodeFrame(0, request),
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toContain('x-cosmos-block-height')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const length = new DataView(bytes.buffer).getUint32(1)
    const { balance } = QueryBalanceResponse.decode(bytes.subarray(5, 5 + length))
    expect(balance).toMatchObject({ denom: 'ucoin', amount: '100000000000000' })
    const trailers = concatBytes(Uint8Array.of(0x80, 0, 0, 0, 16), new TextEncoder().encode('grpc-status: 0\r\n'))
    expect(bytes.subarray(5 + length)).toEqual(trailers)
  })
})
