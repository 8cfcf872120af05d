import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseExportedKey } from '../keys/exported-key.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { hasWasmd, wasmd } from '../testing/wasmd.js'

const newFolder = temporaryFolders()
const words =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art'

interface Shown {
  readonly name: string
  readonly type: string
  readonly address: string
  readonly pubkey: string
  readonly mnemonic?: string
}

/** `coind keys` on a test keyring with the reference's prefix. */
function keysOf(home: string) {
  const common = ['--home', home, '--keyring-backend', 'test', '--bech32-prefix', 'wasm']
  const run = (line: readonly string[], ...input: string[]) => runInProcess(['keys', ...line, ...common], {}, input)
  const json = async (line: readonly string[], ...input: string[]) => {
    const { code, out, err } = await run([...line, '-o', 'json'], ...input)
    expect(err.includes('Error'), err).toBe(false)
    expect(code).toBe(0)
    return JSON.parse(out) as Shown
  }
  return { run, json }
}

describe('keys add', () => {
  it('makes keys of 24 or 12 words, which lead to them again', async () => {
    const { run, json } = keysOf(newFolder())
    const alice = await json(['add', 'alice'])
    expect(alice.mnemonic?.split(' ')).toHaveLength(24)
    const bob = await json(['add', 'bob', '--words', '12'])
    expect(bob.mnemonic?.split(' ')).toHaveLength(12)
    expect((await json(['add', 'carol', '--no-backup'])).mnemonic).toBeUndefined()
    expect((await run(['add', 'again', '--recover'], alice.mnemonic!)).err).toContain('the same key is "alice"')
    expect(await json(['add', 'dry', '--recover', '--dry-run'], bob.mnemonic!)).toMatchObject({ address: bob.address })
    expect((await run(['list', '--list-names'])).out).toBe('alice\nbob\ncarol')
    const text = await run(['add', 'dave'])
    expect(text.out).toMatch(/^- name: dave\n {2}type: local\n {2}address: wasm1/)
    expect(text.err).toMatch(/Write these words down[\s\S]*NOT encrypted/)
  })

  it('derives where it is told to', async () => {
    const { run, json } = keysOf(newFolder())
    const at = async (...flags: string[]) =>
      (await json(['add', `k${flags.join('')}`.replaceAll(/[^a-z0-9]/g, ''), '--recover', ...flags], words)).address
    const addresses = [await at(), await at('--index', '1'), await at('--account', '1'), await at('--coin-type', '60')]
    expect(new Set(addresses).size).toBe(4)
    expect((await run(['add', 'x', '--recover', '--hd-path', "m/44'/60'/0'/0/0"], words)).err).toContain('the same key')
    expect((await run(['add', 'x', '--index', '2147483648'])).err).toContain('expected a number from 0 to 2147483647')
    expect((await run(['add', 'x', '--key-type', 'ed25519'])).err).toContain('Allowed choices are secp256k1')
    expect((await run(['add', 'x', '--ledger'])).err).toContain('Ledger devices are not supported')
    const withPassphrase = await json(['add', 'i', '-i'], words, 'extra', 'extra')
    expect(addresses).not.toContain(withPassphrase.address)
    expect((await run(['add', 'j', '-i'], words, 'extra', 'other')).err).toContain('the two are not the same')
    const file = join(newFolder(), 'words.txt')
    writeFileSync(file, `${words}\n`)
    expect((await run(['add', 'x', '--recover', '--source', file])).err).toContain('the same key is "k"')
    expect((await run(['add', 'x', '--source', file])).err).toContain('--source needs --recover')
    expect((await run(['add', 'x', '--recover'], 'not a mnemonic')).err).toContain('3 words, expected')
  })

  it('replaces a key only when asked', async () => {
    const { run, json } = keysOf(newFolder())
    const before = await json(['add', 'alice'])
    expect(await run(['add', 'alice'], 'n')).toMatchObject({ code: 1 })
    expect((await json(['show', 'alice'])).address).toBe(before.address)
    expect((await json(['add', 'alice'], 'y')).address).not.toBe(before.address)
  })

  it('watches public keys, and puts several together', async () => {
    const { run, json } = keysOf(newFolder())
    const [alice, bob] = [await json(['add', 'alice']), await json(['add', 'bob'])]
    const multi = await json(['add', 'both', '--multisig', 'bob,alice', '--multisig-threshold', '2'])
    expect(multi.type).toBe('multi')
    expect(JSON.parse(multi.pubkey)).toMatchObject({
      '@type': '/cosmos.crypto.multisig.LegacyAminoPubKey',
      threshold: 2,
    })
    expect((await json(['show', 'both'])).address).toBe(multi.address)
    expect((await json(['show', alice.address])).name).toBe('alice')
    expect(JSON.parse(multi.pubkey).public_keys).toHaveLength(2)
    const unsorted = await json(['show', 'alice', 'bob', '--multisig-threshold', '2'])
    expect(unsorted).toMatchObject({ name: 'multi', type: 'multi' })
    const nosort = await json(['add', 'ns', '--multisig', 'alice,bob', '--multisig-threshold', '1', '--nosort'])
    expect((JSON.parse(nosort.pubkey) as { public_keys: { key: string }[] }).public_keys[0]).toEqual(
      JSON.parse(alice.pubkey),
    )
    await run(['delete', 'bob', '-y'])
    expect(await json(['add', 'watched', '--pubkey', bob.pubkey])).toMatchObject({
      type: 'offline',
      address: bob.address,
    })
    const base64 = (JSON.parse(bob.pubkey) as { key: string }).key
    expect((await run(['add', 'w2', '--pubkey-base64', base64])).err).toContain('the same key is "watched"')
    for (const [line, reason] of [
      [['--multisig', 'alice,alice'], 'names "alice" twice'],
      [['--multisig', 'alice,nobody'], 'key not found'],
      [['--multisig', 'alice', '--multisig-threshold', '2'], 'there are 1 keys'],
      [['--multisig', 'alice,both'], 'key "both" is not a secp256k1 key'],
      [['--pubkey', '{"key":"x"}'], 'expected JSON like'],
      [['--pubkey', bob.pubkey, '--recover'], 'a public key has no words'],
    ] as const)
      expect((await run(['add', 'x', ...line])).err).toContain(reason)
    expect((await run(['export', 'watched'], 'passphrase')).err).toContain('"watched" is of type offline')
  })
})

