import { type Command, Option } from 'commander'
import type { Finding } from '../../doctor/finding.js'
import { nodeErrors } from '../../errors.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

const about = `Look at the home folder and its node, and say what is well, what is not, and what to do.

Settings, genesis, keys and who may read them, ports, disk, memory, log and snapshots with their checksums, blocks, tx index, what
was signed, clock, and what modules say must always be true. The node may run or not. Nothing is written. The exit code is 1 when
there is a problem; warnings leave it 0.`

const marks = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const

export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .summary('check the home folder and its node, and say what to do')
    .description(about)
    .option('--quick', 'leave out what takes long: whole genesis, log, snapshots and invariants', false)
    .addOption(new Option('-o, --output <format>', 'how it is shown').choices(['text', 'json']).default('text'))
  example(command, 'doctor', 'doctor --quick --output json')
  command.action(async () => {
    const { quick, output } = command.opts<{ quick: boolean; output: string }>()
    const root = homeOf(command, terminal)
    // Loaded when needed: other commands need none of the chain.
    const { examine } = await import('../../doctor/doctor.js')
    const findings = await examine({ root, environment: terminal.environment, quick, now: Date.now() })
    const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
    if (output === 'json') terminal.out(JSON.stringify({ home: root, problems: count('problem'), findings }))
    else for (const finding of findings) terminal.out(textOf(finding))
    if (count('problem') > 0) throw nodeErrors.notWell(`${count('problem')} problems, ${count('warning')} warnings`)
    if (output === 'text') terminal.out(`\nNo problem, ${count('warning')} warnings`)
  })
}

function textOf({ check, level, text, advice }: Finding): string {
  return `${marks[level]} ${check}: ${text}${advice === undefined ? '' : `\n        -> ${advice}`}`
}
