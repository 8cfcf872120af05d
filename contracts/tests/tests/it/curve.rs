//! The curve's arithmetic alone.

use amm_api::math::MathError;
use contract_tests::*;
use cosmwasm_std::Uint128;
use launchpad::curve::{solve_opening, Opening, Pricing};

pub fn u(n: u128) -> Uint128 {
    Uint128::new(n)
}

pub fn fresh() -> Pricing {
    Pricing {
        opening: solve_opening(u(T), u(P), u(R), u(F)).unwrap(),
        creation_fee: u(F),
        threshold: u(R),
        supply: u(T + P),
        buy_fee_bps: 50,
        sell_fee_bps: 250,
        bwick_reserves: u(F),
        tokens_sold: u(0),
    }
}

#[test]
fn the_default_curve_opens_at_the_decided_reserves() {
    let opening = solve_opening(u(T), u(P), u(R), u(F)).unwrap();
    assert_eq!(opening, Opening { coin: u(3_463_486_273_490), token: u(107_000_433_099_849) });
}

#[test]
fn exactly_t_tokens_leave_for_exactly_b_net() {
    let curve = fresh();
    let buy = curve.buy(u(GROSS_TO_GRADUATE)).unwrap();
    assert_eq!((buy.net, buy.tokens_out, buy.rest, buy.graduates), (u(B), u(T), u(0), true));
    assert_eq!(buy.gross, u(GROSS_TO_GRADUATE));
    let after = curve.after_buy(&buy).unwrap();
    assert_eq!((after.bwick_reserves, after.tokens_remaining().unwrap()), (u(R), u(P)));
    // Last price of the curve and first of the pool: 0.48332527791206.
    let pool = amm_api::math::price(u(R), u(P));
    let gap = after.price().unwrap().abs_diff(pool);
    assert!(gap < "0.000000000001".parse().unwrap(), "gap {gap}");
}

#[test]
fn one_ucoin_less_does_not_graduate() {
    let buy = fresh().buy(u(GROSS_TO_GRADUATE - 1)).unwrap();
    assert!(!buy.graduates);
    assert_eq!(buy.net, u(B - 1));
    assert!(buy.tokens_out < u(T));
}

#[test]
fn first_buys_have_the_published_sizes() {
    // 1,000 COIN buy 30,730.55 tokens of a fresh curve; 10,000 COIN buy 306,513.27.
    let hundredths = |coin: u128| (fresh().buy(u(coin)).unwrap().tokens_out.u128() + 5_000) / 10_000;
    assert_eq!(hundredths(1_000_000_000), 3_073_055);
    assert_eq!(hundredths(10_000_000_000), 30_651_327);
    let buy = fresh().buy(u(1_000_000_000)).unwrap();
    assert_eq!((buy.fee, buy.net), (u(5_000_000), u(995_000_000)));
    assert_eq!(fresh().price().unwrap().to_string(), "0.032368899574995156");
}

#[test]
fn a_sale_follows_the_decided_formula() {
    let buy = fresh().buy(u(1_000_000_000)).unwrap();
    let curve = fresh().after_buy(&buy).unwrap();
    let sale = curve.sell(buy.tokens_out).unwrap();
    let (x, y) = (curve.virtual_coin().unwrap().u128(), curve.virtual_token().unwrap().u128());
    let t = buy.tokens_out.u128();
    let gross = t * x / (y + t);
    let fee = (gross * 250).div_ceil(10_000);
    assert_eq!((sale.gross, sale.fee, sale.coin_out), (u(gross), u(fee), u(gross - fee)));
    assert!(sale.gross <= buy.net);
}

#[test]
fn nothing_for_dust() {
    assert_eq!(fresh().buy(u(0)), Err(MathError::ZeroOutput));
    assert_eq!(fresh().buy(u(1)), Err(MathError::ZeroOutput));
    let curve = Pricing { tokens_sold: u(1_000), ..fresh() };
    assert_eq!(curve.sell(u(0)), Err(MathError::ZeroOutput));
    assert_eq!(curve.sell(u(30)), Err(MathError::ZeroOutput));
    assert_eq!(curve.sell(u(1_001)), Err(MathError::InsufficientLiquidity));
}

#[test]
fn the_largest_numbers_are_errors_and_never_panics() {
    let buy = fresh().buy(Uint128::MAX);
    assert!(matches!(buy, Ok(ref buy) if buy.graduates && buy.net == u(B)), "{buy:?}");
    assert_eq!(fresh().sell(Uint128::MAX), Err(MathError::InsufficientLiquidity));
    let broken = Pricing { bwick_reserves: u(0), ..fresh() };
    assert_eq!(broken.buy(u(1_000_000)), Err(MathError::InsufficientLiquidity));
    let broken = Pricing { tokens_sold: Uint128::MAX, ..fresh() };
    assert_eq!(broken.buy(u(1_000_000)), Err(MathError::InsufficientLiquidity));
}

#[test]
fn no_curve_for_figures_that_do_not_fit() {
    assert_eq!(solve_opening(u(T), u(P), u(F), u(F)), None);
    assert_eq!(solve_opening(u(T), u(P), u(F), u(R)), None);
    assert_eq!(solve_opening(u(0), u(P), u(R), u(F)), None);
    assert_eq!(solve_opening(u(T), u(0), u(R), u(F)), None);
    assert_eq!(solve_opening(u(1), u(P), u(R), u(F)), None);
    assert_eq!(solve_opening(Uint128::MAX, Uint128::MAX, Uint128::MAX, u(1)), None);
    assert_eq!(solve_opening(u(100), u(1), u(3), u(2)), None);
}

#[test]
fn thresholds_of_the_document_all_have_a_curve() {
    for (threshold, coin) in [(100_000u128, 1_100_941_840u128), (500_000, 117_865_087_259), (50_000_000, 17_581_205_051_313)] {
        let r = threshold * 1_000_000;
        let opening = solve_opening(u(T), u(P), u(r), u(F)).unwrap();
        assert_eq!(opening.coin, u(coin));
        let curve = Pricing { opening, threshold: u(r), ..fresh() };
        let buy = curve.buy(u(2 * r)).unwrap();
        assert_eq!((buy.tokens_out, buy.net), (u(T), u(r - F)));
    }
}
