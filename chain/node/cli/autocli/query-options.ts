import type { OptionTable } from './options.js'

// Names, arguments and aliases are those of the Go modules' commands (Cosmos SDK v0.53, wasmd v0.60).

const auth: OptionTable = {
  'cosmos.auth.v1beta1.Query/Accounts': { about: 'all accounts' },
  'cosmos.auth.v1beta1.Query/Account': { args: ['address'], about: 'one account, with its key and sequence' },
  'cosmos.auth.v1beta1.Query/AccountInfo': { args: ['address'], about: 'what accounts of every type have' },
  'cosmos.auth.v1beta1.Query/AccountAddressByID': {
    name: 'address-by-acc-num',
    args: ['account_id=acc-num'],
    about: 'the address of an account number',
  },
  'cosmos.auth.v1beta1.Query/ModuleAccounts': { about: 'accounts of all modules' },
  'cosmos.auth.v1beta1.Query/ModuleAccountByName': {
    name: 'module-account',
    args: ['name=module-name'],
    about: 'the account of a module',
    example: 'gov',
  },
  'cosmos.auth.v1beta1.Query/AddressBytesToString': { args: ['address_bytes'], about: 'an address from its bytes' },
  'cosmos.auth.v1beta1.Query/AddressStringToBytes': { args: ['address_string'], about: 'the bytes of an address' },
  'cosmos.auth.v1beta1.Query/Bech32Prefix': { name: 'bech32-prefix', about: 'what addresses of the chain begin with' },
  'cosmos.auth.v1beta1.Query/Params': { about: 'parameters of the module' },
}

const bank: OptionTable = {
  'cosmos.bank.v1beta1.Query/Balance': { args: ['address', 'denom'], about: 'coins of one denom of an account' },
  'cosmos.bank.v1beta1.Query/AllBalances': { name: 'balances', args: ['address'], about: 'coins of an account' },
  'cosmos.bank.v1beta1.Query/SpendableBalances': { args: ['address'], about: 'coins that an account can spend' },
  'cosmos.bank.v1beta1.Query/SpendableBalanceByDenom': {
    name: 'spendable-balance',
    args: ['address', 'denom'],
    about: 'coins of one denom that an account can spend',
  },
  'cosmos.bank.v1beta1.Query/TotalSupply': { aliases: ['total'], about: 'all coins that exist' },
  'cosmos.bank.v1beta1.Query/SupplyOf': {
    name: 'total-supply-of',
    args: ['denom'],
    about: 'how much there is of a denom',
  },
  'cosmos.bank.v1beta1.Query/Params': { about: 'parameters of the module' },
  'cosmos.bank.v1beta1.Query/DenomMetadata': { args: ['denom'], about: 'name, symbol and units of a denom' },
  'cosmos.bank.v1beta1.Query/DenomMetadataByQueryString': { about: 'as denom-metadata, with the denom as a flag' },
  'cosmos.bank.v1beta1.Query/DenomsMetadata': { about: 'names, symbols and units of all denoms' },
  'cosmos.bank.v1beta1.Query/DenomOwners': { args: ['denom'], about: 'who holds a denom, and how much' },
  'cosmos.bank.v1beta1.Query/DenomOwnersByQuery': { about: 'as denom-owners, with the denom as a flag' },
  'cosmos.bank.v1beta1.Query/SendEnabled': {
    args: ['denoms...'],
    about: 'denoms that have a send switch of their own; all without arguments',
  },
}

const consensus: OptionTable = {
  'cosmos.consensus.v1.Query/Params': { about: 'limits of blocks, evidence and keys' },
}

/** Of the service that has no module: `query consensus comet` and `query comet`. */
const comet: OptionTable = {
  'cosmos.base.tendermint.v1beta1.Service/GetNodeInfo': { name: 'node-info', about: 'who the node is' },
  'cosmos.base.tendermint.v1beta1.Service/GetSyncing': { name: 'syncing', about: 'whether the node catches up' },
  'cosmos.base.tendermint.v1beta1.Service/GetLatestBlock': { name: 'block-latest', about: 'the last block' },
  'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight': {
    name: 'block-by-height',
    args: ['height'],
    about: 'the block of a height',
  },
  'cosmos.base.tendermint.v1beta1.Service/GetLatestValidatorSet': {
    name: 'validator-set',
    aliases: ['validator-set-latest', 'comet-validator-set', 'cometbft-validator-set', 'tendermint-validator-set'],
    about: 'who validates now',
  },
  'cosmos.base.tendermint.v1beta1.Service/GetValidatorSetByHeight': {
    name: 'validator-set-by-height',
    args: ['height'],
    about: 'who validated a block',
  },
  'cosmos.base.tendermint.v1beta1.Service/ABCIQuery': { skip: true },
}

