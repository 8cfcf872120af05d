//! What has been tried on other launchpads.

use amm_api::msg as amm_msg;
use contract_tests::*;
use cosmwasm_schema::cw_serde;
use cosmwasm_std::{to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::{BalanceResponse, Cw20ExecuteMsg};
use cw_multi_test::{ContractWrapper, Executor};
use launchpad_api::msg::{ExecuteMsg, OnGraduation, ReceiveMsg};

/// A token contract that says what its owner likes: any balance, any `Receive`, and a trade of its own when it is moved.
mod hostile {
    use super::*;

    #[cw_serde]
    pub enum Msg {
        /// Claims that `from` has sent `amount` tokens.
        Fake {
            to: String,
            from: String,
            amount: Uint128,
            msg: Binary,
        },
        Transfer {
            recipient: String,
            amount: Uint128,
        },
    }

    #[cw_serde]
    pub enum Query {
        Balance { address: String },
    }

    pub fn instantiate(_: DepsMut, _: Env, _: MessageInfo, _: cosmwasm_std::Empty) -> StdResult<Response> {
        Ok(Response::new())
    }

    pub fn execute(_: DepsMut, env: Env, info: MessageInfo, msg: Msg) -> StdResult<Response> {
        let Msg::Fake { to, from, amount, msg } = msg else {
            // Moved by the AMM in the middle of a swap: sells into the same pool again before the first swap has ended.
            let again = amm_msg::ReceiveMsg::SwapTokenForBwick { min_coin_out: None, deadline: None, recipient: None };
            let receive = received(&env.contract.address, 1_000_000, &again);
            let call = WasmMsg::Execute {
                contract_addr: info.sender.to_string(),
                msg: to_json_binary(&amm_msg::ExecuteMsg::Receive(receive))?,
                funds: vec![],
            };
            return Ok(Response::new().add_message(call));
        };
        let receive = Cw20ExecuteReceive::Receive(cw20::Cw20ReceiveMsg { sender: from, amount, msg });
        Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: to, msg: to_json_binary(&receive)?, funds: vec![] }))
    }

    #[cw_serde]
    enum Cw20ExecuteReceive {
        Receive(cw20::Cw20ReceiveMsg),
    }

    pub fn query(_: Deps, _: Env, _: Query) -> StdResult<Binary> {
        to_json_binary(&BalanceResponse { balance: Uint128::MAX })
    }

    pub fn deploy(w: &mut World) -> Addr {
        let code = w.app.store_code(Box::new(ContractWrapper::new(execute, instantiate, query)));
        let alice = w.alice.clone();
        w.app.instantiate_contract(code, alice, &cosmwasm_std::Empty {}, &[], "hostile", None).unwrap()
    }
}

fn sell_order() -> ReceiveMsg {
    ReceiveMsg::SellTokens { min_coin_out: None, deadline: None }
}

#[test]
fn nobody_opens_the_pool_of_a_launched_token_before_its_graduation() {
    let mut w = World::new();
    let token = w.create();
    let (alice, bob, listing, amm) = (w.alice.clone(), w.bob.clone(), w.listing.clone(), w.amm.clone());
    w.buy(&alice, &token, 1_000_000_000).unwrap();
    w.tell(&token, &alice, &Cw20ExecuteMsg::Transfer { recipient: amm.to_string(), amount: Uint128::new(5_000_000) }, &[]).unwrap();
    let open = amm_msg::ExecuteMsg::CreatePool { token_address: token.to_string(), token_amount: Uint128::new(5_000_000) };
    fails_with(w.tell_amm(&alice, &open, &ucoin(5_000_000)), "unauthorized");
    // Not even the listing module: the token is the launchpad's.
    fails_with(w.tell_amm(&listing, &open, &ucoin(5_000_000)), "comes from the launchpad: its pool opens at its graduation");
    // The tokens sent there beforehand are lost to the sender and move no price.
    w.buy_with(&bob, &token, GROSS_TO_GRADUATE, None, OnGraduation::Refund).unwrap();
    let pool = w.pool(&token);
    let curve = w.curve(&token);
    assert_eq!(pool.token_reserve.u128(), 100_000_000_000_000 - curve.tokens_sold.u128());
    assert_eq!(w.tokens_of(&amm, &token), pool.token_reserve.u128() + 5_000_000);
    assert!(pool.price.abs_diff(curve.current_price) < "0.000000001".parse().unwrap());
}

