//! Buying and selling on the curve.

use contract_tests::*;
use cosmwasm_std::{Coin, Uint128};
use launchpad_api::msg::{ExecuteMsg, OnGraduation};

#[test]
fn a_buy_moves_exactly_what_the_formula_says() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    let outcome = w.buy(&alice, &token, 1_000_000_001).unwrap();
    // fee = ceil(1000000001 * 50 / 10000), n = a - fee, out = floor(n*Y/(X+n))
    let (fee, net) = (5_000_001u128, 995_000_000u128);
    let out = net * 107_000_433_099_849 / (3_463_486_273_490 + net);
    assert_eq!(w.tokens_of(&alice, &token), out);
    assert_eq!(w.coin_of(&alice), PURSE - 1_000_000_001);
    assert_eq!(w.coin_of(&w.launchpad), F + 1_000_000_001);
    let curve = w.curve(&token);
    assert_eq!(curve.bwick_reserves.u128(), F + net);
    assert_eq!(curve.tokens_remaining.u128(), 100_000_000_000_000 - out);
    let fees = w.fees(&token);
    assert_eq!(fees.fees_total.u128(), fee);
    assert_eq!((fees.creator_claimable.u128(), fees.treasury_total.u128()), (1_000_000, 4_000_001));
    let of = |key: &str| attribute(&outcome, "wasm-buy", key);
    assert_eq!(event_types(&outcome), ["wasm-buy"]);
    assert_eq!((of("trader"), of("token_address")), (alice.to_string(), token.to_string()));
    assert_eq!((of("input_amount"), of("output_amount"), of("fee_amount")), ("1000000001".into(), out.to_string(), fee.to_string()));
    assert_eq!((of("bwick_reserves"), of("token_reserves")), (curve.bwick_reserves.to_string(), curve.tokens_remaining.to_string()));
    assert_eq!(of("price"), curve.current_price.to_string());
    assert_eq!(
        (of("virtual_coin_reserves"), of("virtual_token_reserves")),
        (curve.virtual_coin_reserves.to_string(), curve.virtual_token_reserves.to_string())
    );
}

#[test]
fn a_sale_pays_exactly_what_the_formula_says() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    w.buy(&alice, &token, 1_000_000_000).unwrap();
    let held = w.tokens_of(&alice, &token);
    let before = w.curve(&token);
    let (x, y) = (before.virtual_coin_reserves.u128(), before.virtual_token_reserves.u128());
    let t = held / 3;
    let gross = t * x / (y + t);
    let fee = (gross * 250).div_ceil(10_000);
    let coins = w.coin_of(&alice);
    let outcome = w.sell(&alice, &token, t).unwrap();
    assert_eq!(w.coin_of(&alice), coins + gross - fee);
    assert_eq!(w.tokens_of(&alice, &token), held - t);
    assert_eq!(w.curve(&token).bwick_reserves.u128(), before.bwick_reserves.u128() - gross);
    assert_eq!(w.curve(&token).virtual_token_reserves.u128(), y + t);
    assert_eq!(w.fees(&token).fees_total.u128(), 5_000_000 + fee);
    let of = |key: &str| attribute(&outcome, "wasm-sell", key);
    assert_eq!((of("trader"), of("token_address")), (alice.to_string(), token.to_string()));
    assert_eq!((of("input_amount"), of("output_amount"), of("fee_amount")), (t.to_string(), (gross - fee).to_string(), fee.to_string()));
    assert_eq!(of("price"), w.curve(&token).current_price.to_string());
}

#[test]
fn the_launchpad_holds_reserves_and_fees_to_the_last_unit() {
    let mut w = World::new();
    let (alice, bob) = (w.alice.clone(), w.bob.clone());
    let (one, two) = (w.create(), w.create());
    for (who, token, amount) in [(&alice, &one, 777_777_777), (&bob, &one, 123_456_789_123), (&bob, &two, 9_999_999)] {
        w.buy(who, token, amount).unwrap();
    }
    w.sell(&bob, &one, 1_234_567).unwrap();
    let reserves = w.curve(&one).bwick_reserves + w.curve(&two).bwick_reserves;
    let fees = w.fees(&one).fees_total + w.fees(&two).fees_total;
    assert_eq!(w.coin_of(&w.launchpad), (reserves + fees).u128());
    assert_eq!(w.treasury_fees().claimable, w.fees(&one).treasury_total + w.fees(&two).treasury_total);
}

