import type { Command } from 'commander'

/** What the modules are about, in the help. */
const about: Readonly<Record<string, string>> = {
  auth: 'accounts',
  bank: 'coins',
  consensus: 'limits of blocks, and what the consensus engine knows',
  gov: 'proposals and votes',
  mint: 'new coins',
  vesting: 'accounts whose coins are freed over time',
  wasm: 'contracts',
}

/** The group of a module's commands, which is made when it is not there yet. */
export function moduleGroup(parent: Command, module: string): Command {
  const found = parent.commands.find((command) => command.name() === module)
  return found ?? parent.command(module).description(about[module] ?? `the module ${module}`)
}
