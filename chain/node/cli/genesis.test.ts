import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAddressCodec, moduleAddress } from '@coin/wire/addresses'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { hasWasmd, wasmd } from '../testing/wasmd.js'

const newFolder = temporaryFolders()
const somebody = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'
const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

function cliOf(home: string) {
  return (line: readonly string[], ...input: string[]) =>
    runInProcess([...line, '--home', home], { COIND_KEYRING_BACKEND: 'test' }, input)
}

const genesisPath = (home: string) => join(home, 'config/genesis.json')
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** A home folder with a key "alice" of 100 coin. */
async function newNode(home: string): Promise<ReturnType<typeof cliOf>> {
  const run = cliOf(home)
  await run(['init', 'one', '--chain-id', 'test-1'])
  await run(['keys', 'add', 'alice'])
  await run(['genesis', 'add-genesis-account', 'alice', '100000000ucoin'])
  return run
}

describe('init', () => {
  it('takes height, denoms and the words of the validator', async () => {
    const [one, two] = [newFolder(), newFolder()]
    const flags = ['--recover', '--initial-height', '500', '--default-denom', 'uatom', '--display-denom', 'ATOM']
    for (const home of [one, two]) expect((await cliOf(home)(['init', 'n', ...flags], words)).code).toBe(0)
    const key = (home: string) => readFileSync(join(home, 'config/priv_validator_key.json'), 'utf8')
    expect(key(one)).toBe(key(two))
    // What wasmd v0.60 makes of these words.
    expect(key(one)).toContain('6FD145BCC8F8071A7239619B6A1A68CB8C8B2DEA')
    expect(readJson(genesisPath(one))).toMatchObject({
      initial_height: 500,
      app_state: { bank: { denom_metadata: [{ base: 'uatom', display: 'ATOM' }] } },
    })
    expect(await cliOf(one)(['init', 'n'])).toMatchObject({ code: 1 })
    expect((await cliOf(newFolder())(['init', 'n', '--recover'], 'words')).err).toContain('1 words, expected')
  })
})

