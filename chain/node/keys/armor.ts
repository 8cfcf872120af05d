import type { Bytes } from '@coin/base/bytes'
import { nodeErrors } from '../errors.js'

/** A block of ASCII armor, as OpenPGP has it (RFC 4880, 6.2). */
export interface Armor {
  /** What stands behind BEGIN: `TENDERMINT PRIVATE KEY`. */
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly data: Bytes
}

/** Ends in the last line without a newline. */
export function formatArmor({ type, headers, data }: Armor): string {
  const lines = Buffer.from(data)
    .toString('base64')
    .match(/.{1,64}/g)
  return [
    `-----BEGIN ${type}-----`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    ...(lines ?? []),
    `=${Buffer.from(checksum(data)).toString('base64')}`,
    `-----END ${type}-----`,
  ].join('\n')
}

const whole = /-----BEGIN ([^\r\n]{1,100})-----\r?\n((?:[^\r\n:]+: [^\r\n]*\r?\n)*)\r?\n([\s\S]*?)-----END \1-----/
const textMax = 64 * 1024

/** The first block in a text. Throws `badFile` when there is none, or its checksum is wrong. */
export function parseArmor(text: string): Armor {
  const match = text.length > textMax ? null : whole.exec(text)
  if (match === null) throw nodeErrors.badFile('no armored key: expected lines from "-----BEGIN ..." to "-----END ..."')
  const [, type = '', head = '', body = ''] = match
  const [encoded = '', sum] = body.replaceAll(/\s/g, '').split(/=(?=[A-Za-z0-9+/]{4}$)/)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw nodeErrors.badFile('the armored key is not base64')
  const data = new Uint8Array(Buffer.from(encoded, 'base64'))
  if (sum !== undefined && !Buffer.from(sum, 'base64').equals(checksum(data)))
    throw nodeErrors.badFile('the armored key has another checksum: it was cut or changed')
  const headers = head.split(/\r?\n/).flatMap((line): [string, string][] => {
    const at = line.indexOf(': ')
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 2)]]
  })
  return { type, headers: Object.fromEntries(headers), data }
}

/** CRC-24 of RFC 4880, 3 bytes. */
function checksum(data: Bytes): Bytes {
  let crc = 0xb704ce
  for (const byte of data) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return Uint8Array.of(crc >> 16, crc >> 8, crc)
}
