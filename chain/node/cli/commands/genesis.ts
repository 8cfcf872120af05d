import { createAddressCodec } from '@coin/wire/addresses'
import { decodeBech32 } from '@coin/wire/bech32'
import { parseCoins } from '@coin/wire/coins'
import { type Command, InvalidArgumentError } from 'commander'
import { bech32PrefixOf } from '../../config/client-config.js'
import { addGenesisAccounts, type GenesisVesting, readAccountsFile } from '../../home/genesis-accounts.js'
import { addressPrefix, readGenesisFile, writeGenesisFile } from '../../home/genesis-file.js'
import { homePaths } from '../../home/paths.js'
import { contextOf, homeOf } from '../context.js'
import { example, keyringFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { addCollectGentxs, addGentx } from './gentx.js'

export function addGenesis(program: Command, terminal: Terminal): void {
  const group = program.command('genesis').description('what the chain starts from: config/genesis.json')
  addAccount(group, terminal)
  addAccounts(group, terminal)
  addGentx(group, terminal)
  addCollectGentxs(group, terminal)
  addValidate(group, terminal)
}

function addAccount(group: Command, terminal: Terminal): void {
  const add = keyringFlags(group.command('add-genesis-account <address-or-key> <coins>'))
    .alias('add-account')
    .description('give an account coins from the beginning')
    .option('--append', 'when the account is there already, give it more', false)
    .option('--module-name <name>', 'it is the account of this module, which may mint and burn')
    .option('--vesting-amount <coins>', 'coins of these that are locked, and freed over time')
    .option(
      '--vesting-start-time <seconds>',
      'since 1970: they are freed from then on; left out, all at the end',
      seconds,
    )
    .option('--vesting-end-time <seconds>', 'since 1970: all of them are free', seconds)
  example(
    add,
    'genesis add-genesis-account alice 100000000000000ucoin',
    'genesis add-genesis-account coin1... 5ucoin --append',
    'genesis add-genesis-account coin1... 5ucoin --vesting-amount 3ucoin --vesting-end-time 1893456000',
  )
  add.action(async (who: string, coins: string) => {
    const flags = add.opts<AccountFlags>()
    const { home, prefix, keyring } = contextOf(add, terminal)
    const codec = createAddressCodec(prefix)
    // An address of another chain is told as that, not as a key that is not there.
    const key = who.startsWith(`${prefix}1`) || isBech32(who) ? undefined : await keyring.require(who)
    const address = codec.encode(key === undefined ? codec.decode(who) : key.address)
    const path = homePaths(home).genesis
    const { json } = readGenesisFile(path)
    const { moduleName, append } = flags
    const vesting = vestingOf(flags)
    addGenesisAccounts(json, [{ address, coins: parseCoins(coins), moduleName, vesting }], append)
    writeGenesisFile(path, json)
  })
}

interface AccountFlags {
  readonly append: boolean
  readonly moduleName?: string
  readonly vestingAmount?: string
  readonly vestingStartTime?: bigint
  readonly vestingEndTime?: bigint
}

function vestingOf({ vestingAmount, vestingStartTime, vestingEndTime }: AccountFlags): GenesisVesting | undefined {
  const amount = parseCoins(vestingAmount ?? '')
  return amount.length === 0 ? undefined : { amount, start: vestingStartTime ?? 0n, end: vestingEndTime ?? 0n }
}

/** A time of a flag. Throws what commander prints with the flag's name. */
function seconds(text: string): bigint {
  if (/^-?[0-9]{1,18}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError(`${text}: expected seconds since 1970 as a whole number`)
}

function isBech32(text: string): boolean {
  try {
    decodeBech32(text)
    return true
  } catch {
    return false
  }
}

function addAccounts(group: Command, terminal: Terminal): void {
  const command = group
    .command('bulk-add-genesis-account <file>')
    .description('give many accounts coins: a JSON list of {"address", "coins": [{"denom", "amount"}]}')
    .option('--append', 'give accounts that are there already more', false)
  example(command, 'genesis bulk-add-genesis-account accounts.json')
  command.action((file: string) => {
    const home = homeOf(command, terminal)
    const path = homePaths(home).genesis
    const { json } = readGenesisFile(path)
    const accounts = readAccountsFile(file, bech32PrefixOf(home, terminal.environment, undefined))
    addGenesisAccounts(json, accounts, command.opts<{ append: boolean }>().append)
    writeGenesisFile(path, json)
    terminal.err(`${accounts.length} accounts from ${file} are in ${path}`)
  })
}

function addValidate(group: Command, terminal: Terminal): void {
  const check = group
    .command('validate [file]')
    .alias('validate-genesis')
    .description('check a genesis file: starts its chain in memory, and names what is wrong')
    .option('--bech32-prefix <prefix>', 'prefix of addresses (default: of app.toml, otherwise that in the file)')
  example(check, 'genesis validate', 'genesis validate exported.json')
  check.action(async (file: string | undefined) => {
    // Loaded when needed: other commands need none of the chain.
    const { checkGenesis } = await import('../../home/genesis-check.js')
    const home = homeOf(check, terminal)
    const path = file ?? homePaths(home).genesis
    const read = readGenesisFile(path)
    const wanted = check.opts<{ bech32Prefix?: string }>().bech32Prefix ?? ''
    for (const warning of checkGenesis(read, addressPrefix(wanted, read.json, path), path))
      terminal.err(`warning: ${warning}`)
    terminal.out(`File at ${path} is a valid genesis file of chain ${read.genesis.chainId}`)
  })
}
