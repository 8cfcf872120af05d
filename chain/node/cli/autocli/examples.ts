import type { FieldDescriptor } from '@coin/wire/descriptors'
import { descriptors } from '@coin/wire/registry'
import { enumWords } from './field-text.js'

/** An account of the prefix `coin`; whether anybody has it does not matter to an example. */
export const exampleAccount = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'

/** Where the first contract of a chain with the prefix `coin` is, if its code is the first one too. */
export const exampleContract = 'coin14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sdvmh7d'

const byName: Readonly<Record<string, string>> = {
  denom: 'ucoin',
  contract: exampleContract,
  admin: exampleAccount,
  new_label: 'launchpad',
  address_string: exampleAccount,
  address_bytes: '2172ab6e5fd10db830392483fa1faf02e2b7d3a8',
  params_type: 'voting',
}

const byScalar: Readonly<Record<string, string>> = {
  'cosmos.AddressString': exampleAccount,
  'cosmos.ValidatorAddressString': 'coinvaloper1y9e2kmjl6yxmsvpeyjpl58a0qt3t05agl5rge7',
  'cosmos.ConsensusAddressString': 'coinvalcons1y9e2kmjl6yxmsvpeyjpl58a0qt3t05agt8s54l',
}

const byMessage: Readonly<Record<string, string>> = {
  'cosmos.base.v1beta1.Coin': '5ucoin',
  'cosmos.base.v1beta1.DecCoin': '0.5ucoin',
  'google.protobuf.Timestamp': '2030-01-01T00:00:00Z',
  'google.protobuf.Duration': '90s',
}

/** A value that the field takes, for an example of its command. */
export function exampleOf(field: FieldDescriptor): string {
  const known = byName[field.name] ?? byScalar[field.scalar]
  if (known !== undefined) return known
  switch (field.kind) {
    case 'message':
      return byMessage[field.typeName] ?? `'{}'`
    case 'enum':
      return enumWords(descriptors().enum(field.typeName)!).at(-1)!.word
    case 'bytes':
      return '00ff'
    case 'string':
      return field.name
    default:
      return '1'
  }
}
