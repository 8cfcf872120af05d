import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliChain, contractFile, startCliChain } from './cli-chain.js'

// The Go reference's own command line, unmodified, on a node of ours; and our command line beside it, with the same keyring, the
// same files and the same questions.

const wasmd = fileURLToPath(new URL('../../reference/.cache/wasmd', import.meta.url))
const isBuilt = existsSync(wasmd)
const why = isBuilt
  ? ''
  : ' (skipped: tests/reference/.cache/wasmd is not built; tests/reference/build.sh builds it, with Go)'

const chainId = 'reference-client-1'
let chain: CliChain
let goHome: string
let alice: string
let bob: string

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function runGo(words: readonly string[], input?: string): Promise<Ran> {
  const running = promisify(execFile)(wasmd, [...words, '--home', goHome], {
    env: { HOME: goHome },
    maxBuffer: 50_000_000,
  })
  running.child.stdin!.end(input ?? '')
  try {
    const { stdout, stderr } = await running
    return { code: 0, out: stdout.trim(), err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout.trim(), err: stderr }
  }
}

async function go(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await runGo(words)
  if (code !== 0) throw new Error(`wasmd ${words.join(' ')}: ${err}`)
  return out
}

const node = () => ['--node', chain.node.rpc.replace('http:', 'tcp:')]
const keyring = ['--keyring-backend', 'test']
const sharedKeyring = () => [...keyring, '--keyring-dir', goHome]