describe('keys', () => {
  it('are renamed, shown in all forms, exported and imported', async () => {
    const { run, json } = keysOf(newFolder())
    const alice = await json(['add', 'alice'])
    expect((await run(['rename', 'alice', 'al', '-y'])).err).toBe('Key "alice" is "al" now')
    expect((await run(['show', 'al', '-a', '--bech', 'val'])).out).toMatch(/^wasmvaloper1/)
    expect((await run(['show', 'al', '-a', '-p'])).err).toContain('exclude each other')
    expect((await run(['show', 'al', '-a', '-o', 'json'])).err).toContain('--output excludes')
    const armored = (await run(['export', 'al'], 'abcdefgh')).out
    expect(armored).toMatch(
      /^-----BEGIN TENDERMINT PRIVATE KEY-----\nkdf: argon2\nsalt: [0-9A-F]{32}\ntype: secp256k1\n\n/,
    )
    expect((await run(['export', 'al'], 'short')).err).toContain('shorter than 8')
    expect((await run(['export', 'al', '--unsafe'])).err).toContain('go together')
    const hex = (await run(['export', 'al', '--unarmored-hex', '--unsafe', '-y'])).out
    const file = join(newFolder(), 'al.key')
    writeFileSync(file, armored)
    const other = keysOf(newFolder())
    expect((await other.run(['import', 'al', file], 'abcdefgi')).err).toContain('wrong passphrase')
    expect(await other.json(['import', 'al', file], 'abcdefgh')).toMatchObject({ address: alice.address })
    await other.run(['delete', 'al', '-y'])
    expect(await other.json(['import-hex', 'al', `0x${hex}`])).toMatchObject({ address: alice.address })
    expect((await other.run(['import-hex', 'b', 'abc'])).err).toContain('3 characters, expected 64')
    writeFileSync(file, armored.replace(/\n=.*/, '\n=AAAA'))
    expect((await other.run(['import', 'b', file], 'abcdefgh')).err).toContain('another checksum')
    writeFileSync(file, 'nothing')
    expect((await other.run(['import', 'b', file], 'abcdefgh')).err).toContain('no armored key')
  })

  it('of the SDK before v0.47 are imported', async () => {
    // Of the Go SDK's own tests (client/keys/import_test.go).
    const armored =
      '-----BEGIN TENDERMINT PRIVATE KEY-----\nsalt: A790BB721D1C094260EA84F5E5B72289\nkdf: bcrypt\n\n' +
      'HbP+c6JmeJy9JXe2rbbF1QtCX1gLqGcDQPBXiCtFvP7/8wTZtVOPj8vREzhZ9ElO\n3P7YnrzPQThG0Q+ZnRSbl9MAS8uFAM4mqm5r/Ys=\n=f3l4\n' +
      '-----END TENDERMINT PRIVATE KEY-----\n'
    const { privateKey } = await parseExportedKey(armored, '123456789')
    expect(Buffer.from(privateKey).toString('hex')).toBe(
      '2485e33678db4175dc0ecef2d6e1fc493d4a0d7f7ce83324b6ed70afe77f3485',
    )
    await expect(parseExportedKey(armored, '12345678')).rejects.toThrow('wrong passphrase')
  })

  it('parse and mnemonic need no keyring', async () => {
    const { run, json } = keysOf(newFolder())
    const parsed = (await json(['parse', '28FF5C6D57D8CFD492B6FB42614536ED648E01FD'])) as unknown as {
      formats: string[]
    }
    expect(parsed.formats.slice(0, 3)).toEqual([
      'wasm19rl4cm2hmr8afy4kldpxz3fka4jguq0akuugk7',
      'wasmpub19rl4cm2hmr8afy4kldpxz3fka4jguq0a4snrr7',
      'wasmvaloper19rl4cm2hmr8afy4kldpxz3fka4jguq0arqf5cy',
    ])
    expect(await json(['parse', parsed.formats[0]!])).toEqual({
      human: 'wasm',
      bytes: '28FF5C6D57D8CFD492B6FB42614536ED648E01FD',
    })
    expect((await run(['parse', 'nonsense'])).code).toBe(1)
    const bare =
      (...line: string[]) =>
      (input: string[] = []) =>
        runInProcess(['keys', 'mnemonic', ...line], {}, input)
    expect((await bare('--words', '12')()).out.split(' ')).toHaveLength(12)
    const typed = '1'.repeat(100)
    const twice = [await bare('--unsafe-entropy', '-y')([typed]), await bare('--unsafe-entropy', '-y')([typed])]
    expect(twice[0]!.out).toBe(twice[1]!.out)
    expect((await bare('--unsafe-entropy')(['short'])).err).toContain('5 characters are too few')
  })

  it('under a passphrase ask for it, and say when it is wrong', async () => {
    const home = newFolder()
    const run = (line: readonly string[], input: readonly string[]) =>
      runInProcess(['keys', ...line, '--home', home], {}, input)
    expect((await run(['add', 'a'], ['correct horse', 'other horse'])).err).toContain('the two are not the same')
    expect((await run(['add', 'a'], ['correct horse', 'correct horse'])).code).toBe(0)
    expect((await run(['show', 'a'], ['wrong horse'])).err).toContain('wrong passphrase')
    expect((await run(['list', '-n'], [])).out).toBe('a')
    const env = { COIND_KEYRING_PASSPHRASE: 'correct horse' }
    expect((await runInProcess(['keys', 'show', 'a', '-a', '--home', home], env)).out).toMatch(/^coin1/)
    const os = await runInProcess(['keys', 'list', '--keyring-backend', 'os', '--home', home])
    expect(os).toMatchObject({ code: 1 })
    expect(os.err).toContain('"file" is encrypted and works everywhere')
  })
})

