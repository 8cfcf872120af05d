import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAddressCodec } from '@coin/wire/addresses'
import { coinsToProto, parseCoins } from '@coin/wire/coins'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import type { Json } from '@coin/wire/json'
import { type Command, Option } from 'commander'
import { loadNodeConfig, type NodeConfig } from '../../config/node-config.js'
import { nodeErrors } from '../../errors.js'
import { type GenesisJson, readGenesisFile, writeGenesisFile } from '../../home/genesis-file.js'
import { collectGentxs, createGentx, createValidatorMsg, ed25519Any, formatTx, requireStake } from '../../home/gentx.js'
import { nodeIdOf, readKeyFile } from '../../home/key-files.js'
import { homePaths } from '../../home/paths.js'
import { writeFileWhole } from '../../home/write-file.js'
import { contextOf, homeOf } from '../context.js'
import { example, keyringFlags, parseUint64 } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { numberFrom } from './key-flags.js'
import { parsePublicKey } from './keys-add.js'

interface GentxFlags {
  readonly chainId?: string
  readonly moniker?: string
  readonly identity: string
  readonly website: string
  readonly securityContact: string
  readonly details: string
  readonly commissionRate: string
  readonly commissionMaxRate: string
  readonly commissionMaxChangeRate: string
  readonly minSelfDelegation: string
  readonly pubkey?: string
  readonly nodeId?: string
  readonly ip: string
  readonly p2pPort: number
  readonly note?: string
  readonly gas: bigint
  readonly fees: string
  readonly generateOnly: boolean
  readonly outputDocument?: string
}

const staking =
  'x/staking is not built yet: this node takes its validators from the genesis file and leaves gen_txs alone'

export function addGentx(group: Command, terminal: Terminal): void {
  const command = keyringFlags(group.command('gentx <key> <amount>'))
    .description('sign the transaction that makes this node a validator from the first block')
    .option('--chain-id <id>', 'must be that of the genesis file')
    .option('--moniker <name>', 'of the validator (default: of config.toml)')
    .option('--identity <text>', 'of the validator, like that of Keybase', '')
    .option('--website <url>', 'of the validator', '')
    .option('--security-contact <mail>', 'whom to tell of problems', '')
    .option('--details <text>', 'of the validator', '')
    .option('--commission-rate <decimal>', 'its share of the rewards', '0.1')
    .option('--commission-max-rate <decimal>', 'it can never be more', '0.2')
    .option('--commission-max-change-rate <decimal>', 'most change in a day', '0.01')
    .option('--min-self-delegation <amount>', 'least stake of its own', '1')
    .option('--pubkey <json>', 'consensus key (default: of config/priv_validator_key.json)')
    .option('--node-id <id>', 'of the node (default: of config/node_key.json)')
    .option('--ip <address>', 'where the node is found', '127.0.0.1')
    .option('--p2p-port <port>', 'its port for other nodes', numberFrom(1, 65_535), 26_656)
    .option('--note <text>', 'memo (default: <node id>@<ip>:<port>)')
    .addOption(
      new Option('--gas <limit>', 'gas limit of the transaction').argParser(parseUint64).default(200_000n, '200000'),
    )
    .option('--fees <coins>', 'fee of the transaction', '')
    .option('--generate-only', 'print it and do not sign', false)
    .option('--output-document <file>', 'where it goes (default: config/gentx/gentx-<node id>.json)')
  example(
    command,
    'genesis gentx alice 5000000ucoin --chain-id my-chain-1',
    `genesis gentx alice 5000000ucoin --ip 203.0.113.7 --moniker "Alice's node"`,
  )
  command.action((who: string, amount: string) => gentx(command, terminal, who, amount))
}

