import { assert } from '@coin/base/assert'
import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { EventLog } from '@coin/runtime/events'
import type { MsgRouter } from '@coin/runtime/msg-router'
import type { QueryRouter } from '@coin/runtime/query-router'
import type { Host } from '@coin/vm/host'
import type { Reply } from '@coin/vm/json'
import type { Call, CallResult, WasmVm } from '@coin/vm/vm'
import type { AddressCodec } from '@coin/wire/addresses'
import type { Coins } from '@coin/wire/coins'
import type { CodeInfo, ContractInfo } from '@coin/wire/gen/cosmwasm/wasm/v1/types'
import { defaultPolicy, governancePolicy, type Policy } from './access.js'
import { type CodeKeeper, createCodeKeeper } from './code-keeper.js'
import { openContractAccount } from './contract-account.js'
import { classicAddress, predictableAddress } from './contract-address.js'
import { callContract, envOf } from './contract-calls.js'
import { createHost, type QueryHandler } from './contract-host.js'
import { createContractQueries } from './contract-queries.js'
import { addContract, addMigration } from './contract-records.js'
import { createDispatcher, type Dispatcher } from './dispatch.js'
import { errors, markDeterministic, noSuchCode, noSuchContract } from './errors.js'
import { replyCost, setupCost } from './gas-register.js'
import type { AccountsPort, BankPort } from './ports.js'
import { type ContractResult, parseQueryResponse, parseResponse, type Response } from './response.js'
import { codes, contractStorePrefix, contracts, nextInstanceId, pinnedCodes, wasmStore } from './state.js'

/** How deep contracts may query each other. */
const queryDepthMax = 10

export interface WasmOptions {
  readonly vm: WasmVm
  readonly accounts: AccountsPort
  readonly bank: BankPort
  readonly addresses: AddressCodec
  /** The chain's tables, which contracts use too; may still be empty when the keeper is made. */
  readonly router: MsgRouter
  readonly queries: QueryRouter
  /** Bech32 address that may do everything, usually governance. */
  readonly authority: string
  /** Query methods that contracts may call, with the full name of the answer's message. None by default, as in wasmd. */
  readonly acceptedQueries?: ReadonlyMap<string, string>
  /** SDK gas of a smart query from outside; 3,000,000 by default. */
  readonly queryGasLimit?: number
}

export interface NewContract {
  readonly codeId: bigint
  readonly creator: Bytes
  /** `undefined` for a contract that nobody may migrate. */
  readonly admin: Bytes | undefined
  readonly msg: Bytes
  readonly label: string
  readonly funds: Coins
  /** For an address that is known beforehand; left out, the address comes from a counter. */
  readonly predictable?: { readonly salt: Bytes; readonly fixMsg: boolean }
}

/** The only writer of wasm's state. What throws must be in a branch: see `Write.branch`. */
export interface WasmKeeper {
  readonly codes: CodeKeeper
  readonly addresses: AddressCodec
  readonly authority: string
  readonly queryGasLimit: number
  /** What `actor` (bech32) may do here: governance everything, others by the rules in force for this message. */
  policyOf(actor: string): Policy
  instantiate(ctx: Write, contract: NewContract, policy: Policy): { readonly address: Bytes; readonly data: Bytes }
  execute(ctx: Write, contract: Bytes, caller: Bytes, msg: Bytes, funds: Coins): Bytes
  migrate(ctx: Write, contract: Bytes, caller: Bytes, codeId: bigint, msg: Bytes, policy: Policy): Bytes
  sudo(ctx: Write, contract: Bytes, msg: Bytes): Bytes
  /** `undefined` removes the admin for ever. */
  setAdmin(ctx: Write, contract: Bytes, caller: Bytes, admin: Bytes | undefined, policy: Policy): void
  setLabel(ctx: Write, contract: Bytes, caller: Bytes, label: string, policy: Policy): void
  /** `stackLeft` is the VM's stack budget when a contract asks. */
  querySmart(ctx: Read, contract: Bytes, request: Bytes, stackLeft?: number): Bytes
  /** One entry of a contract's state. */
  queryRaw(ctx: Read, contract: Bytes, key: Bytes): Bytes | undefined
}

interface Instance {
  readonly contract: Bytes
  readonly info: ContractInfo
  readonly code: CodeInfo
}

