//! From the curve to the pool.

use amm_api::msg::Origin;
use contract_tests::*;
use cosmwasm_std::{Addr, Decimal256, Uint128};
use launchpad_api::msg::{ExecuteMsg, OnGraduation};

fn graduate(token: &Addr) -> ExecuteMsg {
    ExecuteMsg::Graduate { token_address: token.to_string() }
}

#[test]
fn the_exact_buy_graduates_with_t_tokens_sold_and_p_in_the_pool() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    let outcome = w.buy(&alice, &token, GROSS_TO_GRADUATE).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-buy", "wasm-graduate", "wasm-create_pool"]);
    assert_eq!(w.tokens_of(&alice, &token), T);
    assert_eq!(w.coin_of(&alice), PURSE - GROSS_TO_GRADUATE);
    assert_eq!((w.tokens_of(&w.amm, &token), w.tokens_of(&w.launchpad, &token)), (P, 0));
    assert_eq!(w.coin_of(&w.amm), R);
    assert_eq!(w.coin_of(&w.launchpad), GROSS_TO_GRADUATE - B);
    let pool = w.pool(&token);
    assert_eq!((pool.coin_reserve.u128(), pool.token_reserve.u128(), pool.initial_coin_reserve.u128()), (R, P, R));
    assert_eq!((pool.origin, pool.augmented_fee, pool.fee_bps), (Origin::Graduation, true, 200));
    // sqrt(10^13 * 20690000000000) = 14384018909887.4...
    assert_eq!(pool.lp_total_shares.u128(), 14_384_018_909_887);
    assert_eq!(pool.lp_locked_shares, pool.lp_total_shares);
    let curve = w.curve(&token);
    assert!(curve.graduated);
    assert_eq!((curve.bwick_reserves.u128(), curve.tokens_remaining.u128(), curve.tokens_sold.u128()), (0, 0, T));
    assert_eq!(curve.progress_percent.to_string(), "100");
    let graduation = curve.graduation.unwrap();
    assert_eq!((graduation.coin_amount.u128(), graduation.token_amount.u128(), graduation.amm), (R, P, w.amm.to_string()));
    assert_eq!(graduation.pool_price, pool.price);
    let of = |key: &str| attribute(&outcome, "wasm-graduate", key);
    assert_eq!(
        (of("trader"), of("input_amount"), of("output_amount"), of("fee_amount")),
        (alice.to_string(), R.to_string(), P.to_string(), "0".into())
    );
    assert_eq!((of("bwick_reserves"), of("token_reserves"), of("amm")), (R.to_string(), P.to_string(), w.amm.to_string()));
    assert_eq!((of("pool_price"), of("price")), (pool.price.to_string(), curve.current_price.to_string()));
    assert!(curve.current_price.abs_diff(pool.price) < "0.000000000001".parse::<Decimal256>().unwrap());
}

#[test]
fn one_ucoin_below_nothing_graduates_and_the_next_ucoin_does() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    w.buy(&alice, &token, GROSS_TO_GRADUATE - 1).unwrap();
    assert!(!w.curve(&token).graduated);
    fails_with(
        w.tell_launchpad(&alice, &graduate(&token), &[]),
        "below the graduation threshold: the curve holds 9999999999999 of 10000000000000",
    );
    // One ucoin is missing. Two pay for it, the fee being rounded up.
    let outcome = w.buy(&alice, &token, 2).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-buy", "wasm-graduate", "wasm-create_pool"]);
    assert_eq!(attribute(&outcome, "wasm-buy", "input_amount"), "2");
    assert!(w.curve(&token).graduated);
}

