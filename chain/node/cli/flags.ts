import { durationToNs, parseDuration } from '@coin/wire/time'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { signModes } from './client/sign-tx.js'

/** Adds an example to the help of a command. */
export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ coind ${line}`).join('\n')}`)
}

const outputOption = () => new Option('-o, --output <format>', 'how the result is printed').choices(['text', 'json'])

export function outputFlag(command: Command): Command {
  return command.addOption(outputOption())
}

export const nodeAbout = "a node's RPC address (default: of client.toml)"

/** Flags of everything that asks a node. */
export function queryFlags(command: Command): Command {
  return outputFlag(command).option('--node <url>', nodeAbout)
}

/** Flags of everything that reads the state of a height. */
export function stateFlags(command: Command): Command {
  // JSON is on one line anyway.
  return ignoredFlags(queryFlags(command), '--no-indent').option(
    '--height <height>',
    'read the state after this block',
    parseHeight,
  )
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

/** 1 to 2^53: blocks and pages are counted with numbers. */
export function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('expected a number of at least 1')
  return Number(text)
}

const parseHeight = parseCount

/** `90s` -> nanoseconds above zero. */
export function parseWait(text: string): bigint {
  let ns = 0n
  try {
    ns = durationToNs(parseDuration(text))
  } catch {
    // told below
  }
  if (ns <= 0n) throw new InvalidArgumentError('expected a duration like 90s or 5m')
  return ns
}

/**
 * Flags that the reference takes at every command of transactions, and that have nothing to say at this one: scripts give them.
 * A flag that the command has already is left as it is.
 */
export function ignoredFlags(command: Command, ...flags: readonly string[]): Command {
  for (const flag of flags) {
    const option = new Option(flag, 'without effect here').hideHelp()
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
  }
  return command
}

/** Which account signs, and what a node would otherwise be asked for. */
export function signerFlags(command: Command): Command {
  return keyringFlags(queryFlags(command))
    .option('--from <key>', 'name or address of the key that signs')
    .option('--chain-id <id>', 'chain that the transaction is for (default: of client.toml, otherwise asked)')
    .option('-a, --account-number <number>', 'of the signing account, with --offline', parseUint64)
    .option('-s, --sequence <number>', 'of the signing account, with --offline or to send before a block', parseUint64)
    .option('--offline', 'ask no node: needs --chain-id, --account-number and --sequence', false)
    .addOption(new Option('--sign-mode <mode>', 'form of what is signed').choices(signModes))
}

/** What a transaction says besides its messages. */
export function feeFlags(command: Command): Command {
  return command
    .addOption(new Option('--gas <limit>', '"auto" simulates first').argParser(parseGas).default(200_000n, '200000'))
    .option('--gas-adjustment <factor>', 'what a simulated amount is multiplied with', parseAdjustment, 1.3)
    .option('--gas-prices <coins>', 'price per unit of gas, like 0.025ucoin')
    .option('--fees <coins>', 'fee, like 5000ucoin')
    .option('--fee-payer <address>', 'who pays the fee; must sign too')
    .option('--fee-granter <address>', 'whose allowance pays the fee')
    .option('--note <text>', 'memo', '')
    .addOption(
      new Option('--timeout-height <height>', 'height after which the transaction is void')
        .argParser(parseUint64)
        .default(0n, 'never')
        .conflicts('timeoutDuration'),
    )
    .option('--timeout-duration <duration>', 'time after which it is void, like 90s', parseWait)
    .addOption(new Option('--unordered', 'any order, without sequence; needs --timeout-duration').conflicts('sequence'))
}

export function broadcastFlag(command: Command): Command {
  return command.addOption(
    new Option('-b, --broadcast-mode <mode>', 'what to wait for: the check, nothing, or a block').choices([
      'sync',
      'async',
      'block',
    ]),
  )
}

/** Where a document goes that is not printed. */
export function documentFlag(command: Command): Command {
  return command.option('--output-document <file>', 'write it to a file instead of printing it')
}

/** Flags of everything that builds, signs and sends a transaction. */
export function txFlags(command: Command): Command {
  return broadcastFlag(feeFlags(signerFlags(command)))
    .option('--generate-only', 'print the transaction without a signature, as JSON', false)
    .option('--dry-run', 'simulate it, print the gas and send nothing', false)
    .option('-y, --yes', 'do not ask before sending', false)
}