export function createWasmKeeper(options: WasmOptions): WasmKeeper {
  const { addresses, authority } = options
  const engine = new ContractEngine(options)
  const codeKeeper = createCodeKeeper(options.vm, addresses)
  return {
    codes: codeKeeper,
    addresses,
    authority,
    queryGasLimit: options.queryGasLimit ?? 3_000_000,
    policyOf: (actor) => (actor === authority ? governancePolicy : engine.submessagePolicy),
    instantiate: (ctx, contract, policy) => engine.instantiate(ctx, contract, policy),
    execute: (ctx, contract, caller, msg, funds) => engine.execute(ctx, contract, caller, msg, funds),
    migrate: (ctx, contract, caller, codeId, msg, policy) => engine.migrate(ctx, contract, caller, codeId, msg, policy),
    sudo: (ctx, contract, msg) => engine.sudo(ctx, contract, msg),
    setAdmin(ctx, contract, caller, admin, policy) {
      const info = requireModifiable(ctx, contract, addresses.encode(caller), policy)
      const text = admin === undefined ? '' : addresses.encode(admin)
      contracts.set(ctx, contract, { ...info, admin: text })
      ctx.emit('update_contract_admin', { _contract_address: addresses.encode(contract), new_admin_address: text })
    },
    setLabel(ctx, contract, caller, label, policy) {
      const info = requireModifiable(ctx, contract, addresses.encode(caller), policy)
      contracts.set(ctx, contract, { ...info, label })
      ctx.emit('update_contract_label', { _contract_address: addresses.encode(contract), new_label: label })
    },
    querySmart: (ctx, contract, request, stackLeft) => engine.querySmart(ctx, contract, request, stackLeft),
    queryRaw,
  }
}

function requireModifiable(ctx: Read, contract: Bytes, caller: string, policy: Policy): ContractInfo {
  const info = contracts.get(ctx, contract)
  if (info === undefined) throw sdkErrors.invalidRequest('unknown contract')
  if (!policy.canModifyContract(info.admin, caller)) throw sdkErrors.unauthorized('can not modify contract')
  return info
}

function queryRaw(ctx: Read, contract: Bytes, key: Bytes): Bytes | undefined {
  const prefix = contractStorePrefix(contract)
  const full = new Uint8Array(prefix.length + key.length)
  full.set(prefix)
  full.set(key, prefix.length)
  return ctx.store(wasmStore).get(full)
}

/** Runs contracts and what follows from it. Depths that Go keeps in its context are counted here: all of it is synchronous. */
class ContractEngine {
  /** The rules for messages that the contract being run sends. */
  submessagePolicy: Policy = defaultPolicy
  private readonly options: WasmOptions
  private readonly dispatcher: Dispatcher
  private readonly answer: QueryHandler
  private queryDepth = 0
  /** Codes that each running transaction has used: using one again is cheaper. */
  private readonly usedCodes = new WeakMap<object, Set<bigint>>()

  constructor(options: WasmOptions) {
    this.options = options
    const { router, bank, addresses, queries } = options
    this.dispatcher = createDispatcher({
      ...{ router, bank, addresses },
      reply: (ctx, contract, reply) => this.reply(ctx, contract, reply),
    })
    this.answer = createContractQueries({
      ...{ bank, addresses, queryRaw },
      router: queries,
      accepted: options.acceptedQueries ?? new Map(),
      querySmart: (ctx, contract, request, stackLeft) => this.querySmart(ctx, contract, request, stackLeft),
    })
  }

  private text(address: Bytes): string {
    return this.options.addresses.encode(address)
  }

  private load(ctx: Read, contract: Bytes): Instance {
    const info = contracts.get(ctx, contract)
    if (info === undefined) throw noSuchContract(this.text(contract))
    const code = codes.get(ctx, info.codeId)
    if (code === undefined) throw noSuchCode(info.codeId)
    return { contract, info, code }
  }

  private host(ctx: Read | Write, contract: Bytes): Host {
    return createHost(ctx, contract, this.options.addresses, this.answer)
  }

  /** Pays for getting a code ready. Pinned codes and those that the transaction has used before cost less. */
  private paySetup(ctx: Read, codeId: bigint, checksum: Bytes, what: string): void {
    const isCheap = pinnedCodes.has(ctx, codeId) || this.wasUsed(ctx, checksum)
    ctx.gas.consume(setupCost(isCheap), `Loading CosmWasm module: ${what}`)
  }

