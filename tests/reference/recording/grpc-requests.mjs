import { codecOf, descriptors } from '../../../chain/wire/dist/registry.js'
import { addressOf } from './transactions.mjs'

const json = (value) => new TextEncoder().encode(JSON.stringify(value))
const base64 = (bytes) => Buffer.from(bytes).toString('base64')

/** Services of the modules that both chains have, and the node's own. */
const services = [
  'cosmos.auth.v1beta1.Query',
  'cosmos.bank.v1beta1.Query',
  'cosmos.consensus.v1.Query',
  'cosmos.mint.v1beta1.Query',
  'cosmwasm.wasm.v1.Query',
  'cosmos.tx.v1beta1.Service',
  'cosmos.base.tendermint.v1beta1.Service',
  'cosmos.base.node.v1beta1.Service',
  'cosmos.base.reflection.v1beta1.ReflectionService',
  'cosmos.base.reflection.v2alpha1.ReflectionService',
]

/** Requests worth asking: full name of the service -> method and fields, in the form of `fromPartial`. */
function asked({ known, hashes, latest, refused }) {
  const { hackatom, reflect, bankSendHeight } = known
  const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map(addressOf)
  const contract = (address) => ({ address })
  return {
    'cosmos.auth.v1beta1.Query': [
      ['Accounts', { pagination: { limit: 2n } }],
      ['Accounts', { pagination: { key: Uint8Array.of(0) } }],
      ['Account', { address: alice }],
      ['Account', { address: dave }],
      ['Account', { address: 'nonsense' }],
      ['Account', { address: alice.toUpperCase() }],
      ['Account', { address: `cosmos${alice.slice(4)}` }],
      ['AccountInfo', { address: bob }],
      ['AccountInfo', { address: dave }],
      ['AccountInfo', { address: 'nonsense' }],
      ['AccountAddressByID', { accountId: 1n }],
      ['AccountAddressByID', { accountId: 18446744073709551615n }],
      ['AccountAddressByID', { id: 1n }],
      ['AccountAddressByID', { id: -1n }],
      ['ModuleAccountByName', { name: 'mint' }],
      ['ModuleAccountByName', { name: 'nothing' }],
      ['AddressBytesToString', { addressBytes: Uint8Array.of(1, 2, 3) }],
      ['AddressBytesToString', { addressBytes: new Uint8Array(256) }],
      ['AddressStringToBytes', { addressString: alice }],
      ['AddressStringToBytes', { addressString: 'nonsense' }],
    ],
    'cosmos.bank.v1beta1.Query': [
      ['Balance', { address: alice, denom: 'ucosm' }],
      ['Balance', { address: alice, denom: 'nothing' }],
      ['Balance', { address: alice, denom: '1' }],
      ['Balance', { address: alice }],
      ['Balance', { denom: 'ucosm' }],
      ['Balance', { address: 'nonsense', denom: 'ucosm' }],
      ['AllBalances', { address: alice }],
      ['AllBalances', { address: alice, resolveDenom: true }],
      ['AllBalances', { address: dave }],
      ['AllBalances', { address: alice, pagination: { limit: 1n, countTotal: true } }],
      ['AllBalances', { address: alice, pagination: { key: Uint8Array.of(255), limit: 1n } }],
      ['AllBalances', { address: alice, pagination: { key: Uint8Array.of(255), offset: 1n } }],
      ['AllBalances', { address: alice, pagination: { reverse: true, limit: 1n } }],
      ['AllBalances', { address: alice, pagination: { offset: 9n } }],
      ['SpendableBalances', { address: carol }],
      ['SpendableBalances', { address: 'nonsense' }],
      ['SpendableBalanceByDenom', { address: carol, denom: 'ucosm' }],
      ['SpendableBalanceByDenom', { address: carol, denom: '!' }],
      ['TotalSupply', { pagination: { limit: 1n, offset: 1n } }],
      ['SupplyOf', { denom: 'ucosm' }],
      ['SupplyOf', { denom: '!' }],
      ['DenomMetadata', { denom: 'ucosm' }],
      ['DenomMetadata', { denom: 'nothing' }],
      ['DenomMetadataByQueryString', { denom: 'ucosm' }],
      ['DenomMetadataByQueryString', { denom: '!' }],
      ['DenomOwners', { denom: 'ucosm', pagination: { limit: 2n } }],
      ['DenomOwners', { denom: '!' }],
      ['DenomOwnersByQuery', { denom: 'ucosm', pagination: { limit: 1n } }],
      ['SendEnabled', { denoms: ['ucosm', 'nothing'] }],
    ],
    'cosmos.gov.v1.Query': ['', 'voting', 'nothing'].map((paramsType) => ['Params', { paramsType }]),
    'cosmos.gov.v1beta1.Query': ['', 'voting', 'deposit', 'tallying', 'nothing'].map((paramsType) => [
      'Params',
      { paramsType },
    ]),
    'cosmwasm.wasm.v1.Query': [
      ...['ContractInfo', 'ContractHistory', 'AllContractState'].flatMap((method) =>
        [hackatom, alice, 'nonsense'].map((address) => [method, contract(address)]),
      ),
      ['ContractHistory', { address: hackatom, pagination: { limit: 1n } }],
      ['AllContractState', { address: hackatom, pagination: { limit: 1n } }],
      ['AllContractState', { address: hackatom, pagination: { offset: 1n } }],
      ['ContractsByCode', { codeId: 1n }],
      ['ContractsByCode', { codeId: 99n }],
      ['RawContractState', { address: hackatom, queryData: new TextEncoder().encode('config') }],
      ['RawContractState', { address: hackatom, queryData: new TextEncoder().encode('absent') }],
      ['RawContractState', { address: alice, queryData: new TextEncoder().encode('config') }],
      ['SmartContractState', { address: hackatom, queryData: json({ verifier: {} }) }],
      ['SmartContractState', { address: hackatom, queryData: json({ nothing: {} }) }],
      ['SmartContractState', { address: hackatom, queryData: new TextEncoder().encode('not json') }],
      ['SmartContractState', { address: hackatom }],
      ['SmartContractState', { address: alice, queryData: json({ verifier: {} }) }],
      ['SmartContractState', { address: reflect, queryData: json({ capitalized: { text: 'abc' } }) }],
      ['Code', { codeId: 99n }],
      ['CodeInfo', { codeId: 1n }],
      ['CodeInfo', { codeId: 99n }],
      ['Codes', { pagination: { limit: 1n } }],
      ['ContractsByCreator', { creatorAddress: alice }],
      ['ContractsByCreator', { creatorAddress: 'nonsense' }],
      ['BuildAddress', { codeHash: 'ab'.repeat(32), creatorAddress: alice, salt: '61', initArgs: new Uint8Array(0) }],
      ['BuildAddress', { codeHash: 'ab', creatorAddress: alice, salt: '61' }],
      ['BuildAddress', { codeHash: 'ab'.repeat(32), creatorAddress: alice, salt: 'zz' }],
      ['BuildAddress', { codeHash: 'ab'.repeat(32), creatorAddress: 'nonsense', salt: '61' }],
    ],
    'cosmos.tx.v1beta1.Service': [
      ['GetTx', { hash: hashes.bank_send }],
      ['GetTx', { hash: hashes.bank_send.toLowerCase() }],
      ['GetTx', { hash: `0x${hashes.bank_send}` }],
      ['GetTx', { hash: '00'.repeat(32) }],
      ['GetTx', { hash: 'ABCD' }],
      ['GetTx', { hash: 'nothex' }],
      ['GetTxsEvent', { query: `transfer.recipient='${carol}'`, page: 1n, limit: 1n }],
      ['GetTxsEvent', { query: `transfer.recipient='${dave}'` }],
      ['GetTxsEvent', { query: 'nonsense query' }],
      ['GetBlockWithTxs', { height: BigInt(bankSendHeight) }],
      ['GetBlockWithTxs', { height: -1n }],
      ['GetBlockWithTxs', { height: BigInt(latest + 1_000_000) }],
      ['BroadcastTx', { txBytes: refused.wrong_sequence, mode: 2 }],
      ['BroadcastTx', { txBytes: refused.wrong_sequence, mode: 3 }],
      ['BroadcastTx', { txBytes: refused.wrong_sequence }],
      ['BroadcastTx', { txBytes: refused.random_bytes, mode: 2 }],
      ['BroadcastTx', { txBytes: refused.wrong_sequence, mode: 77 }],
      ['Simulate', { txBytes: refused.wrong_sequence }],
      ['Simulate', { txBytes: refused.random_bytes }],
      ['TxDecode', { txBytes: refused.wrong_sequence }],
      ['TxDecode', { txBytes: refused.random_bytes }],
      [
        'TxEncode',
        { tx: { body: { memo: 'm' }, authInfo: { fee: { gasLimit: 7n } }, signatures: [Uint8Array.of(0)] } },
      ],
      ['TxEncodeAmino', { aminoJson: 'not json' }],
      ['TxDecodeAmino', { aminoBinary: Uint8Array.of(1, 2, 3) }],
    ],
    'cosmos.base.tendermint.v1beta1.Service': [
      ['GetBlockByHeight', { height: BigInt(bankSendHeight) }],
      ['GetBlockByHeight', { height: -1n }],
      ['GetBlockByHeight', { height: BigInt(latest + 1_000_000) }],
      ['GetValidatorSetByHeight', { height: BigInt(bankSendHeight), pagination: { limit: 1n } }],
      ['GetValidatorSetByHeight', { height: -1n }],
      ['GetValidatorSetByHeight', { height: BigInt(latest + 1_000_000) }],
      ['ABCIQuery', { path: '/store/bank/key', data: Uint8Array.of(0) }],
      ['ABCIQuery', { path: '/store/nothing/key', data: Uint8Array.of(0) }],
      ['ABCIQuery', { path: '/cosmos.bank.v1beta1.Query/Params' }],
      ['ABCIQuery', { path: 'nonsense' }],
    ],
    'cosmos.base.reflection.v1beta1.ReflectionService': [
      ['ListImplementations', { interfaceName: 'cosmos.auth.v1beta1.AccountI' }],
      ['ListImplementations', { interfaceName: 'nothing' }],
    ],
  }
}

