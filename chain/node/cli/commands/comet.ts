import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToBase64 } from '@coin/base/bytes'
import { formatSignState } from '@coin/engine/embedded/signer'
import { createAddressCodecs } from '@coin/wire/addresses'
import type { Command } from 'commander'
import { bech32PrefixOf } from '../../config/client-config.js'
import { loadNodeConfig } from '../../config/node-config.js'
import { nodeErrors } from '../../errors.js'
import { cometVersion } from '../../facts.js'
import { requireStopped } from '../../home/in-use.js'
import { formatNodeKey, formatPrivValidatorKey, newEd25519Key, nodeIdOf, readKeyFile } from '../../home/key-files.js'
import type { HomePaths } from '../../home/paths.js'
import { writeFileWhole } from '../../home/write-file.js'
import { homeOf } from '../context.js'
import { example } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addComet(program: Command, terminal: Terminal): void {
  const group = program
    .command('comet')
    .aliases(['cometbft', 'tendermint'])
    .description('the keys of this node, and its blocks')
  const pathsOf = (command: Command): HomePaths =>
    loadNodeConfig(homeOf(command, terminal), terminal.environment).config.home
  addShow(group, terminal, pathsOf)
  addReset(group, terminal, pathsOf)
  addGenerate(group, terminal, pathsOf)
}

type PathsOf = (command: Command) => HomePaths

function addShow(group: Command, terminal: Terminal, pathsOf: PathsOf): void {
  const id = group.command('show-node-id').description('what other nodes call this one')
  example(id, 'comet show-node-id').action(() => terminal.out(nodeIdOf(readKeyFile(pathsOf(id).nodeKey))))

  const validator = group.command('show-validator').description("public key that this node's blocks are signed with")
  example(validator, 'comet show-validator').action(() => {
    const { publicKey } = readKeyFile(pathsOf(validator).privValidatorKey)
    terminal.out(JSON.stringify({ '@type': '/cosmos.crypto.ed25519.PubKey', key: bytesToBase64(publicKey) }))
  })

  const address = group.command('show-address').description('address of that key')
  example(address, 'comet show-address').action(() => {
    const { consensus } = createAddressCodecs(
      bech32PrefixOf(homeOf(address, terminal), terminal.environment, undefined),
    )
    terminal.out(consensus.encode(readKeyFile(pathsOf(address).privValidatorKey).address))
  })

  const version = group.command('version').description('protocols that this node speaks')
  example(version, 'comet version').action(() =>
    terminal.out(`ABCI: 2.0.0\nBlockProtocol: 11\nCometBFT: ${cometVersion}\nP2PProtocol: 8`),
  )
}

/** Everything below `data` but what the validator signed last. */
function removeChain(paths: HomePaths): void {
  requireStopped(paths)
  if (!existsSync(paths.dataDir)) return
  for (const name of readdirSync(paths.dataDir)) {
    const path = join(paths.dataDir, name)
    if (path !== paths.privValidatorState) rmSync(path, { recursive: true, force: true })
  }
}

function addReset(group: Command, terminal: Terminal, pathsOf: PathsOf): void {
  const state = group
    .command('reset-state')
    .alias('reset_state')
    .description('remove the chain: blocks, state, index and contract code; what was signed last is kept')
  example(state, 'comet reset-state').action(() => {
    const paths = pathsOf(state)
    removeChain(paths)
    terminal.err(`The chain in ${paths.dataDir} is removed`)
    terminal.err(
      'This validator still refuses to sign the heights it has signed; "unsafe-reset-all" lets it begin anew',
    )
  })

  const all = group
    .command('unsafe-reset-all')
    .alias('unsafe_reset_all')
    .description('remove the chain, and let the validator sign from height 1 again; keys and genesis are kept')
    .option('--keep-addr-book', 'of no effect: this node keeps no addresses of others', false)
  example(all, 'comet unsafe-reset-all').action(() => {
    const paths = pathsOf(all)
    removeChain(paths)
    writeFileWhole(paths.privValidatorState, formatSignState({ height: 0, round: 0, step: 0 }))
    terminal.err(`The chain in ${paths.dataDir} is removed, and the validator begins anew`)
  })
}

function addGenerate(group: Command, terminal: Terminal, pathsOf: PathsOf): void {
  const node = group
    .command('gen-node-key')
    .description('make config/node_key.json when it is not there; prints the id')
  example(node, 'comet gen-node-key').action(() => {
    const { nodeKey } = pathsOf(node)
    if (existsSync(nodeKey)) throw nodeErrors.homeExists(`${nodeKey} is there`)
    const key = newEd25519Key()
    writeFileWhole(nodeKey, formatNodeKey(key))
    terminal.out(nodeIdOf(key))
  })

  const validator = group.command('gen-validator').description("print a new validator's key; nothing is written")
  example(validator, 'comet gen-validator > priv_validator_key.json').action(() =>
    terminal.out(formatPrivValidatorKey(newEd25519Key()).trimEnd()),
  )
}