#[test]
fn the_crossing_buy_goes_on_in_the_pool_in_three_ordered_events() {
    let mut w = World::new();
    let token = w.create();
    let (alice, bob) = (w.alice.clone(), w.bob.clone());
    w.buy(&alice, &token, 5_000_000_000_000).unwrap();
    let before = w.curve(&token);
    let input = 7_000_000_000_000u128;
    let outcome = w.buy(&bob, &token, input).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-buy", "wasm-graduate", "wasm-create_pool", "wasm-swap"]);

    // The same by hand: the curve takes the room, the rest pays the pool's 2 %.
    let room = R - before.bwick_reserves.u128();
    let gross = (room * 10_000).div_ceil(9_950);
    let from_curve = room * before.virtual_token_reserves.u128() / (before.virtual_coin_reserves.u128() + room);
    let in_pool = before.tokens_remaining.u128() - from_curve;
    let rest = input - gross;
    let pool_fee = (rest * 200).div_ceil(10_000);
    let from_pool = (rest - pool_fee) * in_pool / (R + rest - pool_fee);
    assert_eq!(w.tokens_of(&bob, &token), from_curve + from_pool);
    assert_eq!(w.coin_of(&bob), PURSE - input);
    let pool = w.pool(&token);
    assert_eq!((pool.coin_reserve.u128(), pool.token_reserve.u128()), (R + rest, in_pool - from_pool));
    assert_eq!((w.coin_of(&w.amm), w.tokens_of(&w.amm, &token)), (R + rest, in_pool - from_pool));
    assert_eq!(w.fees(&token).fees_total.u128(), 25_000_000_000 + gross - room);
    assert_eq!(w.coin_of(&w.launchpad), w.fees(&token).fees_total.u128());

    let curve_part = |key: &str| attribute(&outcome, "wasm-buy", key);
    assert_eq!(
        (curve_part("input_amount"), curve_part("output_amount"), curve_part("fee_amount")),
        (gross.to_string(), from_curve.to_string(), (gross - room).to_string())
    );
    let pool_part = |key: &str| attribute(&outcome, "wasm-swap", key);
    assert_eq!(
        (pool_part("input_amount"), pool_part("output_amount"), pool_part("fee_amount")),
        (rest.to_string(), from_pool.to_string(), pool_fee.to_string())
    );
    assert_eq!((pool_part("trader"), pool_part("recipient"), pool_part("side")), (bob.to_string(), bob.to_string(), "buy".into()));
    assert_eq!((pool_part("bwick_reserves"), pool_part("token_reserves")), (pool.coin_reserve.to_string(), pool.token_reserve.to_string()));
}

#[test]
fn the_minimum_covers_the_sum_of_both_parts() {
    let mut w = World::new();
    let token = w.create();
    let bob = w.bob.clone();
    let input = GROSS_TO_GRADUATE + 1_000_000_000_000;
    let quote = w.simulate_buy(&token, input, OnGraduation::Swap).unwrap();
    let sum = quote.tokens_out.u128();
    assert_eq!(sum, quote.curve.output_amount.u128() + quote.pool.as_ref().unwrap().output_amount.u128());
    fails_with(w.buy_with(&bob, &token, input, Some(sum + 1), OnGraduation::Swap), "slippage");
    assert!(!w.curve(&token).graduated);
    w.buy_with(&bob, &token, input, Some(sum), OnGraduation::Swap).unwrap();
    assert_eq!(w.tokens_of(&bob, &token), sum);
    assert_eq!(w.pool(&token).price, quote.pool.unwrap().price_after);
}

#[test]
fn a_refund_sends_the_rest_back_and_its_minimum_covers_the_curve_alone() {
    let mut w = World::new();
    let token = w.create();
    let bob = w.bob.clone();
    let input = GROSS_TO_GRADUATE + 1_000_000_000_000;
    let quote = w.simulate_buy(&token, input, OnGraduation::Refund).unwrap();
    assert_eq!((quote.tokens_out.u128(), quote.pool, quote.refund.u128(), quote.graduates), (T, None, 1_000_000_000_000, true));
    fails_with(w.buy_with(&bob, &token, input, Some(T + 1), OnGraduation::Refund), "slippage");
    let outcome = w.buy_with(&bob, &token, input, Some(T), OnGraduation::Refund).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-buy", "wasm-graduate", "wasm-create_pool"]);
    assert_eq!((w.coin_of(&bob), w.tokens_of(&bob, &token)), (PURSE - GROSS_TO_GRADUATE, T));
    assert_eq!(w.pool(&token).coin_reserve.u128(), R);
}

