import type { Descriptors } from '@coin/wire/descriptors'
import { typeUrlOf } from '@coin/wire/registry'

/** What may stand in an `Any`: an interface of the Go SDK and the messages that are one. */
export interface InterfaceTypes {
  /** `cosmos.auth.v1beta1.AccountI` */
  readonly name: string
  /** Type URLs, in order. */
  readonly implementations: readonly string[]
}

const accounts = [
  'cosmos.auth.v1beta1.BaseAccount',
  'cosmos.auth.v1beta1.ModuleAccount',
  'cosmos.vesting.v1beta1.BaseVestingAccount',
  'cosmos.vesting.v1beta1.ContinuousVestingAccount',
  'cosmos.vesting.v1beta1.DelayedVestingAccount',
  'cosmos.vesting.v1beta1.PeriodicVestingAccount',
  'cosmos.vesting.v1beta1.PermanentLockedAccount',
]

const publicKeys = [
  'cosmos.auth.v1beta1.ModuleCredential',
  'cosmos.crypto.ed25519.PubKey',
  'cosmos.crypto.multisig.LegacyAminoPubKey',
  'cosmos.crypto.secp256k1.PubKey',
  'cosmos.crypto.secp256r1.PubKey',
]

/** Of interfaces whose messages do not say so in their .proto files; what the reference registers. */
const registered: Readonly<Record<string, readonly string[]>> = {
  'cosmos.auth.v1.ModuleCredential': publicKeys,
  'cosmos.auth.v1beta1.AccountI': accounts,
  'cosmos.auth.v1beta1.GenesisAccount': accounts,
  'cosmos.crypto.PrivKey': ['cosmos.crypto.ed25519.PrivKey', 'cosmos.crypto.secp256k1.PrivKey'],
  'cosmos.crypto.PubKey': publicKeys,
  'cosmos.evidence.v1beta1.Evidence': ['cosmos.evidence.v1beta1.Equivocation'],
  'cosmos.tx.v1beta1.Tx': ['cosmos.tx.v1beta1.Tx'],
  'cosmos.tx.v1beta1.TxExtensionOptionI': [],
  'cosmos.vesting.v1beta1.VestingAccount': accounts.slice(3),
  'cosmwasm.wasm.v1.ContractInfoExtension': [],
}

/** Said in a .proto file, but not registered by the reference. */
const notRegistered: ReadonlySet<string> = new Set([
  'cosmos.auth.v1beta1.ModuleAccountI',
  'cosmos.distribution.v1beta1.CommunityPoolSpendProposalWithDeposit',
  'cosmos.params.v1beta1.ParameterChangeProposal',
])

/** Every interface, in order of its name. `messages`: type URLs that transactions may carry. */
export function listInterfaces(descriptors: Descriptors, messages: readonly string[]): readonly InterfaceTypes[] {
  const names = new Map(Object.entries(registered))
  for (const { name, implementsInterfaces } of descriptors.messages()) {
    for (const implemented of implementsInterfaces) {
      if (registered[implemented] !== undefined || notRegistered.has(implemented) || notRegistered.has(name)) continue
      names.set(implemented, [...(names.get(implemented) ?? []), name])
    }
  }
  const messageNames = new Set(messages.map((typeUrl) => typeUrl.slice(1)))
  names.set('cosmos.base.v1beta1.Msg', [...messageNames])
  names.set('cosmos.tx.v1beta1.MsgResponse', responsesOf(descriptors, messageNames))
  return [...names]
    .map(([name, types]) => ({ name, implementations: types.map(typeUrlOf).sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function responsesOf(descriptors: Descriptors, messages: ReadonlySet<string>): readonly string[] {
  const methods = descriptors.services().flatMap((service) => (service.isMsgService ? service.methods : []))
  return [...new Set(methods.filter(({ input }) => messages.has(input)).map(({ output }) => output))]
}

/** Type URLs of the messages of all modules that answer one of `queries`, which are gRPC paths. */
export function listMessages(descriptors: Descriptors, queries: readonly string[]): readonly string[] {
  const packages = new Set(queries.map((path) => path.slice(1, path.lastIndexOf('.'))))
  const services = descriptors.services().filter(({ isMsgService }) => isMsgService)
  const ofModules = services.filter(({ name }) => packages.has(name.slice(0, name.lastIndexOf('.'))))
  return ofModules.flatMap(({ methods }) => methods.map(({ input }) => typeUrlOf(input)))
}
