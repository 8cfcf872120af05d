import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { rpc } from './http.mjs'
import { coins, createSigner, send } from './transactions.mjs'

/** Transactions that CheckTx refuses, by name. */
export async function refusedTransactions(rpcUrl) {
  const alice = await createSigner(rpcUrl, 'alice')
  const dave = await createSigner(rpcUrl, 'dave')
  const one = [send('alice', 'carol', coins(1))]
  const sequence = await alice.sequence()
  const { sync_info: sync } = await rpc(rpcUrl, '/status')
  const good = await alice.sign(one)
  const raw = TxRaw.decode(good)
  const edit = (change) => TxRaw.encode({ ...raw, ...change }).finish()
  const body = TxBody.decode(raw.bodyBytes)
  const authInfo = AuthInfo.decode(raw.authInfoBytes)
  return {
    wrong_sequence: await alice.sign(one, { sequence: sequence + 5 }),
    replayed_sequence: await alice.sign(one, { sequence: sequence - 1 }),
    wrong_chain_id: await alice.sign(one, { chainId: 'other' }),
    fee_too_low: await alice.sign(one, { fee: coins(1) }),
    no_fee: await alice.sign(one, { fee: [] }),
    fee_in_unknown_denom: await alice.sign(one, { fee: coins(5000, 'nothing') }),
    fee_above_balance: await alice.sign(one, { fee: coins(10n ** 16n) }),
    gas_zero: await alice.sign(one, { gas: 0, fee: coins(1000) }),
    gas_too_small_for_the_ante: await alice.sign(one, { gas: 20_000, fee: coins(1000) }),
    memo_too_long: await alice.sign(one, { memo: 'm'.repeat(300) }),
    timed_out: await alice.sign(one, { timeoutHeight: BigInt(sync.latest_block_height) - 1n }),
    unknown_account: await dave.sign([send('dave', 'carol', coins(1))]),
    signed_by_another: await alice.sign([send('bob', 'carol', coins(1))]),
    changed_signature: edit({ signatures: [raw.signatures[0].map((byte, i) => (i === 9 ? byte ^ 1 : byte))] }),
    no_signature: edit({ signatures: [] }),
    no_messages: edit({ bodyBytes: TxBody.encode({ ...body, messages: [] }).finish() }),
    unknown_message_type: edit({
      bodyBytes: TxBody.encode({
        ...body,
        messages: [{ typeUrl: '/nothing.v1.MsgNothing', value: new Uint8Array(0) }],
      }).finish(),
    }),
    no_fee_field: edit({ authInfoBytes: AuthInfo.encode({ ...authInfo, fee: undefined }).finish() }),
    unknown_field: new Uint8Array([...good, 0x22, 0x01, 0x41]),
    truncated: good.subarray(0, good.length - 5),
    random_bytes: new Uint8Array(Array.from({ length: 60 }, (_, i) => (i * 77 + 13) & 255)),
    empty: new Uint8Array(0),
  }
}