  private wasUsed(ctx: Read, checksum: Bytes): boolean {
    if (ctx.tx === undefined) return false
    let used = this.usedCodes.get(ctx.tx)
    if (used === undefined) {
      used = new Set()
      this.usedCodes.set(ctx.tx, used)
    }
    // 16 bytes of a sha256 tell any two codes apart.
    const view = new DataView(checksum.buffer, checksum.byteOffset)
    const mark = (view.getBigUint64(0) << 64n) | view.getBigUint64(8)
    if (used.has(mark)) return true
    used.add(mark)
    return false
  }

  private run(
    ctx: Write,
    contract: Bytes,
    call: (call: Call) => CallResult,
    refused: (text: string) => CodedError,
  ): Response {
    const result = callContract(ctx, this.host(ctx, contract), undefined, call, parseResponse)
    return unwrap(result, refused)
  }

  /** Sends what the contract wants sent, under other rules where governance started it. */
  private handle(ctx: Write, contract: Bytes, response: Response, policy = this.submessagePolicy): Bytes {
    const outer = this.submessagePolicy
    this.submessagePolicy = policy
    try {
      return this.dispatcher.handle(ctx, contract, response) ?? emptyBytes
    } finally {
      this.submessagePolicy = outer
    }
  }

  /** As the bank's own message does, but without its `message` event. */
  private transfer(ctx: Write, from: Bytes, to: Bytes, coins: Coins): void {
    if (coins.every(({ amount }) => amount === 0n)) return
    const { bank } = this.options
    bank.checkSendEnabled(ctx, coins)
    if (bank.isBlocked(to)) throw sdkErrors.unauthorized(`${this.text(to)} is not allowed to receive funds`)
    const log = new EventLog()
    bank.send(ctx.with({ events: log }), from, to, coins)
    ctx.events.push(log.events.filter(({ type }) => type !== 'message'))
  }

  instantiate(ctx: Write, given: NewContract, policy: Policy) {
    const { codeId, creator, msg, funds } = given
    const { vm } = this.options
    const code = codes.get(ctx, codeId)
    if (code === undefined) throw noSuchCode(codeId)
    this.paySetup(ctx, codeId, code.codeHash, 'instantiate')
    const creatorText = this.text(creator)
    if (code.instantiateConfig === undefined || !policy.canInstantiate(code.instantiateConfig, creatorText)) {
      throw sdkErrors.unauthorized('can not instantiate')
    }
    const address = this.newAddress(ctx, given, code.codeHash)
    openContractAccount(ctx, address, this.options.accounts, this.options.bank)
    this.transfer(ctx, creator, address, funds)
    const text = this.text(address)
    const response = this.run(
      ctx,
      address,
      (call) => vm.instantiate(code.codeHash, envOf(ctx, text), { sender: creatorText, funds }, msg, call),
      errors.instantiateFailed,
    )
    const ibcPortId = vm.analyze(code.codeHash).hasIbcEntryPoints ? `wasm.${text}` : ''
    const admin = given.admin === undefined ? '' : this.text(given.admin)
    addContract(ctx, address, { codeId, creator, creatorText, admin, label: given.label, ibcPortId, msg })
    ctx.emit('instantiate', { _contract_address: text, code_id: codeId.toString() })
    const data = wrapped('dispatch', () => this.handle(ctx, address, response, policy.ofSubmessages('instantiate')))
    return { address, data }
  }

  private newAddress(ctx: Write, { codeId, creator, msg, predictable }: NewContract, checksum: Bytes): Bytes {
    const address =
      predictable === undefined
        ? classicAddress(codeId, nextInstanceId.next(ctx))
        : predictableAddress(checksum, creator, predictable.salt, predictable.fixMsg ? msg : emptyBytes)
    if (contracts.has(ctx, address)) {
      throw errors.duplicate(
        'contract address already exists, try a different combination of creator, checksum and salt',
      )
    }
    return address
  }

  execute(ctx: Write, contract: Bytes, caller: Bytes, msg: Bytes, funds: Coins): Bytes {
    const { vm } = this.options
    const { info, code } = this.load(ctx, contract)
    this.paySetup(ctx, info.codeId, code.codeHash, 'execute')
    this.transfer(ctx, caller, contract, funds)
    const text = this.text(contract)
    const response = this.run(
      ctx,
      contract,
      (call) => vm.execute(code.codeHash, envOf(ctx, text), { sender: this.text(caller), funds }, msg, call),
      errors.executeFailed,
    )
    ctx.emit('execute', { _contract_address: text })
    return this.handle(ctx, contract, response)
  }

