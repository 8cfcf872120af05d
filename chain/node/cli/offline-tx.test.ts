import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { multiKeyAddress } from '@coin/runtime/multisig'
import { encodeBech32 } from '@coin/wire/bech32'
import { LegacyAminoPubKey } from '@coin/wire/gen/cosmos/crypto/multisig/keys'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { messageFromJsonText } from '@coin/wire/json'
import { encodeAny } from '@coin/wire/registry'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { directSignBytes } from '@coin/wire/sign-doc'
import { decodeTx, txHash } from '@coin/wire/tx'
import { describe, expect, it } from 'vitest'
import { secp256k1Any } from '../keys/key-record.js'
import { openKeyring } from '../keys/keyring.js'
import { keyOf } from '../keys/mnemonic.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { encodeTx } from './client/tx-signatures.js'

const newFolder = temporaryFolders()
const somebody = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'
const keyNames = ['alice', 'bob', 'carol', 'mallory'] as const
const keys = keyNames.map((_, i) => keyOf(new Uint8Array(32).fill(i + 1)))
const members = keys.slice(0, 3).map(({ publicKey }) => publicKey)
const chain = { chainId: 'offline-1', accountNumber: 7n }
const offline = ['--offline', '--chain-id', chain.chainId, '--account-number', '7', '--sequence', '3']

async function setUp() {
  const home = newFolder()
  const keyring = openKeyring(home, 'test', () => Promise.reject(new Error('no passphrase')))
  for (const [i, name] of keyNames.entries()) await keyring.add(name, keys[i]!)
  const publicKeys = members.map((key) => secp256k1Any(key))
  const multi = await keyring.addPublic(
    'treasury',
    encodeAny('cosmos.crypto.multisig.LegacyAminoPubKey', LegacyAminoPubKey.fromPartial({ threshold: 2, publicKeys })),
  )
  const path = (name: string) => join(home, name)
  const run = (...words: readonly string[]) =>
    runInProcess([...words, '--home', home], { COIND_KEYRING_BACKEND: 'test' })
  const out = async (...words: readonly string[]) => {
    const result = await run(...words)
    expect(result.err).toBe('')
    return result.out
  }
  const write = (name: string, text: string) => {
    writeFileSync(path(name), `${text}\n`)
    return path(name)
  }
  /** A send of nobody's coins, unsigned. */
  const unsigned = (from: string, coins = '5ucoin') =>
    out('tx', 'bank', 'send', from, somebody, coins, '--generate-only', '--offline', '--fees', '9ucoin', '--note', 'hi')
  return { run, out, write, path, unsigned, multiAddress: encodeBech32('coin', multi.address) }
}

const parseTx = (json: string): Tx => messageFromJsonText<Tx>('cosmos.tx.v1beta1.Tx', json)

describe('tx sign', () => {
  it('signs the bytes of what --generate-only made, and encode and decode keep them', async () => {
    const { out, write, path, unsigned } = await setUp()
    const file = write('unsigned.json', await unsigned('alice'))
    expect(await out('tx', 'sign', file, '--from', 'alice', ...offline, '--output-document', path('signed.json'))).toBe(
      '',
    )
    const signed = readFileSync(path('signed.json'), 'utf8').trim()
    const base64 = await out('tx', 'encode', path('signed.json'))
    const { bodyBytes, authInfoBytes, signatures, authInfo, bytes } = decodeTx(Buffer.from(base64, 'base64'))
    expect(authInfo.signerInfos[0]).toMatchObject({ sequence: 3n, modeInfo: { single: { mode: 1 } } })
    expect(
      verifySecp256k1(keys[0]!.publicKey, sha256(directSignBytes(bodyBytes, authInfoBytes, chain)), signatures[0]!),
    ).toBe(true)
    expect(await out('tx', 'decode', base64)).toBe(signed)
    expect(await out('tx', 'decode', '--hex', Buffer.from(bytes).toString('hex'))).toBe(signed)
    expect(txHash(encodeTx(parseTx(signed)))).toBe(txHash(bytes))
    const checked = await out('tx', 'validate-signatures', path('signed.json'), ...offline)
    expect(checked).toContain('status: OK')
  })

  it('prints signatures alone, adds to or replaces what is there, and signs batches', async () => {
    const { out, write, run, unsigned } = await setUp()
    const file = write('unsigned.json', await unsigned('alice'))
    const alone = await out(
      'tx',
      'sign',
      file,
      '--from',
      'alice',
      '--signature-only',
      '--sign-mode',
      'amino-json',
      ...offline,
    )
    expect(JSON.parse(alone)).toMatchObject({
      signatures: [{ sequence: '3', data: { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } } }],
    })
    const signed = write('signed.json', await out('tx', 'sign', file, '--from', 'alice', ...offline))
    const again = ['tx', 'sign', signed, '--from', 'alice', ...offline]
    expect((await run(...again)).err).toContain('there is a direct signature already')
    expect(parseTx(await out(...again, '--overwrite')).signatures).toHaveLength(1)
    expect(parseTx(await out(...again, '--sign-mode', 'amino-json')).signatures).toHaveLength(2)

    const batch = write('batch.json', [await unsigned('alice'), await unsigned('alice', '6ucoin')].join('\n'))
    const lines = (await out('tx', 'sign-batch', batch, '--from', 'alice', ...offline)).split('\n').map(parseTx)
    expect(lines.map(({ authInfo }) => authInfo!.signerInfos[0]!.sequence)).toEqual([3n, 4n])
    const joined = parseTx(await out('tx', 'sign-batch', batch, file, '--from', 'alice', '--append', ...offline))
    expect(joined.body!.messages).toHaveLength(3)
    expect(joined.authInfo!.fee).toMatchObject({ gasLimit: 600_000n, amount: [{ denom: 'ucoin', amount: '27' }] })
  })

  it('reads the input for "-" and says what is wrong with a file', async () => {
    const { run, write, unsigned, path } = await setUp()
    const tx = await unsigned('alice')
    const words = ['tx', 'encode', '-', '--home', path('')]
    const { out } = await runInProcess(words, {}, tx.split('\n'))
    expect(out).toMatch(/^[A-Za-z0-9+/]+=*$/)
    const cases: readonly (readonly [string[], string])[] = [
      [['tx', 'sign', write('u.json', tx), '--from', 'bob', ...offline], 'is no signer of it, expected coin1'],
      [['tx', 'sign', write('u.json', tx), '--from', 'alice', '--offline'], '--chain-id is missing'],
      [['tx', 'sign', write('u.json', tx), '--from', 'alice', '--offline', '--chain-id', 'x'], '--account-number and'],
      [['tx', 'sign', path('none.json'), '--from', 'alice', ...offline], 'none.json: ENOENT'],
      [
        ['tx', 'sign', write('bad.json', '{"body":{"memo":5}}'), '--from', 'alice', ...offline],
        'bad.json: body.memo: 5',
      ],
      [['tx', 'decode', 'abc$'], 'base64'],
      [['tx', 'bank', 'send', 'alice', somebody, '5ucoin', '--offline', '--gas', 'auto'], '--offline cannot simulate'],
      [['tx', 'bank', 'send', 'treasury', somebody, '5ucoin', ...offline], '"treasury" is a multisig key'],
      [['tx', 'bank', 'send', 'alice', somebody, '5ucoin', ...offline, '--unordered'], "'--unordered' cannot be used"],
      [
        [
          'tx',
          'bank',
          'send',
          'alice',
          somebody,
          '1ucoin',
          ...offline,
          '-y',
          '--note',
          `${'abandon '.repeat(11)}about`,
        ],
        'holds the words of a key',
      ],
    ]
    for (const [line, reason] of cases) {
      const { code, err } = await run(...line)
      expect(err).toContain(reason)
      expect(code).toBe(1)
    }
  })

  it('prints what is signed offline instead of sending it', async () => {
    const { out } = await setUp()
    const signed = parseTx(await out('tx', 'bank', 'send', 'alice', somebody, '5ucoin', ...offline, '-y'))
    expect(signed.signatures[0]).toHaveLength(64)
  })
})

