import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bytesToHex } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { describe, expect, it } from 'vitest'
import { ModeInfo } from '../gen/cosmos/tx/v1beta1/tx.js'
import { Header } from '../gen/tendermint/types/types.js'
import { codecOf, descriptors } from '../registry.js'
import { createRandom, randomMessage } from '../testing/random-message.js'

interface ForeignCodec {
  encode(message: unknown): { finish(): Uint8Array }
  decode(bytes: Uint8Array): unknown
}

const isCodec = (value: unknown): value is ForeignCodec =>
  typeof value === 'object' && value !== null && 'encode' in value && 'decode' in value

/** What theirs cannot: it lacks `prehash_key_before_comparison` and drops it; it reads no doubles, which options of files have. */
const notTheirs = new Set(['cosmos.ics23.v1.ProofSpec', 'cosmos.reflection.v1.FileDescriptorsResponse'])

async function theirCodecs(): Promise<Map<string, ForeignCodec>> {
  const root = dirname(createRequire(import.meta.url).resolve('cosmjs-types/binary'))
  const found = new Map<string, ForeignCodec>()
  for (const file of descriptors().files) {
    const path = join(root, file.name.replace(/\.proto$/, '.js'))
    if (!existsSync(path)) continue
    const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
    for (const message of file.messages) {
      const codec = module[message.name.slice(file.package.length + 1).replaceAll('.', '_')]
      if (isCodec(codec)) found.set(message.name, codec)
    }
  }
  return found
}

describe('generated codecs', () => {
  it('read back what they write, for every message', () => {
    const random = createRandom(7)
    for (const { name } of descriptors().messages()) {
      if (descriptors().requireMessage(name).mapEntry) continue
      const codec = codecOf(name)
      for (let round = 0; round < 3; round++) {
        const message = codec.fromPartial(randomMessage(descriptors(), name, random))
        const bytes = codec.encode(message).finish()
        expect(codec.decode(bytes), name).toEqual(message)
      }
    }
  })

  it('write byte for byte what cosmjs-types writes', async () => {
    const codecs = await theirCodecs()
    const random = createRandom(11)
    const differing = new Set<string>()
    let compared = 0
    for (const [name, theirs] of codecs) {
      if (name.startsWith('google.protobuf.') || notTheirs.has(name)) continue
      const ours = codecOf(name)
      for (let round = 0; round < 4; round++) {
        const bytes = ours.encode(ours.fromPartial(randomMessage(descriptors(), name, random))).finish()
        const back = theirs.encode(theirs.decode(bytes)).finish()
        if (bytesToHex(back) !== bytesToHex(bytes)) differing.add(name)
        compared++
      }
    }
    expect([...differing]).toEqual([])
    expect(compared).toBeGreaterThan(1500)
  })

  it('treat values that Go always writes as present', () => {
    const header = Header.decode(new Uint8Array(0))
    expect(header.version).toEqual({ block: 0n, app: 0n })
    expect(header.time).toEqual({ seconds: -62135596800n, nanos: 0 })
    expect(bytesToHex(Header.encode(Header.fromPartial({})).finish())).toBe('0a00220b088092b8c398feffffff012a021200')
  })

  it('let the last member of a oneof win', () => {
    const single = ModeInfo.encode(ModeInfo.fromPartial({ single: { mode: 1 } })).finish()
    const multi = ModeInfo.encode(ModeInfo.fromPartial({ multi: { modeInfos: [] } })).finish()
    const both = ModeInfo.decode(new Uint8Array([...single, ...multi]))
    expect(both.single).toBeUndefined()
    expect(both.multi).toEqual({ bitarray: undefined, modeInfos: [] })
  })

  it('refuse every cut of a message, or read a shorter one, but never fail otherwise', () => {
    const random = createRandom(13)
    for (const name of [
      'cosmos.tx.v1beta1.Tx',
      'tendermint.types.Block',
      'cosmwasm.wasm.v1.GenesisState',
      'cosmos.ics23.v1.CommitmentProof',
    ]) {
      const codec = codecOf(name)
      const bytes = codec.encode(codec.fromPartial(randomMessage(descriptors(), name, random))).finish()
      for (let cut = 0; cut < bytes.length; cut++) expectMessageOrCodedError(() => codec.decode(bytes.subarray(0, cut)))
      for (let flip = 0; flip < Math.min(bytes.length * 8, 4000); flip++) {
        const damaged = bytes.slice()
        damaged[flip >> 3]! ^= 1 << (flip & 7)
        expectMessageOrCodedError(() => codec.decode(damaged))
      }
    }
  })
})

function expectMessageOrCodedError(read: () => unknown): void {
  try {
    expect(typeof read()).toBe('object')
  } catch (error) {
    expect(error).toBeInstanceOf(CodedError)
  }
}
