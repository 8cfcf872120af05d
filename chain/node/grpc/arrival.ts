import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Bytes } from '@coin/base/bytes'
import { type ServerInterceptingCall, type ServerInterceptor, type StatusObject, status } from '@grpc/grpc-js'
import { type HeldBytes, smallBytesMax, takenMsMax, tooMuchHeld } from '../held-bytes.js'

export interface ArrivalLimits {
  /** Largest message. */
  readonly receiveBytesMax: number
  /** Of all requests together, from their first byte until they are answered. */
  readonly heldBytesMax: number
  /** For a unary request to arrive whole. */
  readonly arrivalMsMax: number
  /** Counts answers until they are taken. */
  readonly held: HeldBytes
}

/** What one stream of requests may send in all: reflection's requests are names. */
const streamBytesMax = 1024 * 1024

/** The innermost call, around which the library lays interceptors. */
interface InnermostCall {
  readonly stream: ServerHttp2Stream
  sendStatus(status: Partial<StatusObject>): void
  sendMessage(message: Bytes, callback: () => void): void
}

/**
 * Bounds what callers can make the node hold: the library bounds each message alone, and waits for its end for as long as the
 * caller likes. Also gives refusals the words of grpc-go.
 */
export function guardArrival({
  receiveBytesMax,
  heldBytesMax,
  arrivalMsMax,
  held: answers,
}: ArrivalLimits): ServerInterceptor {
  let heldBytes = 0
  return (method, call) => {
    const innermost = call as unknown as InnermostCall
    const { stream } = innermost
    const sendStatus = innermost.sendStatus.bind(innermost)
    let hasArrived = false
    // Tells the caller, as grpc-go does, that the rest of the request is not wanted.
    const stopCaller = () => {
      if (!hasArrived && !stream.closed) stream.close(constants.NGHTTP2_NO_ERROR)
    }
    innermost.sendStatus = (ended) => {
      const { headersSent } = stream
      sendStatus({ ...ended, details: wording(ended.details ?? '') })
      // Not in the same turn: a stream that is closed drops the trailers that have not been written yet.
      if (headersSent) stream.once('wantTrailers', () => setImmediate(stopCaller))
      else setImmediate(stopCaller)
    }
    const refuse = (code: status, details: string) => innermost.sendStatus({ code, details })
    const timer = method.requestStream
      ? undefined
      : setTimeout(
          () => refuse(status.DEADLINE_EXCEEDED, `the request did not arrive within ${arrivalMsMax} ms`),
          arrivalMsMax,
        )
    const sendMessage = innermost.sendMessage.bind(innermost)
    innermost.sendMessage = (message, callback) => {
      if (message.length <= smallBytesMax) return sendMessage(message, callback)
      const release = answers.take(message.length)
      if (release === undefined) return refuse(status.RESOURCE_EXHAUSTED, tooMuchHeld)
      const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), takenMsMax)
      stream.once('close', () => {
        clearTimeout(late)
        release()
      })
      sendMessage(message, callback)
    }
    let held = 0
    const hold = (bytes: number) => {
      heldBytes += bytes - held
      held = bytes
    }
    stream.on('data', (chunk: Uint8Array) => {
      hold(Math.min(held + chunk.length, receiveBytesMax + 5))
      if (method.requestStream && held > streamBytesMax)
        refuse(status.RESOURCE_EXHAUSTED, `the stream has sent more than ${streamBytesMax} bytes`)
      else if (heldBytes > heldBytesMax)
        refuse(status.RESOURCE_EXHAUSTED, 'the node holds too many requests, try again later')
    })
    stream.once('end', () => {
      hasArrived = true
      clearTimeout(timer)
    })
    stream.once('close', () => {
      clearTimeout(timer)
      hold(0)
    })
    return call as unknown as ServerInterceptingCall
  }
}

/** The library's words and those of grpc-go, which says nothing when all is well. */
const wordings = [
  [/^OK$/, ''],
  [/^Received message larger than max \((\d+) vs (\d+)\)$/, 'grpc: received message larger than max ($1 vs. $2)'],
  [/^Sent message larger than max \((\d+) vs\. (\d+)\)$/, 'grpc: trying to send message larger than max ($1 vs. $2)'],
] as const

/** The library percent-encodes the text and throws when it is not well-formed. */
function wording(details: string): string {
  const found = wordings.find(([theirs]) => theirs.test(details))
  return found ? details.replace(found[0], found[1]) : details.replace(/\p{Surrogate}/gu, '\ufffd')
}
