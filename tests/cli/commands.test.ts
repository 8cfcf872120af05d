import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliChain, contractFile, startCliChain } from './cli-chain.js'

let chain: CliChain
let alice: string
let bob: string

interface TxResponse {
  readonly height: string
  readonly txhash: string
  readonly code: number
  readonly raw_log: string
  readonly gas_wanted: string
  readonly gas_used: string
  readonly tx: { readonly signatures: readonly string[] }
  readonly events: readonly { readonly type: string; readonly attributes: readonly { key: string; value: string }[] }[]
}

const inBlock = ['--broadcast-mode', 'block', '-y']
const auto = ['--gas', 'auto', '--gas-prices', '0.025ucoin']

beforeAll(async () => {
  chain = await startCliChain({ chainId: 'cli-1', prefix: 'coin', denom: 'ucoin', keys: ['alice', 'bob', 'carol'] })
  alice = await chain.text('keys', 'show', 'alice', '-a')
  bob = await chain.text('keys', 'show', 'bob', '-a')
})

afterAll(() => chain?.stop())

const file = (name: string) => join(chain.home, name)

const balanceOf = async (who: string) => {
  const { balance } = await chain.json<{ balance: { amount: string } }>('query', 'bank', 'balance', who, 'ucoin')
  return BigInt(balance.amount)
}

