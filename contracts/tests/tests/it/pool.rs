//! The exchange pool.

use amm_api::msg::{Direction, ExecuteMsg, Origin, PoolResponse, PoolsResponse, QueryMsg, SimulateSwapResponse};
use contract_tests::*;
use cosmwasm_std::{Addr, Coin, Uint128};
use cw20::{Cw20Coin, Cw20ExecuteMsg};
use cw_multi_test::Executor;

/// A CW20 that the launchpad did not make, owned by the listing address.
fn other_token(w: &mut World, name: &str) -> Addr {
    let listing = w.listing.clone();
    let msg = cw20_base::msg::InstantiateMsg {
        name: name.into(),
        symbol: "OTHER".into(),
        decimals: 6,
        initial_balances: vec![Cw20Coin { address: listing.to_string(), amount: Uint128::new(1_000_000_000_000) }],
        mint: None,
        marketing: None,
    };
    let code = w.cw20_code;
    w.app.instantiate_contract(code, listing, &msg, &[], name, None).unwrap()
}

fn create_pool(token: &Addr, token_amount: u128) -> ExecuteMsg {
    ExecuteMsg::CreatePool { token_address: token.to_string(), token_amount: Uint128::new(token_amount) }
}

fn listed(w: &mut World, name: &str, coin: u128, tokens: u128) -> Addr {
    let token = other_token(w, name);
    let (listing, amm) = (w.listing.clone(), w.amm.clone());
    w.tell(&token, &listing, &Cw20ExecuteMsg::Transfer { recipient: amm.to_string(), amount: Uint128::new(tokens) }, &[]).unwrap();
    w.tell_amm(&listing, &create_pool(&token, tokens), &ucoin(coin)).unwrap();
    token
}

#[test]
fn a_swap_of_coin_pays_the_whole_fee_into_the_pool() {
    let mut w = World::new();
    let token = w.graduated();
    let bob = w.bob.clone();
    let input = 123_456_789_012u128;
    let outcome = w.swap_coin(&bob, &token, input).unwrap();
    let fee = (input * 200).div_ceil(10_000);
    let out = (input - fee) * P / (R + input - fee);
    assert_eq!((w.tokens_of(&bob, &token), w.coin_of(&bob)), (out, PURSE - input));
    let pool = w.pool(&token);
    assert_eq!((pool.coin_reserve.u128(), pool.token_reserve.u128()), (R + input, P - out));
    assert_eq!((w.coin_of(&w.amm), w.tokens_of(&w.amm, &token)), (R + input, P - out));
    let of = |key: &str| attribute(&outcome, "wasm-swap", key);
    assert_eq!(event_types(&outcome), ["wasm-swap"]);
    assert_eq!((of("trader"), of("side"), of("fee_bps")), (bob.to_string(), "buy".into(), "200".into()));
    assert_eq!((of("input_amount"), of("output_amount"), of("fee_amount")), (input.to_string(), out.to_string(), fee.to_string()));
    assert_eq!(
        (of("bwick_reserves"), of("token_reserves"), of("price")),
        (pool.coin_reserve.to_string(), pool.token_reserve.to_string(), pool.price.to_string())
    );
}

#[test]
fn a_swap_of_tokens_works_the_same_the_other_way() {
    let mut w = World::new();
    let token = w.graduated();
    let alice = w.alice.clone();
    let before = w.coin_of(&alice);
    let input = 1_000_000_000_001u128;
    let outcome = w.swap_token(&alice, &token, input).unwrap();
    let fee = (input * 200).div_ceil(10_000);
    let out = (input - fee) * R / (P + input - fee);
    assert_eq!((w.coin_of(&alice) - before, w.tokens_of(&alice, &token)), (out, T - input));
    let pool = w.pool(&token);
    assert_eq!((pool.coin_reserve.u128(), pool.token_reserve.u128()), (R - out, P + input));
    let of = |key: &str| attribute(&outcome, "wasm-swap", key);
    assert_eq!(
        (of("trader"), of("side"), of("input_amount"), of("output_amount"), of("fee_amount")),
        (alice.to_string(), "sell".into(), input.to_string(), out.to_string(), fee.to_string())
    );
}