#[test]
fn guards_stop_a_trade_that_gives_too_little_or_comes_too_late() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    let quote = w.simulate_buy(&token, 1_000_000_000, OnGraduation::Swap).unwrap().tokens_out.u128();
    fails_with(
        w.buy_with(&alice, &token, 1_000_000_000, Some(quote + 1), OnGraduation::Swap),
        &format!("slippage: {quote} would come out, at least {} wanted", quote + 1),
    );
    w.buy_with(&alice, &token, 1_000_000_000, Some(quote), OnGraduation::Swap).unwrap();

    let coin = w.simulate_sell(&token, quote).unwrap().coin_out.u128();
    let launchpad = w.launchpad.clone();
    let sell = |minimum: u128| format!(r#"{{"sell_tokens":{{"min_coin_out":"{minimum}"}}}}"#);
    fails_with(w.send(&alice, &token, &launchpad, quote, &sell(coin + 1)), "slippage");
    let now = w.app.block_info().time.seconds();
    let late = format!(r#"{{"sell_tokens":{{"min_coin_out":"1","deadline":{}}}}}"#, now - 1);
    fails_with(
        w.send(&alice, &token, &launchpad, quote, &late),
        &format!("the deadline {} has passed: the block's time is {now}", now - 1),
    );
    w.send(&alice, &token, &launchpad, quote, &sell(coin)).unwrap();

    let buy = |deadline: u64| ExecuteMsg::Buy {
        token_address: token.to_string(),
        min_tokens_out: None,
        deadline: Some(deadline),
        on_graduation: None,
    };
    fails_with(w.tell_launchpad(&alice, &buy(now - 1), &ucoin(1_000_000)), "the deadline");
    w.tell_launchpad(&alice, &buy(now), &ucoin(1_000_000)).unwrap();
}

#[test]
fn wrong_funds_dust_and_unknown_tokens_are_refused() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    fails_with(w.buy(&alice, &token, 0), "wrong funds");
    fails_with(w.buy(&alice, &token, 1), "the amount is too small");
    let buy = ExecuteMsg::Buy { token_address: token.to_string(), min_tokens_out: None, deadline: None, on_graduation: None };
    fails_with(
        w.tell_launchpad(&alice, &buy, &[Coin::new(5_000u128, "uother")]),
        "wrong funds: send ucoin, and nothing else; got 5000uother",
    );
    fails_with(w.tell_launchpad(&alice, &buy, &[Coin::new(5_000u128, DENOM), Coin::new(5_000u128, "uother")]), "wrong funds");
    let stranger = w.bob.clone();
    fails_with(w.buy(&alice, &stranger, 1_000_000), "no curve for token");
    let nonsense = cosmwasm_std::Addr::unchecked("nonsense");
    fails_with(w.buy(&alice, &nonsense, 1_000_000), "Invalid input");

    w.buy(&alice, &token, 1_000_000).unwrap();
    fails_with(w.sell(&alice, &token, 1), "the amount is too small");
    let launchpad = w.launchpad.clone();
    for json in ["", "{}", r#"{"swap_token_for_bwick":{}}"#, "not json", r#"{"sell_tokens":{"min_coin_out":-1}}"#] {
        assert!(w.send(&alice, &token, &launchpad, 1_000, json).is_err(), "{json}");
    }
    let more_than_held = w.tokens_of(&alice, &token) + 1;
    fails_with(w.sell(&alice, &token, more_than_held), "Cannot Sub");
}

#[test]
fn messages_without_a_price_take_no_coins() {
    let mut w = World::new();
    let token = w.create();
    let (alice, admin) = (w.alice.clone(), w.admin.clone());
    let some = ucoin(5);
    let address = token.to_string();
    let receive =
        ExecuteMsg::Receive(received(&alice, 5, &launchpad_api::msg::ReceiveMsg::SellTokens { min_coin_out: None, deadline: None }));
    for msg in [
        ExecuteMsg::Graduate { token_address: address.clone() },
        ExecuteMsg::ClaimFees { token_address: Some(address) },
        ExecuteMsg::UpdatePrice { coin_usd: cosmwasm_std::Decimal::one() },
        ExecuteMsg::UpdateConfig { admin: None, amm: None, oracle: None, fee_collector: None, params: None },
        ExecuteMsg::AcceptAdmin {},
        receive,
    ] {
        fails_with(w.tell_launchpad(&alice, &msg, &some), "wrong funds: send no coins, and nothing else; got 5ucoin");
    }
    assert_eq!(w.coin_of(&admin), 0);
}

#[test]
fn fees_are_claimed_once_by_those_they_belong_to() {
    let mut w = World::new();
    let token = w.create();
    let (alice, creator, treasury) = (w.alice.clone(), w.creator.clone(), w.treasury.clone());
    let of_token = ExecuteMsg::ClaimFees { token_address: Some(token.to_string()) };
    let of_treasury = ExecuteMsg::ClaimFees { token_address: None };
    fails_with(w.tell_launchpad(&creator, &of_token, &[]), "nothing to claim");
    fails_with(w.tell_launchpad(&treasury, &of_treasury, &[]), "nothing to claim");
    w.buy(&alice, &token, 200_000_000_000).unwrap();
    for stranger in [&alice, &treasury] {
        fails_with(w.tell_launchpad(stranger, &of_token, &[]), "unauthorized: only the token's creator");
    }
    for stranger in [&alice, &creator] {
        fails_with(w.tell_launchpad(stranger, &of_treasury, &[]), "unauthorized: only the fee collector");
    }
    let unknown = ExecuteMsg::ClaimFees { token_address: Some(alice.to_string()) };
    fails_with(w.tell_launchpad(&alice, &unknown, &[]), "no curve for token");

    let before = w.coin_of(&creator);
    let outcome = w.tell_launchpad(&creator, &of_token, &[]).unwrap();
    assert_eq!(attribute(&outcome, "wasm-claim_fees", "amount"), "200000000");
    assert_eq!(w.coin_of(&creator), before + 200_000_000);
    fails_with(w.tell_launchpad(&creator, &of_token, &[]), "nothing to claim");
    w.tell_launchpad(&treasury, &of_treasury, &[]).unwrap();
    assert_eq!(w.coin_of(&treasury), 800_000_000);
    fails_with(w.tell_launchpad(&treasury, &of_treasury, &[]), "nothing to claim");
    let fees = w.fees(&token);
    assert_eq!(
        (fees.creator_claimable, fees.creator_claimed.u128(), fees.fees_total.u128()),
        (Uint128::zero(), 200_000_000, 1_000_000_000)
    );
    assert_eq!((w.treasury_fees().claimable, w.treasury_fees().claimed.u128()), (Uint128::zero(), 800_000_000));
    assert_eq!(w.coin_of(&w.launchpad), w.curve(&token).bwick_reserves.u128());
}
