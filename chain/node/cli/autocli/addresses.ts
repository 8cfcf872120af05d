import { CodedError } from '@coin/base/errors'
import { ed25519Address } from '@coin/wire/addresses'
import { decodeBech32 } from '@coin/wire/bech32'
import { messageFromJsonText } from '@coin/wire/json'
import { decodeAny } from '@coin/wire/registry'
import { nodeErrors } from '../../errors.js'
import type { CliContext } from '../context.js'
import type { ResolveAddress } from './field-text.js'

/**
 * Addresses as they are typed: bech32 of this chain, or of `any` chain for questions, which the node judges itself; otherwise the
 * name of a key. A consensus address may also be the JSON of its key.
 */
export function addressResolver(context: CliContext, prefixes: 'own' | 'any'): ResolveAddress {
  return async (text, kind) => {
    if (kind === 'consensus' && text.startsWith('{')) return context.addresses.consensus.encode(keyAddress(text))
    const isAddress = isBech32(text)
    if (isAddress && prefixes === 'any') return text
    if (isAddress || text.startsWith(`${context.addresses[kind].prefix}1`)) {
      context.addresses[kind].decode(text)
      return text
    }
    if (!context.keyring.names().includes(text)) throw notAnAddress(text, context)
    return context.addresses[kind].encode((await context.keyring.require(text)).address)
  }
}

function isBech32(text: string): boolean {
  try {
    decodeBech32(text)
    return true
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}

function notAnAddress(text: string, { keyring }: CliContext): Error {
  const names = keyring.names()
  const keys = names.length === 0 ? 'the keyring has no keys' : `the keyring has ${names.join(', ')}`
  return nodeErrors.badFlag(`"${text}" is neither an address nor a key: ${keys}`)
}

function keyAddress(json: string): Uint8Array {
  const any = messageFromJsonText<Parameters<typeof decodeAny>[0]>('google.protobuf.Any', json)
  const { typeName, message } = decodeAny(any)
  if (typeName !== 'cosmos.crypto.ed25519.PubKey')
    throw nodeErrors.badFlag(`a key of type ${typeName}, expected the ed25519 key of a validator`)
  return ed25519Address((message as { readonly key: Uint8Array }).key)
}