describe('genesis', () => {
  it('gets accounts, one by one and from a file', async () => {
    const home = newFolder()
    const run = await newNode(home)
    const add = (...line: string[]) => run(['genesis', 'add-genesis-account', ...line])
    expect((await add('alice', '5ucoin')).err).toContain('is there already; --append gives it more')
    expect(await add('alice', '5ucoin,7uother', '--append')).toMatchObject({ code: 0 })
    expect((await add('cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6', '1ucoin')).err).toContain('expected "coin"')
    const file = join(home, 'accounts.json')
    const bulk = async (accounts: unknown) => {
      writeFileSync(file, JSON.stringify(accounts))
      return run(['genesis', 'bulk-add-genesis-account', file])
    }
    const coins = [{ denom: 'ucoin', amount: '5' }]
    expect((await bulk([{ address: 'x', coins }])).err).toContain('account 0')
    expect(await bulk([{ address: somebody, coins }])).toMatchObject({ code: 0 })
    const { bank } = readJson(genesisPath(home)).app_state
    expect(bank.supply).toEqual([
      { denom: 'ucoin', amount: '100000010' },
      { denom: 'uother', amount: '7' },
    ])
    expect((await run(['genesis', 'validate'])).out).toContain('is a valid genesis file of chain test-1')
  })

  it('gets accounts whose coins are freed over time', async () => {
    const home = newFolder()
    const run = await newNode(home)
    const add = (...line: string[]) => run(['genesis', 'add-genesis-account', somebody, '9ucoin', ...line])
    const vesting = (...line: string[]) => add('--vesting-amount', '5ucoin', ...line)
    const file = join(home, 'accounts.json')
    const bulk = (account: object) => {
      const coins = [{ denom: 'ucoin', amount: '5' }]
      writeFileSync(file, JSON.stringify([{ address: somebody, coins, vesting_amt: coins, ...account }]))
      return run(['genesis', 'bulk-add-genesis-account', file])
    }
    for (const [answer, reason] of [
      [vesting(), 'must supply start and end time or end time'],
      [vesting('--vesting-start-time', '7'), 'must supply start and end time or end time'],
      [vesting('--vesting-end-time', '-7'), 'end time cannot be negative'],
      [vesting('--vesting-end-time', 'soon'), 'soon: expected seconds since 1970'],
      [vesting('--vesting-start-time', '1.5'), '1.5: expected seconds since 1970'],
      [vesting('--vesting-end-time', '7', '--vesting-start-time', '7'), 'vesting start-time cannot be before end-time'],
      [add('--vesting-amount', '10ucoin', '--vesting-end-time', '7'), 'cannot be greater than total amount'],
      [add('--vesting-amount', '1uother', '--vesting-end-time', '7'), 'cannot be greater than total amount'],
      [add('--vesting-amount', '1', '--vesting-end-time', '7'), 'expected a whole number and a denom'],
      [bulk({}), 'must supply start and end time or end time'],
      [bulk({ vesting_end: '7' }), 'account 0: vesting_end is "7", expected seconds'],
      [bulk({ vesting_end: 7, vesting_amt: [{ denom: 'ucoin', amount: '6' }] }), 'cannot be greater than total amount'],
    ] as const)
      expect(await answer).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
    const before = readJson(genesisPath(home)).app_state.auth.accounts.length
    expect(await vesting('--vesting-end-time', '4102444800')).toMatchObject({ code: 0 })
    const [, other] = ['alice', 'bob'].map((name) => createAddressCodec('coin').encode(moduleAddress(name)))
    expect(await bulk({ address: other, vesting_start: 5, vesting_end: 4102444800 })).toMatchObject({ code: 0 })
    const base = (address: string) => ({ address, pub_key: null, account_number: '0', sequence: '0' })
    const own = { delegated_free: [], delegated_vesting: [], end_time: '4102444800' }
    const original = [{ denom: 'ucoin', amount: '5' }]
    expect(readJson(genesisPath(home)).app_state.auth.accounts.slice(before)).toEqual([
      {
        '@type': '/cosmos.vesting.v1beta1.DelayedVestingAccount',
        base_vesting_account: { base_account: base(somebody), original_vesting: original, ...own },
      },
      {
        '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
        base_vesting_account: { base_account: base(other!), original_vesting: original, ...own },
        start_time: '5',
      },
    ])
    expect((await run(['genesis', 'validate'])).out).toContain('is a valid genesis file of chain test-1')
  })

  it('is refused with module and field', async () => {
    const home = newFolder()
    const run = await newNode(home)
    const whole = readJson(genesisPath(home))
    const refusal = async (change: (genesis: typeof whole) => void) => {
      const genesis = structuredClone(whole)
      change(genesis)
      const file = join(home, 'changed.json')
      writeFileSync(file, JSON.stringify(genesis))
      const { code, err } = await run(['genesis', 'validate', file])
      expect(code).toBe(1)
      return err
    }
    expect(await refusal((g) => (g.app_state.bank.supply[0].amount = '1'))).toContain(
      'app_state: genesis of module bank: bank supply is 1ucoin, but the balances sum up to 100000000ucoin',
    )
    expect(await refusal((g) => (g.app_state.auth.params.tx_sig_limit = '0'))).toContain('genesis of module auth')
    expect(await refusal((g) => (g.app_state.bank.balances[0].address = 'coin1xyz'))).toContain(
      'genesis of module bank',
    )
    expect(await refusal((g) => (g.app_state.auth.params.surprise = 1))).toContain('surprise')
    const feeCollector = 'coin17xpfvakm2amg962yls6f84z3kell8c5lm5p39w'
    expect(await refusal((g) => (g.app_state.auth.accounts[0].address = feeCollector))).toContain(
      `account ${feeCollector} has the address of module fee_collector, expected a ModuleAccount there, or none`,
    )
    expect(await refusal((g) => (g.chain_id = ''))).toContain('chain_id is ""')
    expect(await refusal((g) => (g.consensus.params.block.max_bytes = '0'))).toContain('block.max_bytes is 0')
    expect((await run(['genesis', 'validate', join(home, 'nowhere.json')])).err).toContain('is not there')
  })

  it('collects the transactions of its validators', async () => {
    const home = newFolder()
    const run = await newNode(home)
    const gentx = (...line: string[]) => run(['genesis', 'gentx', ...line])
    expect((await run(['genesis', 'collect-gentxs'])).err).toContain('has no genesis transaction')
    for (const [line, reason] of [
      [['alice', '200000000ucoin'], 'holds 100000000ucoin, less than the stake'],
      [['alice', '1ucoin', '--chain-id', 'other'], 'the genesis file is of chain "test-1"'],
      [['nobody', '1ucoin'], 'key not found'],
      [['alice', '1ucoin', '--commission-rate', '0.3'], 'none above the maximum'],
      [['alice', '1ucoin,2uother'], 'expected one like'],
    ] as const)
      expect((await gentx(...line)).err).toContain(reason)
    const unsigned = JSON.parse((await gentx('alice', '5ucoin', '--generate-only')).out)
    expect(unsigned.signatures).toEqual([])
    expect(await gentx('alice', '5000000ucoin', '--moniker', 'validator')).toMatchObject({ code: 0, out: '' })
    expect((await gentx('alice', '5000000ucoin')).err).toContain('is there already')
    const collected = await run(['genesis', 'collect-gentxs'])
    expect(collected.err).toContain('validator with 5000000ucoin')
    expect(collected.err).toContain('x/staking is not built yet')
    const { gen_txs: txs } = readJson(genesisPath(home)).app_state.genutil
    expect(txs).toHaveLength(1)
    const folder = join(home, 'config/gentx')
    const [file] = readdirSync(folder)
    const tx = readJson(join(folder, file!))
    tx.body.messages.push(tx.body.messages[0])
    writeFileSync(join(folder, 'b.json'), JSON.stringify(tx))
    expect((await run(['genesis', 'collect-gentxs'])).err).toContain('b.json: it has 2 messages')
  })
})

