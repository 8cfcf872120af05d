import type { Command } from 'commander'
import { versionInfo } from '../../version.js'
import { contextOf } from '../context.js'
import { example, nodeAbout, outputFlag } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addStatus(program: Command, terminal: Terminal): void {
  const command = outputFlag(program.command('status').description('what a node says of itself'))
  command.option('-n, --node <url>', nodeAbout)
  example(command, 'status --node tcp://localhost:26657')
  command.action(async () => {
    const { rpc, client, print } = contextOf(command, terminal)
    const status = await rpc.call('status', {})
    // The reference prints JSON here unless text is asked for.
    if (command.opts<{ output?: string }>().output === 'text') print(status)
    else terminal.out(JSON.stringify(status, undefined, client.output === 'json' ? 0 : 2))
  })
}

export function addVersion(program: Command, terminal: Terminal): void {
  const command = outputFlag(program.command('version').description('which program this is'))
  command.option('--long', 'with everything it is made of', false)
  example(command, 'version --long')
  command.action(() => {
    const { print } = contextOf(command, terminal)
    if (!command.opts<{ long: boolean }>().long) {
      terminal.out(versionInfo.version)
      return
    }
    print({
      name: versionInfo.name,
      server_name: versionInfo.appName,
      version: versionInfo.version,
      commit: versionInfo.gitCommit,
      build_tags: versionInfo.buildTags,
      go: versionInfo.goVersion,
      cosmos_sdk_version: versionInfo.cosmosSdkVersion,
    })
  })
}
