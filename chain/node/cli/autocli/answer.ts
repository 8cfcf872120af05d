import { CodedError } from '@coin/base/errors'
import { type AminoJson, createAminoJson } from '@coin/wire/amino-json'
import { LegacyDec } from '@coin/wire/dec'
import { codecs } from '@coin/wire/gen/registry'
import { messageToJsonText } from '@coin/wire/json'
import type { MessageCodec } from '@coin/wire/json-forms'
import { descriptors, isTypeName } from '@coin/wire/registry'
import { type Duration, durationToNs } from '@coin/wire/time'

let answers: AminoJson | undefined

/**
 * An answer as the reference's derived commands print it: amino JSON in the order of the fields, with enums by name, Go's text of
 * durations and `0.5ucoin` for prices; what is empty is left out. Protobuf JSON for the few messages that have no amino form.
 */
export function answerJson(typeName: string, message: object): string {
  answers ??= createAminoJson(
    descriptors(),
    (name) => (isTypeName(name) ? (codecs[name] as MessageCodec) : undefined),
    {
      sorted: false,
      enumNames: true,
      writers: {
        'google.protobuf.Duration': (value) => `"${goDuration(durationToNs(value as Duration))}"`,
        'cosmos.base.v1beta1.DecCoin': (value) => {
          const { denom, amount } = value as { readonly denom: string; readonly amount: string }
          return `"${LegacyDec.fromProto(amount)}${denom}"`
        },
      },
    },
  )
  try {
    return answers.stringify(typeName, message)
  } catch (error) {
    if (error instanceof CodedError && error.codespace === 'wire') return messageToJsonText(typeName, message)
    throw error
  }
}

const units = [
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
] as const

/** Go's text of a duration: `48h0m0s`, `1m30.5s`, `1.5s`, `500ms`, `3µs`, `0s`. */
export function goDuration(ns: bigint): string {
  if (ns < 0n) return `-${goDuration(-ns)}`
  if (ns === 0n) return '0s'
  if (ns < 1000n) return `${ns}ns`
  if (ns < 1_000_000n) return `${fraction(ns, 1000n)}µs`
  if (ns < 1_000_000_000n) return `${fraction(ns, 1_000_000n)}ms`
  let rest = ns
  let text = ''
  for (const [unit, size] of units) {
    if (rest >= size || text !== '') text += `${rest / size}${unit}`
    rest %= size
  }
  return `${text}${fraction(rest, 1_000_000_000n)}s`
}

/** `value / size` in decimal, without zeros at the end. */
function fraction(value: bigint, size: bigint): string {
  const digits = (value % size)
    .toString()
    .padStart(size.toString().length - 1, '0')
    .replace(/0+$/, '')
  return `${value / size}${digits === '' ? '' : `.${digits}`}`
}