/** JSON in an output that may begin with a line for people. */
const jsonIn = (out: string): unknown => JSON.parse(out.slice(out.search(/[[{]/)))

const goQuery = async (...words: readonly string[]): Promise<unknown> =>
  jsonIn(await go('query', ...words, ...node(), '--output', 'json'))

interface Sent {
  readonly code: number
  readonly txhash: string
  readonly raw_log: string
}

/** A transaction that the reference makes, signs and sends; answers it as it is in its block. */
async function goTx(...words: readonly string[]): Promise<Record<string, unknown>> {
  const gas = ['--gas', 'auto', '--gas-adjustment', '1.5', '--gas-prices', '0.01ucosm']
  const out = await go('tx', ...words, ...node(), ...keyring, '--chain-id', chainId, ...gas, '-y', '-o', 'json')
  const { code, txhash, raw_log } = jsonIn(out) as Sent
  expect({ code, raw_log }).toEqual({ code: 0, raw_log: '' })
  const included = (await goQuery('wait-tx', txhash, '--timeout', '30s')) as Record<string, unknown>
  expect(included).toMatchObject({ txhash, code: 0 })
  return included
}

describe.skipIf(!isBuilt)(`the reference's command line on our node${why}`, () => {
  beforeAll(async () => {
    goHome = mkdtempSync(join(tmpdir(), 'coin-wasmd-'))
    for (const name of ['alice', 'bob', 'carol']) await go('keys', 'add', name, ...keyring)
    const addressOf = (name: string) => go('keys', 'show', name, '-a', ...keyring)
    alice = await addressOf('alice')
    bob = await addressOf('bob')
    const addresses = [alice, bob, await addressOf('carol')]
    chain = await startCliChain({ chainId, prefix: 'wasm', denom: 'ucosm', keys: [], addresses })
  })

  afterAll(async () => {
    await chain?.stop()
    if (goHome !== undefined) rmSync(goHome, { recursive: true, force: true })
  })

  it('reads the status', async () => {
    const status = jsonIn(await go('status', ...node()))
    expect(status).toMatchObject({ node_info: { network: chainId }, sync_info: { catching_up: false } })
    const ours = (await chain.json('status')) as { node_info: unknown }
    expect((status as { node_info: unknown }).node_info).toEqual(ours.node_info)
  })

  it('sends coins, stores, makes and calls contracts, and finds all of it', async () => {
    const sent = await goTx('bank', 'send', 'alice', bob, '5ucosm')
    expect(await goQuery('bank', 'balance', bob, 'ucosm')).toEqual({
      balance: { denom: 'ucosm', amount: '1000000000005' },
    })
    expect(await goQuery('tx', String(sent.txhash))).toMatchObject({ height: sent.height, code: 0 })
    await goTx('wasm', 'store', contractFile('cw20_base'), '--from', 'alice')
    const init = JSON.stringify({
      name: 'Token',
      symbol: 'TOK',
      decimals: 6,
      initial_balances: [{ address: alice, amount: '1000' }],
    })
    await goTx('wasm', 'instantiate', '1', init, '--label', 'token', '--admin', 'alice', '--from', 'alice')
    const { contracts } = (await goQuery('wasm', 'list-contract-by-code', '1')) as { contracts: readonly [string] }
    const transfer = JSON.stringify({ transfer: { recipient: bob, amount: '7' } })
    await goTx('wasm', 'execute', contracts[0], transfer, '--from', 'alice')
    const balance = JSON.stringify({ balance: { address: bob } })
    expect(await goQuery('wasm', 'contract-state', 'smart', contracts[0], balance)).toEqual({ data: { balance: '7' } })
    const calls = await goQuery('txs', '--query', `wasm._contract_address='${contracts[0]}' AND wasm.action='transfer'`)
    expect(calls).toMatchObject({ total_count: '1', txs: [{ code: 0 }] })
    expect(await goQuery('block', '--type=height', '2')).toMatchObject({ header: { height: '2', chain_id: chainId } })
  })

  it('is refused in the words that it knows', async () => {
    const dear = ['tx', 'bank', 'send', 'alice', bob, '1ucosm', '--gas', '1000', ...node(), ...keyring]
    const refused = await runGo([...dear, '--chain-id', chainId, '-y', '-o', 'json'])
    expect(jsonIn(refused.out)).toMatchObject({ code: 11, codespace: 'sdk' })
    const missing = await runGo(['query', 'tx', 'AB'.repeat(32), ...node()])
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('not found') })
    const absent = await runGo(['query', 'wasm', 'contract', alice, ...node()])
    expect(absent.err).toContain('no such contract')
    const future = await runGo(['query', 'bank', 'balances', alice, '--height', '999999', ...node()])
    expect(future).toMatchObject({ code: 1, err: expect.stringContaining('height 999999 is ahead of the chain') })
  })

  /** What both are asked; in the order of the modules. */
  const questions = (contract: string): readonly (readonly string[])[] => [
    ['auth', 'accounts'],
    ['auth', 'accounts', '--page-limit', '2', '--page-count-total'],
    ['auth', 'account', alice],
    ['auth', 'account-info', alice],
    ['auth', 'address-by-acc-num', '1'],
    ['auth', 'module-accounts'],
    ['auth', 'module-account', 'gov'],
    ['auth', 'bech32-prefix'],
    ['auth', 'address-bytes-to-string', '00ff'],
    ['auth', 'address-string-to-bytes', alice],
    ['auth', 'params'],
    ['bank', 'balances', alice],
    ['bank', 'balances', alice, '--resolve-denom'],
    ['bank', 'balance', alice, 'ucosm'],
    ['bank', 'balances', alice, '--height', '2'],
    ['bank', 'spendable-balances', alice],
    ['bank', 'spendable-balance', alice, 'ucosm'],
    ['bank', 'total-supply'],
    ['bank', 'total'],
    ['bank', 'total-supply-of', 'ucosm'],
    ['bank', 'denom-metadata', 'ucosm'],
    ['bank', 'denom-metadata-by-query-string', '--denom', 'ucosm'],
    ['bank', 'denoms-metadata'],
    ['bank', 'denom-owners', 'ucosm'],
    ['bank', 'denom-owners-by-query', '--denom', 'ucosm'],
    ['bank', 'send-enabled'],
    ['bank', 'send-enabled', 'ucosm', 'other'],
    ['bank', 'params'],
    ['consensus', 'params'],
    ['consensus', 'comet', 'node-info'],
    ['consensus', 'comet', 'block-by-height', '3'],
    ['consensus', 'comet', 'validator-set-by-height', '3'],
    ['gov', 'params'],
    ['gov', 'params', 'voting'],
    ['mint', 'params'],
    ['mint', 'inflation'],
    ['mint', 'annual-provisions'],
    ['wasm', 'list-code'],
    ['wasm', 'code-info', '1'],
    ['wasm', 'list-contract-by-code', '1'],
    ['wasm', 'contract', contract],
    ['wasm', 'contract-history', contract],
    ['wasm', 'contract-state', 'all', contract],
    ['wasm', 'contract-state', 'all', contract, '--limit', '1'],
    ['wasm', 'contract-state', 'smart', contract, '{"token_info":{}}'],
    ['wasm', 'contract-state', 'raw', contract, '746f6b656e5f696e666f'],
    ['wasm', 'contract-state', 'raw', contract, 'token_info', '--ascii'],
    ['wasm', 'list-contracts-by-creator', alice],
    ['wasm', 'pinned'],
    ['wasm', 'params'],
    ['txs', '--query', `message.sender='${alice}'`],
    ['txs', '--query', `message.sender='${alice}'`, '--page', '2', '--limit', '1', '--order_by', 'desc'],
    ['tx', '--type=acc_seq', `${alice}/0`],
    ['block', '--type=height', '3'],
    ['blocks', '--query', 'block.height > 2 AND block.height < 5'],
  ]

  it('gets the answers that our command line prints', async () => {
    const { contracts } = (await goQuery('wasm', 'list-contract-by-code', '1')) as { contracts: readonly [string] }
    const waiting = [...questions(contracts[0])]
    const differences: unknown[] = []
    // Two at a time: each is a process.
    const ask = async () => {
      for (let words = waiting.shift(); words !== undefined; words = waiting.shift()) {
        const [theirs, ours] = await Promise.all([goQuery(...words), chain.text('query', ...words, '-o', 'json')])
        if (JSON.stringify(theirs) !== ours) differences.push({ words, theirs: JSON.stringify(theirs), ours })
      }
    }
    await Promise.all([ask(), ask()])
    expect(differences).toEqual([])
    const hash = 'ab'.repeat(32)
    const address = ['wasm', 'build-address', hash, alice, '0a0b', '{"a":1}']
    expect(await chain.text('query', ...address)).toBe(await go('query', ...address))
  })

  it('makes the same transactions', async () => {
    const words: readonly (readonly string[])[] = [
      ['bank', 'send', alice, bob, '5ucosm,7uatom', '--fees', '3ucosm', '--note', 'hi', '--gas', '123456'],
      ['bank', 'multi-send', alice, bob, alice, '10ucosm', '--split', '--timeout-height', '99'],
      ['bank', 'update-params-proposal', '{"default_send_enabled":true}', '--from', alice],
      ['gov', 'vote', '3', 'no_with_veto', '--from', alice],
      ['gov', 'weighted-vote', '3', 'yes=0.6,no=0.4', '--from', alice],
      ['gov', 'deposit', '3', '5ucosm', '--from', alice],
      ['gov', 'cancel-proposal', '3', '--from', alice],
      ['wasm', 'execute', alice, '{"a": [1,2]}', '--amount', '5ucosm', '--from', alice],
      ['wasm', 'instantiate', '1', '{}', '--label', 'x', '--admin', bob, '--from', alice],
      ['wasm', 'instantiate2', '1', '{}', '0a0b', '--label', 'x', '--no-admin', '--fix-msg', '--from', alice],
      ['wasm', 'migrate', alice, '2', '{"m":{}}', '--from', alice],
      ['wasm', 'set-contract-admin', alice, bob, '--from', alice],
      ['wasm', 'clear-contract-admin', alice, '--from', alice],
      ['wasm', 'set-contract-label', alice, 'new', '--from', alice],
      ['wasm', 'update-instantiate-config', '1', '--instantiate-anyof-addresses', `${alice},${bob}`, '--from', alice],
    ]
    for (const line of words) {
      const flags = [...line, '--generate-only', '--offline', ...keyring]
      const theirs = await go('tx', ...flags, '--account-number', '0', '--sequence', '0')
      expect(await chain.text('tx', ...flags)).toBe(theirs)
    }
  })

  it('signs and sends what we made, and we what it made', async () => {
    const made = { theirs: join(goHome, 'theirs.json'), ours: join(goHome, 'ours.json') }
    const signed = { theirs: join(goHome, 'theirs-signed.json'), ours: join(goHome, 'ours-signed.json') }
    const send = ['bank', 'send', alice, bob, '11ucosm', '--fees', '3000ucosm', '--generate-only']
    writeFileSync(made.theirs, await go('tx', ...send, ...node(), ...keyring, '--chain-id', chainId))
    writeFileSync(made.ours, await chain.text('tx', ...send))
    const asAlice = ['--from', 'alice', '--chain-id', chainId]
    const before = (await chain.json<{ balance: { amount: string } }>('query', 'bank', 'balance', bob, 'ucosm')).balance
    await chain.text('tx', 'sign', made.theirs, ...asAlice, ...sharedKeyring(), '--output-document', signed.ours)
    const first = jsonIn(await go('tx', 'broadcast', signed.ours, ...node(), '-o', 'json')) as Sent
    expect(first).toMatchObject({ code: 0 })
    await goQuery('wait-tx', first.txhash, '--timeout', '30s')
    await go('tx', 'sign', made.ours, ...asAlice, ...node(), ...keyring, '--output-document', signed.theirs)
    const checked = await chain.json('tx', 'validate-signatures', signed.theirs, ...sharedKeyring())
    expect(checked).toEqual({ signers: [alice], signatures: [{ address: alice, status: 'OK' }] })
    expect(await chain.json('tx', 'broadcast', signed.theirs, '-b', 'block')).toMatchObject({ code: 0 })
    const after = (await chain.json<{ balance: { amount: string } }>('query', 'bank', 'balance', bob, 'ucosm')).balance
    expect(BigInt(after.amount) - BigInt(before.amount)).toBe(22n)
    const encoded = await chain.text('tx', 'encode', signed.theirs)
    expect(await go('tx', 'encode', signed.theirs)).toBe(encoded)
    expect(await chain.text('tx', 'decode', encoded)).toBe(await go('tx', 'decode', encoded))
  })

  it('shares a multisig account with us', async () => {
    const multi = ['--multisig', 'alice,bob,carol', '--multisig-threshold', '2']
    await go('keys', 'add', 'treasury', ...multi, ...keyring)
    const treasury = await go('keys', 'show', 'treasury', '-a', ...keyring)
    expect(await chain.text('keys', 'show', 'treasury', '-a', ...sharedKeyring())).toBe(treasury)
    await goTx('bank', 'send', 'alice', treasury, '9000000ucosm')
    const path = (name: string) => join(goHome, `${name}.json`)
    const made = ['bank', 'send', treasury, bob, '13ucosm', '--fees', '4000ucosm', '--generate-only']
    writeFileSync(path('multi'), await chain.text('tx', ...made))
    const common = ['--multisig', 'treasury', '--chain-id', chainId]
    const byThem = ['tx', 'sign', path('multi'), '--from', 'alice', ...common, ...keyring, ...node()]
    await go(...byThem, '--output-document', path('alice'))
    const byUs = ['tx', 'sign', path('multi'), '--from', 'carol', ...common, ...sharedKeyring()]
    await chain.text(...byUs, '--output-document', path('carol'))
    const parts = [path('multi'), 'treasury', path('alice'), path('carol')]
    const theirs = await go('tx', 'multisign', ...parts, '--chain-id', chainId, ...keyring, ...node())
    const ours = await chain.text('tx', 'multisign', ...parts, '--chain-id', chainId, ...sharedKeyring())
    expect(ours).toBe(theirs)
    writeFileSync(path('whole'), ours)
    expect(
      (await runGo(['tx', 'validate-signatures', path('whole'), '--chain-id', chainId, ...keyring, ...node()])).code,
    ).toBe(0)
    expect(await chain.json('tx', 'broadcast', path('whole'), '-b', 'block')).toMatchObject({ code: 0 })
  })
})
