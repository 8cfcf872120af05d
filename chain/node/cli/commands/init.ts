import type { Json } from '@coin/wire/json'
import type { Command } from 'commander'
import { initHome } from '../../home/init.js'
import { version } from '../../version.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addInit(program: Command, terminal: Terminal): void {
  const command = program
    .command('init <moniker>')
    .description('make the home folder of a new chain: keys, genesis, configuration')
    .option('--chain-id <id>', 'name of the chain', 'coin-1')
    .option('--denom <denom>', 'base denom, of which one million is one of the display denom', 'ucoin')
    .option('--display-denom <denom>', 'what people count in', 'COIN')
    .option('--bech32-prefix <prefix>', 'prefix of addresses', 'coin')
    .option('--overwrite', 'replace the node that is there: its keys and its chain are lost', false)
  example(command, 'init my-node --chain-id coin-devnet-1')
  command.action((moniker: string) => {
    const flags = command.opts<{
      chainId: string
      denom: string
      displayDenom: string
      bech32Prefix: string
      overwrite: boolean
    }>()
    const { nodeId, genesis } = initHome({
      ...flags,
      root: homeOf(command, terminal),
      moniker,
      appVersion: version,
      genesisTime: new Date().toISOString(),
    })
    const result: Json = {
      moniker,
      chain_id: flags.chainId,
      node_id: nodeId,
      gentxs_dir: '',
      app_message: (genesis.app_state ?? {}) as Json,
    }
    terminal.out(JSON.stringify(result))
  })
}
