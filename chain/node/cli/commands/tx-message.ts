import { encodeAny, type MessageOf, type TypeName } from '@coin/wire/registry'
import type { Command } from 'commander'
import { addressResolver } from '../autocli/addresses.js'
import type { ResolveAddress } from '../autocli/field-text.js'
import { runTx, signerOf, type TxFlags } from '../client/send-tx.js'
import { contextOf } from '../context.js'
import type { Terminal } from '../terminal.js'

/** What a hand-made command needs to make its message. */
export interface MessageMaker {
  /** The signer's address. */
  readonly sender: string
  readonly resolve: ResolveAddress
}

/** Makes the message of a hand-made command and does with it what the flags say. `from` instead of `--from`, if given. */
export async function runMessage<N extends TypeName>(
  command: Command,
  terminal: Terminal,
  typeName: N,
  make: (maker: MessageMaker) => Promise<MessageOf<N>>,
  from?: string,
): Promise<void> {
  const context = contextOf(command, terminal)
  const flags = command.opts<TxFlags>()
  const signer = await signerOf(context, from ?? flags.from, !flags.generateOnly && !flags.dryRun)
  const message = await make({ sender: signer.address, resolve: addressResolver(context, 'own') })
  await runTx(context, flags, signer, [encodeAny(typeName, message)])
}
