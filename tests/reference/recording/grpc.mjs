// Raw gRPC calls, bytes in and bytes out, and what reflection says. Used by the recorder and by the test.
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { codecOf } from '../../../chain/wire/dist/registry.js'

/** A client of `127.0.0.1:9090`. */
export const createGrpcClient = (address) => new Client(address, credentials.createInsecure())

const whole = { serialize: (bytes) => Buffer.from(bytes), deserialize: (bytes) => bytes }
const deadline = () => ({ deadline: Date.now() + 20_000 })
/** Of the connection, and not of the answer. */
const ofTransport = new Set(['date', 'content-type', 'grpc-accept-encoding'])

function fieldsOf(metadata) {
  const fields = Object.entries(metadata.getMap()).filter(([name]) => !ofTransport.has(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

/**
 * Calls a method. `request` and `response` are base64; `response` is null when the call fails. Headers come before the response,
 * trailers after it.
 */
export function callGrpc(client, { path, request, metadata = {} }) {
  const sent = new Metadata()
  for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
  return new Promise((resolve) => {
    let headers = {}
    let response = null
    const { serialize, deserialize } = whole
    const body = Buffer.from(request, 'base64')
    // The library hands over the response before the status.
    const call = client.makeUnaryRequest(path, serialize, deserialize, body, sent, deadline(), (_, bytes) => {
      response = bytes?.toString('base64') ?? null
    })
    call.on('metadata', (received) => {
      headers = fieldsOf(received)
    })
    call.on('status', ({ code, details, metadata: trailers }) =>
      resolve({ code, message: details, headers, trailers: fieldsOf(trailers), response }),
    )
  })
}

/** Sends one request on a stream of its own, in the form of `ServerReflectionRequest`; answers the same form, or how it ended. */
export function reflect(client, version, request) {
  const name = `grpc.reflection.${version}`
  const bytes = codecOf('grpc.reflection.v1.ServerReflectionRequest')
  const { serialize, deserialize } = whole
  const call = client.makeBidiStreamRequest(
    `/${name}.ServerReflection/ServerReflectionInfo`,
    serialize,
    deserialize,
    new Metadata(),
    deadline(),
  )
  return new Promise((resolve) => {
    call.on('error', ({ code, details }) => resolve({ code, message: details }))
    call.on('data', (answer) => {
      call.end()
      resolve(summaryOf(codecOf('grpc.reflection.v1.ServerReflectionResponse').decode(answer)))
    })
    call.write(bytes.encode(codecOf('grpc.reflection.v1.ServerReflectionRequest').fromPartial(request)).finish())
  })
}

/** Of the files the first one: of the others it is up to the server which it sends. */
function summaryOf({ fileDescriptorResponse, listServicesResponse, errorResponse, allExtensionNumbersResponse }) {
  if (errorResponse !== undefined)
    return { error: { code: errorResponse.errorCode, message: errorResponse.errorMessage } }
  if (listServicesResponse !== undefined)
    return { services: listServicesResponse.service.map(({ name }) => name).sort() }
  if (allExtensionNumbersResponse !== undefined)
    return { extensions: [...allExtensionNumbersResponse.extensionNumber].sort((a, b) => a - b) }
  return { file: fileOf(fileDescriptorResponse.fileDescriptorProto[0]) }
}

/** What a file declares: names, numbers, labels and types, without comments and options. */
function fileOf(bytes) {
  const file = codecOf('google.protobuf.FileDescriptorProto').decode(bytes)
  const { name, package: inPackage, messageType, enumType, service } = file
  return {
    name,
    package: inPackage,
    messages: Object.assign({}, ...messageType.map((it) => messagesOf(it, ''))),
    enums: Object.fromEntries(enumType.map(enumOf)),
    services: Object.fromEntries(service.map(({ name: of, method }) => [of, method.map(methodOf)])),
  }
}

const enumOf = ({ name, value }) => [name, value.map((it) => `${it.name} = ${it.number}`)]

const methodOf = ({ name, inputType, outputType, clientStreaming, serverStreaming }) =>
  `${name}(${clientStreaming ? 'stream ' : ''}${inputType}) returns (${serverStreaming ? 'stream ' : ''}${outputType})`

function messagesOf({ name, field, nestedType, enumType }, before) {
  const inner = nestedType.map((it) => messagesOf(it, `${before}${name}.`))
  const fields = field.map((it) => {
    const type = it.typeName === '' ? `type ${it.type}` : it.typeName
    return `label ${it.label} ${type} ${it.name} = ${it.number}${it.jsonName === '' ? '' : ` "${it.jsonName}"`}`
  })
  const enums = enumType.map(enumOf).map(([of, values]) => `enum ${of} ${values.join(', ')}`)
  return Object.assign({ [before + name]: [...fields, ...enums] }, ...inner)
}