async function gentx(command: Command, terminal: Terminal, who: string, amount: string): Promise<void> {
  const flags = command.opts<GentxFlags>()
  const { home, prefix, keyring } = contextOf(command, terminal)
  const { config } = loadNodeConfig(home, terminal.environment)
  const { genesis, json } = readGenesisFile(config.home.genesis)
  if (flags.chainId !== undefined && flags.chainId !== genesis.chainId)
    throw nodeErrors.badFlag(`--chain-id is "${flags.chainId}", the genesis file is of chain "${genesis.chainId}"`)
  const key = await keyring.find(who)
  const message = offerOf(flags, config, json, { operator: key.address, amount, prefix })
  const nodeId = flags.nodeId ?? nodeIdOf(readKeyFile(config.home.nodeKey))
  const canSign = key.type === 'local' && !flags.generateOnly
  const tx = createGentx(message, {
    chainId: genesis.chainId,
    memo: flags.note ?? `${nodeId}@${flags.ip}:${flags.p2pPort}`,
    gasLimit: flags.gas,
    fee: coinsToProto(parseCoins(flags.fees)),
    signerKey: key.pubKey,
    privateKey: canSign ? (await keyring.open(key.name)).privateKey : undefined,
  })
  if (!canSign) {
    if (!flags.generateOnly)
      terminal.err(`Key "${key.name}" is of type ${key.type}: the transaction is not signed; use "coind tx sign"`)
    terminal.out(formatTx(tx))
    return
  }
  const path = flags.outputDocument ?? join(config.home.configDir, 'gentx', `gentx-${nodeId}.json`)
  if (existsSync(path)) throw nodeErrors.badFile(`${path} is there already; remove it or give --output-document`)
  writeFileWhole(path, `${formatTx(tx)}\n`)
  terminal.err(`Genesis transaction written to ${path}`)
  terminal.err(`note: ${staking}`)
}

function offerOf(
  flags: GentxFlags,
  config: NodeConfig,
  genesis: GenesisJson,
  { operator, amount, prefix }: { operator: Uint8Array; amount: string; prefix: string },
): Any {
  const [stake, ...more] = parseCoins(amount)
  if (stake === undefined || more.length > 0)
    throw nodeErrors.badFlag(`amount "${amount}", expected one like 5000000ucoin`)
  requireStake(genesis, createAddressCodec(prefix).encode(operator), stake)
  const { identity, website, securityContact, details } = flags
  const pubKey =
    flags.pubkey === undefined
      ? ed25519Any(readKeyFile(config.home.privValidatorKey).publicKey)
      : parsePublicKey(flags.pubkey)
  return createValidatorMsg(
    {
      operator,
      pubKey,
      stake,
      description: { moniker: flags.moniker ?? config.moniker, identity, website, securityContact, details },
      commission: {
        rate: flags.commissionRate,
        maxRate: flags.commissionMaxRate,
        maxChangeRate: flags.commissionMaxChangeRate,
      },
      minSelfDelegation: flags.minSelfDelegation,
    },
    prefix,
  )
}

export function addCollectGentxs(group: Command, terminal: Terminal): void {
  const command = group
    .command('collect-gentxs')
    .description('put the genesis transactions of all validators into the genesis file')
    .option('--gentx-dir <folder>', 'where they are (default: config/gentx)')
  example(command, 'genesis collect-gentxs')
  command.action(async () => {
    const { checkGenesis } = await import('../../home/genesis-check.js')
    const home = homeOf(command, terminal)
    const { config } = loadNodeConfig(home, terminal.environment)
    const path = config.home.genesis
    const read = readGenesisFile(path)
    const folder = command.opts<{ gentxDir?: string }>().gentxDir ?? join(homePaths(home).configDir, 'gentx')
    const { prefix } = contextOf(command, terminal)
    const collected = collectGentxs(read.json, folder, prefix)
    checkGenesis(read, prefix, path)
    writeGenesisFile(path, read.json)
    for (const { moniker, stake, file } of collected) terminal.err(`${moniker} with ${stake} (${file})`)
    terminal.err(`note: ${staking}`)
    const result: Json = {
      moniker: config.moniker,
      chain_id: read.genesis.chainId,
      node_id: nodeIdOf(readKeyFile(config.home.nodeKey)),
      gentxs_dir: folder,
      app_message: (read.json.app_state ?? {}) as Json,
    }
    terminal.out(JSON.stringify(result))
  })
}
