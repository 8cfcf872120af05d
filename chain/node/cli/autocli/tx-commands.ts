import type { FieldDescriptor, MethodDescriptor } from '@coin/wire/descriptors'
import { codecOf, descriptors, typeUrlOf } from '@coin/wire/registry'
import type { Command } from 'commander'
import { runTx, signerOf, type TxFlags } from '../client/send-tx.js'
import { contextOf } from '../context.js'
import { example, txFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { addressResolver } from './addresses.js'
import { addMessageInput } from './message-input.js'
import { kebab } from './names.js'
import type { OptionTable } from './options.js'

/** A command for every message of a Msg service. `path` is the words that lead to them. */
export function addTxCommands(
  group: Command,
  path: string,
  methods: readonly MethodDescriptor[],
  options: OptionTable,
  terminal: Terminal,
): void {
  for (const method of methods) {
    const { name = kebab(method.name), aliases = [], about, skip = false, ...input } = options[method.fullName] ?? {}
    if (skip) continue
    const command = group
      .command(name)
      .aliases(aliases)
      .description(about ?? `the message ${method.name}`)
    txFlags(command)
    addMessage(command, method.input, input, `${path} ${name}`, terminal)
  }
}

/** The field that `--from` fills: the first signer, unless it is a message of its own. */
function signerField(typeName: string): FieldDescriptor | undefined {
  const { fields, signers } = descriptors().requireMessage(typeName)
  return fields.find((field) => field.name === signers[0] && field.kind === 'string' && !field.repeated)
}

function addMessage(
  command: Command,
  typeName: string,
  options: Parameters<typeof addMessageInput>[2],
  path: string,
  terminal: Terminal,
): void {
  const signer = signerField(typeName)
  const isArgument = signer !== undefined && (options.args ?? []).some((arg) => arg.split('=')[0] === signer.name)
  const reserved = signer === undefined || isArgument ? [] : [signer.name]
  const input = addMessageInput(command, typeName, options, reserved)
  example(command, `${path} ${options.example ?? `${input.example} --from alice`.trimStart()}`)
  command.action(async () => {
    const context = contextOf(command, terminal)
    const flags = command.opts<TxFlags>()
    const from = isArgument ? input.textOf(signer.name, command.args) : flags.from
    const who = await signerOf(context, from, !flags.generateOnly && !flags.dryRun)
    const preset = signer === undefined ? {} : { [signer.name]: JSON.stringify(addressIn(signer, who.address)) }
    const message = await input.read(command.args, addressResolver(context, 'own'), preset)
    const value = codecOf(typeName as string)
      .encode(message)
      .finish()
    await runTx(context, flags, who, [{ typeUrl: typeUrlOf(typeName), value }])

    /** A validator signs with the key of its account, and is named by its operator address. */
    function addressIn({ scalar }: FieldDescriptor, address: string): string {
      const { account, validator } = context.addresses
      return scalar === 'cosmos.ValidatorAddressString' ? validator.encode(account.decode(address)) : address
    }
  })
}
