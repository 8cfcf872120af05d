import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@coin/base/bytes'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { messageFromJsonText } from '@coin/wire/json'
import { type DecodedTx, decodeTx } from '@coin/wire/tx'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { openKeyring } from '../../keys/keyring.js'
import { keyOf } from '../../keys/mnemonic.js'
import { runInProcess } from '../../testing/run-cli.js'
import { startStubRpc } from '../../testing/stub-rpc.js'
import { temporaryFolders } from '../../testing/temporary-folder.js'
import { encodeTx } from '../client/tx-signatures.js'
import { createProgram } from '../program.js'
import type { Terminal } from '../terminal.js'
import { answerJson, goDuration } from './answer.js'
import { kebab, servicesOf } from './names.js'

const newFolder = temporaryFolders()
const somebody = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'

async function homeWithAlice(): Promise<string> {
  const home = newFolder()
  const keyring = openKeyring(home, 'test', () => Promise.reject(new Error('no passphrase')))
  await keyring.add('alice', keyOf(new Uint8Array(32).fill(5)))
  return home
}

/** The message that `tx` makes of these words. */
async function message(home: string, ...words: readonly string[]): Promise<DecodedTx['messages'][number]> {
  const offline = ['--generate-only', '--offline', '--keyring-backend', 'test', '--home', home]
  const { code, out, err } = await runInProcess(['tx', ...words, ...offline])
  expect(err).toBe('')
  expect(code).toBe(0)
  return decodeTx(encodeTx(messageFromJsonText<Tx>('cosmos.tx.v1beta1.Tx', out))).messages[0]!
}

describe('names', () => {
  it('are those of the reference', () => {
    expect(kebab('AccountAddressByID')).toBe('account-address-by-id')
    expect(kebab('ABCIQuery')).toBe('abci-query')
    expect(kebab('code_ids')).toBe('code-ids')
  })

  it('come from the newest service of a module', () => {
    const service = (name: string) => ({ name, methods: [], isMsgService: false })
    const services = ['x.gov.v1beta1.Query', 'x.gov.v1.Query', 'x.gov.v2alpha1.Query', 'x.gov.v1.Msg'].map(service)
    expect(servicesOf('gov', services)).toMatchObject({
      query: { name: 'x.gov.v2alpha1.Query' },
      msg: { name: 'x.gov.v1.Msg' },
    })
    expect(servicesOf('bank', services)).toEqual({ query: undefined, msg: undefined })
  })
})

