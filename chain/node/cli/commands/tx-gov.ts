import { CodedError } from '@coin/base/errors'
import { coinsToProto, parseCoins } from '@coin/wire/coins'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { type Json, messageFromJson } from '@coin/wire/json'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { readText } from '../client/tx-file.js'
import { example, txFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { runMessage } from './tx-message.js'

/** The file of a proposal, as the reference reads it. */
interface ProposalFile {
  readonly messages?: readonly Json[]
  readonly metadata?: string
  readonly deposit?: string
  readonly title?: string
  readonly summary?: string
  readonly expedited?: boolean
}

export function addSubmitProposal(group: Command, terminal: Terminal): void {
  const command = txFlags(group.command('submit-proposal <file>').description('propose messages that governance runs'))
  command.addHelpText(
    'after',
    '\nThe file: {"messages": [{"@type": ...}], "metadata": "", "deposit": "10ucoin", "title": "", "summary": "", "expedited": false}',
  )
  example(command, 'tx gov submit-proposal proposal.json --from alice')
  command.action((file: string) =>
    runMessage(command, terminal, 'cosmos.gov.v1.MsgSubmitProposal', async ({ sender }) => {
      const {
        messages = [],
        metadata = '',
        deposit = '',
        title = '',
        summary = '',
        expedited = false,
      } = parseProposal(await readText(file, terminal), file)
      return {
        messages: messages.map((json) => messageFromJson<Any>('google.protobuf.Any', json)),
        initialDeposit: coinsToProto(parseCoins(deposit)),
        proposer: sender,
        metadata,
        title,
        summary,
        expedited,
      }
    }),
  )
}

function parseProposal(text: string, file: string): ProposalFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof CodedError || !(error instanceof SyntaxError)) throw error
    throw nodeErrors.badFile(`${file}: ${error.message}`)
  }
  const { messages, metadata, deposit, title, summary, expedited } = Object(json) as Record<string, unknown>
  const texts = { metadata, deposit, title, summary }
  for (const [name, value] of Object.entries(texts))
    if (value !== undefined && typeof value !== 'string') throw nodeErrors.badFile(`${file}: "${name}" is no text`)
  if (messages !== undefined && !Array.isArray(messages)) throw nodeErrors.badFile(`${file}: "messages" is no list`)
  if (expedited !== undefined && typeof expedited !== 'boolean')
    throw nodeErrors.badFile(`${file}: "expedited" is neither true nor false`)
  return json as ProposalFile
}
