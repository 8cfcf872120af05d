// Turns ts-proto's output into ours. Each rule must find exactly what it expects, so that a new ts-proto version cannot slip by:
//   - reads and writes go through chain/wire/protobuf/wire.ts, which checks bounds, depth and wire types;
//   - unknown fields are kept only when there are any; a known field with a foreign wire type is an error, as in the Go SDK;
//   - absent bytes are one shared empty array;
//   - of a oneof the last member on the wire wins;
//   - a message field that is a value in Go (gogoproto.nullable = false) is never undefined: absent means its zero value,
//     and it is always written.

/** ts-proto's property name of a field. */
export function propertyOf(name) {
  if (!name.includes('_')) return name
  const lower = /[a-z]/.test(name)
  const words = name.split('_').map((word) => (lower ? word : word.toLowerCase()))
  return words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('')
}

function replaceExactly(text, from, to, count, what) {
  let found = 0
  const all = typeof from === 'string' ? new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g') : from
  const out = text.replace(all, (...args) => {
    found++
    return typeof to === 'function' ? to(...args) : to.replace(/\$(\d)/g, (_, digit) => args[Number(digit)])
  })
  if (found !== count) throw new Error(`${what}: expected ${count} places in ts-proto's output, found ${found}`)
  return out
}

const limits = [
  [
    / {4}const previousRecursionDepth = \(reader as \w+\)\.__tsProtoDecodeDepth \?\? 0;\n.*\n.*\n {4}\}\n.*\n {4}try \{\n {6}const end = .*\n/g,
    '    const outer = reader.len;\n    const end = reader.enter(length);\n',
    'entry of decode',
  ],
  [
    / {8}if \(\(tag & 7\) === 4 \|\| tag === 0\) \{\n {10}break;\n {8}\}\n {8}const buf = reader\.skip\(tag & 7\);\n[^}]*\} else \{\n.*\n {8}\}\n/g,
    '        message._unknownFields = reader.keepUnknown(tag, message._unknownFields);\n',
    'unknown fields in decode',
  ],
  [
    / {6}return message;\n {4}\} finally \{\n.*\n {4}\}\n/g,
    '      reader.leave(outer);\n      return message;\n',
    'exit of decode',
  ],
  [
    / {4}if \(message\._unknownFields !== undefined\) \{\n {6}for [\s\S]*?\n {6}\}\n {4}\}\n/g,
    '    if (message._unknownFields !== undefined) writer.unknown(message._unknownFields);\n',
    'unknown fields in encode',
  ],
  [/\n +_unknownFields: \{\},|, _unknownFields: \{\}| _unknownFields: \{\} /g, '', 'unknown fields at birth'],
  [/const tag = reader\.uint32\(\);/g, 'const tag = reader.tag();', 'tags'],
]

function rewriteShared(source, messageCount) {
  let text = source
  for (const [from, to, what] of limits) text = replaceExactly(text, from, to, messageCount, what)
  text = text.replace(/\(reader, reader\.uint32\(\)\)/g, '(reader, reader.length())')
  text = text.replace(/if \(tag !== (\d+)\) \{\n\s*break;\n\s*\}/g, 'if (tag !== $1) throw reader.wrongWireType(tag);')
  text = text.replace(/\n {12}break;\n {10}\}/g, '\n            throw reader.wrongWireType(tag);\n          }')
  text = text.replace(
    /const end2 = reader\.uint32\(\) \+ reader\.pos;\n(\s*while \(reader\.pos < end2\) \{\n.*\n\s*\})/g,
    'const end2 = reader.packedEnd();\n$1\n              reader.expectAt(end2);',
  )
  text = text.replace(/ {6}if \(BigInt\.as.*\n.*\n {6}\}\n/g, '')
  text = text.replace(/ {8}if \(BigInt\.as.*\n.*\n {8}\}\n/g, '')
  return text.replace('"@bufbuild/protobuf/wire"', () => '"WIRE"')
}

const isMessage = (field) => field.type === 11
const repeated = 3