describe('messages', () => {
  it('take coins, enums, durations, JSON and lists', async () => {
    const home = await homeWithAlice()
    const alice = (await message(home, 'bank', 'send', 'alice', 'alice', '5ucoin')).message
    const { fromAddress } = alice as { fromAddress: string }
    expect((await message(home, 'bank', 'send', 'alice', somebody, '9ucoin,7aaa')).message).toMatchObject({
      fromAddress,
      toAddress: somebody,
      amount: [
        { denom: 'aaa', amount: '7' },
        { denom: 'ucoin', amount: '9' },
      ],
    })
    expect((await message(home, 'gov', 'vote', '7', 'no_with_veto', '--from', 'alice')).message).toMatchObject({
      proposalId: 7n,
      voter: fromAddress,
      option: 4,
    })
    const weighted = await message(home, 'gov', 'weighted-vote', '7', 'yes=0.6,no=0.4', '--from', 'alice')
    expect(weighted.message).toMatchObject({
      options: [
        { option: 1, weight: '0.600000000000000000' },
        { option: 3, weight: '0.400000000000000000' },
      ],
    })
    const deposit = await message(home, 'gov', 'deposit', '7', '1ucoin', '2aaa', '--from', 'alice')
    expect(deposit.message).toMatchObject({ amount: [{ denom: 'aaa' }, { denom: 'ucoin' }] })
    const pinned = await message(home, 'wasm', 'pin-codes', '--code-ids', '1,2', '--code-ids', '3', '--from', 'alice')
    expect(pinned.message).toMatchObject({ authority: fromAddress, codeIds: [1n, 2n, 3n] })
    const switches = ['{"denom":"ucoin","enabled":true}', '{"denom":"aaa"}']
    const enabled = await message(home, 'bank', 'set-send-enabled-proposal', ...switches, '--from', 'alice')
    expect(enabled.message).toMatchObject({ sendEnabled: [{ denom: 'ucoin', enabled: true }, { denom: 'aaa' }] })
    const listed = ['--use-default-for', 'x/y,ucoin', '--from', 'alice']
    expect(
      (await message(home, 'bank', 'set-send-enabled-proposal', `[${switches.join(',')}]`, ...listed)).message,
    ).toEqual({ ...(enabled.message as object), useDefaultFor: ['x/y', 'ucoin'] })
    const voting = await message(
      home,
      ...['gov', 'update-params-proposal', '{"voting_period":"90s","burn_vote_veto":true}', '--from', 'alice'],
    )
    expect(voting.message).toMatchObject({ params: { votingPeriod: { seconds: 90n, nanos: 0 }, burnVoteVeto: true } })
  })

  it('take contract messages without touching their numbers, from a file as well', async () => {
    const home = await homeWithAlice()
    const json = '{ "b": 1, "a": 12345678901234567890 }'
    const file = join(home, 'message.json')
    writeFileSync(file, `${json}\n`)
    for (const text of [json, file]) {
      const { message: execute } = await message(home, 'wasm', 'execute', somebody, text, '--from', 'alice')
      expect(new TextDecoder().decode((execute as { msg: Uint8Array }).msg)).toBe(json.replaceAll(' ', ''))
    }
    const made = await message(
      home,
      ...['wasm', 'instantiate2', '1', '{}', 'c2FsdA==', '--b64', '--fix-msg', '--label', 'x', '--no-admin'],
      ...['--amount', '5ucoin', '--from', 'alice'],
    )
    expect(made.message).toMatchObject({ codeId: 1n, admin: '', label: 'x', fixMsg: true, funds: [{ amount: '5' }] })
    expect(new TextDecoder().decode((made.message as { salt: Uint8Array }).salt)).toBe('salt')
    const admin = await message(
      home,
      'wasm',
      'instantiate',
      '1',
      '{}',
      '--label',
      'x',
      '--admin',
      'alice',
      '--from',
      'alice',
    )
    expect((admin.message as { admin: string }).admin).toMatch(/^coin1/)
    const store = ['wasm', 'store-and-migrate-contract', '--wasm-byte-code', '0061736d', '--contract', somebody]
    const stored = await message(home, ...store, '--msg', '{}', '--from', 'alice')
    expect(bytesToHex((stored.message as { wasmByteCode: Uint8Array }).wasmByteCode)).toBe('0061736d')
  })

  it('go with the fee of others, a memo and an end', async () => {
    const home = await homeWithAlice()
    const words = ['tx', 'bank', 'send', 'alice', somebody, '5ucoin', '--generate-only', '--offline', '--home', home]
    const others = ['--fee-payer', 'alice', '--fee-granter', somebody, '--note', 'hi', '--timeout-height', '9']
    const { out } = await runInProcess([...words, '--fees', '7ucoin', ...others], { COIND_KEYRING_BACKEND: 'test' })
    const { body, authInfo } = messageFromJsonText<Tx>('cosmos.tx.v1beta1.Tx', out)
    expect(body).toMatchObject({ memo: 'hi', timeoutHeight: 9n })
    expect(authInfo!.fee).toMatchObject({ payer: expect.stringMatching(/^coin1/), granter: somebody })
    const soon = [...words, '--unordered', '--timeout-duration', '1h']
    const unordered = await runInProcess(soon, { COIND_KEYRING_BACKEND: 'test' })
    const { body: timed } = messageFromJsonText<Tx>('cosmos.tx.v1beta1.Tx', unordered.out)
    const seconds = Number(timed!.timeoutTimestamp!.seconds) - Date.now() / 1000
    expect(timed!.unordered).toBe(true)
    expect(Math.abs(seconds - 3600)).toBeLessThan(60)
    const bad = await runInProcess([...words, '--fee-payer', 'nobody'], { COIND_KEYRING_BACKEND: 'test' })
    expect(bad).toMatchObject({ code: 1, err: expect.stringContaining('"nobody" is neither an address nor a key') })
    const endless = await runInProcess([...words, '--unordered'], { COIND_KEYRING_BACKEND: 'test' })
    expect(endless).toMatchObject({ code: 1, err: expect.stringContaining('--unordered needs --timeout-duration') })
  })

  it('send to several, whole or divided', async () => {
    const home = await homeWithAlice()
    const words = ['bank', 'multi-send', 'alice', somebody, somebody, 'alice', '100ucoin']
    const { message: whole } = await message(home, ...words)
    expect(whole).toMatchObject({
      inputs: [{ coins: [{ amount: '300' }] }],
      outputs: [{ address: somebody, coins: [{ amount: '100' }] }, { address: somebody }, {}],
    })
    const { message: split } = await message(home, ...words, '--split')
    expect(split).toMatchObject({
      inputs: [{ coins: [{ amount: '99' }] }],
      outputs: [{ coins: [{ amount: '33' }] }, {}, {}],
    })
  })

  it.each([
    [['gov', 'vote', '7', 'perhaps'], 'option: "perhaps", expected unspecified, yes, abstain, no, no-with-veto'],
    [['gov', 'vote', 'seven', 'yes'], 'proposal_id: "seven", expected a non-negative integer of 64 bits'],
    [['gov', 'deposit', '1', '1ucoin', '2ucoin'], 'gives a denom twice'],
    [['wasm', 'set-contract-admin', somebody, 'cosmos1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag4ha34h'], 'prefix "cosmos"'],
    [['wasm', 'set-contract-admin', somebody, `${somebody}x`], 'has a wrong checksum'],
    [['bank', 'update-params-proposal', '{"default":true}'], '"default" in cosmos.bank.v1beta1.Params'],
    [['bank', 'update-params-proposal', '/nowhere/params.json'], '/nowhere/params.json: ENOENT'],
    [['wasm', 'execute', somebody, '{"a":'], 'msg: expected a value at character 5'],
  ])('refuse %j', async (words, reason) => {
    const home = await homeWithAlice()
    const flags = ['--from', 'alice', '--generate-only', '--offline', '--keyring-backend', 'test', '--home', home]
    const { code, err, out } = await runInProcess(['tx', ...words, ...flags])
    expect(err).toContain(reason)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})

describe('answers', () => {
  it('are printed as the reference prints them', () => {
    const params = messageFromJsonText<object>(
      'cosmos.gov.v1.QueryParamsResponse',
      '{"params":{"voting_period":"90s","min_deposit":[{"denom":"a","amount":"1"}],"quorum":"0.3","burn_vote_veto":true}}',
    )
    expect(answerJson('cosmos.gov.v1.QueryParamsResponse', params)).toBe(
      '{"params":{"min_deposit":[{"denom":"a","amount":"1"}],"voting_period":"1m30s","quorum":"0.3","expedited_min_deposit":null,"burn_vote_veto":true}}',
    )
    const proposal = messageFromJsonText<object>('cosmos.gov.v1.Proposal', '{"id":"7","status":3,"title":"x"}')
    expect(answerJson('cosmos.gov.v1.Proposal', proposal)).toBe(
      '{"id":"7","status":"PROPOSAL_STATUS_PASSED","total_deposit":null,"title":"x"}',
    )
  })

  it('have durations in the words of Go', () => {
    const cases: readonly (readonly [bigint, string])[] = [
      [0n, '0s'],
      [1n, '1ns'],
      [1_500n, '1.5µs'],
      [2_000_000n, '2ms'],
      [1_500_000_000n, '1.5s'],
      [90_000_000_000n, '1m30s'],
      [172_800_000_000_000n, '48h0m0s'],
      [-3_600_000_000_001n, '-1h0m0.000000001s'],
    ]
    for (const [ns, text] of cases) expect(goDuration(ns)).toBe(text)
  })
})

/** Commands that do something, with the words that lead to them. */
function leaves(
  command: Command,
  path: readonly string[] = [],
): readonly { path: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }]
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
}

