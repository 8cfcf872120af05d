// Asks the reference for the amino binary of transactions in amino JSON, and for their JSON again:
//   node tests/reference/record-amino.mjs <rest url>      -> tests/vectors/reference/amino.json
// One transaction for each message that this chain knows and amino has a name for, with every field set and with none; and some that
// are refused. Run `npx tsc -b chain/wire` first.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createAminoBinaryWriter } from '../../chain/wire/dist/amino-binary.js'
import { codecOf, descriptors, isTypeName } from '../../chain/wire/dist/registry.js'
import { chainStdTx } from '../../chain/wire/dist/std-tx.js'

const [restUrl] = process.argv.slice(2)
if (restUrl === undefined) throw new Error('usage: node record-amino.mjs <rest url>')

/** What stands in a field that may hold several types. */
const implementations = {
  'cosmos.evidence.v1beta1.Evidence': ['cosmos.evidence.v1beta1.Equivocation'],
  'cosmos.base.v1beta1.Msg': ['cosmos.bank.v1beta1.MsgSend'],
  'cosmos.crypto.PubKey': [
    'cosmos.crypto.secp256k1.PubKey',
    'cosmos.crypto.ed25519.PubKey',
    'cosmos.crypto.multisig.LegacyAminoPubKey',
  ],
}
const namesOf = (accepted) =>
  implementations[accepted] ??
  descriptors()
    .messages()
    .filter((it) => it.aminoName !== undefined && it.implementsInterfaces.includes(accepted))
    .map(({ name }) => name)

const time = { seconds: 1900000000n, nanos: 6000000 }
const pack = (name, value) => ({ typeUrl: `/${name}`, value: codecOf(name).encode(value).finish() })

function scalar(field) {
  switch (field.kind) {
    case 'string':
      if (/(Int|Uint)$/.test(field.customType)) return '70'
      if (/Dec$/.test(field.customType)) return '125000000000000000'
      return `${field.name} <&>`
    case 'bytes':
      if (/(Int|Uint)$/.test(field.customType)) return new TextEncoder().encode('70')
      if (/Dec$/.test(field.customType)) return new TextEncoder().encode('125000000000000000')
      return /RawContractMessage$|RawMessage$/.test(field.castType)
        ? new TextEncoder().encode('{"b": 1,"a":["<"]}')
        : Uint8Array.of(1, 2, 253, 254, 255)
    case 'bool':
      return true
    case 'enum':
      return descriptors().enum(field.typeName).values.at(-1).number
    case 'int64':
    case 'sint64':
      return -5n
    case 'uint64':
      return 18446744073709551615n
    case 'int32':
      return 77
    default:
      return 4000000000
  }
}

/** A value with every field set; of a oneof the member at `pick`. */
function full(typeName, pick, depth = 0) {
  if (typeName === 'google.protobuf.Timestamp') return time
  if (typeName === 'google.protobuf.Duration') return { seconds: 90n, nanos: 5 }
  const message = codecOf(typeName).decode(new Uint8Array(0))
  if (typeName.endsWith('secp256k1.PubKey')) return { ...message, key: new Uint8Array(33).fill(2) }
  if (typeName.endsWith('ed25519.PubKey')) return { ...message, key: new Uint8Array(32).fill(3) }
  const { fields } = descriptors().requireMessage(typeName)
  for (const field of fields) {
    const members = fields.filter((it) => it.oneof !== undefined && it.oneof === field.oneof)
    if (field.name === 'upgraded_client_state') continue // the SDK refuses plans that have it
    if (members.length > 0 && members[pick % members.length] !== field) continue
    const value = () => {
      if (field.kind !== 'message') return scalar(field)
      if (field.typeName !== 'google.protobuf.Any') return full(field.typeName, pick, depth + 1)
      const names = namesOf(
        field.acceptsInterface || (/pub_?key/.test(field.name) ? 'cosmos.crypto.PubKey' : 'cosmos.base.v1beta1.Msg'),
      )
      const name = names[(pick + depth) % names.length]
      return pack(name, full(name, pick, depth + 1))
    }
    message[field.property] = field.repeated ? [value(), value()] : value()
  }
  if (typeName.endsWith('multisig.LegacyAminoPubKey')) {
    message.threshold = 2
    message.publicKeys = [1, 2].map(() => pack('cosmos.crypto.secp256k1.PubKey', { key: new Uint8Array(33).fill(3) }))
  }
  return message
}

