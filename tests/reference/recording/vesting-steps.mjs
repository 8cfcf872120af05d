import { createAddressCodec, moduleAddress } from '../../../chain/wire/dist/addresses.js'
import { addressOf, pack } from './signed.mjs'

const codec = createAddressCodec('wasm')
const fresh = (n) => codec.encode(new Uint8Array(20).fill(100 + n))
export const coins = (...list) => list.map(([amount, denom = 'ucosm']) => ({ denom, amount: String(amount) }))
const vesting = (name, value) => pack(`cosmos.vesting.v1beta1.MsgCreate${name}`, value)
const from = addressOf('funder')
const blocked = codec.encode(moduleAddress('distribution'))
const year2100 = 4102444800n
const int64Max = (1n << 63n) - 1n

const create = (value) => vesting('VestingAccount', { fromAddress: from, endTime: year2100, ...value })
const lock = (value) => vesting('PermanentLockedAccount', { fromAddress: from, ...value })
const periodic = (value) => vesting('PeriodicVestingAccount', { fromAddress: from, startTime: 1577836800n, ...value })
const send = (name, to, amount) =>
  pack('cosmos.bank.v1beta1.MsgSend', { fromAddress: addressOf(name), toAddress: to, amount })
const multiSend = (name, amount, ...to) =>
  pack('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: [{ address: addressOf(name), coins: coins([amount * to.length]) }],
    outputs: to.map((address) => ({ address, coins: coins([amount]) })),
  })

let next = 0
const one = (name, message, more = {}) => ({ name, messages: [message], signers: ['funder'], ...more })

/** What may be wrong with coins; each message has them. */
const badCoins = {
  none: [],
  zero: coins([0]),
  negative: coins([-5]),
  'an amount left out': [{ denom: 'ucosm', amount: '' }],
  unsorted: coins([5, 'ucosm'], [5, 'stake']),
  'a denom twice': coins([5], [5]),
  'a bad denom': coins([5, '!']),
  'more than is held': coins([10n ** 30n]),
  'a denom nobody has': coins([5, 'nothing']),
  'a denom that may not be sent': coins([5, 'frozen']),
}
/** These do not even decode, or are refused before the mempool. */
const undecodableCoins = { letters: coins(['abc']), 'over 256 bits': coins([2n ** 256n]), fraction: coins(['1.5']) }

const period = (length, ...amount) => ({ length: BigInt(length), amount: coins(...amount) })
const withCoins = {
  create: (amount) => create({ toAddress: fresh(++next), amount }),
  lock: (amount) => lock({ toAddress: fresh(++next), amount }),
  periodic: (amount) => periodic({ toAddress: fresh(++next), vestingPeriods: [{ length: 5n, amount }] }),
}
const withAddress = {
  create: (toAddress) => create({ toAddress, amount: coins([5]) }),
  lock: (toAddress) => lock({ toAddress, amount: coins([5]) }),
  periodic: (toAddress) => periodic({ toAddress, vestingPeriods: [period(5, [5])] }),
}
const both = coins([101, 'stake'], [1000003])