/** Unary calls: path, request in base64, metadata. */
export function grpcRequests(context) {
  const encoded = Object.entries(asked(context)).flatMap(([service, calls]) =>
    calls.map(([name, fields]) => {
      const { input } = descriptors().method(`/${service}/${name}`)
      const request = codecOf(input).encode(codecOf(input).fromPartial(fields)).finish()
      return { path: `/${service}/${name}`, request: base64(request) }
    }),
  )
  const empty = services.flatMap((service) =>
    descriptors()
      .service(service)
      .methods.map(({ name }) => ({ path: `/${service}/${name}`, request: '' })),
  )
  return [...empty, ...encoded, ...odd(context)]
}

function odd({ latest }) {
  const params = '/cosmos.bank.v1beta1.Query/Params'
  const balance = '/cosmos.bank.v1beta1.Query/Balance'
  const codec = codecOf('cosmos.bank.v1beta1.QueryBalanceRequest')
  const fields = { address: addressOf('alice'), denom: 'ucosm' }
  const request = base64(codec.encode(codec.fromPartial(fields)).finish())
  const heights = ['2', '0', '', '-1', '+1', '1e30', 'abc', '1.5', '0x1', '01', ' 2', '2,3', '18446744073709551615']
  const garbage = [
    'ff',
    '0a',
    '0a05',
    '0aff',
    '08',
    '00',
    '0a0161',
    '1a0141',
    '0a02fffe',
    'ffffffffffffffffffffff01',
    '0b',
  ]
  return [
    ...[...heights, String(latest + 1_000_000)].map((height) => ({
      path: balance,
      request,
      metadata: { 'x-cosmos-block-height': height },
    })),
    { path: '/cosmos.bank.v1beta1.Query/Nothing', request: '' },
    { path: '/cosmos.nothing.v1.Query/Params', request: '' },
    { path: '/cosmos.bank.v1beta1.Msg/Send', request: '' },
    { path: '/cosmos.bank.v1beta1.query/Params', request: '' },
    { path: '/nothing', request: '' },
    { path: '/', request: '' },
    { path: `${params}/`, request: '' },
    ...garbage.map((bytes) => ({ path: balance, request: Buffer.from(bytes, 'hex').toString('base64') })),
    { path: params, request: base64(Uint8Array.of(0x0a, 1, 65)) },
  ]
}