#[test]
fn the_augmented_fee_ends_at_ten_times_the_initial_coin_reserve_and_stays_off() {
    let mut w = World::new();
    let token = w.graduated();
    let bob = w.bob.clone();
    w.swap_coin(&bob, &token, 9 * R - 1).unwrap();
    assert_eq!((w.pool(&token).coin_reserve.u128(), w.pool(&token).fee_bps), (10 * R - 1, 200));
    let quote = w.simulate_swap(&token, Direction::CoinToToken, 1_000_000).unwrap();
    assert!(quote.ends_augmented_fee);
    let outcome = w.swap_coin(&bob, &token, 1_000_000).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-swap", "wasm-augmented_fee_off"]);
    assert_eq!(attribute(&outcome, "wasm-swap", "fee_bps"), "200");
    assert_eq!(attribute(&outcome, "wasm-augmented_fee_off", "fee_bps"), "100");
    let held = w.tokens_of(&bob, &token);
    let outcome = w.swap_token(&bob, &token, held).unwrap();
    assert_eq!(attribute(&outcome, "wasm-swap", "fee_bps"), "100");
    let pool = w.pool(&token);
    assert!(pool.coin_reserve.u128() < 2 * R);
    assert_eq!((pool.augmented_fee, pool.fee_bps), (false, 100));
    w.swap_coin(&bob, &token, 9 * R).unwrap();
    assert!(!w.pool(&token).augmented_fee);
}

#[test]
fn exactly_ten_times_is_enough() {
    let mut w = World::new();
    let token = w.graduated();
    let bob = w.bob.clone();
    w.swap_coin(&bob, &token, 9 * R).unwrap();
    assert_eq!((w.pool(&token).coin_reserve.u128(), w.pool(&token).augmented_fee), (10 * R, false));
}