/** Transactions that get into a block, in order. `now` is the time of the last block, seconds. */
export const inBlocks = [
  one('create continuous that has ended', () => create({ toAddress: fresh(++next), amount: coins([5]), endTime: 1n })),
  one('create delayed that has ended', () =>
    create({ toAddress: fresh(++next), amount: coins([5]), endTime: 1n, delayed: true }),
  ),
  one('create continuous to the end of time', () =>
    create({ toAddress: fresh(++next), amount: coins([5]), endTime: int64Max }),
  ),
  one('create with a long address', () =>
    lock({ toAddress: codec.encode(new Uint8Array(32).fill(9)), amount: coins([5]) }),
  ),
  one('create for oneself', () => create({ toAddress: from, amount: coins([5]) })),
  one('end time of zero', () => create({ toAddress: fresh(++next), amount: coins([5]), endTime: 0n })),
  one('end time below zero', () => create({ toAddress: fresh(++next), amount: coins([5]), endTime: -1n })),
  ...Object.entries(withCoins).flatMap(([kind, make]) =>
    Object.entries(badCoins).map(([name, amount]) => one(`${kind}: ${name}`, () => make(amount))),
  ),
  ...Object.entries(withAddress).flatMap(([kind, make]) => [
    one(`${kind}: an account that exists`, () => make(addressOf('permanent'))),
    one(`${kind}: a blocked address`, () => make(blocked)),
    one(`${kind}: no address`, () => make('')),
    one(`${kind}: an address of another chain`, () => make('cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6')),
    one(`${kind}: an address in capitals`, () => make(fresh(++next).toUpperCase())),
  ]),
  one('periodic: start of zero', () =>
    periodic({ toAddress: fresh(++next), startTime: 0n, vestingPeriods: [period(5, [5])] }),
  ),
  one('periodic: start below zero', () =>
    periodic({ toAddress: fresh(++next), startTime: -7n, vestingPeriods: [period(5, [5])] }),
  ),
  one('periodic: no periods', () => periodic({ toAddress: fresh(++next), vestingPeriods: [] })),
  one('periodic: length of zero', () =>
    periodic({ toAddress: fresh(++next), vestingPeriods: [period(5, [5]), period(0, [5])] }),
  ),
  one('periodic: length below zero', () => periodic({ toAddress: fresh(++next), vestingPeriods: [period(-5, [5])] })),
  one('periodic: end past 64 bits', () =>
    periodic({ toAddress: fresh(++next), vestingPeriods: [period(int64Max, [5])] }),
  ),
  one('periodic: end twice past 64 bits', () =>
    periodic({
      toAddress: addressOf('w1'),
      vestingPeriods: [period(int64Max, [5]), period(int64Max, [6]), period(9, [7])],
    }),
  ),
  one('periodic: sum past 256 bits', () =>
    periodic({ toAddress: fresh(++next), vestingPeriods: [period(5, [2n ** 256n - 1n]), period(5, [1])] }),
  ),
  one('create continuous', (now) =>
    create({ toAddress: addressOf('c1'), amount: coins([101, 'stake'], [1000003]), endTime: now + 30n }),
  ),
  one('create delayed', (now) =>
    create({ toAddress: addressOf('d1'), amount: both, endTime: now + 30n, delayed: true }),
  ),
  one('create permanent', () => lock({ toAddress: addressOf('p1'), amount: both })),
  one('create periodic', (now) =>
    periodic({
      ...{ toAddress: addressOf('q1'), startTime: now },
      vestingPeriods: [period(9, [1000000], [3, 'stake']), period(7, [3]), period(14, [98, 'stake'])].map(
        ({ length, amount }) => ({ length, amount: [...amount].sort((a, b) => (a.denom < b.denom ? -1 : 1)) }),
      ),
    }),
  ),
  one('free coins for all', () =>
    pack('cosmos.bank.v1beta1.MsgMultiSend', {
      inputs: [{ address: from, coins: coins([40000]) }],
      outputs: ['c1', 'd1', 'p1', 'q1'].map((name) => ({ address: addressOf(name), coins: coins([10000]) })),
    }),
  ),
  ...['c1', 'd1', 'p1', 'q1', 'continuous', 'delayed', 'ended', 'periodic', 'permanent', 'delegated', 'bare'].flatMap(
    (name) => [
      one(`${name} sends little`, () => send(name, from, coins([5])), { signers: [name] }),
      one(`${name} sends stake`, () => send(name, from, coins([200, 'stake'])), { signers: [name] }),
      one(`${name} sends much`, () => send(name, from, coins([1999000000])), { signers: [name] }),
      one(`${name} sends many`, () => multiSend(name, 3, from, addressOf('bare')), {
        signers: [name],
      }),
    ],
  ),
  one('the payer pays, all is locked', () => send('short', from, coins([5])), {
    ...{ signers: ['short', 'funder'], payer: from },
  }),
  one('the payer pays, signed aside', () => send('permanent', from, coins([5])), {
    ...{ signers: [{ name: 'permanent', mode: 'aux' }, 'funder'], payer: from },
  }),
  one('the payer pays, signed aside and in amino', () => send('permanent', from, coins([5])), {
    ...{
      signers: [
        { name: 'permanent', mode: 'aux' },
        { name: 'funder', mode: 'amino' },
      ],
      payer: from,
    },
  }),
  one('both in amino, with a payer', () => send('delegated', from, coins([5])), {
    ...{
      signers: [
        { name: 'delegated', mode: 'amino' },
        { name: 'funder', mode: 'amino' },
      ],
      payer: from,
    },
  }),
  {
    ...{
      name: 'two senders',
      messages: [() => send('funder', fresh(1), coins([5])), () => send('bare', from, coins([7]))],
    },
    signers: ['funder', 'bare'],
  },
  {
    ...{ name: 'two senders, the second aside' },
    messages: [() => send('funder', fresh(1), coins([5])), () => send('bare', from, coins([7]))],
    signers: ['funder', { name: 'bare', mode: 'aux' }],
  },
  one('a timeout in amino', () => send('funder', fresh(1), coins([5])), {
    ...{ signers: [{ name: 'funder', mode: 'amino' }], timeoutHeight: 1000000n },
    timeoutTimestamp: { seconds: year2100, nanos: 120000000 },
  }),
  one('a timeout', () => send('funder', fresh(1), coins([5])), { timeoutTimestamp: { seconds: year2100, nanos: 1 } }),
  { name: 'wait', wait: 20n },
  ...['c1', 'd1', 'q1'].map((name) =>
    one(`${name} sends all that was locked`, () => send(name, from, coins([100, 'stake'], [1000000])), {
      signers: [name],
    }),
  ),
]

