// Gives a genesis that is not started yet accounts with schedules and a denom that may not be sent:
//   node vesting-genesis.mjs <genesis.json>
import { readFileSync, writeFileSync } from 'node:fs'
import { addressOf } from './signed.mjs'

const [file] = process.argv.slice(2)
const genesis = JSON.parse(readFileSync(file, 'utf8'))
const { auth, bank } = genesis.app_state

const coins = (...list) => list.map(([amount, denom = 'ucosm']) => ({ denom, amount: String(amount) }))
const base = (name) => ({ address: addressOf(name), pub_key: null, account_number: '0', sequence: '0' })
const vesting = (name, original, more = {}) => ({
  ...{ base_account: base(name), original_vesting: original, delegated_free: [], delegated_vesting: [], end_time: '0' },
  ...more,
})
const type = (name) => `/cosmos.vesting.v1beta1.${name}`
const half = coins([333, 'stake'], [1000000007])
const all = coins([500, 'stake'], [2000000000])
const add = (account, name, balance = all) => {
  auth.accounts.push(account)
  if (balance.length > 0) bank.balances.push({ address: addressOf(name), coins: balance })
}

add(
  { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base('funder') },
  'funder',
  coins([1000, 'frozen'], [10 ** 9, 'stake'], [10 ** 12]),
)
add(
  {
    ...{ '@type': type('ContinuousVestingAccount'), start_time: '1577836800' },
    base_vesting_account: vesting('continuous', half, { end_time: '2208988800' }),
  },
  'continuous',
)
add(
  {
    '@type': type('DelayedVestingAccount'),
    base_vesting_account: vesting('delayed', half, { end_time: '4102444800' }),
  },
  'delayed',
)
add(
  { '@type': type('DelayedVestingAccount'), base_vesting_account: vesting('ended', half, { end_time: '1577836800' }) },
  'ended',
)
add(
  {
    ...{ '@type': type('PeriodicVestingAccount'), start_time: '1577836800' },
    base_vesting_account: vesting('periodic', half, { end_time: '4102444800' }),
    vesting_periods: [
      { length: '0', amount: coins([7]) },
      { length: '100', amount: coins([33, 'stake'], [500000000]) },
      { length: '2524607900', amount: coins([300, 'stake'], [500000000]) },
    ],
  },
  'periodic',
)
add({ '@type': type('PermanentLockedAccount'), base_vesting_account: vesting('permanent', half) }, 'permanent')
add(
  {
    '@type': type('PermanentLockedAccount'),
    base_vesting_account: vesting('delegated', half, {
      delegated_free: coins([5]),
      delegated_vesting: coins([999999999]),
    }),
  },
  'delegated',
)
add(
  { '@type': type('PermanentLockedAccount'), base_vesting_account: vesting('short', half) },
  'short',
  coins([400, 'stake'], [77]),
)
add({ '@type': type('BaseVestingAccount'), ...vesting('bare', half, { end_time: '4102444800' }) }, 'bare')

bank.send_enabled = [{ denom: 'frozen', enabled: false }]
bank.supply = []
writeFileSync(file, JSON.stringify(genesis, null, 2))
