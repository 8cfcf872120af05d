// Makes the home folder of the committed recording anew, so that another recording has the same keys, genesis and addresses:
//   node tests/reference/recording/home.mjs <folder that is not there yet>
// start.sh takes it as it is, when it is given the folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [home] = process.argv.slice(2)
if (home === undefined) throw new Error('usage: node home.mjs <folder that is not there yet>')

const vectors = new URL('../../vectors/reference/', import.meta.url)
const files = {
  ...JSON.parse(readFileSync(new URL('home.json', vectors), 'utf8')),
  'config/genesis.json': JSON.parse(readFileSync(new URL('genesis.json', vectors), 'utf8')),
  // The recorded one has signed the blocks of the recording.
  'data/priv_validator_state.json': { height: '0', round: 0, step: 0 },
}
mkdirSync(home)
for (const [name, content] of Object.entries(files)) {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Array.isArray(content) ? `${content.join('\n')}\n` : JSON.stringify(content), { mode: 0o600 })
}