const future = { timeoutTimestamp: { seconds: year2100, nanos: 0 } }
const plain = () => send('funder', fresh(1), coins([5]))

/** Transactions that the mempool refuses. */
export const refused = [
  ...Object.entries(withCoins).flatMap(([kind, make]) =>
    Object.entries(undecodableCoins).map(([name, amount]) => one(`${kind}: ${name}`, () => make(amount))),
  ),
  one('a fee out of what is locked', () => send('short', from, coins([5])), { signers: ['short'] }),
  one('a large fee out of what is locked', () => send('delayed', from, coins([5])), {
    ...{ signers: ['delayed'], fee: coins([1999000000]) },
  }),
  one('unordered', plain, { unordered: true, ...future, signers: [{ name: 'funder', sequence: 0n }] }),
  one('unordered with a sequence', plain, { unordered: true, ...future }),
  one('unordered in amino', plain, {
    unordered: true,
    ...future,
    signers: [{ name: 'funder', mode: 'amino', sequence: 0n }],
  }),
  one('a timeout in the past', plain, { timeoutTimestamp: { seconds: 1577836800n, nanos: 5 } }),
  one('a timeout in the past in amino', plain, {
    ...{ timeoutTimestamp: { seconds: 1577836800n, nanos: 5 }, signers: [{ name: 'funder', mode: 'amino' }] },
  }),
  one('the payer signs aside', plain, { signers: [{ name: 'funder', mode: 'aux' }] }),
  one('the named payer signs aside', () => send('permanent', from, coins([5])), {
    ...{ signers: ['permanent', { name: 'funder', mode: 'aux' }], payer: from },
  }),
  one('aside with a wrong sequence', () => send('permanent', from, coins([5])), {
    ...{ signers: [{ name: 'permanent', mode: 'aux', sequence: 77n }, 'funder'], payer: from },
  }),
  one('the payer does not sign', () => send('permanent', from, coins([5])), { signers: ['permanent'], payer: from }),
  one('the payer signs first', () => send('permanent', from, coins([5])), {
    ...{ signers: ['funder', 'permanent'], payer: from },
  }),
  one('a payer that is not there', () => send('permanent', from, coins([5])), {
    ...{ signers: ['permanent', 'nobody'], payer: addressOf('nobody') },
  }),
  one('in textual', plain, { signers: [{ name: 'funder', mode: 'textual' }] }),
]

/** Asked after all transactions. */
export const asked = ['c1', 'd1', 'p1', 'q1', 'w1', 'continuous', 'delayed', 'ended', 'periodic', 'permanent'].concat(
  ...[['delegated', 'short', 'bare', 'funder']],
)
