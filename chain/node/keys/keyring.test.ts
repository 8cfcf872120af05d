import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { encodeBech32 } from '@coin/wire/bech32'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { openKeyring } from './keyring.js'
import { keyFromMnemonic, keyOf, newMnemonic } from './mnemonic.js'
import { openKey, sealKey } from './sealed-key.js'

const newFolder = temporaryFolders()
const never = () => Promise.reject(new Error('asked for a passphrase'))
const key = keyOf(new Uint8Array(32).fill(5))

describe('mnemonics', () => {
  it('lead to the accounts that wallets show', async () => {
    const words = newMnemonic()
    expect(words.split(' ')).toHaveLength(24)
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(words, { prefix: 'coin' })
    const [account] = await wallet.getAccounts()
    const info = await openKeyring(newFolder(), 'test', never).add(
      'a',
      await keyFromMnemonic(`  ${words.replaceAll(' ', '\n ')} `),
    )
    expect(encodeBech32('coin', info.address)).toBe(account!.address)
    expect(info.publicKey).toEqual(account!.pubkey)
  })

  it('are refused without being repeated', async () => {
    await expect(keyFromMnemonic('secret words')).rejects.toThrow('2 words, expected 12, 15, 18, 21 or 24')
    await expect(keyFromMnemonic('')).rejects.toThrow('0 words')
    await expect(keyFromMnemonic(newMnemonic(), 'm/x')).rejects.toThrow('HD path "m/x", expected one like')
  })
})

describe('sealed keys', () => {
  const cheap = { n: 1024, r: 8, p: 1 }
  const secret = new Uint8Array(32).fill(9)
  const sealed = sealKey(secret, 'passphrase', 'name', cheap)

  it('open with the passphrase only', () => {
    expect(openKey(sealed, 'passphrase', 'name')).toEqual(secret)
    expect(() => openKey(sealed, 'Passphrase', 'name')).toThrow('wrong passphrase')
  })

  it('notice every change', () => {
    expect(() => openKey(sealed, 'passphrase', 'other')).toThrow('wrong passphrase')
    const flipped = bytesToBase64(
      Uint8Array.from(Buffer.from(sealed.ciphertext, 'base64'), (byte, i) => (i === 3 ? byte ^ 1 : byte)),
    )
    expect(() => openKey({ ...sealed, ciphertext: flipped }, 'passphrase', 'name')).toThrow('wrong passphrase')
    expect(() => openKey({ ...sealed, tag: sealed.tag.slice(0, 8) }, 'passphrase', 'name')).toThrow('the tag is cut')
    expect(() => openKey({ ...sealed, n: 2 ** 30 }, 'passphrase', 'name')).toThrow('not a sealed key')
  })

  it('never look the same twice', () => {
    expect(sealKey(secret, 'passphrase', 'name', cheap).ciphertext).not.toBe(sealed.ciphertext)
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
    await openKeyring(dir, 'file', ask('correct horse')).add('alice', key)
    await expect(openKeyring(dir, 'file', ask('wrong horse')).add('bob', key)).rejects.toThrow('wrong passphrase')
    await expect(openKeyring(newFolder(), 'file', ask('short')).add('bob', key)).rejects.toThrow('shorter than 8')
    expect(asked).toEqual([true, false, true])
    const [file] = readdirSync(join(dir, 'keyring-file'))
    const text = readFileSync(join(dir, 'keyring-file', file!), 'utf8')
    expect(file).toBe('alice.json')
    expect(text).not.toContain(bytesToBase64(key.privateKey).slice(0, 20))
    expect(text).not.toContain(bytesToHex(key.privateKey).slice(0, 20))
    expect(statSync(join(dir, 'keyring-file', file!)).mode & 0o777).toBe(0o600)
    const again = openKeyring(dir, 'file', ask('correct horse'))
    expect(again.list().map(({ name }) => name)).toEqual(['alice'])
    expect((await again.open('alice')).privateKey).toEqual(key.privateKey)
  })

  it('add, show and delete by name', async () => {
    const keyring = openKeyring(newFolder(), 'test', never)
    expect(keyring.list()).toEqual([])
    await keyring.add('b.ob-1', key)
    await expect(keyring.add('b.ob-1', key)).rejects.toThrow('key exists')
    await expect(keyring.add('../x', key)).rejects.toThrow('expected 1 to 64 letters')
    expect(keyring.require('b.ob-1').publicKey).toEqual(key.publicKey)
    expect(() => keyring.require('carol')).toThrow('which has b.ob-1')
    keyring.delete('b.ob-1')
    expect(() => keyring.delete('b.ob-1')).toThrow('which has no keys')
  })

  it('refuse a file whose key is not the one it shows', async () => {
    const dir = newFolder()
    const keyring = openKeyring(dir, 'test', never)
    await keyring.add('alice', key)
    const path = join(dir, 'keyring-test/alice.json')
    const other = bytesToBase64(keyOf(new Uint8Array(32).fill(6)).publicKey)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), public_key: other }))
    await expect(keyring.open('alice')).rejects.toThrow('does not match its public key')
    writeFileSync(path, '{}')
    expect(() => keyring.list()).toThrow('no key of format coin-key-1')
  })
})
