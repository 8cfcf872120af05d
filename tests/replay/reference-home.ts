import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { genesis, homeFiles } from './vectors.js'

export interface ReferenceHome {
  readonly root: string
  remove(): void
}

/**
 * The home folder that the reference made, file for file: its keys, its configuration, its genesis. Changed are only the
 * genesis time, which lies in the future of a machine whose clock is behind that of the recording, and the validator's last
 * vote, which belongs to the blocks that are not here.
 */
export function createReferenceHome(): ReferenceHome {
  const root = mkdtempSync(join(tmpdir(), 'coin-reference-'))
  mkdirSync(join(root, 'config'))
  mkdirSync(join(root, 'data'))
  for (const [path, content] of Object.entries(homeFiles())) {
    const text = Array.isArray(content) ? content.join('\n') : JSON.stringify(content)
    writeFileSync(join(root, path), text, { mode: 0o600 })
  }
  writeFileSync(join(root, 'data/priv_validator_state.json'), '{"height":"0","round":0,"step":0}')
  writeFileSync(
    join(root, 'config/genesis.json'),
    JSON.stringify({ ...genesis(), genesis_time: '2026-01-01T00:00:00Z' }),
  )
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
