import type { Bytes } from '@coin/base/bytes'
import type { ValidatorUpdate } from '@coin/engine/application'
import type { AuthorizationKind } from './authorization.js'
import type { MessageCodec } from './codec.js'
import type { Read, Write } from './context.js'

/**
 * One message type: who must have signed it, what is wrong with it on its face, and what it does.
 * `Response` is the message of the Msg service's answer; it is packed into the transaction's `data`.
 */
export interface MsgRoute<Msg = unknown, Response = unknown> {
  readonly request: MessageCodec<Msg>
  readonly response: MessageCodec<Response>
  /** Full name of the response message, for example `cosmos.bank.v1beta1.MsgSendResponse`. */
  readonly responseType: string
  /** Bech32 addresses, as the message's `cosmos.msg.v1.signer` option says; at least one. */
  signers(msg: Msg): readonly string[]
  /**
   * The SDK's ValidateBasic: pure, before any fee is taken, so a message refused here costs nothing. Only where the SDK
   * has one: what it checks while running must be checked in `run`, or fees and sequences would differ.
   */
  check?(msg: Msg): void
  /** Changes state and emits events, or throws and has then changed nothing (the caller runs it in a branch). */
  run(ctx: Write, msg: Msg): Response
}

/** Fixes the message types and forgets them, so that routes of all modules fit into one table. */
export function onMsg<Msg, Response>(route: MsgRoute<Msg, Response>): MsgRoute {
  return route as MsgRoute
}

/** One method of a Query service. The same handler answers REST, gRPC, `abci_query` and contracts. */
export interface QueryRoute<Request = unknown, Response = unknown> {
  readonly request: MessageCodec<Request>
  readonly response: MessageCodec<Response>
  /** Answers from one height's state. Throws `status(...)` for what the caller did wrong. */
  handle(ctx: Read, request: Request): Response
}

export function onQuery<Request, Response>(
  request: MessageCodec<Request>,
  response: MessageCodec<Response>,
  handle: (ctx: Read, request: Request) => Response,
): QueryRoute {
  return { request, response, handle } as QueryRoute
}

/** A module's part of `app_state` in genesis.json, as the SDK's JSON of `type`. */
export interface Genesis<State = unknown> {
  /** Full name of the genesis message, for example `cosmos.bank.v1beta1.GenesisState`. */
  readonly type: string
  /** What a chain gets whose genesis leaves this module out. */
  default(): State
  /** Writes the state of height 0. Throws when the genesis contradicts itself. */
  init(ctx: Write, state: State): readonly ValidatorUpdate[] | undefined
  /** The inverse: `init(export(...))` gives the same state. */
  export(ctx: Read): State
  /** What an operator should know of a state that is taken, but not honoured in full. */
  warnings?(state: State): readonly string[]
}

export function onGenesis<State>(genesis: Genesis<State>): Genesis {
  return genesis as Genesis
}

/** What the module says must always be true; answers with what is broken, or `undefined`. */
export type Invariant = (ctx: Read) => string | undefined

/** A module as the application lists it: a table of contents. Everything but the name may be left out. */
export interface Module {
  /** Its key in `app_state`, its codespace and its place in the order lists, for example `bank`. */
  readonly name: string
  /** Stores it owns. Nobody else opens them. The names are hashed into the app hash. */
  readonly stores?: readonly string[]
  /** By type URL, for example `/cosmos.bank.v1beta1.MsgSend`. */
  readonly msgs?: Readonly<Record<string, MsgRoute>>
  /** By full method, for example `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly queries?: Readonly<Record<string, QueryRoute>>
  /** By type URL, for example `/cosmos.bank.v1beta1.SendAuthorization`. */
  readonly authorizations?: Readonly<Record<string, AuthorizationKind>>
  readonly genesis?: Genesis
  /** Before everything else of the block. */
  preBlock?(ctx: Write): void
  beginBlock?(ctx: Write): void
  /** Answers with changes of the validator set, if it owns it. */
  endBlock?(ctx: Write): readonly ValidatorUpdate[] | undefined
  readonly invariants?: Readonly<Record<string, Invariant>>
}

/** Bytes of a message as `google.protobuf.Any` carries them. */
export interface PackedMsg {
  readonly typeUrl: string
  readonly value: Bytes
}
