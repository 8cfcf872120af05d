import type { Command } from 'commander'
import { loadClientConfig } from '../../config/client-config.js'
import { homeFolder } from '../../config/environment.js'
import { openKeyring } from '../../keys/keyring.js'
import { candidatesFor, type Names } from '../completion/candidates.js'
import { completionScripts, type Shell } from '../completion/scripts.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

/** How each shell takes the script, now and for ever. */
const howTo: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['source <(coind completion bash)', 'coind completion bash > /etc/bash_completion.d/coind'],
  zsh: ['source <(coind completion zsh)', 'coind completion zsh > "$' + '{fpath[1]}/_coind"'],
  fish: ['coind completion fish | source', 'coind completion fish > ~/.config/fish/completions/coind.fish'],
  powershell: ['coind completion powershell | Out-String | Invoke-Expression'],
}

export function addCompletion(program: Command, terminal: Terminal): void {
  const group = program.command('completion').description('scripts that let a shell complete commands, flags and keys')
  for (const [shell, script] of Object.entries(completionScripts)) {
    const command = group.command(shell).description(`the script for ${shell}`)
    const lines = howTo[shell as Shell]
    example(command, `completion ${shell}`)
    command.addHelpText('after', `\nTo load it:\n${lines.map((line) => `  ${line}`).join('\n')}`)
    command.action(() => terminal.out(script.trimEnd()))
  }
  const complete = program.command('__complete [words...]', { hidden: true }).allowUnknownOption()
  complete.action((words: string[]) => {
    const { words: found, paths } = candidatesFor(program, words.slice(0, -1), words.at(-1) ?? '', namesIn(terminal))
    for (const { value, about } of found) terminal.out(`${value}\t${about}`)
    if (paths !== undefined) terminal.out(`:${paths}`)
  })
}

/** Nothing is asked of a person who only pressed a key: what cannot be known is left out. */
function namesIn(terminal: Terminal): Names {
  return {
    keys(flags) {
      const home = homeFolder(flags.get('--home'), terminal.environment)
      try {
        const given = { 'keyring-backend': flags.get('--keyring-backend') }
        const { config } = loadClientConfig(home, terminal.environment, given)
        const never = () => Promise.reject(new TypeError('nobody is asked'))
        return openKeyring(flags.get('--keyring-dir') ?? home, config['keyring-backend'], never).names()
      } catch {
        return []
      }
    },
  }
}
