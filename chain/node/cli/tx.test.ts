import { bytesToBase64, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { decodeBase64 } from '@coin/wire/base64'
import { QueryAccountResponse } from '@coin/wire/gen/cosmos/auth/v1beta1/query'
import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryDenomMetadataResponse,
} from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import {
  GetTxRequest,
  GetTxResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  SimulateRequest,
  SimulateResponse,
} from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { QuerySmartContractStateResponse } from '@coin/wire/gen/cosmwasm/wasm/v1/query'
import { encodeAny } from '@coin/wire/registry'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { directSignBytes } from '@coin/wire/sign-doc'
import { type DecodedTx, decodeTx, txHash } from '@coin/wire/tx'
import { afterEach, describe, expect, it } from 'vitest'
import { openKeyring } from '../keys/keyring.js'
import { keyOf } from '../keys/mnemonic.js'
import { runInProcess } from '../testing/run-cli.js'
import { type RpcHandler, type StubRpc, startStubRpc } from '../testing/stub-rpc.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const newFolder = temporaryFolders()
const key = keyOf(new Uint8Array(32).fill(5))
const chainId = 'stub-1'
const somebody = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'
const elsewhere = 'cosmos1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag4ha34h'
let stub: StubRpc | undefined
const sent: DecodedTx[] = []

afterEach(async () => {
  await stub?.close()
  stub = undefined
  sent.length = 0
})

const refused = (log: string) => ({ response: { code: 18, codespace: 'sdk', log } })
const value = (bytes: Uint8Array) => ({ response: { code: 0, value: bytesToBase64(bytes), height: '5' } })

/** What abci_query answers per path. The simulation uses as much gas as the transaction has bytes. */
const queries: Readonly<Record<string, (request: Uint8Array) => unknown>> = {
  '/cosmos.auth.v1beta1.Query/Account': () => {
    const account = encodeAny('cosmos.auth.v1beta1.BaseAccount', {
      address: '',
      pubKey: undefined,
      accountNumber: 7n,
      sequence: 3n,
    })
    return value(QueryAccountResponse.encode({ account }).finish())
  },
  '/cosmos.tx.v1beta1.Service/Simulate': (request) => {
    const { txBytes } = SimulateRequest.decode(request)
    expect(decodeTx(txBytes).signatures).toEqual([new Uint8Array(0)])
    return value(SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed: 1001n } })).finish())
  },
  '/cosmos.bank.v1beta1.Query/AllBalances': (request) => {
    const { address } = QueryAllBalancesRequest.decode(request)
    if (address === elsewhere) return refused('rpc error: code = InvalidArgument desc = wrong prefix: invalid request')
    const balances = [{ denom: 'ucoin', amount: '99' }]
    return value(QueryAllBalancesResponse.encode(QueryAllBalancesResponse.fromPartial({ balances })).finish())
  },
  '/cosmos.bank.v1beta1.Query/DenomMetadata': () => {
    const denomUnits = [
      { denom: 'ucoin', exponent: 0 },
      { denom: 'COIN', exponent: 6 },
    ]
    const metadata = { base: 'ucoin', display: 'COIN', denomUnits }
    return value(QueryDenomMetadataResponse.encode(QueryDenomMetadataResponse.fromPartial({ metadata })).finish())
  },
  '/cosmos.tx.v1beta1.Service/GetTx': (request) => {
    const { hash } = GetTxRequest.decode(request)
    if (hash === '0'.repeat(64)) return refused(`rpc error: code = NotFound desc = tx not found: ${hash}`)
    const { body, authInfo, signatures } = sent[0]!
    const tx = encodeAny('cosmos.tx.v1beta1.Tx', { body, authInfo, signatures: [...signatures] })
    const events = [{ type: 'tx', attributes: [{ key: 'k', value: 'v', index: true }] }]
    const txResponse = { height: 12n, txhash: hash, data: '1200', gasUsed: 4n, tx, events }
    return value(GetTxResponse.encode(GetTxResponse.fromPartial({ txResponse })).finish())
  },
  '/cosmos.tx.v1beta1.Service/GetTxsEvent': (request) => {
    const { query, page, limit, orderBy } = GetTxsEventRequest.decode(request)
    const txResponses = [{ rawLog: `${query} ${page} ${limit} ${orderBy}` }]
    return value(GetTxsEventResponse.encode(GetTxsEventResponse.fromPartial({ txResponses, total: 61n })).finish())
  },
  '/cosmwasm.wasm.v1.Query/SmartContractState': () =>
    value(QuerySmartContractStateResponse.encode({ data: utf8ToBytes('{"n":12345678901234567890}') }).finish()),
}

const handlers: Readonly<Record<string, RpcHandler>> = {
  status: () => ({ node_info: { network: chainId }, sync_info: { latest_block_height: '5' } }),
  abci_query: ({ path, data }) =>
    queries[String(path)]?.(hexToBytes(String(data))) ?? refused(`unknown query path: ${String(path)}`),
  broadcast_tx_sync: ({ tx }) => {
    const bytes = decodeBase64(String(tx))
    sent.push(decodeTx(bytes))
    return { code: 0, data: '', log: '', codespace: '', hash: txHash(bytes) }
  },
}