const gov: OptionTable = {
  'cosmos.gov.v1.Query/Params': { args: ['params_type?'], about: 'parameters of voting, tallying and deposits' },
  'cosmos.gov.v1.Query/Proposals': { about: 'proposals, by status, voter or depositor' },
  'cosmos.gov.v1.Query/Proposal': { args: ['proposal_id'], aliases: ['proposer'], about: 'one proposal' },
  'cosmos.gov.v1.Query/Vote': { args: ['proposal_id', 'voter=voter-addr'], about: 'what somebody voted' },
  'cosmos.gov.v1.Query/Votes': { args: ['proposal_id'], about: 'all votes on a proposal' },
  'cosmos.gov.v1.Query/Deposit': {
    args: ['proposal_id', 'depositor=depositer-addr'],
    about: 'what somebody deposited for a proposal',
  },
  'cosmos.gov.v1.Query/Deposits': { args: ['proposal_id'], about: 'all deposits for a proposal' },
  'cosmos.gov.v1.Query/TallyResult': { name: 'tally', args: ['proposal_id'], about: 'how a vote stands' },
  'cosmos.gov.v1.Query/Constitution': { about: 'the constitution of the chain' },
}

const mint: OptionTable = {
  'cosmos.mint.v1beta1.Query/Params': { about: 'parameters of the module' },
  'cosmos.mint.v1beta1.Query/Inflation': { about: 'inflation of a year' },
  'cosmos.mint.v1beta1.Query/AnnualProvisions': { about: 'coins that a year makes' },
}

const wasm: OptionTable = {
  'cosmwasm.wasm.v1.Query/Codes': {
    name: 'list-code',
    aliases: ['list-codes', 'codes', 'lco'],
    about: 'all codes that contracts are made from',
  },
  'cosmwasm.wasm.v1.Query/ContractsByCode': {
    name: 'list-contract-by-code',
    args: ['code_id'],
    aliases: ['list-contracts-by-code', 'list-contracts', 'contracts', 'lca'],
    about: 'contracts made from a code',
  },
  'cosmwasm.wasm.v1.Query/Code': { skip: true },
  'cosmwasm.wasm.v1.Query/CodeInfo': { args: ['code_id'], about: 'who stored a code, and its checksum' },
  'cosmwasm.wasm.v1.Query/ContractInfo': {
    name: 'contract',
    args: ['address'],
    aliases: ['meta', 'c'],
    about: 'code, creator, admin and label of a contract',
  },
  'cosmwasm.wasm.v1.Query/ContractHistory': {
    args: ['address'],
    aliases: ['history', 'hist', 'ch'],
    about: 'codes that a contract had',
  },
  'cosmwasm.wasm.v1.Query/AllContractState': { skip: true },
  'cosmwasm.wasm.v1.Query/RawContractState': { skip: true },
  'cosmwasm.wasm.v1.Query/SmartContractState': { skip: true },
  'cosmwasm.wasm.v1.Query/PinnedCodes': { name: 'pinned', about: 'codes that are kept in memory' },
  'cosmwasm.wasm.v1.Query/Params': { pick: 'params', about: 'parameters of the module' },
  'cosmwasm.wasm.v1.Query/ContractsByCreator': {
    name: 'list-contracts-by-creator',
    args: ['creator_address=creator'],
    about: 'contracts that somebody made',
  },
  'cosmwasm.wasm.v1.Query/WasmLimitsConfig': { about: 'limits that the code of contracts keeps to' },
  'cosmwasm.wasm.v1.Query/BuildAddress': { skip: true },
}

export const queryOptions: OptionTable = { ...auth, ...bank, ...consensus, ...comet, ...gov, ...mint, ...wasm }
