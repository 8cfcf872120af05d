import type { Bytes } from '@coin/base/bytes'
import { status } from '@coin/runtime/status'
import type { Descriptors, FileDescriptor } from '@coin/wire/descriptors'
import type { ServerReflectionRequest, ServerReflectionResponse } from '@coin/wire/gen/grpc/reflection/v1/reflection'
import { RawMessage } from '@coin/wire/raw-message'
import { grpcCode } from '../rest/grpc-status.js'

/** gRPC's own reflection; both versions have the same messages. */
export const reflectionServices = [
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
] as const

type Answered = Pick<
  ServerReflectionResponse,
  'fileDescriptorResponse' | 'allExtensionNumbersResponse' | 'listServicesResponse' | 'errorResponse'
>

/** Tells clients without .proto files what the node serves. */
export interface Reflection {
  /**
   * Files come with those that they import, unless their names are in `sent`, to which they are added: one set per stream. What is
   * not found is an answer. Throws `invalidArgument` for a request that asks nothing.
   */
  respond(request: ServerReflectionRequest, sent: Set<string>): ServerReflectionResponse
}

/** `services`: full names, in order. */
export function createReflection(descriptors: Descriptors, services: readonly string[]): Reflection {
  let indexed: Index | undefined
  const index = () => {
    indexed ??= indexFiles(descriptors)
    return indexed
  }

  function answer(request: ServerReflectionRequest, sent: Set<string>): Answered {
    const { fileByFilename, fileContainingSymbol, fileContainingExtension, allExtensionNumbersOfType } = request
    if (fileByFilename !== undefined)
      return filesAnswer(descriptors, descriptors.file(fileByFilename), sent, `unknown file: ${fileByFilename}`)
    if (fileContainingSymbol !== undefined) {
      const file = descriptors.fileOfSymbol(fileContainingSymbol) ?? index().symbols.get(fileContainingSymbol)
      return filesAnswer(descriptors, file, sent, `unknown symbol: ${fileContainingSymbol}`)
    }
    if (fileContainingExtension !== undefined) {
      const { containingType, extensionNumber } = fileContainingExtension
      if (descriptors.message(containingType) === undefined) return notFound(unknownType(containingType))
      const file = index().extensions.get(containingType)?.get(extensionNumber)
      const missing = `failed to find registered extension for extension number ${extensionNumber}`
      return filesAnswer(descriptors, file, sent, missing)
    }
    if (allExtensionNumbersOfType !== undefined) {
      if (descriptors.message(allExtensionNumbersOfType) === undefined)
        return notFound(unknownType(allExtensionNumbersOfType))
      const numbers = [...(index().extensions.get(allExtensionNumbersOfType)?.keys() ?? [])]
      const extensionNumber = numbers.sort((a, b) => a - b)
      return { ...none, allExtensionNumbersResponse: { baseTypeName: allExtensionNumbersOfType, extensionNumber } }
    }
    if (request.listServices !== undefined)
      return { ...none, listServicesResponse: { service: services.map((name) => ({ name })) } }
    throw status('invalidArgument', 'invalid MessageRequest: <nil>')
  }

  return {
    respond: (request, sent) => ({ validHost: request.host, originalRequest: request, ...answer(request, sent) }),
  }
}

const none: Answered = {
  fileDescriptorResponse: undefined,
  allExtensionNumbersResponse: undefined,
  listServicesResponse: undefined,
  errorResponse: undefined,
}

const unknownType = (name: string): string => `unknown type: ${JSON.stringify(name)}`

function notFound(errorMessage: string): Answered {
  return { ...none, errorResponse: { errorCode: grpcCode.notFound, errorMessage } }
}

/** The file itself always, then what it imports, directly or not, and the caller does not have. */
function filesAnswer(
  descriptors: Descriptors,
  file: FileDescriptor | undefined,
  sent: Set<string>,
  missing: string,
): Answered {
  if (file === undefined) return notFound(missing)
  const files: Bytes[] = [file.bytes]
  sent.add(file.name)
  const queue = [...file.dependencies]
  const seen = new Set(queue)
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const imported = descriptors.file(name)
    if (imported === undefined) continue
    if (!sent.has(name)) files.push(imported.bytes)
    sent.add(name)
    for (const next of imported.dependencies) {
      if (!seen.has(next)) queue.push(next)
      seen.add(next)
    }
  }
  return { ...none, fileDescriptorResponse: { fileDescriptorProto: files } }
}

/** What the descriptors do not index, because only reflection asks. */
interface Index {
  /** Full names of enum values, oneofs and extensions. */
  readonly symbols: ReadonlyMap<string, FileDescriptor>
  /** Extended message -> number of the extension -> file that declares it. */
  readonly extensions: ReadonlyMap<string, ReadonlyMap<number, FileDescriptor>>
}

function indexFiles(descriptors: Descriptors): Index {
  const symbols = new Map<string, FileDescriptor>()
  const extensions = new Map<string, Map<number, FileDescriptor>>()
  for (const file of descriptors.files) {
    for (const item of file.enums) for (const value of item.values) symbols.set(`${item.name}.${value.name}`, file)
    for (const { name, oneofs } of file.messages) for (const oneof of oneofs) symbols.set(`${name}.${oneof}`, file)
    // Field numbers of google/protobuf/descriptor.proto.
    for (const extension of new RawMessage(file.bytes).messages(7)) {
      symbols.set(`${file.package}.${extension.text(1)}`, file)
      const extended = extension.text(2).replace(/^\./, '')
      const numbers = extensions.get(extended) ?? new Map<number, FileDescriptor>()
      extensions.set(extended, numbers.set(extension.number(3), file))
    }
  }
  return { symbols, extensions }
}