describe('sending', () => {
  it('simulates, waits for the block and prints what happened', async () => {
    const before = await balanceOf('bob')
    const sent = await chain.json<TxResponse>('tx', 'bank', 'send', 'alice', bob, '5000000ucoin', ...auto, ...inBlock)
    expect(sent.code).toBe(0)
    expect(BigInt(sent.height)).toBeGreaterThan(0n)
    expect(BigInt(sent.gas_used)).toBeLessThan(BigInt(sent.gas_wanted))
    expect(await balanceOf(bob)).toBe(before + 5_000_000n)
    const found = await chain.json('query', 'tx', sent.txhash)
    expect(found).toEqual(sent)
    const bySequence = await chain.json('query', 'tx', '--type=acc_seq', `${alice}/0`)
    expect(bySequence).toEqual(sent)
    expect(await chain.json('query', 'tx', '--type=signature', sent.tx.signatures[0]!)).toEqual(sent)
  })

  it('asks with a summary, and sends nothing without a yes', async () => {
    const before = await balanceOf(alice)
    const words = ['tx', 'bank', 'send', 'alice', bob, '1500000ucoin', '--fees', '5000ucoin']
    const { code, err, out } = await chain.runWith(['no'], ...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('chain_id: cli-1')
    expect(err).toContain(`signer: alice (${alice})`)
    expect(err).toContain('amount: 1500000ucoin (1.5 COIN)')
    expect(err).toContain('fee: 5000ucoin (0.005 COIN)')
    expect(await balanceOf(alice)).toBe(before)
  })

  it('says in its exit code that a transaction was refused or has failed', async () => {
    const refused = await chain.run('tx', 'bank', 'send', 'alice', bob, '1ucoin', '--gas', '1000', '-y', '-o', 'json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ code: 11, codespace: 'sdk' })
    expect(refused.err).toMatch(/transaction [0-9A-F]{64} was refused: out of gas.*: transaction failed$/)
    const much = '999999999999999ucoin'
    const failed = await chain.run('tx', 'bank', 'send', 'alice', bob, much, ...inBlock, '-o', 'json')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({ code: 5, codespace: 'sdk', height: expect.stringMatching(/^[1-9]/) })
    expect(failed.err).toMatch(/failed in block \d+: .*insufficient funds/)
    const simulated = await chain.run('tx', 'bank', 'send', 'alice', bob, much, '--gas', 'auto', '-y')
    expect(simulated).toMatchObject({ code: 1, out: '', err: expect.stringContaining('insufficient funds') })
    const same = ['tx', 'bank', 'send', 'alice', bob, '1ucoin', '--generate-only']
    writeFileSync(file('same.json'), await chain.text(...same))
    await chain.text('tx', 'sign', file('same.json'), '--from', 'alice', '--output-document', file('signed-once.json'))
    await chain.text('tx', 'broadcast', file('signed-once.json'), '-b', 'block')
    const twice = await chain.run('tx', 'broadcast', file('signed-once.json'), '-o', 'json')
    expect(JSON.parse(twice.out)).toMatchObject({ code: 19, codespace: 'sdk', raw_log: 'tx already exists in cache' })
    // Asked for its block, the command says where it is; flags that the reference takes here are taken.
    const habits = ['-y', '--from', 'alice', '--chain-id', 'cli-1', '--gas', 'auto']
    const found = await chain.json<TxResponse>('tx', 'broadcast', file('signed-once.json'), '-b', 'block', ...habits)
    expect(found).toMatchObject({ code: 0, height: expect.stringMatching(/^[1-9]/) })
  })

  it('simulates alone', async () => {
    const before = await balanceOf(alice)
    const { code, out, err } = await chain.run('tx', 'bank', 'send', alice, bob, '1ucoin', '--dry-run', '-o', 'json')
    expect(code).toBe(0)
    const { gas_estimate: gas } = JSON.parse(out) as { gas_estimate: string }
    expect(err).toBe(`gas estimate: ${gas}`)
    expect(await balanceOf(alice)).toBe(before)
  })
})

describe('transactions in files', () => {
  it('are made, signed and sent in steps', async () => {
    writeFileSync(
      file('unsigned.json'),
      await chain.text('tx', 'bank', 'send', 'alice', bob, '7ucoin', ...auto, '--generate-only'),
    )
    await chain.text('tx', 'sign', file('unsigned.json'), '--from', 'alice', '--output-document', file('signed.json'))
    expect(await chain.json('tx', 'validate-signatures', file('signed.json'))).toEqual({
      signers: [alice],
      signatures: [{ address: alice, status: 'OK' }],
    })
    const simulated = await chain.json<{ gas_info: { gas_used: string } }>(
      'tx',
      'simulate',
      file('unsigned.json'),
      '--from',
      alice,
    )
    expect(BigInt(simulated.gas_info.gas_used)).toBeGreaterThan(50_000n)
    const sent = await chain.json<TxResponse>('tx', 'broadcast', file('signed.json'), '-b', 'block')
    expect(sent.code).toBe(0)
    const stale = await chain.run('tx', 'validate-signatures', file('signed.json'), '-o', 'json')
    expect(stale).toMatchObject({ code: 1, out: expect.stringContaining('ERROR: not for chain id cli-1') })
  })

  it('are signed by two of three', async () => {
    await chain.text('keys', 'add', 'treasury', '--multisig', 'alice,bob,carol', '--multisig-threshold', '2')
    const treasury = await chain.text('keys', 'show', 'treasury', '-a')
    await chain.text('tx', 'bank', 'send', 'alice', treasury, '9000000ucoin', ...inBlock)
    const made = await chain.text(
      'tx',
      'bank',
      'send',
      treasury,
      bob,
      '8ucoin',
      '--fees',
      '5000ucoin',
      '--generate-only',
    )
    writeFileSync(file('multi.json'), made)
    for (const name of ['bob', 'carol']) {
      const out = ['--output-document', file(`${name}.json`)]
      await chain.text('tx', 'sign', file('multi.json'), '--from', name, '--multisig', 'treasury', ...out)
    }
    const parts = [file('bob.json'), file('carol.json')]
    await chain.text(
      'tx',
      'multisign',
      file('multi.json'),
      'treasury',
      ...parts,
      '--output-document',
      file('multi-signed.json'),
    )
    expect(await chain.json('tx', 'validate-signatures', file('multi-signed.json'))).toMatchObject({
      signatures: [{ address: treasury, status: 'OK' }],
    })
    const before = await balanceOf(bob)
    expect(await chain.json('tx', 'broadcast', file('multi-signed.json'), '-b', 'block')).toMatchObject({ code: 0 })
    expect(await balanceOf(bob)).toBe(before + 8n)
  })
})

describe('contracts', () => {
  it('are stored, made, called, asked and downloaded', async () => {
    const asAlice = ['--from', 'alice', ...auto, ...inBlock]
    const stored = await chain.json<TxResponse>('tx', 'wasm', 'store', contractFile('cw20_base'), ...asAlice)
    expect(stored.code).toBe(0)
    const init = {
      name: 'Token',
      symbol: 'TOK',
      decimals: 6,
      initial_balances: [{ address: alice, amount: '18446744073709551617' }],
    }
    const made = ['tx', 'wasm', 'instantiate', '1', JSON.stringify(init), '--label', 'token', '--admin', 'alice']
    expect(await chain.json(...made, ...asAlice)).toMatchObject({ code: 0 })
    const listed = await chain.json<{ contracts: string[] }>('query', 'wasm', 'list-contract-by-code', '1')
    const [token] = listed.contracts as [string]
    const transfer = JSON.stringify({ transfer: { recipient: bob, amount: '5' } })
    const called = await chain.json<TxResponse>('tx', 'wasm', 'execute', token, transfer, ...asAlice)
    expect(called.events.some(({ type }) => type === 'wasm')).toBe(true)
    const ask = async (query: object) =>
      chain.json<{ data: unknown }>('query', 'wasm', 'contract-state', 'smart', token, JSON.stringify(query))
    expect(await ask({ balance: { address: alice } })).toEqual({ data: { balance: '18446744073709551612' } })
    const info = await chain.json<{ data: string }>(
      'query',
      'wasm',
      'contract-state',
      'raw',
      token,
      'token_info',
      '--ascii',
    )
    expect(JSON.parse(Buffer.from(info.data, 'base64').toString())).toMatchObject({ symbol: 'TOK' })
    const all = await chain.json<{ models: unknown[] }>('query', 'wasm', 'contract-state', 'all', token, '--limit', '2')
    expect(all.models).toHaveLength(2)
    await chain.text('query', 'wasm', 'code', '1', file('downloaded.wasm'))
    expect(readFileSync(file('downloaded.wasm')).equals(readFileSync(contractFile('cw20_base')))).toBe(true)
    expect((await chain.run('query', 'wasm', 'code', '1', file('downloaded.wasm'))).err).toContain('is there already')
  })

  it('are at the address that was told before', async () => {
    const salt = ['73616c74']
    const init = JSON.stringify({ name: 'Other', symbol: 'OTH', decimals: 6, initial_balances: [] })
    const { checksum } = await chain.json<{ checksum: string }>('query', 'wasm', 'code-info', '1')
    const told = await chain.text('query', 'wasm', 'build-address', checksum, 'alice', ...salt)
    const made = ['tx', 'wasm', 'instantiate2', '1', init, ...salt, '--label', 'other', '--no-admin', '--from', 'alice']
    expect(await chain.json(...made, ...auto, ...inBlock)).toMatchObject({ code: 0 })
    expect(await chain.json('query', 'wasm', 'contract', told)).toMatchObject({
      contract_info: { label: 'other', admin: '' },
    })
  })
})

describe('looking', () => {
  it('waits for a transaction, by its hash or by what tx printed', async () => {
    const first = await chain.text('tx', 'bank', 'send', 'carol', bob, '1ucoin', '-b', 'async', '-y', '-o', 'json')
    const { txhash } = JSON.parse(first) as { txhash: string }
    const waited = await chain.json('query', 'wait-tx', txhash, '--timeout', '30s')
    expect(waited).toMatchObject({ txhash, code: 0 })
    for (const format of ['json', 'text']) {
      const sent = await chain.text('tx', 'bank', 'send', 'carol', bob, '1ucoin', '-y', '-o', format)
      const piped = await chain.runWith(sent.split('\n'), 'query', 'wait-tx', '-o', 'json')
      expect(JSON.parse(piped.out)).toMatchObject({ code: 0, tx: { '@type': '/cosmos.tx.v1beta1.Tx' } })
    }
    const never = await chain.run('query', 'wait-tx', 'AB'.repeat(32), '--timeout', '300ms')
    expect(never).toMatchObject({ code: 1, out: '' })
    expect(never.err).toContain(`waiting for transaction ${'AB'.repeat(32)}, 0.3 s at most`)
    expect(never.err).toContain('is in no block after 0.3 s')
  })

  it('finds transactions by their events, page by page', async () => {
    const query = `transfer.recipient='${bob}' AND tx.height > 0`
    interface Page {
      readonly total_count: string
      readonly page_total: string
      readonly txs: readonly TxResponse[]
    }
    const search = (...words: string[]) => chain.json<Page>('query', 'txs', '--query', query, ...words)
    const all = await search()
    const total = Number(all.total_count)
    expect(total).toBeGreaterThan(4)
    expect(all.txs).toHaveLength(total)
    const pages = await Promise.all([1, 2, 3].map((page) => search('--limit', '2', '--page', String(page))))
    expect(pages.flatMap(({ txs }) => txs)).toEqual(all.txs.slice(0, 6))
    expect(pages[0]!.page_total).toBe(String(Math.ceil(total / 2)))
    const backwards = await search('--order_by', 'desc')
    expect(backwards.txs).toEqual([...all.txs].reverse())
    expect((await chain.run('query', 'txs', '--query', 'tx.height >')).code).toBe(1)
  })

  it('shows blocks, their results and who made them', async () => {
    interface Block {
      readonly header: { readonly height: string; readonly chain_id: string }
      readonly last_commit: { readonly block_id: { readonly hash: string } }
    }
    const block = await chain.json<Block>('query', 'block', '--type=height', '3')
    expect(block.header).toMatchObject({ height: '3', chain_id: 'cli-1' })
    const next = await chain.json<Block>('query', 'block', '4')
    const hash = Buffer.from(next.last_commit.block_id.hash, 'base64').toString('hex')
    expect(await chain.json('query', 'block', hash)).toEqual(block)
    expect(Number((await chain.json<Block>('query', 'block')).header.height)).toBeGreaterThan(4)
    const found = await chain.json<{ blocks: Block[] }>(
      'query',
      'blocks',
      '--query',
      'block.height >= 3 AND block.height <= 4',
    )
    expect(found).toMatchObject({
      total_count: '2',
      blocks: [{ header: { height: '4' } }, { header: { height: '3' } }],
    })
    expect(await chain.json('query', 'block-results', '3')).toMatchObject({ height: 3 })
    const validators = await chain.json('query', 'comet-validator-set', '3')
    expect(validators).toMatchObject({
      block_height: '3',
      validators: [{ address: expect.stringMatching(/^coinvalcons1/) }],
    })
    expect(await chain.json('query', 'comet', 'validator-set-by-height', '3')).toEqual(validators)
  })

  it('reads any height that is kept, and says which are when one is not', async () => {
    const early = await chain.json('query', 'bank', 'balance', 'bob', 'ucoin', '--height', '1')
    expect(early).toEqual({ balance: { denom: 'ucoin', amount: '1000000000000' } })
    const { code, err } = await chain.run('query', 'bank', 'balance', 'bob', 'ucoin', '--height', '999999')
    expect(code).toBe(1)
    expect(err).toContain('height 999999 is ahead of the chain')
  })

  it('pages lists with the flags of both ages', async () => {
    const page = (...words: string[]) =>
      chain.json<{ accounts: unknown[]; pagination?: { next_key?: string; total?: string } }>(
        'query',
        'auth',
        'accounts',
        ...words,
      )
    const all = await page()
    const first = await page('--page-limit', '2', '--page-count-total')
    expect(first.accounts).toEqual(all.accounts.slice(0, 2))
    expect(first.pagination?.total).toBe(String(all.accounts.length))
    const second = await page('--limit', '2', '--page-key', first.pagination!.next_key!)
    expect(second.accounts).toEqual(all.accounts.slice(2, 4))
    expect((await page('--limit', '2', '--page', '2')).accounts).toEqual(second.accounts)
    expect((await page('--page-offset', '2', '--limit', '2')).accounts).toEqual(second.accounts)
    expect((await page('--page-reverse', '--page-limit', '1')).accounts).toEqual(all.accounts.slice(-1))
  })
})