describe('multisignatures', () => {
  it('are put together of enough members, in whatever order', async () => {
    const { out, run, write, unsigned, multiAddress } = await setUp()
    expect(multiAddress).toBe(encodeBech32('coin', multiKeyAddress({ threshold: 2, keys: members })))
    const file = write('unsigned.json', await unsigned(multiAddress))
    const sign = async (name: string) =>
      write(`${name}.json`, await out('tx', 'sign', file, '--from', name, '--multisig', 'treasury', ...offline))
    const [alice, carol] = [await sign('alice'), await sign('carol')]
    const signed = await out('tx', 'multisign', file, 'treasury', carol, alice, ...offline)
    const { authInfo } = parseTx(signed)
    expect(authInfo!.signerInfos[0]!.modeInfo!.multi).toMatchObject({
      bitarray: { extraBitsStored: 3, elems: Uint8Array.of(0b1010_0000) },
      modeInfos: [{ single: { mode: 127 } }, { single: { mode: 127 } }],
    })
    const checked = await out('tx', 'validate-signatures', write('signed.json', signed), ...offline)
    expect(checked).toContain(multiAddress)
    const few = await run('tx', 'multisign', file, 'treasury', alice, alice, ...offline)
    expect(few.err).toContain('1 signatures for key "treasury", which needs 2')
    const later = ['--offline', '--chain-id', chain.chainId, '--account-number', '7', '--sequence', '4']
    const stale = await run('tx', 'multisign', file, 'treasury', alice, carol, ...later)
    expect(stale.err).toContain('is not for this transaction with chain id offline-1, account number 7 and sequence 4')
    const stranger = await run('tx', 'sign', file, '--from', 'mallory', '--multisig', 'treasury', ...offline)
    expect(stranger.err).toContain('key "mallory" is no member of the multisig key "treasury"')
  })

  it('come in batches', async () => {
    const { out, run, write, unsigned, multiAddress } = await setUp()
    const file = write('batch.json', [await unsigned(multiAddress), await unsigned(multiAddress, '6ucoin')].join('\n'))
    const sign = async (name: string) =>
      write(`${name}.json`, await out('tx', 'sign-batch', file, '--from', name, '--multisig', 'treasury', ...offline))
    const [bob, carol] = [await sign('bob'), await sign('carol')]
    const lines = (await out('tx', 'multisign-batch', file, 'treasury', bob, carol, ...offline))
      .split('\n')
      .map(parseTx)
    expect(lines.map(({ authInfo }) => authInfo!.signerInfos[0]!.sequence)).toEqual([3n, 4n])
    const missing = write('short.json', readFileSync(bob, 'utf8').split('\n')[0]!)
    const { err } = await run('tx', 'multisign-batch', file, 'treasury', missing, carol, ...offline)
    expect(err).toContain('short.json has 1 signatures for 2 transactions')
  })
})
