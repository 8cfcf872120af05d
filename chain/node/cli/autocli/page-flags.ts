import { decodeBase64 } from '@coin/wire/base64'
import { type Command, Option } from 'commander'
import { nodeErrors } from '../../errors.js'
import { parseCount, parseUint64 } from '../flags.js'

/** The SDK has two names for most of these, by the age of the command; both work here. */
const shortNames = ['limit', 'offset', 'count-total', 'reverse'] as const

export function addPageFlags(command: Command): void {
  command
    .option('--page-key <base64>', 'next_key of the page before')
    .option('--page-limit <count>', 'most that one page has (also --limit)', parseUint64)
    .option('--page-offset <count>', 'how many to pass over (also --offset)', parseUint64)
    .option('--page <number>', 'which page, from 1, by --page-limit', parseCount)
    .option('--page-count-total', 'count all there are (also --count-total)')
    .option('--page-reverse', 'the last first (also --reverse)')
  for (const name of shortNames) {
    if (command.options.some((option) => option.long === `--${name}`)) continue
    const isFlag = name === 'count-total' || name === 'reverse'
    const option = new Option(isFlag ? `--${name}` : `--${name} <count>`).hideHelp()
    command.addOption(isFlag ? option : option.argParser(parseUint64))
  }
}

interface PageFlags {
  readonly pageKey?: string
  readonly pageLimit?: bigint
  readonly limit?: bigint
  readonly pageOffset?: bigint
  readonly offset?: bigint
  readonly page?: number
  readonly pageCountTotal?: boolean
  readonly countTotal?: boolean
  readonly pageReverse?: boolean
  readonly reverse?: boolean
}

const limitDefault = 100n

/** JSON of the `PageRequest`; `undefined` when no flag was given. Throws `badFlag`. */
export function pageJson(command: Command): string | undefined {
  const flags = command.opts<PageFlags>()
  const { pageKey, page } = flags
  const limit = flags.pageLimit ?? flags.limit
  let offset = flags.pageOffset ?? flags.offset
  if (page !== undefined) {
    if (offset !== undefined || pageKey !== undefined)
      throw nodeErrors.badFlag('--page excludes --page-offset and --page-key')
    offset = BigInt(page - 1) * (limit ?? limitDefault)
  }
  if (pageKey !== undefined) decodeBase64(pageKey)
  const request = {
    ...(pageKey !== undefined && { key: pageKey }),
    ...(offset !== undefined && { offset: String(offset) }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...((flags.pageCountTotal ?? flags.countTotal) && { count_total: true }),
    ...((flags.pageReverse ?? flags.reverse) && { reverse: true }),
  }
  return Object.keys(request).length === 0 ? undefined : JSON.stringify(request)
}
