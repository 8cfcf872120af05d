import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds an example to the help of a command. */
export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ coind ${line}`).join('\n')}`)
}

const outputOption = () => new Option('-o, --output <format>', 'how the result is printed').choices(['text', 'json'])

export function outputFlag(command: Command): Command {
  return command.addOption(outputOption())
}

/** Flags of everything that asks a node. */
export function queryFlags(command: Command): Command {
  return outputFlag(command).option('--node <url>', "a node's RPC address (default: of client.toml)")
}

export function keyringFlags(command: Command): Command {
  return command
    .option('--keyring-backend <name>', 'where keys are: file (encrypted), test (NOT encrypted) or memory')
    .option('--keyring-dir <folder>', 'folder of the keyring (default: the home folder)')
    .option('--bech32-prefix <prefix>', 'prefix of addresses (default: that of the home folder)')
}

export function parseGas(text: string): 'auto' | bigint {
  if (text === 'auto') return 'auto'
  if (!/^[1-9][0-9]{0,17}$/.test(text)) throw new InvalidArgumentError('expected "auto" or a number')
  return BigInt(text)
}

export function parseAdjustment(text: string): number {
  const value = Number(text)
  if (!/^[0-9.]+$/.test(text) || !(value >= 1 && value <= 100))
    throw new InvalidArgumentError('expected a factor from 1 to 100')
  return value
}

export function parseUint64(text: string): bigint {
  if (!/^[0-9]{1,20}$/.test(text) || BigInt(text) >= 1n << 64n) throw new InvalidArgumentError('expected a number')
  return BigInt(text)
}

/** Flags of everything that signs. */
export function txFlags(command: Command): Command {
  return keyringFlags(queryFlags(command))
    .option('--from <key>', 'name or address of the key that signs')
    .option('--chain-id <id>', 'chain that the transaction is for (default: of client.toml, otherwise asked)')
    .addOption(new Option('--gas <limit>', '"auto" simulates first').argParser(parseGas).default(200_000n, '200000'))
    .option('--gas-adjustment <factor>', 'what a simulated amount is multiplied with', parseAdjustment, 1.3)
    .option('--gas-prices <coins>', 'price per unit of gas, like 0.025ucoin')
    .option('--fees <coins>', 'fee, like 5000ucoin')
    .option('--note <text>', 'memo', '')
    .addOption(
      new Option('--timeout-height <height>', 'height after which the transaction is void')
        .argParser(parseUint64)
        .default(0n, 'never'),
    )
    .addOption(new Option('-b, --broadcast-mode <mode>', 'whether to wait for the check').choices(['sync', 'async']))
    .option('-y, --yes', 'do not ask before sending', false)
}