async function setUp(): Promise<readonly string[]> {
  const home = newFolder()
  await openKeyring(home, 'test', () => Promise.reject(new Error('no passphrase'))).add('alice', key)
  stub = await startStubRpc(handlers)
  return ['--home', home, '--node', stub.url, '-o', 'json']
}

const asAlice = ['--keyring-backend', 'test', '--from', 'alice']

/** Whether the one transaction that was sent carries the signature of the key over this chain and account. */
function expectSigned(): DecodedTx {
  expect(sent).toHaveLength(1)
  const tx = sent[0]!
  const digest = sha256(directSignBytes(tx.bodyBytes, tx.authInfoBytes, { chainId, accountNumber: 7n }))
  expect(verifySecp256k1(key.publicKey, digest, tx.signatures[0]!)).toBe(true)
  expect(tx.authInfo.signerInfos[0]!.sequence).toBe(3n)
  return tx
}

describe('tx', () => {
  it('sends coins with a simulated gas limit and the fee of its price', async () => {
    const [home, dir, ...rest] = await setUp()
    const words = ['tx', 'bank', 'send', 'alice', somebody, '5ucoin', '--keyring-backend', 'test']
    const { code, out, err } = await runInProcess([
      home!,
      dir!,
      ...words,
      ...rest,
      '--gas',
      'auto',
      '--gas-adjustment',
      '1.5',
      '--gas-prices',
      '0.025ucoin',
      '-y',
      '--note',
      'hi',
    ])
    expect(err).toBe('gas estimate: 1502')
    expect(code).toBe(0)
    const { authInfo, body, messages, bytes } = expectSigned()
    expect(authInfo.fee).toMatchObject({ gasLimit: 1502n, amount: [{ denom: 'ucoin', amount: '38' }] })
    expect(body.memo).toBe('hi')
    expect(messages[0]).toMatchObject({
      typeName: 'cosmos.bank.v1beta1.MsgSend',
      message: { amount: [{ denom: 'ucoin', amount: '5' }] },
    })
    expect(JSON.parse(out)).toMatchObject({ code: 0, txhash: txHash(bytes), raw_log: '', height: '0' })
  })

  it('calls a contract, after showing the transaction', async () => {
    const flags = await setUp()
    const words = [
      'tx',
      'wasm',
      'execute',
      somebody,
      '{"buy": {}}',
      '--amount',
      '7000000ucoin',
      '--fees',
      '9ucoin',
      ...asAlice,
      ...flags,
    ]
    expect(await runInProcess(words, {}, ['n'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing was sent: cancelled'),
    })
    expect(sent).toEqual([])
    const { code, err } = await runInProcess(words, {}, ['y'])
    expect(code).toBe(0)
    expect(err).toContain('/cosmwasm.wasm.v1.MsgExecuteContract')
    expect(err).toContain('signer: alice (coin1')
    expect(err).toContain('funds: 7000000ucoin (7 COIN)')
    expect(err).toContain('fee: 9ucoin (0.000009 COIN)')
    const { messages, authInfo } = expectSigned()
    expect(messages[0]!.message).toMatchObject({
      contract: somebody,
      msg: utf8ToBytes('{"buy": {}}'),
      funds: [{ denom: 'ucoin', amount: '7000000' }],
    })
    expect(authInfo.fee).toMatchObject({ gasLimit: 200_000n, amount: [{ denom: 'ucoin', amount: '9' }] })
  })

  it.each([
    [['tx', 'bank', 'send', 'alice', somebody, 'five', '--keyring-backend', 'test', '-y'], 'invalid coins'],
    [['tx', 'wasm', 'execute', somebody, '{bad', ...asAlice, '-y'], 'invalid JSON'],
    [['tx', 'wasm', 'execute', somebody, '{}', '--keyring-backend', 'test', '-y'], '--from is missing'],
    [
      ['tx', 'wasm', 'execute', somebody, '{}', ...asAlice, '--fees', '1ucoin', '--gas-prices', '1ucoin', '-y'],
      'exclude each other',
    ],
    [['tx', 'wasm', 'execute', somebody, '{}', ...asAlice, '--gas', 'much'], 'expected "auto" or a number'],
    [
      ['tx', 'wasm', 'instantiate', '1', '{}', '--label', 'x', ...asAlice, '-y'],
      'give --admin <address> or --no-admin',
    ],
    [['tx', 'wasm', 'store', '/nowhere.wasm', ...asAlice, '-y'], '/nowhere.wasm: ENOENT'],
    [
      ['tx', 'bank', 'send', 'alice', elsewhere, '5ucoin', '--keyring-backend', 'test', '-y'],
      'has the prefix "cosmos"',
    ],
    [['tx', 'wasm', 'execute', elsewhere, '{}', ...asAlice, '-y'], 'has the prefix "cosmos"'],
    [['tx', 'wasm', 'instantiate', '1', '{}', '--label', 'x', '--admin', 'al', ...asAlice, '-y'], 'neither an address'],
    [
      ['tx', 'bank', 'send', 'bob', somebody, '5ucoin', '--keyring-backend', 'test', '-y'],
      'which has alice; --keyring-backend and --home name another: key not found',
    ],
  ])('refuses %j', async (words, reason) => {
    const flags = await setUp()
    const { code, err } = await runInProcess([...words, ...flags])
    expect(code).toBe(1)
    expect(err).toContain(reason)
    expect(sent).toEqual([])
  })
})

describe('query', () => {
  it('reads balances, contracts, status and transactions', async () => {
    const flags = await setUp()
    const json = async (...words: string[]) => JSON.parse((await runInProcess([...words, ...flags])).out) as unknown
    // The derived commands leave out what is empty, the hand-made ones print it: as the reference does.
    expect(await json('query', 'bank', 'balances', somebody)).toEqual({ balances: [{ denom: 'ucoin', amount: '99' }] })
    const smart = await runInProcess(['q', 'wasm', 'contract-state', 'smart', somebody, '{"n":{}}', ...flags])
    expect(smart.out).toBe('{"data":{"n":12345678901234567890}}')
    expect(await json('status')).toMatchObject({ node_info: { network: chainId } })
    await runInProcess(['tx', 'bank', 'send', 'alice', somebody, '5ucoin', '--keyring-backend', 'test', '-y', ...flags])
    expect(await json('query', 'tx', `0x${'ab'.repeat(32)}`)).toMatchObject({
      height: '12',
      txhash: 'AB'.repeat(32),
      tx: { '@type': '/cosmos.tx.v1beta1.Tx', body: { messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend' }] } },
      events: [{ type: 'tx', attributes: [{ key: 'k', value: 'v', index: true }] }],
    })
    const search = ['query', 'txs', '--query', 'tx.height > 7', '--page', '2', '--limit', '30', '--order_by', 'desc']
    expect(await json(...search)).toMatchObject({
      total_count: '61',
      count: '1',
      page_number: '2',
      page_total: '3',
      limit: '30',
      txs: [{ raw_log: 'tx.height > 7 2 30 2' }],
    })
  })

  it('takes the name of a key for its address', async () => {
    const flags = await setUp()
    const words = ['query', 'bank', 'balances', 'alice', '--no-indent', ...flags]
    const { out } = await runInProcess(words, { COIND_KEYRING_BACKEND: 'test' })
    expect(JSON.parse(out)).toEqual({ balances: [{ denom: 'ucoin', amount: '99' }] })
  })

  it('tells what the node says', async () => {
    const flags = await setUp()
    const bad = await runInProcess(['query', 'bank', 'balances', elsewhere, ...flags])
    expect(bad).toMatchObject({
      code: 1,
      err: expect.stringContaining('AllBalances: wrong prefix: invalid request (code 18)'),
    })
    const missing = await runInProcess(['query', 'tx', '0'.repeat(64), ...flags])
    expect(missing.err).toContain(`transaction ${'0'.repeat(64)} is in no block of this chain`)
    const nobody = await runInProcess(['status', '--home', newFolder(), '--node', 'tcp://127.0.0.1:1'])
    expect(nobody).toMatchObject({
      code: 1,
      err: expect.stringMatching(/127\.0\.0\.1:1\/: .*does a node run there\?.*: the node did not answer/),
    })
  })

  it.each([
    [['query', 'bank', 'balances', 'bad'], '"bad" is neither an address nor a key'],
    [['query', 'tx', 'abc'], 'expected 64 hexadecimal digits'],
    [['query', 'block', '7a'], 'block hash "7a", expected 64 hexadecimal digits'],
    [['query', 'block', '0'], 'expected a number of at least 1'],
    [['query', 'block', '--type=height', '0'], 'expected a number of at least 1'],
    [['query', 'txs'], "required option '--query <conditions>' not specified"],
    [['query', 'bnk'], 'Did you mean bank?'],
    [['query', 'bank', 'balnce'], 'Did you mean balance?'],
    [['tx', 'wasm', 'excute'], 'Did you mean execute?'],
    [['query', 'bank', 'balance', somebody], "missing required argument 'denom'"],
    [['query', 'bank', 'balances', somebody, '--page', '2', '--offset', '3'], '--page excludes --page-offset'],
    [['query', 'bank', 'balances', somebody, '--height', '-1'], 'expected a number of at least 1'],
    [['status', '--node', 'ftp://x'], 'expected a URL like tcp://localhost:26657'],
  ])('refuses %j', async (words, reason) => {
    const { code, err, out } = await runInProcess([...words, '--home', newFolder()])
    expect(err).toContain(reason)
    expect(code).toBe(1)
    expect(out).toBe('')
  })
})
