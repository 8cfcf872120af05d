import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { nodeErrors } from '../errors.js'

// What the Go keyring has in its files: a compact JWE (RFC 7516) whose key management is PBES2-HS256+A128KW (RFC 7518, 4.8) and
// whose content encryption is A256GCM:
//   base64url(header) . base64url(wrapped key, 40) . base64url(nonce, 12) . base64url(ciphertext) . base64url(tag, 16)
const alg = 'PBES2-HS256+A128KW'
const enc = 'A256GCM'

/** Rounds of PBKDF2 that the Go keyring takes; more are refused there as well, because a file could ask for hours. */
const roundsMax = 1_300_000

/** What OWASP asks of PBKDF2-HMAC-SHA256; about 0.1 s. The Go keyring writes 8,192 and reads what the file says. */
const roundsDefault = 600_000

/** RFC 3394, the default initial value. */
const wrapValue = Buffer.from('a6a6a6a6a6a6a6a6', 'hex')

interface Header {
  readonly alg: string
  readonly enc: string
  readonly p2c: number
  readonly p2s: string
}

/** Seals `plain` under a passphrase, so that the Go keyring opens it and it opens what the Go keyring sealed. */
export async function sealItem(plain: string, passphrase: string, rounds = roundsDefault): Promise<string> {
  const salt = randomBytes(16)
  const header: Header & { readonly created: string } = {
    alg,
    created: new Date().toISOString(),
    enc,
    p2c: rounds,
    p2s: salt.toString('base64url'),
  }
  const contentKey = randomBytes(32)
  const wrap = createCipheriv('id-aes128-wrap', await deriveKey(passphrase, salt, rounds), wrapValue)
  const wrapped = Buffer.concat([wrap.update(contentKey), wrap.final()])
  const nonce = randomBytes(12)
  const head = Buffer.from(JSON.stringify(header)).toString('base64url')
  const cipher = createCipheriv('aes-256-gcm', contentKey, nonce)
  cipher.setAAD(utf8ToBytes(head))
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [head, ...[wrapped, nonce, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(
    '.',
  )
}

/** Opens what `sealItem` or the Go keyring sealed. Throws `badPassphrase`, and `badFile` naming `path` for anything else. */
export async function openItem(sealed: string, passphrase: string, path: string): Promise<string> {
  const [head = '', ...rest] = sealed.trim().split('.')
  const parts = rest.map((part) => Buffer.from(part, 'base64url'))
  const header = readHeader(head)
  const [wrapped, nonce, ciphertext, tag] = parts
  const isWhole = parts.length === 4 && wrapped?.length === 40 && nonce?.length === 12 && tag?.length === 16
  if (header === undefined || !isWhole)
    throw nodeErrors.badFile(`${path} is no key file: expected a JWE with ${alg} and ${enc}`)
  const kek = await deriveKey(passphrase, Buffer.from(header.p2s, 'base64url'), header.p2c)
  try {
    const unwrap = createDecipheriv('id-aes128-wrap', kek, wrapValue)
    const contentKey = Buffer.concat([unwrap.update(wrapped), unwrap.final()])
    const decipher = createDecipheriv('aes-256-gcm', contentKey, nonce, { authTagLength: 16 })
    decipher.setAAD(utf8ToBytes(head))
    decipher.setAuthTag(tag)
    return bytesToUtf8(Buffer.concat([decipher.update(ciphertext!), decipher.final()]))
  } catch {
    throw nodeErrors.badPassphrase(`${path} does not open with it, or was changed`)
  }
}

function readHeader(head: string): Header | undefined {
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as Partial<Header> | null
    const { p2c, p2s } = header ?? {}
    const isKnown = header?.alg === alg && header.enc === enc && typeof p2s === 'string' && Number.isInteger(p2c)
    return isKnown && p2c! >= 1 && p2c! <= roundsMax ? (header as Header) : undefined
  } catch {
    return undefined
  }
}

const derive = promisify(pbkdf2)

function deriveKey(passphrase: string, salt: Bytes, rounds: number): Promise<Buffer> {
  return derive(passphrase, Buffer.concat([Buffer.from(`${alg}\0`), salt]), rounds, 16, 'sha256')
}
