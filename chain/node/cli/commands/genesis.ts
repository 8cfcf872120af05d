import { createAddressCodec } from '@coin/wire/addresses'
import { decodeBech32 } from '@coin/wire/bech32'
import { parseCoins } from '@coin/wire/coins'
import type { Command } from 'commander'
import { addGenesisAccounts, readGenesisFile, writeGenesisFile } from '../../home/genesis-file.js'
import { homePaths } from '../../home/paths.js'
import { contextOf, homeOf } from '../context.js'
import { example, keyringFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addGenesis(program: Command, terminal: Terminal): void {
  const group = program.command('genesis').description('what the chain starts from')
  const add = keyringFlags(group.command('add-genesis-account <address-or-key> <coins>'))
    .alias('add-account')
    .description('give an account coins from the beginning')
  example(add, 'genesis add-genesis-account alice 100000000000000ucoin')
  add.action(async (who: string, coins: string) => {
    const { home, prefix, keyring } = contextOf(add, terminal)
    const codec = createAddressCodec(prefix)
    // An address of another chain is told as that, not as a key that is not there.
    const key = who.startsWith(`${prefix}1`) || isBech32(who) ? undefined : await keyring.require(who)
    const address = codec.encode(key === undefined ? codec.decode(who) : key.address)
    const path = homePaths(home).genesis
    const { json } = readGenesisFile(path)
    addGenesisAccounts(json, [{ address, coins: parseCoins(coins) }])
    writeGenesisFile(path, json)
  })

  const check = group.command('validate [file]').alias('validate-genesis').description('check a genesis file')
  example(check, 'genesis validate')
  check.action((file: string | undefined) => {
    const path = file ?? homePaths(homeOf(check, terminal)).genesis
    const { genesis } = readGenesisFile(path)
    terminal.out(`File at ${path} is a valid genesis file of chain ${genesis.chainId}`)
  })
}

function isBech32(text: string): boolean {
  try {
    decodeBech32(text)
    return true
  } catch {
    return false
  }
}
