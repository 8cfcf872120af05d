import { oneOf, text } from './settings.js'

/** client.toml: defaults of the command line. Names are those of the Cosmos SDK v0.53. */
export const clientSettings = {
  'chain-id': text('', 'Chain that transactions are signed for; empty asks the node.'),
  'keyring-backend': oneOf(
    ['file', 'test', 'memory', 'os', 'kwallet', 'pass'],
    'file',
    'Where keys are: "file" is encrypted, "test" is NOT, "memory" ends with the command. The others are not available.',
  ),
  'keyring-default-keyname': text('', 'Key that signs when --from is not given.'),
  output: oneOf(['text', 'json'], 'text', 'How results are printed.'),
  node: text('tcp://localhost:26657', "A node's RPC address."),
  'broadcast-mode': oneOf(
    ['sync', 'async', 'block'],
    'sync',
    'sync waits until the node has checked a transaction, block until it is in a block; async waits for nothing.',
  ),
} as const

export const clientUnused: readonly string[] = []
