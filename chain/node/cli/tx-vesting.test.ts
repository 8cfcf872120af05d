import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { messageFromJsonText } from '@coin/wire/json'
import { decodeAny } from '@coin/wire/registry'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../testing/run-cli.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const newFolder = temporaryFolders()
const somebody = 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy'
const environment = { COIND_KEYRING_BACKEND: 'test' }

async function vesting(home: string, ...words: readonly string[]) {
  const flags = ['--from', 'alice', '--generate-only', '--offline', '--fees', '9ucoin', '--home', home]
  const result = await runInProcess(['tx', 'vesting', ...words, ...flags], environment)
  const message = () => {
    const { body } = messageFromJsonText<Tx>('cosmos.tx.v1beta1.Tx', result.out)
    return decodeAny(body!.messages[0]!)
  }
  return { ...result, message }
}

describe('tx vesting', () => {
  it('makes the three messages', async () => {
    const home = newFolder()
    await runInProcess(['keys', 'add', 'alice', '--home', home], environment)
    const coins = [{ denom: 'ucoin', amount: '5' }]
    const create = ['create-vesting-account', somebody, '5ucoin', '1893456000', '--delayed']
    expect((await vesting(home, ...create)).message()).toMatchObject({
      typeName: 'cosmos.vesting.v1beta1.MsgCreateVestingAccount',
      message: { toAddress: somebody, amount: coins, endTime: 1893456000n, delayed: true },
    })
    expect((await vesting(home, 'create-permanent-locked-account', somebody, '5ucoin')).message()).toMatchObject({
      typeName: 'cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount',
      message: { toAddress: somebody, amount: coins },
    })
    const file = join(home, 'periods.json')
    const write = (json: unknown) => writeFileSync(file, JSON.stringify(json))
    write({ start_time: 1625204910, periods: [{ coins: '5ucoin', length_seconds: 2592000 }] })
    const periodic = () => vesting(home, 'create-periodic-vesting-account', somebody, file)
    expect((await periodic()).message()).toMatchObject({
      typeName: 'cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
      message: { startTime: 1625204910n, vestingPeriods: [{ length: 2592000n, amount: coins }] },
    })
    for (const [json, reason] of [
      [null, 'periods: expected a list'],
      [{ periods: [] }, 'start_time is undefined'],
      [{ start_time: '5', periods: [] }, 'start_time is "5"'],
      [{ start_time: 5, periods: [null] }, 'period 0: length_seconds is undefined'],
      [{ start_time: 5, periods: [{ length_seconds: 1.5 }] }, 'period 0: length_seconds is 1.5'],
      [{ start_time: 5, periods: [{ length_seconds: 1, coins: 7 }] }, 'period 0: coins is 7'],
      [{ start_time: 5, periods: [{ length_seconds: 1, coins: 'x' }] }, 'period 0: coins: "x"'],
    ] as const) {
      write(json)
      expect(await periodic()).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
    }
  })
})
