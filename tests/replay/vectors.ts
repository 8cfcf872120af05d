import { existsSync, readFileSync } from 'node:fs'

/** A value as JSON has it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonRecord
export type JsonRecord = { readonly [name: string]: JsonValue }

/** From tests/dist/replay to the tests folder. */
const tests = new URL('../../', import.meta.url)

function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`vectors/reference/${name}`, tests), 'utf8')) as T
}

const entriesOf = <T>(name: string): readonly T[] => readVectors<{ entries: readonly T[] }>(name).entries

export interface EventJson {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index: boolean }[]
}

/** A result as RPC 26657 shows it. */
export interface TxResultJson {
  readonly code: number
  /** Base64, or null. */
  readonly data: string | null
  readonly log: string
  readonly info: string
  readonly gas_wanted: string
  readonly gas_used: string
  readonly events: readonly EventJson[]
  readonly codespace: string
}

interface RecordedBlock {
  readonly height: number
  readonly tx_hashes: readonly string[]
  readonly block: { readonly block: { readonly data: { readonly txs: readonly string[] } } }
  readonly block_results: { readonly txs_results: readonly TxResultJson[] | null }
}

/** A transaction of the recorded chain; each was alone in its block. */
export interface PlayedTx {
  readonly name: string
  readonly hash: string
  /** On the reference. */
  readonly height: number
  /** Base64; of transactions that store a contract only a hash is kept. */
  readonly tx: string
  readonly result: TxResultJson
}

/** Everything that was played on the reference, in order. */
export function playedTxs(): readonly PlayedTx[] {
  const blocks = new Map(
    entriesOf<RecordedBlock>('blocks.json')
      .filter(({ height }) => height !== undefined)
      .map((block) => [block.height, block]),
  )
  return entriesOf<{ name: string; hash: string; height: number }>('transactions.json').map((played) => {
    const { block, block_results: results } = blocks.get(played.height)!
    return { ...played, tx: block.block.data.txs[0]!, result: results.txs_results![0]! }
  })
}

export interface Refused {
  readonly name: string
  readonly tx: string
  readonly answer: { readonly result: { code: number; data: string; log: string; codespace: string; hash: string } }
}

export const refusedTxs = (): readonly Refused[] => entriesOf('refused.json')

export interface RestExchange {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly request?: JsonValue
  readonly status: number
  readonly content_type: string
  readonly body: JsonValue
}

/**
 * Without the broadcast in the mode that waits for the block, which the reference refuses: here it would put a transaction into a
 * block that later exchanges are about.
 */
export const restExchanges = (): readonly RestExchange[] =>
  entriesOf<RestExchange>('rest.json').filter(
    ({ request }) => !JSON.stringify(request ?? '').includes('"BROADCAST_MODE_BLOCK"'),
  )

export interface RpcExchange {
  /** A method, called by POST; or, without parameters, a verb, a path and a body: `GET /header?height=4`. */
  readonly rpc: string
  readonly params?: Readonly<Record<string, JsonValue>>
  readonly status: number
  readonly body: JsonValue
}

export const rpcExchanges = (): readonly RpcExchange[] => entriesOf('rpc.json')

export interface GrpcExchange {
  readonly path: string
  /** Base64. */
  readonly request: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly code: number
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  readonly trailers: Readonly<Record<string, string>>
  /** Base64; null when the call failed. */
  readonly response: string | null
}

export const grpcExchanges = (): readonly GrpcExchange[] => entriesOf('grpc.json')

export interface ReflectionExchange {
  readonly request: JsonRecord
  readonly answer: JsonRecord
}

export const reflectionExchanges = (): readonly ReflectionExchange[] => entriesOf('grpc-reflection.json')

export interface Facts {
  readonly hackatom: string
  readonly reflect: string
  readonly bankSendHeight: number
  /** Hexadecimal. */
  readonly bankSendBlockHash: string
  readonly addresses: Readonly<Record<string, string>>
}

export const facts = (): Facts => readVectors('facts.json')

export const genesis = (): Record<string, unknown> => readVectors('genesis.json')

/** Files of the reference's home folder: JSON as a value, TOML as its lines without comments. */
export const homeFiles = (): Readonly<Record<string, object>> => readVectors('home.json')

const contractFile = (name: string): URL => new URL(`reference/.cache/contracts/wasmvm-2.3.1/${name}.wasm`, tests)

/** A contract that the recording stored; of other people, so it is fetched and never committed. */
export const readContract = (name: string): Uint8Array => new Uint8Array(readFileSync(contractFile(name)))

const missing = ['hackatom', 'reflect'].filter((name) => !existsSync(contractFile(name)))

/** Whether the recorded contracts are there; says on stderr what to do when they are not. */
export function hasContracts(): boolean {
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: needs the contracts ${missing.join(', ')}; run tests/reference/fetch-contracts.sh\n`)
  }
  return missing.length === 0
}

/** Mnemonic of an account of the recorded chain, of no value anywhere. */
export function mnemonicOf(name: string): string {
  const accounts = JSON.parse(readFileSync(new URL('reference/accounts.json', tests), 'utf8')) as {
    name: string
    mnemonic: string
  }[]
  return accounts.find((account) => account.name === name)!.mnemonic
}
