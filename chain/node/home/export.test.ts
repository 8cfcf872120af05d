import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendMsg, testAccount } from '@coin/app/testing/signing'
import { executeMsg, instantiateMsg, storeMsg } from '@coin/app/testing/wasm-messages'
import { beforeAll, describe, expect, it } from 'vitest'
import { type HomeChain, newHome, openHome } from '../testing/home-chain.js'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const newFolder = temporaryFolders()
const artifact = new URL('../../../../contracts/artifacts/cw20_base.wasm', import.meta.url)
let alice: Awaited<ReturnType<typeof testAccount>>
let bob: typeof alice

beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
})

interface Genesis {
  initial_height: number
  genesis_time: string
  app_state: {
    bank: unknown
    wasm: { contracts: { contract_address: string }[] }
  }
}

/** A chain with a token that has been sent around. */
async function makeChain(root: string): Promise<void> {
  newHome(root, [alice, bob])
  const home = await openHome(root)
  await home.block(alice, storeMsg(alice.address, readFileSync(artifact)))
  const balances = [{ address: alice.address, amount: '1000' }]
  const token = { name: 'token', symbol: 'TOK', decimals: 6, initial_balances: balances }
  await home.block(alice, instantiateMsg(alice.address, 1n, token))
  const { app_state: state } = { app_state: home.chain.app.exportGenesis() } as unknown as Genesis
  const contract = state.wasm.contracts[0]!.contract_address
  const sent = await home.block(
    alice,
    executeMsg(alice.address, contract, { transfer: { recipient: bob.address, amount: '7' } }),
  )
  expect(sent?.code).toBe(0)
  await home.block(bob, sendMsg(bob.address, alice.address, '5'))
  await home.close()
}

/** A home folder of the same validator that starts from `genesis`. */
function homeFrom(old: string, genesis: string): string {
  const root = newFolder()
  cpSync(join(old, 'config'), join(root, 'config'), { recursive: true })
  writeFileSync(join(root, 'config/genesis.json'), genesis)
  return root
}

const withHome = async <T>(root: string, use: (home: HomeChain) => T | Promise<T>): Promise<T> => {
  const home = await openHome(root)
  try {
    return await use(home)
  } finally {
    await home.close()
  }
}

describe('an exported chain', () => {
  it('goes on in a new home, with balances and contracts, and exports the same again', async () => {
    const old = newFolder()
    await makeChain(old)
    const exported = await runInProcess(['export', '--home', old])
    expect(exported).toMatchObject({ code: 0, err: '' })
    const genesis = JSON.parse(exported.out) as Genesis
    expect(genesis.initial_height).toBe(5)
    expect((await runInProcess(['genesis', 'validate', '--home', homeFrom(old, exported.out)])).code).toBe(0)

    const next = homeFrom(old, exported.out)
    await withHome(next, async (home) => {
      await home.block()
      expect(home.chain.engine.blocks.height()).toBe(5)
      const contract = genesis.app_state.wasm.contracts[0]!.contract_address
      const again = executeMsg(bob.address, contract, { transfer: { recipient: alice.address, amount: '7' } })
      expect((await home.block(bob, again))?.code).toBe(0)
    })
    const first = JSON.parse((await runInProcess(['export', '--home', next, '--height', '5'])).out) as Genesis
    expect(first.app_state).toEqual(genesis.app_state)
    expect(first.initial_height).toBe(6)
  })

  it('can be of an older height, of some modules, and begin at 1', async () => {
    const root = newFolder()
    await makeChain(root)
    const read = async (...words: string[]) => {
      const { out, err } = await runInProcess(['export', '--home', root, ...words])
      return out === '' ? err : (JSON.parse(out) as Genesis)
    }
    expect(await read('--height', '1', '--for-zero-height', '--modules-to-export', 'bank')).toMatchObject({
      initial_height: 1,
      app_state: { bank: { supply: [{ denom: 'ucoin', amount: '2000000000' }] } },
    })
    expect(await read('--modules-to-export', 'staking')).toContain('module "staking" is not there')
    expect(await read('--height', '9')).toContain('height 9 cannot be exported; the state of 1 to 4 is there')
    expect(await read('--jail-allowed-addrs', 'x')).toContain('no x/staking yet')
    const file = join(root, 'exported.json')
    expect(await runInProcess(['export', '--home', root, '--output-document', file])).toMatchObject({
      code: 0,
      out: '',
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ chain_id: 'home-1' })
    expect((await runInProcess(['export', '--home', newFolder()])).err).toContain('run "coind init <moniker>" first')
  })

  it('can be taken while the node runs', async () => {
    const root = newFolder()
    newHome(root, [alice, bob])
    await withHome(root, async (home) => {
      await home.block(alice, sendMsg(alice.address, bob.address, '3'))
      await new Promise<void>((resolve) => {
        if (home.chain.store.written === 1) resolve()
        else home.chain.store.onWritten(() => resolve())
      })
      expect((await runInProcess(['export', '--home', root])).out).toContain('"1000000003"')
    })
  })
})