const writer = createAminoBinaryWriter(descriptors(), (name) => (isTypeName(name) ? codecOf(name) : undefined))
const delimited = (number, bytes) => {
  const head = [(number << 3) | 2]
  let length = bytes.length
  for (; length > 127; length >>= 7) head.push((length & 127) | 128)
  return Buffer.concat([Uint8Array.from([...head, length]), bytes])
}
/** A transaction of one message, by our own hand, as amino JSON. */
const jsonWith = (any) =>
  chainStdTx().toJson(Buffer.concat([Buffer.from('282816a9', 'hex'), delimited(1, writer.encodeAny(any))]))

async function post(path, body) {
  const response = await fetch(`${restUrl}/cosmos/tx/v1beta1/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const entries = []
async function record(name, json) {
  const encoded = await post('encode/amino', { amino_json: json })
  const binary = encoded.body.amino_binary
  const decoded = binary === undefined ? undefined : await post('decode/amino', { amino_binary: binary })
  entries.push({ name, json, encoded, ...(decoded && { decoded }) })
  if (encoded.status !== 200) console.log(name, JSON.stringify(encoded.body).slice(0, 300))
}

const messages = descriptors()
  .services()
  .filter(({ isMsgService }) => isMsgService)
  .flatMap(({ methods }) => methods.map(({ input }) => input))
  .filter((name) => descriptors().requireMessage(name).aminoName !== undefined)
for (const name of messages) {
  const { fields } = descriptors().requireMessage(name)
  await record(
    `${name} empty`,
    `{"type":"cosmos-sdk/StdTx","value":{"msg":[{"type":"${descriptors().requireMessage(name).aminoName}","value":{}}]}}`,
  )
  const variants =
    fields.some(({ typeName }) => typeName === 'google.protobuf.Any') ||
    fields.some(({ typeName }) => typeName.endsWith('Grant'))
      ? 12
      : 1
  const seen = new Set()
  for (let pick = 0; pick < variants; pick++) {
    const json = jsonWith(pack(name, full(name, pick)))
    if (!seen.has(json)) await record(`${name} full ${pick}`, json)
    seen.add(json)
  }
}

const send =
  '{"type":"cosmos-sdk/MsgSend","value":{"from_address":"a","to_address":"b","amount":[{"denom":"ucosm","amount":"1"}]}}'
const key = '{"type":"tendermint/PubKeySecp256k1","value":"AnDheRlURbErTv7crK3q3O5lU1uJtbTjoDCAJ5HhkXna"}'
const multisig = `{"type":"tendermint/PubKeyMultisigThreshold","value":{"threshold":"2","pubkeys":[${key},${key}]}}`
const fee = '{"amount":[{"denom":"ucosm","amount":"5"}],"gas":"200000","payer":"p","granter":"g"}'
const tx = (value) => `{"type":"cosmos-sdk/StdTx","value":${value}}`
const more = {
  whole: tx(
    `{"msg":[${send},${send}],"fee":${fee},"signatures":[{"pub_key":${key},"signature":"AQID"},{"pub_key":${multisig},"signature":"BA=="}],"memo":"m","timeout_height":"7"}`,
  ),
  spaced: ` { "value" : { "memo" : "x" , "msg" : [ ${send} ] } , "type" : "cosmos-sdk/StdTx" } `,
  'nothing in it': tx('{}'),
  nulls: tx(
    '{"msg":null,"fee":{"amount":null,"gas":"0"},"signatures":[{"pub_key":null,"signature":null}],"memo":"","timeout_height":"0"}',
  ),
  'an unknown field': tx('{"memo":"x","other":1}'),
  'no type': '{"msg":[]}',
  'another type': '{"type":"cosmos-sdk/MsgSend","value":{}}',
  'an unknown message': tx('{"msg":[{"type":"nope","value":{}}]}'),
  'no JSON': 'x',
  'a number for a string': tx('{"fee":{"gas":200000}}'),
  'a string for a list': tx('{"msg":"x"}'),
  'no base64': tx('{"signatures":[{"signature":"!"}]}'),
  'an amount that is none': tx(`{"fee":{"amount":[{"denom":"a","amount":"x"}]}}`),
}
for (const [name, json] of Object.entries(more)) await record(name, json)

const file = new URL('../vectors/reference/amino.json', import.meta.url)
const about = 'POST /cosmos/tx/v1beta1/encode/amino of json, then decode/amino of the answer; by record-amino.mjs'
await writeFile(
  file,
  `{"about":${JSON.stringify(about)},"entries":[\n${entries.map((it) => JSON.stringify(it)).join(',\n')}\n]}\n`,
)
console.log(`${entries.length} entries in ${fileURLToPath(file)}`)
