import type { MethodDescriptor } from '@coin/wire/descriptors'
import { messageToJsonText } from '@coin/wire/json'
import { codecOf, descriptors } from '@coin/wire/registry'
import type { Command } from 'commander'
import { contextOf } from '../context.js'
import { example, stateFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { addressResolver } from './addresses.js'
import { answerJson } from './answer.js'
import { addMessageInput } from './message-input.js'
import { kebab } from './names.js'
import type { OptionTable } from './options.js'

/** How answers are printed: in the form of the reference's derived commands, or of its hand-made ones. */
export type AnswerForm = 'derived' | 'protobuf'

/** A command for every method of a query service. `path` is the words that lead to them. */
export function addQueryCommands(
  group: Command,
  path: string,
  methods: readonly MethodDescriptor[],
  options: OptionTable,
  form: AnswerForm,
  terminal: Terminal,
): void {
  for (const method of methods) {
    const {
      name = kebab(method.name),
      aliases = [],
      about,
      skip = false,
      pick,
      ...input
    } = options[method.fullName] ?? {}
    if (skip || method.clientStreaming || method.serverStreaming) continue
    const command = group
      .command(name)
      .aliases(aliases)
      .description(about ?? `the query ${method.name}`)
    // Before the fields, so that a field of the name of a common flag gets another.
    stateFlags(command).option('--bech32-prefix <prefix>', 'prefix of the addresses of keys')
    const { example: words, read } = addMessageInput(command, method.input, input)
    example(command, `${path} ${name} ${words}`.trimEnd())
    command.action(async () => {
      const context = contextOf(command, terminal)
      const request = await read(command.args, addressResolver(context, 'any'))
      const bytes = codecOf(method.input as string)
        .encode(request)
        .finish()
      const { height } = command.opts<{ height?: number }>()
      const answer = codecOf(method.output as string).decode(
        await context.rpc.query(`/${method.fullName}`, bytes, height),
      )
      context.printJson(formatAnswer(method.output, answer as object, form, pick))
    })
  }
}

function formatAnswer(typeName: string, answer: object, form: AnswerForm, pick: string | undefined): string {
  const write = form === 'derived' ? answerJson : messageToJsonText
  const field = descriptors()
    .requireMessage(typeName)
    .fields.find(({ name }) => name === pick)
  const picked = field && (answer as Record<string, unknown>)[field.property]
  return typeof picked === 'object' && picked !== null ? write(field!.typeName, picked) : write(typeName, answer)
}