describe.skipIf(!hasWasmd)('keys and the Go reference', () => {
  it('share a keyring: each sees what the other wrote', async () => {
    const home = newFolder()
    const { json } = keysOf(home)
    const file = ['--keyring-backend', 'test', '--output', 'json']
    const ours = await json(['add', 'alice', '--recover'], words)
    expect(JSON.parse(wasmd(home, ['keys', 'show', 'alice', ...file]))).toEqual(ours)
    const theirs = JSON.parse(wasmd(home, ['keys', 'add', 'bob', ...file])) as Shown
    expect(await json(['show', 'bob'])).toMatchObject({ address: theirs.address, pubkey: theirs.pubkey })
    const multi = ['--multisig', 'alice,bob', '--multisig-threshold', '2']
    const both = JSON.parse(wasmd(home, ['keys', 'add', 'theirs', ...multi, ...file])) as Shown
    expect(await json(['show', 'theirs'])).toEqual(both)
    expect((await keysOf(home).run(['add', 'ours', ...multi])).err).toContain('the same key is "theirs"')
    await json(['add', 'single', '--multisig', 'alice,bob', '--multisig-threshold', '1', '--nosort'])
    expect(JSON.parse(wasmd(home, ['keys', 'list', ...file]))).toEqual(await json(['list']))
  })

  it('share a keyring under a passphrase', async () => {
    const home = newFolder()
    const env = { COIND_KEYRING_PASSPHRASE: 'correct horse' }
    const file = ['--keyring-backend', 'file']
    const ours = (...line: string[]) =>
      runInProcess(['keys', ...line, '--home', home, '--bech32-prefix', 'wasm', ...file], env)
    expect((await ours('add', 'alice')).code).toBe(0)
    const address = (await ours('show', 'alice', '-a')).out
    expect(wasmd(home, ['keys', 'show', 'alice', '-a', ...file], 'correct horse\n')).toContain(address)
    wasmd(home, ['keys', 'add', 'bob', ...file], 'correct horse\n')
    expect((await ours('list', '-o', 'json')).out).toContain('"bob"')
    expect(readdirSync(join(home, 'keyring-file'))).toContain('keyhash')
  })

  it('exchange exported keys', async () => {
    const [here, there] = [newFolder(), newFolder()]
    const { run, json } = keysOf(here)
    const alice = await json(['add', 'alice'])
    const file = join(here, 'alice.key')
    writeFileSync(file, `${(await run(['export', 'alice'], 'abcdefgh')).out}\n`)
    const test = ['--keyring-backend', 'test']
    wasmd(there, ['keys', 'import', 'alice', file, ...test], 'abcdefgh\n')
    expect(wasmd(there, ['keys', 'show', 'alice', '-a', ...test]).trim()).toBe(alice.address)
    wasmd(there, ['keys', 'add', 'bob', ...test])
    writeFileSync(file, wasmd(there, ['keys', 'export', 'bob', ...test], 'abcdefgh\n'))
    const bob = await json(['import', 'bob', file], 'abcdefgh')
    expect(wasmd(there, ['keys', 'show', 'bob', '-a', ...test]).trim()).toBe(bob.address)
    expect(existsSync(join(here, 'keyring-test/bob.info'))).toBe(true)
  })
})