#[test]
fn a_rest_too_small_for_the_pool_is_sent_back() {
    let mut w = World::new();
    let token = w.create();
    let bob = w.bob.clone();
    let quote = w.simulate_buy(&token, GROSS_TO_GRADUATE + 1, OnGraduation::Swap).unwrap();
    assert_eq!((quote.refund.u128(), quote.pool), (1, None));
    w.buy(&bob, &token, GROSS_TO_GRADUATE + 1).unwrap();
    assert_eq!((w.coin_of(&bob), w.tokens_of(&bob, &token)), (PURSE - GROSS_TO_GRADUATE, T));
}

#[test]
fn a_graduated_curve_answers_every_message_with_the_name_of_the_pool() {
    let mut w = World::new();
    let token = w.graduated();
    let (alice, amm) = (w.alice.clone(), w.amm.clone());
    let says = format!("token {token} has graduated: trade it in the pool of {amm}");
    fails_with(w.buy(&alice, &token, 1_000_000), &says);
    fails_with(w.sell(&alice, &token, 1_000_000), &says);
    fails_with(w.tell_launchpad(&alice, &graduate(&token), &[]), &says);
    assert!(w.simulate_buy(&token, 1_000_000, OnGraduation::Swap).unwrap_err().contains(&says));
    assert!(w.simulate_sell(&token, 1_000_000).unwrap_err().contains(&says));
    assert_eq!(w.tokens_of(&alice, &token), T);
}

#[test]
fn a_curve_at_its_threshold_graduates_by_anyones_call() {
    let mut w = World::new();
    let token = w.create();
    let (alice, bob) = (w.alice.clone(), w.bob.clone());
    w.buy(&alice, &token, GROSS_TO_GRADUATE - 1).unwrap();
    // No message leaves a curve standing at its threshold, so the missing ucoin is put there by hand.
    let launchpad = w.launchpad.clone();
    w.app.send_tokens_by(&bob, &launchpad, 1);
    let mut storage = w.app.contract_storage_mut(&launchpad);
    let mut state = launchpad::state::CURVES.load(&*storage, &token).unwrap();
    state.bwick_reserves += Uint128::one();
    launchpad::state::CURVES.save(&mut *storage, &token, &state).unwrap();
    drop(storage);
    let outcome = w.tell_launchpad(&bob, &graduate(&token), &[]).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-graduate", "wasm-create_pool"]);
    assert_eq!(attribute(&outcome, "wasm-graduate", "trader"), bob.to_string());
    assert_eq!(w.pool(&token).coin_reserve.u128(), R);
    let unknown = graduate(&alice);
    fails_with(w.tell_launchpad(&alice, &unknown, &[]), "no curve for token");
}

#[test]
fn a_pool_that_cannot_open_undoes_the_whole_buy() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    // The AMM's books are broken on purpose: a pool of this token is there already.
    let pool = amm::state::Pool {
        origin: Origin::Listing,
        coin_reserve: Uint128::new(1),
        token_reserve: Uint128::new(1),
        initial_coin_reserve: Uint128::new(1),
        base_fee_bps: 100,
        augmented_fee_bps: 100,
        augmented_fee: false,
        lp_total_shares: Uint128::new(1),
        lp_locked_shares: Uint128::new(1),
        created_at: 0,
        created_height: 0,
    };
    let amm = w.amm.clone();
    amm::state::POOLS.save(&mut *w.app.contract_storage_mut(&amm), &token, &pool).unwrap();
    fails_with(w.buy(&alice, &token, GROSS_TO_GRADUATE), "has a pool already");
    assert_eq!((w.coin_of(&alice), w.tokens_of(&alice, &token)), (PURSE, 0));
    assert_eq!((w.curve(&token).graduated, w.curve(&token).bwick_reserves.u128()), (false, F));
}

#[test]
fn creators_claim_after_graduation_too() {
    let mut w = World::new();
    let token = w.graduated();
    let creator = w.creator.clone();
    let before = w.coin_of(&creator);
    w.tell_launchpad(&creator, &ExecuteMsg::ClaimFees { token_address: Some(token.to_string()) }, &[]).unwrap();
    // A fifth of 49849246232, rounded down.
    assert_eq!(w.coin_of(&creator) - before, 9_969_849_246);
}