  migrate(ctx: Write, contract: Bytes, caller: Bytes, codeId: bigint, msg: Bytes, policy: Policy): Bytes {
    const { vm } = this.options
    const callerText = this.text(caller)
    const info = contracts.get(ctx, contract)
    if (info === undefined) throw sdkErrors.invalidRequest('unknown contract')
    if (!policy.canModifyContract(info.admin, callerText)) throw sdkErrors.unauthorized('can not migrate')
    const code = codes.get(ctx, codeId)
    if (code === undefined) throw sdkErrors.invalidRequest('unknown code')
    if (code.instantiateConfig === undefined || !policy.canInstantiate(code.instantiateConfig, callerText)) {
      throw sdkErrors.unauthorized('to use new code')
    }
    const report = vm.analyze(code.codeHash)
    if (!report.hasIbcEntryPoints && info.ibcPortId !== '') throw errors.migrationFailed('requires ibc callbacks')
    const text = this.text(contract)
    const ibcPortId = report.hasIbcEntryPoints ? `wasm.${text}` : info.ibcPortId
    const oldCode = codes.get(ctx, info.codeId)
    assert(oldCode !== undefined, `contract ${text} has code ${info.codeId}, which is not stored`)
    const oldMigrateVersion = vm.analyze(oldCode.codeHash).migrateVersion
    const isSameVersion = oldMigrateVersion !== undefined && oldMigrateVersion === report.migrateVersion
    let response: Response | undefined
    if (!isSameVersion) {
      this.paySetup(ctx, codeId, code.codeHash, 'migrate')
      const migrateInfo = { sender: callerText, oldMigrateVersion }
      response = this.run(
        ctx,
        contract,
        (call) => vm.migrate(code.codeHash, envOf(ctx, text), msg, migrateInfo, call),
        errors.migrationFailed,
      )
    }
    addMigration(ctx, contract, { ...info, ibcPortId }, codeId, msg)
    ctx.emit('migrate', { code_id: codeId.toString(), _contract_address: text })
    if (response === undefined) return emptyBytes
    return wrapped('dispatch', () => this.handle(ctx, contract, response, policy.ofSubmessages('migrate')))
  }

  sudo(ctx: Write, contract: Bytes, msg: Bytes): Bytes {
    const { info, code } = this.load(ctx, contract)
    this.paySetup(ctx, info.codeId, code.codeHash, 'sudo')
    const text = this.text(contract)
    const response = this.run(
      ctx,
      contract,
      (call) => this.options.vm.sudo(code.codeHash, envOf(ctx, text), msg, call),
      errors.executeFailed,
    )
    ctx.emit('sudo', { _contract_address: text })
    return wrapped('dispatch', () => this.handle(ctx, contract, response))
  }

  private reply(ctx: Write, contract: Bytes, reply: Reply): Bytes | undefined {
    const { code } = this.load(ctx, contract)
    ctx.gas.consume(replyCost(reply), 'Loading CosmWasm module: reply')
    const text = this.text(contract)
    const response = this.run(
      ctx,
      contract,
      (call) => this.options.vm.reply(code.codeHash, envOf(ctx, text), reply, call),
      errors.executeFailed,
    )
    ctx.emit('reply', { _contract_address: text })
    return wrapped('dispatch', () => this.dispatcher.handle(ctx, contract, response))
  }

  querySmart(ctx: Read, contract: Bytes, request: Bytes, stackLeft?: number): Bytes {
    if (this.queryDepth >= queryDepthMax) throw errors.exceedMaxQueryStackSize()
    this.queryDepth++
    try {
      const { info, code } = this.load(ctx, contract)
      this.paySetup(ctx, info.codeId, code.codeHash, 'query')
      const env = envOf(ctx, this.text(contract))
      const result = callContract(
        ctx,
        this.host(ctx, contract),
        stackLeft,
        (call) => this.options.vm.query(code.codeHash, env, request, call),
        parseQueryResponse,
      )
      return unwrap(result, errors.queryFailed)
    } finally {
      this.queryDepth--
    }
  }
}

/** A contract's own refusal is the same on every node, so other contracts may see its words. */
function unwrap<T>(result: ContractResult<T>, refused: (text: string) => CodedError): T {
  if ('error' in result) throw markDeterministic(refused(result.error))
  return result.ok
}

function wrapped<T>(context: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(context) : error
  }
}