#[test]
fn a_receive_from_anything_but_the_token_is_refused() {
    let mut w = World::new();
    let token = w.graduated();
    let on_curve = w.create();
    let alice = w.alice.clone();
    w.buy(&alice, &on_curve, 1_000_000_000).unwrap();
    let fake = ExecuteMsg::Receive(received(&alice, 1_000_000, &sell_order()));
    fails_with(w.tell_launchpad(&alice, &fake, &[]), &format!("no curve for token {alice}"));
    let swap = amm_msg::ReceiveMsg::SwapTokenForBwick { min_coin_out: None, deadline: None, recipient: None };
    let fake = amm_msg::ExecuteMsg::Receive(received(&alice, 1_000_000, &swap));
    fails_with(w.tell_amm(&alice, &fake, &[]), &format!("no pool for token {alice}"));
    // A contract of one's own that claims a transfer is just another address.
    let hostile = hostile::deploy(&mut w);
    let to = w.launchpad.to_string();
    let claim = hostile::Msg::Fake { to, from: alice.to_string(), amount: Uint128::new(1), msg: to_json_binary(&sell_order()).unwrap() };
    let outcome = w.app.execute_contract(alice.clone(), hostile.clone(), &claim, &[]).map_err(|e| format!("{e:#}"));
    fails_with(outcome, &format!("no curve for token {hostile}"));
    assert_eq!(w.pool(&token).coin_reserve.u128(), R);
}

#[test]
fn a_listed_token_that_lies_hurts_its_own_pool_only() {
    let mut w = World::new();
    let honest = w.graduated();
    let on_curve = w.create();
    let (alice, bob, listing) = (w.alice.clone(), w.bob.clone(), w.listing.clone());
    let hostile = hostile::deploy(&mut w);
    let open = amm_msg::ExecuteMsg::CreatePool { token_address: hostile.to_string(), token_amount: Uint128::new(10_000_000_000) };
    w.tell_amm(&listing, &open, &ucoin(10_000_000_000)).unwrap();
    // Bob's swap makes the AMM move the token, and the token sells in the middle of it: the first trade is settled by then.
    let product = |w: &World| w.pool(&hostile).coin_reserve.full_mul(w.pool(&hostile).token_reserve);
    let before = product(&w);
    w.swap_coin(&bob, &hostile, 5_000_000_000).unwrap();
    assert!(product(&w) >= before);
    // Then it takes all it can by inventing tokens: still its own pool's COIN, and never the last unit.
    let swap = amm_msg::ReceiveMsg::SwapTokenForBwick { min_coin_out: None, deadline: None, recipient: None };
    for amount in [u128::MAX >> 1, u128::MAX >> 2] {
        let to = w.amm.to_string();
        let claim = hostile::Msg::Fake { to, from: alice.to_string(), amount: Uint128::new(amount), msg: to_json_binary(&swap).unwrap() };
        let _ = w.app.execute_contract(alice.clone(), hostile.clone(), &claim, &[]);
    }
    let hurt = w.pool(&hostile).coin_reserve.u128();
    assert_eq!(w.pool(&honest).coin_reserve.u128(), R);
    assert_eq!(w.coin_of(&w.amm), R + hurt);
    assert_eq!(w.curve(&on_curve).bwick_reserves.u128(), F);
}

#[test]
fn no_message_of_the_admin_moves_a_reserve() {
    let mut w = World::new();
    let graduated = w.graduated();
    let token = w.create();
    let (admin, alice, bob) = (w.admin.clone(), w.alice.clone(), w.bob.clone());
    w.buy(&alice, &token, 1_000_000_000_000).unwrap();
    let (curve, pool) = (w.curve(&token), w.pool(&graduated));
    let (in_pad, in_amm) = (w.coin_of(&w.launchpad), w.coin_of(&w.amm));
    let params =
        launchpad_api::msg::LaunchParams { buy_fee_bps: 1_000, sell_fee_bps: 1_000, creator_share_bps: 10_000, ..Default::default() };
    let pad = [
        ExecuteMsg::UpdateConfig {
            admin: None,
            amm: None,
            oracle: Some(admin.to_string()),
            fee_collector: Some(bob.to_string()),
            params: Some(params),
        },
        ExecuteMsg::UpdatePrice { coin_usd: cosmwasm_std::Decimal::MAX },
        ExecuteMsg::Graduate { token_address: token.to_string() },
        ExecuteMsg::ClaimFees { token_address: Some(token.to_string()) },
        ExecuteMsg::ClaimFees { token_address: None },
        ExecuteMsg::Receive(received(&admin, 1_000_000_000, &sell_order())),
    ];
    for msg in &pad {
        let _ = w.tell_launchpad(&admin, msg, &[]);
    }
    let amm = [
        amm_msg::ExecuteMsg::UpdateConfig {
            admin: None,
            listing: Some(admin.to_string()),
            base_fee_bps: Some(1_000),
            augmented_fee_bps: Some(1_000),
        },
        amm_msg::ExecuteMsg::CreatePool { token_address: token.to_string(), token_amount: Uint128::new(1) },
    ];
    for msg in &amm {
        let _ = w.tell_amm(&admin, msg, &[]);
    }
    assert_eq!((w.curve(&token), w.pool(&graduated)), (curve, pool));
    assert_eq!((w.coin_of(&w.launchpad), w.coin_of(&w.amm), w.coin_of(&admin)), (in_pad, in_amm, 0));
}

