import { constants, type ServerHttp2Stream } from 'node:http2'
import { type ServerInterceptingCall, type ServerInterceptor, type StatusObject, status } from '@grpc/grpc-js'

export interface ArrivalLimits {
  /** Largest message. */
  readonly receiveBytesMax: number
  /** Of all requests together, from their first byte until they are answered. */
  readonly heldBytesMax: number
  /** For a unary request to arrive whole. */
  readonly arrivalMsMax: number
}

/** The innermost call, around which the library lays interceptors. */
interface InnermostCall {
  readonly stream: ServerHttp2Stream
  sendStatus(status: Partial<StatusObject>): void
}

/**
 * Bounds what callers can make the node hold: the library bounds each message alone, and waits for its end for as long as the
 * caller likes. Also gives refusals the words of grpc-go.
 */
export function guardArrival({ receiveBytesMax, heldBytesMax, arrivalMsMax }: ArrivalLimits): ServerInterceptor {
  let heldBytes = 0
  return (method, call) => {
    const innermost = call as unknown as InnermostCall
    const { stream } = innermost
    const sendStatus = innermost.sendStatus.bind(innermost)
    innermost.sendStatus = (ended) => sendStatus({ ...ended, details: wording(ended.details ?? '') })
    const refuse = (code: status, details: string) => {
      innermost.sendStatus({ code, details })
      // What the caller still sends is not wanted.
      stream.close(constants.NGHTTP2_NO_ERROR)
    }
    const timer = method.requestStream
      ? undefined
      : setTimeout(
          () => refuse(status.DEADLINE_EXCEEDED, `the request did not arrive within ${arrivalMsMax} ms`),
          arrivalMsMax,
        )
    let held = 0
    const hold = (bytes: number) => {
      heldBytes += bytes - held
      held = bytes
    }
    stream.on('data', (chunk: Uint8Array) => {
      hold(Math.min(held + chunk.length, receiveBytesMax + 5))
      if (heldBytes > heldBytesMax)
        refuse(status.RESOURCE_EXHAUSTED, 'the node holds too many requests, try again later')
    })
    stream.once('end', () => clearTimeout(timer))
    stream.once('close', () => {
      clearTimeout(timer)
      hold(0)
    })
    return call as unknown as ServerInterceptingCall
  }
}

const tooLarge = /^Received message larger than max \((\d+) vs (\d+)\)$/

/** The library percent-encodes the text and throws when it is not well-formed. */
function wording(details: string): string {
  return details
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(tooLarge, 'grpc: received message larger than max ($1 vs. $2)')
}
