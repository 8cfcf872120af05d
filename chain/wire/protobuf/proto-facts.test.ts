import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldDescriptor } from '../descriptors.js'
import { mapEntryOf } from '../json-forms.js'
import { descriptors } from '../registry.js'
import { type Facts, type FieldFact, ownName, readInjectiveFacts } from '../testing/injective-facts.js'

/** Where the independent package, a fork of SDK 0.50 with newer CometBFT types, differs from the versions we follow. */
const acceptedMessages: Readonly<Record<string, { ours?: string[]; theirs?: string[]; why: string }>> = {
  'cosmos.bank.v1beta1.Metadata': { theirs: ['decimals'], why: 'a field of the fork' },
  'cosmos.staking.v1beta1.GenesisState': {
    theirs: ['allowed_delegation_transfer_receivers'],
    why: 'a field of the fork',
  },
  'cosmos.tx.v1beta1.TxBody': { ours: ['unordered', 'timeout_timestamp'], why: 'new in SDK 0.53' },
  'cosmos.consensus.v1.MsgUpdateParams': { theirs: ['synchrony', 'feature'], why: 'CometBFT 1.0 parameters' },
  'cosmos.autocli.v1.RpcCommandOptions': { ours: ['gov_proposal'], why: 'newer than the client/v2 of the package' },
  'tendermint.types.ConsensusParams': { theirs: ['authority'], why: 'newer than CometBFT 0.38' },
  'tendermint.crypto.PublicKey': {
    theirs: ['bls12381', 'mldsa65', 'secp256k1eth'],
    why: 'key types newer than CometBFT 0.38',
  },
  'tendermint.abci.Request': { theirs: ['insert_tx', 'reap_txs'], why: 'newer than CometBFT 0.38' },
  'tendermint.abci.Response': { theirs: ['insert_tx', 'reap_txs'], why: 'newer than CometBFT 0.38' },
}

const absentMessages: Readonly<Record<string, string>> = {
  'cosmwasm.wasm.v1.QueryCodeInfoRequest': 'newer than the wasmd of the package',
  'cosmwasm.wasm.v1.QueryCodeInfoResponse': 'newer than the wasmd of the package',
  'cosmwasm.wasm.v1.QueryWasmLimitsConfigRequest': 'newer than the wasmd of the package',
  'cosmwasm.wasm.v1.QueryWasmLimitsConfigResponse': 'newer than the wasmd of the package',
}

/** Not in the package at all: gRPC's own reflection, which the end-to-end test with grpcurl proves. */
const isAbsent = (name: string): boolean => name.startsWith('grpc.reflection.')

const acceptedMethods: Readonly<Record<string, { path: string; why: string }>> = {
  'cosmos.bank.v1beta1.Query/DenomMetadata': {
    path: 'GET /cosmos/bank/v1beta1/denoms_metadata/{denom=**}',
    why: 'SDK 0.53 takes denominations with slashes',
  },
  'cosmos.bank.v1beta1.Query/DenomOwners': {
    path: 'GET /cosmos/bank/v1beta1/denom_owners/{denom=**}',
    why: 'SDK 0.53 takes denominations with slashes',
  },
}

const absentMethods: Readonly<Record<string, string>> = {
  'cosmwasm.wasm.v1.Query/CodeInfo': 'newer than the wasmd of the package',
  'cosmwasm.wasm.v1.Query/WasmLimitsConfig': 'newer than the wasmd of the package',
}

const line = (field: FieldFact): string =>
  `${field.name} = ${field.number}: ${field.repeated ? 'repeated ' : ''}${field.kind} ${field.typeName} ${field.oneof ? 'oneof' : ''}`

const withoutNames = (fields: readonly FieldFact[], names: readonly string[] = []): readonly string[] =>
  fields
    .filter((field) => !names.includes(field.name))
    .map(line)
    .sort()

