import type { OptionTable } from './options.js'

// Names, arguments and aliases are those of the Go modules' commands (Cosmos SDK v0.53, wasmd v0.60).

const wholeParams = 'new parameters of the module, all of them; only who governs may'

export const txOptions: OptionTable = {
  'cosmos.auth.v1beta1.Msg/UpdateParams': {
    name: 'update-params-proposal',
    args: ['params'],
    about: wholeParams,
    example: `'{"max_memo_characters":"256","tx_sig_limit":"7","tx_size_cost_per_byte":"10"}' --from alice --generate-only`,
  },
  'cosmos.bank.v1beta1.Msg/Send': {
    args: ['from_address=from', 'to_address=to', 'amount'],
    about: 'send coins to an account',
    example: 'alice coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy 1000000ucoin --gas auto --gas-prices 0.025ucoin -y',
  },
  'cosmos.bank.v1beta1.Msg/MultiSend': { skip: true },
  'cosmos.bank.v1beta1.Msg/UpdateParams': {
    name: 'update-params-proposal',
    args: ['params'],
    about: wholeParams,
    example: `'{"default_send_enabled":true}' --from alice --generate-only`,
  },
  'cosmos.bank.v1beta1.Msg/SetSendEnabled': {
    name: 'set-send-enabled-proposal',
    args: ['send_enabled...'],
    about: 'let denoms be sent, or not; only who governs may',
    example: `'{"denom":"ucoin","enabled":true}' --from alice --generate-only`,
    flags: { use_default_for: { about: 'denoms that shall have no switch of their own any more' } },
  },
  'cosmos.vesting.v1beta1.Msg/CreateVestingAccount': {
    args: ['to_address=to', 'amount', 'end_time'],
    about: 'open an account whose coins are freed until a time, in seconds since 1970',
    example: 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy 1000000ucoin 1893456000 --from alice',
    flags: { delayed: { about: 'free all of them at the end, none before' } },
  },
  'cosmos.vesting.v1beta1.Msg/CreatePermanentLockedAccount': {
    args: ['to_address=to', 'amount'],
    about: 'open an account whose coins can be staked, but never be sent',
    example: 'coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy 1000000ucoin --from alice',
  },
  'cosmos.vesting.v1beta1.Msg/CreatePeriodicVestingAccount': { skip: true },
  'cosmos.consensus.v1.Msg/UpdateParams': {
    name: 'update-params-proposal',
    args: ['block', 'evidence', 'validator', 'abci?'],
    about: wholeParams,
    example:
      `'{"max_bytes":"4194304","max_gas":"100000000"}' '{"max_age_num_blocks":"100000","max_age_duration":"48h","max_bytes":"1048576"}' ` +
      `'{"pub_key_types":["ed25519"]}' --from alice --generate-only`,
  },
  'cosmos.gov.v1.Msg/SubmitProposal': { skip: true },
  'cosmos.gov.v1.Msg/Deposit': {
    args: ['proposal_id', 'amount=deposit...'],
    about: 'deposit coins for a proposal',
    example: '1 10000000ucoin --from alice',
  },
  'cosmos.gov.v1.Msg/CancelProposal': { args: ['proposal_id'], about: 'take a proposal of mine back' },
  'cosmos.gov.v1.Msg/Vote': {
    args: ['proposal_id', 'option'],
    about: 'vote yes, no, abstain or no-with-veto',
    example: '1 yes --from alice',
    flags: { metadata: { about: 'why' } },
  },
  'cosmos.gov.v1.Msg/VoteWeighted': {
    name: 'weighted-vote',
    args: ['proposal_id', 'options=weighted-options'],
    about: 'split a vote',
    example: '1 yes=0.6,no=0.3,abstain=0.1 --from alice',
    flags: { metadata: { about: 'why' } },
  },
  'cosmos.gov.v1.Msg/UpdateParams': {
    name: 'update-params-proposal',
    args: ['params'],
    about: wholeParams,
    example: `'{"quorum":"0.334","threshold":"0.5","veto_threshold":"0.334"}' --from alice --generate-only`,
  },
  'cosmos.mint.v1beta1.Msg/UpdateParams': {
    name: 'update-params-proposal',
    args: ['params'],
    about: wholeParams,
    example: `'{"mint_denom":"ucoin","inflation_max":"0.2","goal_bonded":"0.67","blocks_per_year":"6311520"}' --from alice --generate-only`,
  },
  'cosmwasm.wasm.v1.Msg/StoreCode': { skip: true },
  'cosmwasm.wasm.v1.Msg/InstantiateContract': { skip: true },
  'cosmwasm.wasm.v1.Msg/InstantiateContract2': { skip: true },
  'cosmwasm.wasm.v1.Msg/UpdateInstantiateConfig': { skip: true },
  'cosmwasm.wasm.v1.Msg/ExecuteContract': {
    name: 'execute',
    args: ['contract', 'msg=json'],
    aliases: ['run', 'call', 'exec', 'ex', 'e'],
    about: 'call a contract',
    example:
      `coin14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sdvmh7d '{"buy":{"min_tokens_out":"1"}}' ` +
      '--amount 1000000ucoin --from alice -y',
    flags: { funds: { name: 'amount', about: 'coins to send along, like 5ucoin' } },
  },
  'cosmwasm.wasm.v1.Msg/MigrateContract': {
    name: 'migrate',
    args: ['contract', 'code_id=new-code-id', 'msg=json'],
    aliases: ['update', 'mig', 'm'],
    about: 'give a contract another code',
    example: `coin14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sdvmh7d 2 '{}' --from alice`,
  },
  'cosmwasm.wasm.v1.Msg/UpdateAdmin': {
    name: 'set-contract-admin',
    args: ['contract', 'new_admin'],
    aliases: ['new-admin', 'admin', 'set-adm', 'sa'],
    about: 'say who may change the code of a contract',
  },
  'cosmwasm.wasm.v1.Msg/ClearAdmin': {
    name: 'clear-contract-admin',
    args: ['contract'],
    aliases: ['clear-admin', 'clr-adm'],
    about: 'nobody may ever change the code of a contract again',
  },
  'cosmwasm.wasm.v1.Msg/UpdateContractLabel': {
    name: 'set-contract-label',
    args: ['contract', 'new_label'],
    about: 'call a contract something else',
  },
}
