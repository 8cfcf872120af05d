import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { encodeBech32 } from '@coin/wire/bech32'
import { encodeAny } from '@coin/wire/registry'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { secp256k1Any } from './key-record.js'
import { openKeyring } from './keyring.js'
import { keyFromMnemonic, keyOf, newMnemonic } from './mnemonic.js'
import { openItem, sealItem } from './sealed-item.js'

const newFolder = temporaryFolders()
const never = () => Promise.reject(new Error('asked for a passphrase'))
const key = keyOf(new Uint8Array(32).fill(5))

describe('mnemonics', () => {
  it('lead to the accounts that wallets show', async () => {
    const words = newMnemonic()
    expect(words.split(' ')).toHaveLength(24)
    expect(newMnemonic(12).split(' ')).toHaveLength(12)
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(words, { prefix: 'coin', bip39Password: 'extra' })
    const [account] = await wallet.getAccounts()
    const spread = `  ${words.replaceAll(' ', '\n ')} `
    const info = await openKeyring(newFolder(), 'test', never).add(
      'a',
      await keyFromMnemonic(spread, { passphrase: 'extra', hdPath: "44'/118'/0'/0/0" }),
    )
    expect(encodeBech32('coin', info.address)).toBe(account!.address)
    expect(info.publicKey).toEqual(account!.pubkey)
  })

  it('are refused without being repeated', async () => {
    await expect(keyFromMnemonic('secret words')).rejects.toThrow('2 words, expected 12, 15, 18, 21 or 24')
    await expect(keyFromMnemonic('')).rejects.toThrow('0 words')
    const hdPath = 'm/x'
    await expect(keyFromMnemonic(newMnemonic(), { hdPath })).rejects.toThrow('HD path "m/x", expected one like')
  })
})

describe('sealed items', () => {
  it('open with the passphrase only, and notice every change', async () => {
    const sealed = await sealItem('secret', 'passphrase', 100)
    expect(await openItem(sealed, 'passphrase', 'f')).toBe('secret')
    await expect(openItem(sealed, 'Passphrase', 'f')).rejects.toThrow('f does not open with it')
    const parts = sealed.split('.')
    for (const at of [1, 2, 3, 4]) {
      const bytes = Buffer.from(parts[at]!, 'base64url')
      bytes[3]! ^= 1
      const changed = parts.with(at, bytes.toString('base64url')).join('.')
      await expect(openItem(changed, 'passphrase', 'f')).rejects.toThrow('wrong passphrase')
    }
    expect(await sealItem('secret', 'passphrase', 100)).not.toBe(sealed)
  })

  it('are refused when they are something else', async () => {
    const headOf = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const rest = (await sealItem('secret', 'passphrase', 100)).split('.').slice(1).join('.')
    const good = { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 100, p2s: 'AAAA' }
    const cases = ['', '{}', 'a.b.c.d.e', `${headOf({ ...good, p2c: 2 ** 31 })}.${rest}`, headOf(good)]
    for (const text of [...cases, `${headOf({ ...good, enc: 'A128GCM' })}.${rest}`])
      await expect(openItem(text, 'passphrase', 'f')).rejects.toThrow('f is no key file')
  })
})

describe('keyrings', () => {
  it('keep keys in encrypted files under one passphrase', async () => {
    const dir = newFolder()
    const asked: boolean[] = []
    const ask = (passphrase: string) => (isNew: boolean) => {
      asked.push(isNew)
      return Promise.resolve(passphrase)
    }
    await expect(openKeyring(dir, 'file', ask('short')).add('bob', key)).rejects.toThrow('shorter than 8')
    await openKeyring(dir, 'file', ask('correct horse')).add('alice', key)
    await expect(openKeyring(dir, 'file', ask('wrong horse')).add('bob', key)).rejects.toThrow('wrong passphrase')
    expect(asked).toEqual([true, true, false])
    const folder = join(dir, 'keyring-file')
    expect(readdirSync(folder).sort()).toEqual(
      [
        'alice.info',
        `${bytesToHex((await openKeyring(dir, 'file', ask('correct horse')).require('alice')).address)}.address`,
        'keyhash',
      ].sort(),
    )
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(text).not.toContain(bytesToBase64(key.privateKey).slice(0, 20))
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    }
    const again = openKeyring(dir, 'file', ask('correct horse'))
    expect(again.names()).toEqual(['alice'])
    expect((await again.open('alice')).privateKey).toEqual(key.privateKey)
    writeFileSync(join(folder, 'keyhash'), 'no hash')
    await expect(openKeyring(dir, 'file', ask('correct horse')).open('alice')).rejects.toThrow('no bcrypt hash')
  })

  for (const backend of ['test', 'memory'])
    it(`add, find, rename and delete keys (${backend})`, async () => {
      const keyring = openKeyring(newFolder(), backend, never)
      expect(await keyring.list()).toEqual([])
      const { address } = await keyring.add('b.ob-1', key)
      await expect(keyring.add('b.ob-1', key)).rejects.toThrow('key exists')
      await expect(keyring.add('other', key)).rejects.toThrow('the same key is "b.ob-1"')
      await expect(keyring.add('../x', key)).rejects.toThrow('expected 1 to 64 letters')
      expect((await keyring.find(encodeBech32('any', address))).publicKey).toEqual(key.publicKey)
      await expect(keyring.require('carol')).rejects.toThrow('which has b.ob-1')
      const other = keyOf(new Uint8Array(32).fill(6))
      const watched = await keyring.addPublic('watched', secp256k1Any(other.publicKey))
      expect(watched.type).toBe('offline')
      await expect(keyring.open('watched')).rejects.toThrow('"watched" is of type offline')
      const publicKeys = [watched.pubKey, secp256k1Any(key.publicKey)]
      const multi = encodeAny('cosmos.crypto.multisig.LegacyAminoPubKey', { threshold: 2, publicKeys })
      expect(await keyring.addPublic('both', multi)).toMatchObject({ type: 'multi', publicKey: new Uint8Array(0) })
      await expect(keyring.rename('b.ob-1', 'both')).rejects.toThrow('key exists')
      await keyring.rename('b.ob-1', 'bob')
      expect((await keyring.open('bob')).privateKey).toEqual(key.privateKey)
      expect((await keyring.find(encodeBech32('any', address))).name).toBe('bob')
      expect((await keyring.list()).map(({ name, type }) => [name, type])).toEqual([
        ['bob', 'local'],
        ['both', 'multi'],
        ['watched', 'offline'],
      ])
      for (const name of keyring.names()) await keyring.delete(name)
      await expect(keyring.delete('bob')).rejects.toThrow('which has no keys')
    })

  it('refuse what is not theirs', async () => {
    const dir = newFolder()
    const keyring = openKeyring(dir, 'test', never)
    await keyring.add('alice', key)
    const path = join(dir, 'keyring-test/alice.info')
    const swapped = JSON.stringify({ Key: 'bob.info', Data: '' })
    writeFileSync(path, await sealItem(swapped, 'test', 10))
    await expect(keyring.open('alice')).rejects.toThrow('does not hold the item "alice.info"')
    writeFileSync(path, '{}')
    await expect(keyring.list()).rejects.toThrow('is no key file')
    expect(() => openKeyring(dir, 'os', never)).toThrow('"file" is encrypted and works everywhere')
    expect(existsSync(join(dir, 'keyring-os'))).toBe(false)
  })
})
