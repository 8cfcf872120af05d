import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Bytes, bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { argon2id, bcrypt } from 'hash-wasm'
import { nodeErrors } from '../errors.js'
import { formatArmor, parseArmor } from './armor.js'
import { type AccountKey, keyOf } from './mnemonic.js'

// A private key on its way to another keyring, as `keys export` of the Go SDK writes it since v0.47: Argon2id makes a key of the
// passphrase and a fresh salt, ChaCha20-Poly1305 with a nonce of zeros (the key is never used twice) seals the key in amino. Before
// it was bcrypt, sha256 and XSalsa20-Poly1305: that is read, and not written.
const type = 'TENDERMINT PRIVATE KEY'
const argon2 = { iterations: 1, memorySize: 64 * 1024, parallelism: 4, hashLength: 32, outputType: 'binary' } as const
const bcryptCost = 12
const saltBytes = 16
const tagBytes = 16
const nonce = new Uint8Array(12)

/** Amino's name of tendermint/PrivKeySecp256k1, and the length. */
const aminoPrefix = Uint8Array.of(0xe1, 0xb0, 0xf7, 0x9b, 32)

/** Armored text that `parseExportedKey` and `keys import` of the Go SDK take. */
export async function formatExportedKey({ privateKey }: AccountKey, passphrase: string): Promise<string> {
  requirePassphrase(passphrase)
  const salt = randomBytes(saltBytes)
  const cipher = createCipheriv('chacha20-poly1305', await argon2id({ ...argon2, password: passphrase, salt }), nonce, {
    authTagLength: tagBytes,
  })
  const sealed = Buffer.concat([cipher.update(concatBytes(aminoPrefix, privateKey)), cipher.final()])
  const headers = { kdf: 'argon2', salt: bytesToHex(salt).toUpperCase(), type: 'secp256k1' }
  return formatArmor({ type, headers, data: concatBytes(sealed, cipher.getAuthTag()) })
}

/** Throws `badPassphrase`, and `badFile` for a text that is no exported secp256k1 key. */
export async function parseExportedKey(text: string, passphrase: string): Promise<AccountKey> {
  const armor = parseArmor(text)
  if (armor.type !== type) throw nodeErrors.badFile(`the armor says "${armor.type}", expected "${type}"`)
  const { kdf = '', salt = '', type: keyType = 'secp256k1' } = armor.headers
  if (keyType !== 'secp256k1') throw nodeErrors.badFile(`the key is of type "${keyType}", expected "secp256k1"`)
  if (!/^[0-9a-fA-F]{32}$/.test(salt)) throw nodeErrors.badFile(`the salt is "${salt}", expected 32 hexadecimal digits`)
  requirePassphrase(passphrase)
  const open = openers[kdf]
  if (open === undefined) throw nodeErrors.badFile(`the kdf is "${kdf}", expected ${Object.keys(openers).join(' or ')}`)
  let amino: Bytes
  try {
    amino = await open(passphrase, hexToBytes(salt.toLowerCase()), armor.data)
  } catch {
    throw nodeErrors.badPassphrase('the key does not open with it')
  }
  if (amino.length !== aminoPrefix.length + 32 || aminoPrefix.some((byte, i) => byte !== amino[i]))
    throw nodeErrors.badFile('what was sealed is no secp256k1 key')
  return keyOf(amino.slice(aminoPrefix.length))
}

function requirePassphrase(passphrase: string): void {
  if (passphrase === '') throw nodeErrors.badPassphrase('it is empty')
}

type Open = (password: string, salt: Bytes, sealed: Bytes) => Promise<Bytes>

const openers: Readonly<Record<string, Open>> = {
  async argon2(password, salt, sealed) {
    const key = await argon2id({ ...argon2, password, salt })
    const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(sealed.slice(-tagBytes))
    return Buffer.concat([decipher.update(sealed.slice(0, -tagBytes)), decipher.final()])
  },
  async bcrypt(password, salt, sealed) {
    const hash = await bcrypt({ password, salt, costFactor: bcryptCost })
    return xsalsa20poly1305(sha256(utf8ToBytes(hash)), sealed.slice(0, 24)).decrypt(sealed.slice(24))
  },
}
