import type { Argument, Command, Option } from 'commander'

/** One word that may stand where the cursor is. */
export interface Candidate {
  readonly value: string
  /** One line; may be empty. */
  readonly about: string
}

export interface Candidates {
  readonly words: readonly Candidate[]
  /** Names of files or folders fit too; the shell knows them best. */
  readonly paths?: 'files' | 'folders'
}

/** What only the home folder knows. */
export interface Names {
  /** Of the keys in the keyring that these flags name. */
  keys(flags: ReadonlyMap<string, string>): readonly string[]
}

/** Where the words have led. */
interface Place {
  readonly command: Command
  /** Words that are arguments of the command. */
  readonly args: number
  /** The flag whose value comes next. */
  readonly pending: Option | undefined
  readonly used: ReadonlySet<string>
  /** Values of flags, by the flag's long name. */
  readonly values: ReadonlyMap<string, string>
  readonly onlyArgs: boolean
}

/** What may stand for `current`, which is behind `words`; the program's own name is not one of them. */
export function candidatesFor(program: Command, words: readonly string[], current: string, names: Names): Candidates {
  const place = walk(program, words)
  const { pending, command, onlyArgs } = place
  if (pending !== undefined) return startingWith(valuesOf(pending, place, names), current)
  const equals = /^(--[^=]+)=(.*)$/.exec(current)
  if (equals !== null && !onlyArgs) {
    const option = optionOf(command, equals[1]!)
    if (option === undefined) return { words: [] }
    const { words: found, paths } = startingWith(valuesOf(option, place, names), equals[2]!)
    const whole = found.map(({ value, about }) => ({ value: `${equals[1]}=${value}`, about }))
    return paths === undefined ? { words: whole } : { words: whole, paths }
  }
  if (current.startsWith('-') && !onlyArgs) return startingWith({ words: flagsOf(place) }, current)
  return startingWith(argumentsOf(place, names), current)
}

function startingWith({ words, paths }: Candidates, current: string): Candidates {
  const fitting = words.filter(({ value }) => value.startsWith(current))
  return paths === undefined ? { words: fitting } : { words: fitting, paths }
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program
  let [args, onlyArgs] = [0, false]
  let pending: Option | undefined
  const used = new Set<string>()
  const values = new Map<string, string>()
  for (const word of words) {
    if (pending !== undefined) {
      values.set(pending.long ?? '', word)
      pending = undefined
    } else if (word === '--') onlyArgs = true
    else if (word.startsWith('-') && !onlyArgs) {
      const [name = '', value] = word.split(/=(.*)/s)
      const option = optionOf(command, name)
      if (option === undefined) continue
      used.add(option.long ?? '')
      if (value !== undefined) values.set(option.long ?? '', value)
      else if (option.required) pending = option
    } else {
      const sub = args === 0 ? visibleCommands(command).find((it) => namesOf(it).includes(word)) : undefined
      if (sub === undefined) args++
      else command = sub
    }
  }
  return { command, args, pending, used, values, onlyArgs }
}

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()]

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command)
}

/** Of the command and of those above it, which stand behind it as well. */
function visibleOptions(command: Command): readonly Option[] {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}

function optionOf(command: Command, name: string): Option | undefined {
  return visibleOptions(command).find(({ long, short }) => name === long || name === short)
}

function flagsOf({ command, used }: Place): readonly Candidate[] {
  return visibleOptions(command).flatMap((option) =>
    option.long === undefined || (used.has(option.long) && !option.variadic)
      ? []
      : [{ value: option.long, about: firstLine(option.description) }],
  )
}

function argumentsOf(place: Place, names: Names): Candidates {
  const { command, args } = place
  const subs = args === 0 ? visibleCommands(command) : []
  const words = subs.map((sub) => ({ value: sub.name(), about: firstLine(sub.summary() || sub.description()) }))
  const known = command.registeredArguments
  const argument = known[args] ?? (known.at(-1)?.variadic ? known.at(-1) : undefined)
  if (argument === undefined || subs.length > 0) return { words }
  return valuesOfArgument(argument, place, names)
}

function valuesOfArgument(argument: Argument, { command, values }: Place, names: Names): Candidates {
  if (argument.argChoices) return choices(argument.argChoices)
  const name = argument.name()
  if (/file|folder|dir/.test(name)) return { words: [], paths: /file/.test(name) ? 'files' : 'folders' }
  const isKey = keyArguments.has(name) || (name === 'name' && oldKeyCommands.has(command.name()))
  return { words: isKey ? keys(names, values) : [] }
}

/** Arguments that take the name of a key, and commands of `keys` whose `name` is one that is there. */
const keyArguments: ReadonlySet<string> = new Set(['key', 'from', 'address-or-key', 'name-or-address', 'from-key'])
const oldKeyCommands: ReadonlySet<string> = new Set(['delete', 'rename', 'export', 'show'])

/** Flags that do. */
const keyFlags: ReadonlySet<string> = new Set(['--from', '--multisig', '--fee-payer', '--fee-granter'])

function valuesOf(option: Option, { values }: Place, names: Names): Candidates {
  if (option.argChoices) return choices(option.argChoices)
  if (option.long === '--keyring-backend') return choices(['file', 'test', 'memory'])
  if (keyFlags.has(option.long ?? '')) return { words: keys(names, values) }
  if (/<(?:bool)>|\[bool\]/.test(option.flags)) return choices(['true', 'false'])
  if (/<[^>]*folder|<[^>]*dir/.test(option.flags)) return { words: [], paths: 'folders' }
  if (/<[^>]*file|document/.test(option.flags)) return { words: [], paths: 'files' }
  return { words: [] }
}

const choices = (values: readonly string[]): Candidates => ({ words: values.map((value) => ({ value, about: '' })) })

function keys(names: Names, flags: ReadonlyMap<string, string>): readonly Candidate[] {
  return names.keys(flags).map((value) => ({ value, about: 'key' }))
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 80)
}
