import { coinsToProto, parseCoins } from '@coin/wire/coins'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { exampleAccount, exampleContract } from '../autocli/examples.js'
import { example, txFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { runMessage } from './tx-message.js'

export function addMultiSend(group: Command, terminal: Terminal): void {
  const command = txFlags(group.command('multi-send').description('send the same coins to several accounts'))
  command
    .argument('<from>', 'key that sends')
    .argument('<to-and-amount...>', 'accounts, and at the end the coins for each')
    .option('--split', 'divide the coins among the accounts; what cannot be divided stays', false)
  example(command, `tx bank multi-send alice ${exampleAccount} ${exampleContract} 1000000ucoin -y`)
  command.action((from: string, rest: readonly string[]) =>
    runMessage(
      command,
      terminal,
      'cosmos.bank.v1beta1.MsgMultiSend',
      async ({ sender, resolve }) => {
        const receivers = rest.slice(0, -1)
        if (receivers.length === 0) throw nodeErrors.badFlag('no account is given besides the coins')
        const count = BigInt(receivers.length)
        const { split } = command.opts<{ split: boolean }>()
        const each = parseCoins(rest.at(-1)!)
          .map(({ denom, amount }) => ({ denom, amount: split ? amount / count : amount }))
          .filter(({ amount }) => amount > 0n)
        if (each.length === 0) throw nodeErrors.badFlag(`"${rest.at(-1)}" leaves nothing for an account`)
        const total = each.map(({ denom, amount }) => ({ denom, amount: amount * count }))
        const outputs: { address: string; coins: ReturnType<typeof coinsToProto> }[] = []
        for (const receiver of receivers)
          outputs.push({ address: await resolve(receiver, 'account'), coins: coinsToProto(each) })
        return { inputs: [{ address: sender, coins: coinsToProto(total) }], outputs }
      },
      from,
    ),
  )
}