/** protobuf-ts tells a map by the type of its values. */
function mapFact(field: FieldDescriptor): { kind: string; typeName: string } | undefined {
  const entry = mapEntryOf(field, descriptors())
  return entry && { kind: 'map', typeName: entry.value.typeName }
}

/** Our message against theirs; `undefined` when they agree. Where they have two versions, the older one counts. */
function difference(name: string, theirs: readonly (readonly FieldFact[])[]): string | undefined {
  const fields = descriptors()
    .requireMessage(name)
    .fields.map((field) => ({ ...field, ...mapFact(field), oneof: field.oneof !== undefined }))
  const accepted = acceptedMessages[name]
  const ours = withoutNames(fields, accepted?.ours)
  const candidates = theirs.map((candidate) => withoutNames(candidate, accepted?.theirs))
  if (candidates.some((candidate) => candidate.join('\n') === ours.join('\n'))) return undefined
  return `${name}\nours:\n${ours.join('\n')}\ntheirs:\n${candidates.map((candidate) => candidate.join('\n')).join('\nor:\n')}`
}

describe('proto/ against an independent package', () => {
  let facts: Facts
  const theirMessages = new Map<string, (readonly FieldFact[])[]>()

  beforeAll(async () => {
    facts = await readInjectiveFacts()
    for (const [name, fields] of facts.messages) {
      theirMessages.set(ownName(name), [...(theirMessages.get(ownName(name)) ?? []), fields])
    }
  })

  /** google.protobuf is not our text: buf brings it. */
  const ownMessages = () =>
    descriptors()
      .messages()
      .filter((message) => !message.name.startsWith('google.protobuf.') && !isAbsent(message.name) && !message.mapEntry)

  it('has the same fields, numbers and types in every message', () => {
    const compared = ownMessages().filter((message) => absentMessages[message.name] === undefined)
    const missing = compared.filter((message) => !theirMessages.has(message.name)).map((message) => message.name)
    expect(missing).toEqual([])
    const differences = compared.map((message) => difference(message.name, theirMessages.get(message.name)!))
    expect(differences.filter((text) => text !== undefined)).toEqual([])
    expect(compared.length).toBeGreaterThan(720)
  })

  it('has the same requests, responses and REST paths in every service', () => {
    const methods = descriptors()
      .services()
      .flatMap((service) => service.methods)
      .filter((method) => absentMethods[method.fullName] === undefined && !isAbsent(method.fullName))
    for (const method of methods) {
      const theirs = facts.methods.get(method.fullName)
      const http = method.http.map((rule) => `${rule.verb} ${rule.path} ${rule.body}`.trim())
      const accepted = acceptedMethods[method.fullName]
      expect({ name: method.fullName, input: method.input, output: method.output, http }).toEqual({
        name: method.fullName,
        input: theirs?.input,
        output: theirs?.output,
        http: accepted === undefined ? theirs?.http : [accepted.path],
      })
    }
    expect(methods.length).toBeGreaterThan(200)
  })

  it('lists no difference that has gone away', () => {
    const names = new Set(ownMessages().map((message) => message.name))
    for (const name of [...Object.keys(acceptedMessages), ...Object.keys(absentMessages)]) expect(names).toContain(name)
    for (const name of Object.keys(absentMessages)) expect(theirMessages.has(name)).toBe(false)
    for (const name of Object.keys(absentMethods)) expect(facts.methods.has(name)).toBe(false)
    for (const [name, { ours = [], theirs = [] }] of Object.entries(acceptedMessages)) {
      const our = new Set(
        descriptors()
          .requireMessage(name)
          .fields.map((field) => field.name),
      )
      const their = new Set(
        theirMessages
          .get(name)!
          .flat()
          .map((field) => field.name),
      )
      for (const field of ours) expect([our.has(field), their.has(field)]).toEqual([true, false])
      for (const field of theirs) expect([our.has(field), their.has(field)]).toEqual([false, true])
    }
  })
})