describe.skipIf(!hasWasmd)('genesis and the Go reference', () => {
  it('write the same genesis transaction, and it takes what ours wrote', async () => {
    const [theirs, ours] = [newFolder(), newFolder()]
    const test = ['--keyring-backend', 'test']
    for (const home of [theirs, ours]) {
      wasmd(home, ['init', 'one', '--chain-id', 'test-1', '--recover'], `${words}\n`)
      wasmd(home, ['keys', 'add', 'alice', '--recover', ...test], `${words}\n`)
    }
    const add = ['genesis', 'add-genesis-account', 'alice', '100000000stake']
    const gentx = [
      'genesis',
      'gentx',
      'alice',
      '5000000stake',
      '--chain-id',
      'test-1',
      '--ip',
      '192.0.2.7',
      '--node-id',
      'ab',
    ]
    wasmd(theirs, [...add, ...test])
    wasmd(theirs, [...gentx, '--output-document', join(theirs, 'gentx.json'), ...test])
    const run = (line: readonly string[]) =>
      runInProcess([...line, '--home', ours, ...test, '--bech32-prefix', 'wasm'], {})
    expect(await run(add)).toMatchObject({ code: 0, err: '' })
    expect((await run([...gentx, '--output-document', join(ours, 'gentx.json')])).code).toBe(0)
    const text = (home: string) => readFileSync(join(home, 'gentx.json'), 'utf8')
    expect(text(ours)).toBe(text(theirs))

    mkdirSync(join(ours, 'config/gentx'))
    writeFileSync(join(ours, 'config/gentx/a.json'), text(ours))
    const collected = await runInProcess(['genesis', 'collect-gentxs', '--home', ours], {})
    expect(collected.code, collected.err).toBe(0)
    expect(wasmd(ours, ['genesis', 'validate'])).toContain('is a valid genesis file')
    expect(wasmd(ours, ['comet', 'show-validator']).trim()).toBe(
      (await runInProcess(['comet', 'show-validator', '--home', ours])).out,
    )
    expect(wasmd(ours, ['comet', 'show-node-id']).trim()).toBe(
      (await runInProcess(['comet', 'show-node-id', '--home', ours])).out,
    )
    expect(wasmd(ours, ['comet', 'show-address']).trim()).toBe(
      (await runInProcess(['comet', 'show-address', '--home', ours])).out,
    )
  })
})