#[test]
fn gifts_move_no_price() {
    let mut w = World::new();
    let graduated = w.graduated();
    let token = w.create();
    let (alice, launchpad, amm) = (w.alice.clone(), w.launchpad.clone(), w.amm.clone());
    w.buy(&alice, &token, 1_000_000_000).unwrap();
    let (curve, pool) = (w.curve(&token), w.pool(&graduated));
    w.app.send_tokens_by(&alice, &launchpad, 777);
    w.app.send_tokens_by(&alice, &amm, 777);
    for (of, to) in [(&token, &launchpad), (&graduated, &amm)] {
        w.tell(of, &alice, &Cw20ExecuteMsg::Transfer { recipient: to.to_string(), amount: Uint128::new(777) }, &[]).unwrap();
    }
    assert_eq!((w.curve(&token), w.pool(&graduated)), (curve, pool));
}

#[test]
fn a_sandwich_is_bounded_by_the_victims_minimum() {
    let mut w = World::new();
    let token = w.create();
    let (victim, attacker) = (w.alice.clone(), w.bob.clone());
    let amount = 100_000_000_000;
    let fair = w.simulate_buy(&token, amount, OnGraduation::Swap).unwrap().tokens_out.u128();
    let minimum = fair * 99 / 100;
    w.buy(&attacker, &token, 500_000_000_000).unwrap();
    fails_with(w.buy_with(&victim, &token, amount, Some(minimum), OnGraduation::Swap), "slippage");
    assert_eq!(w.coin_of(&victim), PURSE);
}

#[test]
fn the_largest_amounts_are_errors_and_move_nothing() {
    let mut w = World::new();
    let graduated = w.graduated();
    let token = w.create();
    let alice = w.alice.clone();
    let huge = Uint128::MAX.to_string();
    let launchpad = w.launchpad.clone();
    fails_with(w.send(&alice, &token, &launchpad, u128::MAX, &format!(r#"{{"sell_tokens":{{"min_coin_out":"{huge}"}}}}"#)), "Cannot Sub");
    // From the curve's own books: more tokens than it ever sold.
    let simulated = w.simulate_sell(&token, u128::MAX).unwrap_err();
    assert!(simulated.contains("the reserves cannot give that much"), "{simulated}");
    let quote = w.simulate_buy(&token, u128::MAX, OnGraduation::Refund).unwrap();
    assert_eq!(quote.refund.u128(), u128::MAX - GROSS_TO_GRADUATE);
    let simulated = w.simulate_swap(&graduated, amm_msg::Direction::CoinToToken, u128::MAX).unwrap_err();
    assert!(simulated.contains("the amount is too large"), "{simulated}");
    for unreadable in ["-1", "1.5", "340282366920938463463374607431768211456", "x"] {
        assert!(w.send(&alice, &graduated, &launchpad, 5, &format!(r#"{{"sell_tokens":{{"min_coin_out":"{unreadable}"}}}}"#)).is_err());
    }
}

#[test]
fn a_reply_that_nobody_asked_for_is_an_error() {
    use cosmwasm_std::{testing, Reply, SubMsgResult};
    let mut deps = testing::mock_dependencies();
    let reply = Reply { id: 7, payload: Binary::default(), gas_used: 0, result: SubMsgResult::Err("no".into()) };
    let error = launchpad::contract::reply(deps.as_mut(), testing::mock_env(), reply).unwrap_err();
    assert_eq!(error.to_string(), "unknown reply 7");
    let reply = Reply { id: 1, payload: Binary::default(), gas_used: 0, result: SubMsgResult::Err("no".into()) };
    assert!(launchpad::contract::reply(deps.as_mut(), testing::mock_env(), reply).is_err());
}
