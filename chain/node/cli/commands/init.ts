import { utf8ToBytes } from '@coin/base/bytes'
import type { Json } from '@coin/wire/json'
import { sha256 } from '@coin/wire/sha256'
import { type Command, Option } from 'commander'
import { initHome } from '../../home/init.js'
import { homePaths } from '../../home/paths.js'
import { checkMnemonic } from '../../keys/mnemonic.js'
import { version } from '../../version.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { numberFrom } from './key-flags.js'

interface InitFlags {
  readonly chainId: string
  readonly denom?: string
  readonly defaultDenom: string
  readonly displayDenom: string
  readonly bech32Prefix: string
  readonly initialHeight: number
  readonly recover: boolean
  readonly overwrite: boolean
}

export function addInit(program: Command, terminal: Terminal): void {
  const command = program
    .command('init <moniker>')
    .description('make the home folder of a new chain: keys, genesis, configuration')
    .option('--chain-id <id>', 'name of the chain', 'coin-1')
    .option('--default-denom <denom>', 'base denom, of which one million is one of the display denom', 'ucoin')
    .addOption(new Option('--denom <denom>', 'the same').hideHelp())
    .option('--display-denom <denom>', 'what people count in', 'COIN')
    .option('--bech32-prefix <prefix>', 'prefix of addresses', 'coin')
    .option('--initial-height <height>', 'height of the first block', numberFrom(1, Number.MAX_SAFE_INTEGER), 1)
    .option('--recover', "read words from the input that the validator's key is made from", false)
    .addOption(
      new Option('--consensus-key-algo <type>', "kind of the validator's key").choices(['ed25519']).default('ed25519'),
    )
    .option('-o, --overwrite', 'replace the node that is there: its keys and its chain are lost', false)
  example(
    command,
    'init my-node --chain-id my-chain-1',
    'init my-node --default-denom uatom --display-denom ATOM --bech32-prefix cosmos',
  )
  command.action(async (moniker: string) => {
    const { recover, defaultDenom, ...flags } = command.opts<InitFlags>()
    const root = homeOf(command, terminal)
    const { nodeId, genesis } = initHome({
      ...flags,
      denom: flags.denom ?? defaultDenom,
      root,
      moniker,
      appVersion: version,
      genesisTime: new Date().toISOString(),
      ...(recover && { validatorSeed: await seedFrom(terminal) }),
    })
    const result: Json = {
      moniker,
      chain_id: flags.chainId,
      node_id: nodeId,
      gentxs_dir: '',
      app_message: (genesis.app_state ?? {}) as Json,
    }
    terminal.out(JSON.stringify(result))
    const { configDir } = homePaths(root)
    terminal.err(
      `Made ${configDir}. Next: give somebody coins with "coind genesis add-genesis-account", then "coind start"`,
    )
  })
}

/** The reference hashes the words as they are, without BIP 39's stretching. */
async function seedFrom(terminal: Terminal): Promise<Uint8Array> {
  const typed = await terminal.ask("Words of the validator's key: ", { hidden: true })
  return sha256(utf8ToBytes(checkMnemonic(typed).toString()))
}