#[test]
fn guards_stop_a_swap_that_gives_too_little_or_comes_too_late() {
    let mut w = World::new();
    let token = w.graduated();
    let (alice, bob, amm) = (w.alice.clone(), w.bob.clone(), w.amm.clone());
    let now = w.app.block_info().time.seconds();
    let swap = |minimum: u128, deadline: u64| ExecuteMsg::Swap {
        token_address: token.to_string(),
        min_tokens_out: Some(Uint128::new(minimum)),
        deadline: Some(deadline),
        recipient: None,
    };
    let out = w.simulate_swap(&token, Direction::CoinToToken, 1_000_000).unwrap().output_amount.u128();
    fails_with(w.tell_amm(&bob, &swap(out + 1, now), &ucoin(1_000_000)), &format!("slippage: {out} would come out"));
    fails_with(w.tell_amm(&bob, &swap(out, now - 1), &ucoin(1_000_000)), "the deadline");
    w.tell_amm(&bob, &swap(out, now), &ucoin(1_000_000)).unwrap();

    let out = w.simulate_swap(&token, Direction::TokenToCoin, 1_000_000).unwrap().output_amount.u128();
    let back = |minimum: u128, deadline: u64| format!(r#"{{"swap_token_for_bwick":{{"min_coin_out":"{minimum}","deadline":{deadline}}}}}"#);
    fails_with(w.send(&alice, &token, &amm, 1_000_000, &back(out + 1, now)), "slippage");
    fails_with(w.send(&alice, &token, &amm, 1_000_000, &back(out, now - 1)), "the deadline");
    w.send(&alice, &token, &amm, 1_000_000, &back(out, now)).unwrap();
}

#[test]
fn a_swap_can_pay_someone_else() {
    let mut w = World::new();
    let token = w.graduated();
    let (alice, bob, treasury) = (w.alice.clone(), w.bob.clone(), w.treasury.clone());
    let msg =
        ExecuteMsg::Swap { token_address: token.to_string(), min_tokens_out: None, deadline: None, recipient: Some(treasury.to_string()) };
    let outcome = w.tell_amm(&bob, &msg, &ucoin(1_000_000)).unwrap();
    assert_eq!(attribute(&outcome, "wasm-swap", "trader"), bob.to_string());
    assert_eq!(attribute(&outcome, "wasm-swap", "recipient"), treasury.to_string());
    assert_eq!(w.tokens_of(&treasury, &token).to_string(), attribute(&outcome, "wasm-swap", "output_amount"));
    let amm = w.amm.clone();
    w.send(&alice, &token, &amm, 1_000_000, &format!(r#"{{"swap_token_for_bwick":{{"recipient":"{treasury}"}}}}"#)).unwrap();
    assert!(w.coin_of(&treasury) > 0);
    let bad = ExecuteMsg::Swap { token_address: token.to_string(), min_tokens_out: None, deadline: None, recipient: Some("nobody".into()) };
    fails_with(w.tell_amm(&bob, &bad, &ucoin(1_000_000)), "Invalid input");
}

#[test]
fn wrong_funds_dust_and_unknown_pools_are_refused() {
    let mut w = World::new();
    let token = w.graduated();
    let (alice, bob, amm) = (w.alice.clone(), w.bob.clone(), w.amm.clone());
    fails_with(w.swap_coin(&bob, &token, 0), "wrong funds");
    fails_with(w.swap_coin(&bob, &token, 1), "the amount is too small");
    let swap = ExecuteMsg::Swap { token_address: token.to_string(), min_tokens_out: None, deadline: None, recipient: None };
    fails_with(w.tell_amm(&bob, &swap, &[Coin::new(5u128, "uother")]), "wrong funds: send ucoin, and nothing else; got 5uother");
    fails_with(w.swap_coin(&bob, &alice, 1_000_000), "no pool for token");
    fails_with(w.swap_token(&alice, &token, 1), "the amount is too small");
    for json in ["", "{}", r#"{"sell_tokens":{}}"#] {
        assert!(w.send(&alice, &token, &amm, 1_000, json).is_err(), "{json}");
    }
    let still_on_curve = w.create();
    w.buy(&alice, &still_on_curve, 1_000_000_000).unwrap();
    fails_with(w.swap_token(&alice, &still_on_curve, 1_000), "no pool for token");
    for msg in
        [ExecuteMsg::AcceptAdmin {}, ExecuteMsg::UpdateConfig { admin: None, listing: None, base_fee_bps: None, augmented_fee_bps: None }]
    {
        fails_with(w.tell_amm(&bob, &msg, &ucoin(5)), "wrong funds: send no coins");
    }
    let receive = ExecuteMsg::Receive(received(
        &bob,
        5,
        &amm_api::msg::ReceiveMsg::SwapTokenForBwick { min_coin_out: None, deadline: None, recipient: None },
    ));
    fails_with(w.tell_amm(&bob, &receive, &ucoin(5)), "wrong funds: send no coins");
}

#[test]
fn a_listed_pool_has_the_base_fee_only() {
    let mut w = World::new();
    let token = listed(&mut w, "Listed", 5_000_000, 7_000_000);
    let pool = w.pool(&token);
    assert_eq!((pool.origin, pool.augmented_fee, pool.fee_bps), (Origin::Listing, false, 100));
    assert_eq!((pool.coin_reserve.u128(), pool.token_reserve.u128()), (5_000_000, 7_000_000));
    let bob = w.bob.clone();
    w.swap_coin(&bob, &token, 45_000_000).unwrap();
    assert_eq!(w.pool(&token).coin_reserve.u128(), 50_000_000);
}

#[test]
fn a_pool_needs_its_tokens_a_deposit_of_some_size_and_opens_once() {
    let mut w = World::new();
    let token = other_token(&mut w, "Some token");
    let (listing, amm) = (w.listing.clone(), w.amm.clone());
    fails_with(w.tell_amm(&listing, &create_pool(&token, 7), &ucoin(5)), "the pool needs 7 tokens, but the AMM holds 0");
    w.tell(&token, &listing, &Cw20ExecuteMsg::Transfer { recipient: amm.to_string(), amount: Uint128::new(2_000) }, &[]).unwrap();
    fails_with(
        w.tell_amm(&listing, &create_pool(&token, 1_000), &ucoin(1_000)),
        "a pool needs more than 1000 LP shares, this deposit gives 1000",
    );
    fails_with(w.tell_amm(&listing, &create_pool(&token, 1_001), &[]), "wrong funds");
    w.tell_amm(&listing, &create_pool(&token, 1_001), &ucoin(1_001)).unwrap();
    fails_with(w.tell_amm(&listing, &create_pool(&token, 999), &ucoin(5_000)), "has a pool already");
    assert_eq!(w.pool(&token).token_reserve.u128(), 1_001);
}

#[test]
fn only_the_launchpad_and_the_listing_address_open_pools() {
    let mut w = World::new();
    let token = other_token(&mut w, "Some token");
    let (alice, admin) = (w.alice.clone(), w.admin.clone());
    fails_with(w.tell_amm(&alice, &create_pool(&token, 5), &ucoin(5)), "unauthorized: only the launchpad or the token-listing module");
    w.app.send_tokens_by(&alice, &admin, 5);
    fails_with(w.tell_amm(&admin, &create_pool(&token, 5), &ucoin(5)), "unauthorized");
}

#[test]
fn a_simulation_gives_the_figures_of_the_swap() {
    let mut w = World::new();
    let token = w.graduated();
    let (alice, bob) = (w.alice.clone(), w.bob.clone());
    for amount in [2u128, 99, 1_000_003, 5_000_000_000_000] {
        let quote = w.simulate_swap(&token, Direction::CoinToToken, amount).unwrap_or_else(|e| panic!("{amount}: {e}"));
        let outcome = w.swap_coin(&bob, &token, amount).unwrap();
        agrees(&quote, &outcome, &w.pool(&token));
        let quote = w.simulate_swap(&token, Direction::TokenToCoin, amount + 3).unwrap();
        let outcome = w.swap_token(&alice, &token, amount + 3).unwrap();
        agrees(&quote, &outcome, &w.pool(&token));
    }
    for amount in [0u128, 1, u128::MAX] {
        let quote = w.simulate_swap(&token, Direction::CoinToToken, amount);
        assert!(quote.unwrap_err().contains("no trade"));
    }
}

fn agrees(quote: &SimulateSwapResponse, outcome: &cw_multi_test::AppResponse, pool: &PoolResponse) {
    let of = |key: &str| attribute(outcome, "wasm-swap", key);
    assert_eq!((quote.input_amount.to_string(), quote.output_amount.to_string()), (of("input_amount"), of("output_amount")));
    assert_eq!((quote.fee_amount.to_string(), quote.fee_bps.to_string()), (of("fee_amount"), of("fee_bps")));
    assert_eq!(
        (quote.coin_reserve_after, quote.token_reserve_after, quote.price_after),
        (pool.coin_reserve, pool.token_reserve, pool.price)
    );
}

#[test]
fn a_reverse_simulation_names_the_least_input() {
    let mut w = World::new();
    let token = w.graduated();
    let bob = w.bob.clone();
    let ask = |w: &World, direction, amount| -> Result<SimulateSwapResponse, String> {
        w.ask_amm(&QueryMsg::SimulateReverseSwap { token_address: token.to_string(), direction, amount: Uint128::new(amount) })
    };
    let quote = ask(&w, Direction::CoinToToken, 1_000_000_000).unwrap();
    assert!(quote.output_amount.u128() >= 1_000_000_000);
    let less = w.simulate_swap(&token, Direction::CoinToToken, quote.input_amount.u128() - 1).unwrap();
    assert!(less.output_amount.u128() < 1_000_000_000);
    w.swap_coin(&bob, &token, quote.input_amount.u128()).unwrap();
    assert_eq!(w.tokens_of(&bob, &token), quote.output_amount.u128());
    assert!(ask(&w, Direction::TokenToCoin, 1_000).unwrap().output_amount.u128() >= 1_000);
    assert!(ask(&w, Direction::TokenToCoin, R * 2).unwrap_err().contains("the reserves cannot give that much"));
}

#[test]
fn pools_are_listed_page_by_page() {
    let mut w = World::new();
    let mut tokens: Vec<String> = (0..5).map(|n| listed(&mut w, &format!("Token {n}"), 5_000, 5_000).to_string()).collect();
    tokens.sort();
    let mut seen: Vec<String> = vec![];
    let mut start_after = None;
    loop {
        let page: PoolsResponse = w.ask_amm(&QueryMsg::Pools { start_after, limit: Some(2) }).unwrap();
        assert!(page.pools.len() <= 2);
        seen.extend(page.pools.iter().map(|pool| pool.token_address.clone()));
        start_after = page.next_cursor;
        if start_after.is_none() {
            break;
        }
    }
    assert_eq!(seen, tokens);
    let all: PoolsResponse = w.ask_amm(&QueryMsg::Pools { start_after: None, limit: None }).unwrap();
    assert_eq!((all.pools.len(), all.next_cursor), (5, None));
    let one: PoolsResponse = w.ask_amm(&QueryMsg::Pools { start_after: None, limit: Some(0) }).unwrap();
    assert_eq!(one.pools.len(), 1);
    assert!(w.ask_amm::<PoolResponse>(&QueryMsg::Pool { token_address: w.alice.to_string() }).unwrap_err().contains("no pool for token"));
}