/** What server reflection is asked. */
export const reflectionRequests = [
  { listServices: '' },
  ...services.map((fileContainingSymbol) => ({ fileContainingSymbol })),
  ...[
    'cosmos.gov.v1.Query',
    'cosmos.gov.v1beta1.Query',
    'cosmos.autocli.v1.Query',
    'cosmos.reflection.v1.ReflectionService',
    'cosmos.bank.v1beta1.MsgSend',
    'cosmos.bank.v1beta1.Query.Balance',
    'cosmos.tx.v1beta1.BroadcastMode',
    'cosmos.nothing.v1.Query',
    '',
  ].map((fileContainingSymbol) => ({ fileContainingSymbol })),
  ...[
    'cosmos/tx/v1beta1/tx.proto',
    'cosmos/base/abci/v1beta1/abci.proto',
    'cosmos/base/query/v1beta1/pagination.proto',
    'cosmos/base/tendermint/v1beta1/types.proto',
    'cosmos/auth/v1beta1/auth.proto',
    'cosmos/bank/v1beta1/bank.proto',
    'cosmwasm/wasm/v1/types.proto',
    'cosmwasm/wasm/v1/tx.proto',
    'tendermint/types/types.proto',
    'tendermint/abci/types.proto',
    'google/protobuf/any.proto',
    'nothing.proto',
  ].map((fileByFilename) => ({ fileByFilename })),
  { allExtensionNumbersOfType: 'cosmos.nothing.v1.Type' },
  {},
]
