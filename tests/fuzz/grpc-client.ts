import { type ClientHttp2Session, connect } from 'node:http2'
import type { Random } from '@coin/base/testing/random'
import type { MethodDescriptor } from '@coin/wire/descriptors'
import { codecOf, descriptors } from '@coin/wire/registry'
import { leaks } from './http-client.js'
import { jsonOf } from './rest-requests.js'
import type { Seeds } from './seeds.js'
import { count, shapeOf, type Tally } from './tally.js'
import { mutateBytes, oddText, percentEncode, randomBytes } from './values.js'

/** Calls of these methods, now and then of any that there is, over HTTP/2 frames: good, mutated, cut off, or none at all. */
export function createGrpcClient(address: string, seeds: Seeds, methods: readonly MethodDescriptor[], tally: Tally) {
  const all = descriptors()
    .services()
    .flatMap((service) => service.methods)
  let session: ClientHttp2Session | undefined

  function open(): ClientHttp2Session {
    const opened = connect(`http://${address}`)
    opened.on('error', () => undefined)
    opened.on('close', () => {
      if (session === opened) session = undefined
    })
    return opened
  }

  /** The message in its frame: one byte of flags, four of length. */
  function frame(random: Random, message: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(5 + message.length)
    bytes[0] = random.int(20) === 0 ? random.int(256) : 0
    new DataView(bytes.buffer).setUint32(1, random.int(20) === 0 ? random.int(2 ** 32) : message.length)
    bytes.set(message, 5)
    return random.int(10) === 0 ? mutateBytes(random, bytes) : bytes
  }

  function messageOf(input: string, random: Random): Uint8Array {
    if (random.int(6) === 0) return randomBytes(random, 100)
    const codec = codecOf(input)
    const fields = jsonOf(descriptors().requireMessage(input), random, seeds, 3)
    let bytes: Uint8Array
    try {
      bytes = codec.encode(codec.fromPartial(fields)).finish()
    } catch {
      return randomBytes(random, 100) // values that do not fit the types
    }
    return random.int(3) === 0 ? mutateBytes(random, bytes) : bytes
  }

  return {
    async send(random: Random, tell: (what: string) => void): Promise<void> {
      if (session === undefined || session.destroyed || session.closed) session = open()
      const current = session
      const method = random.pick(random.int(15) === 0 ? all : methods)
      const path = random.int(12) === 0 ? `/${percentEncode(oddText(random))}` : `/${method.fullName}`
      const contentType =
        random.int(15) === 0
          ? random.pick(['', 'application/json', 'text/html', 'application/grpc+json'])
          : 'application/grpc'
      const headers: Record<string, string> = {
        ':method': random.int(25) === 0 ? 'GET' : 'POST',
        ':path': path,
        te: 'trailers',
      }
      if (contentType !== '') headers['content-type'] = contentType
      if (random.int(8) === 0)
        headers['x-cosmos-block-height'] = random.pick(['1', '0', '-1', '999999', 'abc', '1e30', ''])
      if (random.int(10) === 0) headers['grpc-timeout'] = random.pick(['1S', '0n', '1u', 'x', '99999999H'])
      if (random.int(20) === 0) headers['grpc-encoding'] = random.pick(['gzip', 'identity', 'x'])
      const frames = Array.from({ length: random.int(15) === 0 ? random.int(4) : 1 }, () =>
        frame(random, messageOf(method.input, random)),
      )
      const isCutOff = random.int(25) === 0
      tell(
        `${JSON.stringify(headers)} ${frames.map((one) => Buffer.from(one).toString('hex').slice(0, 200)).join(' ')} ${isCutOff}`,
      )
      await new Promise<void>((resolve) => {
        const stream = current.request(headers)
        let status: string | undefined
        let text = ''
        const read = (fields: Record<string, unknown>) => {
          status = (fields['grpc-status'] as string | undefined) ?? status
          text = (fields['grpc-message'] as string | undefined) ?? text
        }
        stream.on('response', read)
        stream.on('trailers', read)
        stream.on('error', () => undefined)
        stream.on('close', () => {
          count(tally.answers, `gRPC ${status ?? 'none'}`)
          if (leaks(decodeURIComponentSafely(text)))
            tally.internal.push(`gRPC ${path} -> ${status} ${text.slice(0, 300)}`)
          if (status === '13' || status === '2')
            count(tally.told, `gRPC ${status}: ${shapeOf(decodeURIComponentSafely(text))}`)
          resolve()
        })
        stream.resume()
        for (const one of frames) stream.write(one)
        if (isCutOff) {
          stream.close(random.pick([0, 1, 7, 8]))
          // A client that has reset a stream waits for nothing; this library sometimes does.
          setTimeout(() => stream.destroy(), 20)
        } else stream.end()
      })
      if (random.int(200) === 0) current.destroy()
    },
    close: () => session?.destroy(),
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
