import { CodedError } from '@coin/base/errors'
import type { FieldDescriptor } from '@coin/wire/descriptors'
import { messageFromJsonText } from '@coin/wire/json'
import { descriptors } from '@coin/wire/registry'
import { type Command, Option } from 'commander'
import { exampleOf } from './examples.js'
import { enumWords, fieldJson, type ResolveAddress } from './field-text.js'
import { kebab } from './names.js'
import { type Argument, type MethodOptions, parseArgument } from './options.js'
import { addPageFlags, pageJson } from './page-flags.js'

const pageRequest = 'cosmos.base.query.v1beta1.PageRequest'

/** How a command line becomes a message. */
export interface MessageInput {
  /** The command's name and arguments, as in its example. */
  readonly example: string
  /**
   * The message of the arguments and flags, and of `preset` fields as JSON texts, which go first. Throws a `CodedError` that names
   * the argument or flag.
   */
  read(args: readonly string[], resolve: ResolveAddress, preset?: Readonly<Record<string, string>>): Promise<object>
  /** The text of a field that is an argument or flag. */
  textOf(field: string, args: readonly string[]): string | undefined
}

/**
 * Gives the command an argument or flag for each field of a message. `reserved` are fields that the caller fills, so they have
 * neither. Flags of the command that are there already are left alone: a field of that name gets `--field-<name>`.
 */
export function addMessageInput(
  command: Command,
  typeName: string,
  { args = [], flags = {}, example }: MethodOptions,
  reserved: readonly string[] = [],
): MessageInput {
  const { fields } = descriptors().requireMessage(typeName)
  const fieldOf = (name: string) => fields.find((field) => field.name === name)!
  const positional = args.map(parseArgument)
  for (const argument of positional) addArgument(command, argument, fieldOf(argument.field))
  const isPositional = (field: FieldDescriptor) => positional.some((argument) => argument.field === field.name)
  const others = fields.filter((field) => !isPositional(field) && !reserved.includes(field.name))
  const page = others.find((field) => field.typeName === pageRequest)
  if (page !== undefined) addPageFlags(command)
  const flagged = others
    .filter((field) => field !== page)
    .map((field) => ({ field, option: addFlag(command, field, flags[field.name] ?? {}) }))
  const shown = positional.map(({ field }) => exampleOf(fieldOf(field))).join(' ')

  function textsOf(field: FieldDescriptor, values: readonly string[]): readonly string[] {
    const index = positional.findIndex((argument) => argument.field === field.name)
    if (index >= 0) {
      return positional[index]!.kind === 'rest' ? values.slice(index) : values.slice(index, index + 1)
    }
    const option = flagged.find((it) => it.field === field)?.option
    const value = option && command.opts<Record<string, unknown>>()[option.attributeName()]
    if (value === undefined || value === false) return []
    return Array.isArray(value) ? value.map(String) : [String(value)]
  }

  return {
    example: example ?? shown,
    textOf: (name, values) => textsOf(fieldOf(name), values)[0],
    async read(values, resolve, preset = {}) {
      const members = Object.entries(preset).map(([name, json]) => `"${name}":${json}`)
      for (const field of fields) {
        if (Object.hasOwn(preset, field.name)) continue
        const json = field === page ? pageJson(command) : await textJson(field, textsOf(field, values), resolve)
        if (json !== undefined) members.push(`"${field.name}":${json}`)
      }
      return messageFromJsonText<object>(typeName, `{${members.join(',')}}`)
    },
  }
}

async function textJson(field: FieldDescriptor, texts: readonly string[], resolve: ResolveAddress) {
  if (texts.length === 0) return undefined
  try {
    return await fieldJson(field, texts, resolve)
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(kebab(field.name)) : error
  }
}

function addArgument(command: Command, { shown, kind }: Argument, field: FieldDescriptor): void {
  const form = kind === 'required' ? `<${shown}>` : kind === 'optional' ? `[${shown}]` : `[${shown}...]`
  command.argument(form, describe(field))
}

function addFlag(command: Command, field: FieldDescriptor, { name, about }: { name?: string; about?: string }): Option {
  const long = freeName(command, name ?? kebab(field.name))
  const form = field.kind === 'bool' && !field.repeated ? long : `${long} <${valueWord(field)}>`
  const option = new Option(form, about ?? describe(field))
  if (field.repeated) option.argParser((text: string, before: readonly string[] = []) => [...before, text])
  command.addOption(option)
  return option
}

/** `--no-...` would mean the opposite of a flag, and flags of all commands come first. */
function freeName(command: Command, name: string): string {
  const isTaken = command.options.some((option) => option.long === `--${name}`) || name === 'home' || name === 'help'
  return isTaken || name.startsWith('no-') ? `--field-${name}` : `--${name}`
}

function valueWord(field: FieldDescriptor): string {
  if (field.kind === 'message') return field.typeName.split('.').at(-1)!
  if (field.kind === 'string') return field.scalar.endsWith('AddressString') ? 'address' : 'text'
  return field.kind
}

/** What a value looks like, for the help. */
function describe(field: FieldDescriptor): string {
  const many = field.repeated ? ', one or more' : ''
  switch (field.kind) {
    case 'message':
      return describeMessage(field.typeName) + many
    case 'enum':
      return enumWords(descriptors().enum(field.typeName)!)
        .map(({ word }) => word)
        .join(', ')
    case 'bytes':
      return `hexadecimal, base64 or a file${many}`
    case 'string':
      return field.scalar.endsWith('AddressString') ? `address or key name${many}` : `text${many}`
    case 'bool':
      return 'yes or no'
    default:
      return `number${many}`
  }
}

function describeMessage(typeName: string): string {
  switch (typeName) {
    case 'cosmos.base.v1beta1.Coin':
      return 'coins like 5ucoin'
    case 'cosmos.base.v1beta1.DecCoin':
      return 'price like 0.025ucoin'
    case 'google.protobuf.Timestamp':
      return 'time like 2030-01-01T00:00:00Z'
    case 'google.protobuf.Duration':
      return 'duration like 90s'
    case 'google.protobuf.Any':
      return 'JSON with "@type", or a .json file'
    default:
      return `JSON of ${typeName}, or a .json file`
  }
}
