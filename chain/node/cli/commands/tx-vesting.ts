import { readFileSync } from 'node:fs'
import { CodedError } from '@coin/base/errors'
import { coinsToProto, parseCoins } from '@coin/wire/coins'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { exampleAccount } from '../autocli/examples.js'
import { example, txFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { runMessage } from './tx-message.js'

/** Periods come from a file, as the message has more than flags can say. */
export function addPeriodicVesting(group: Command, terminal: Terminal): void {
  const about =
    'open an account whose coins are freed period by period, one behind the other: ' +
    '{"start_time": seconds since 1970, "periods": [{"coins": "10ucoin", "length_seconds": 2592000}]}'
  const command = txFlags(group.command('create-periodic-vesting-account').description(about))
  command.argument('<to>', 'account that is opened').argument('<periods-file>', 'file with the periods, in JSON')
  example(command, `tx vesting create-periodic-vesting-account ${exampleAccount} periods.json --from alice`)
  command.action((to: string, path: string) =>
    runMessage(command, terminal, 'cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', async (parts) => ({
      fromAddress: parts.sender,
      toAddress: await parts.resolve(to, 'account'),
      ...readPeriods(path),
    })),
  )
}

interface PeriodsJson {
  readonly start_time?: unknown
  readonly periods?: unknown
}

/** Throws `badFile` with the period and the field. */
function readPeriods(path: string) {
  let json: PeriodsJson | null
  try {
    json = JSON.parse(readFileSync(path, 'utf8')) as PeriodsJson | null
  } catch (error) {
    throw nodeErrors.badFile(`${path}: ${(error as Error).message}`)
  }
  const { start_time: start, periods } = json ?? {}
  if (!Array.isArray(periods)) throw nodeErrors.badFile(`${path}: periods: expected a list`)
  const vestingPeriods = periods.map((period: { coins?: unknown; length_seconds?: unknown } | null, index) => {
    const where = `${path}: period ${index}`
    return {
      length: secondsOf(period?.length_seconds, `${where}: length_seconds`),
      amount: amountOf(period?.coins, `${where}: coins`),
    }
  })
  return { startTime: secondsOf(start, `${path}: start_time`), vestingPeriods }
}

function secondsOf(value: unknown, where: string): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw nodeErrors.badFile(`${where} is ${JSON.stringify(value)}, expected whole seconds`)
}

function amountOf(value: unknown, where: string) {
  if (typeof value !== 'string') throw nodeErrors.badFile(`${where} is ${JSON.stringify(value)}, expected "10ucoin"`)
  try {
    return coinsToProto(parseCoins(value))
  } catch (error) {
    throw error instanceof CodedError ? nodeErrors.badFile(`${where}: ${error.message}`) : error
  }
}