/** Examples of all commands that ask a node or make transactions, by the words of the command. */
function allExamples(): ReadonlyMap<string, readonly string[]> {
  let text: string[] = []
  const program = createProgram({ out: (line: string) => void text.push(line) } as unknown as Terminal)
  const groups = new Set(['query', 'tx'])
  return new Map(
    leaves(program)
      .filter(({ path }) => groups.has(path[0]!))
      .map(({ path, command }) => {
        text = []
        command.outputHelp()
        const lines = text.join('\n').split('\n')
        return [path.join(' '), lines.filter((line) => line.startsWith('  $ coind ')).map((line) => line.slice(10))]
      }),
  )
}

/** As a shell would: single and double quotes keep words together. */
function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:'([^']*)'|"([^"]*)"|([^\s'"]+))+/g)].map(([whole]) =>
    whole.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}

describe('help', () => {
  const examples = allExamples()

  it('has an example for every command', () => {
    expect(examples.size).toBeGreaterThan(100)
    for (const [path, lines] of examples) expect(lines[0] ?? `${path}: none`).toMatch(new RegExp(`^${path}( |$)`))
  })

  it('has examples that work, up to the answer of a node', async () => {
    const home = await homeWithAlice()
    const stub = await startStubRpc({})
    const environment = { COIND_KEYRING_BACKEND: 'test', COIND_NODE: stub.url, COIND_HOME: home }
    try {
      for (const [path, lines] of examples) {
        const [group, name = ''] = path.split(' ')
        // Waiting is over a WebSocket, which is tested with a node.
        if (name === 'wait-tx') continue
        const flags = group === 'tx' && !fileCommands.has(name) ? ['--generate-only', '--offline', '--gas', '1'] : []
        for (const line of lines) {
          const { code, err } = await runInProcess([...splitWords(line), ...flags], environment)
          if (code !== 0) expect(`${line}: ${err}`).toMatch(/Method not found|ENOENT/)
        }
      }
    } finally {
      await stub.close()
    }
  })
})

/** Commands whose examples name files that are not there. */
const fileCommands: ReadonlySet<string> = new Set([
  ...['sign', 'sign-batch', 'multisign', 'multisign-batch', 'broadcast', 'simulate', 'encode', 'decode'],
  'validate-signatures',
])