function fillText(message, zeroTime) {
  const { property, type } = message
  return `      if (message.${property} === undefined) message.${property} = ${zeroValue(type, zeroTime)};\n`
}

/** Go's zero `time.Time` is the year 1, not 1970. */
function zeroValue(type, zeroTime) {
  return zeroTime ? `${type}.fromPartial({ seconds: -62135596800n })` : `${type}.fromPartial({})`
}

/** Applies `change` to the codec object of one message only. */
function inCodec(text, name, change) {
  const start = text.indexOf(`\nexport const ${name}: MessageFns<${name}> = {\n`)
  const end = text.indexOf('\n};\n', start)
  if (start < 0 || end < 0) throw new Error(`no codec of ${name} in ts-proto's output`)
  return text.slice(0, start) + change(text.slice(start, end)) + text.slice(end)
}

function rewriteValueField(text, name, field, zeroTime) {
  const property = propertyOf(field.name)
  let type = ''
  const declared = new RegExp(`(export interface ${name} \\{[^}]*?\\n  ${property}: )(\\w+) \\| undefined;`)
  let out = replaceExactly(
    text,
    declared,
    (_, head, found) => {
      type = found
      return `${head}${found};`
    },
    1,
    `${name}.${field.name} in the interface`,
  )
  const base = new RegExp(`(function createBase${name}\\(\\)[^}]*?[ {\\n]${property}: undefined)`)
  out = replaceExactly(out, base, '$1!', 1, `${name}.${field.name} at birth`)
  return inCodec(out, name, (codec) => {
    const leave = '      reader.leave(outer);\n'
    const decoded = replaceExactly(
      codec,
      leave,
      fillText({ property, type }, zeroTime) + leave,
      1,
      `${name}.${field.name} in decode`,
    )
    const absent = new RegExp(`(\\?\\s*${type}\\.fromPartial\\(object\\.${property}\\)\\s*: )undefined;`)
    return replaceExactly(
      decoded,
      absent,
      (_, head) => `${head}${zeroValue(type, zeroTime)};`,
      1,
      `${name}.${field.name} in fromPartial`,
    )
  })
}

function rewriteOneof(text, name, members) {
  return inCodec(text, name, (codec) =>
    members.reduce((out, member) => {
      const others = members
        .filter((other) => other !== member)
        .map((other) => `            message.${propertyOf(other)} = undefined;\n`)
      const assignment = new RegExp(` {12}message\\.${propertyOf(member)} = (?!undefined)`, 'g')
      return replaceExactly(out, assignment, (found) => others.join('') + found, 1, `oneof ${name}.${member}`)
    }, codec),
  )
}

function rewriteMessage(text, { name, fields, oneofs, isValue, isTime }) {
  const values = fields.filter((field) => isMessage(field) && field.label !== repeated && isValue(field))
  const filled = values.reduce((out, field) => rewriteValueField(out, name, field, isTime(field)), text)
  return oneofs.reduce((out, members) => rewriteOneof(out, name, members), filled)
}

/** `messages`: those of the file, each {name, fields, oneofs, isValue, isTime}; `wire`: the import path of our reader and writer. */
export function rewriteGenerated(source, messages, wire) {
  let text = rewriteShared(source, messages.length)
  for (const message of messages) text = rewriteMessage(text, message)
  text = text.replace(
    /(const end = reader\.enter\(length\);\n)([\s\S]*?return message;\n)/g,
    (_, head, body) => head + body.replace(/^ {2}/gm, ''),
  )
  const codec = wire.replace('wire.js', 'codec.js')
  const empty = text.includes('new Uint8Array(0)') ? 'import { emptyBytes } from "@coin/base/bytes";\n' : ''
  return text
    .replaceAll('new Uint8Array(0)', 'emptyBytes')
    .replace('"WIRE";\n', `"${wire}";\n${empty}import type { Codec, DeepPartial, Exact } from "${codec}";\n`)
    .replace(/\ntype Builtin = [\s\S]*$/, '')
    .replaceAll('MessageFns<', 'Codec<')
}
