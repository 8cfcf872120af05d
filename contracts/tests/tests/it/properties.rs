//! Laws that hold for every sequence of trades, tried on random ones.

use amm_api::math;
use amm_api::msg::Direction;
use contract_tests::*;
use cosmwasm_std::{Addr, Decimal256, Uint128, Uint256};
use launchpad::curve::{solve_opening, Pricing};
use launchpad_api::msg::OnGraduation;
use proptest::prelude::*;

use crate::curve::{fresh, u};

/// One trade on a curve: a buy of so many ucoin, or a sale of so many thousandths of what has been sold.
#[derive(Debug, Clone, Copy)]
enum Step {
    Buy(u128),
    Sell(u128),
}

/// Amounts of every size: the exponent is as likely small as large.
fn amount(max_digits: u32) -> impl Strategy<Value = u128> {
    (0..max_digits, 1u128..10).prop_flat_map(|(digits, lead)| {
        let low = lead * 10u128.pow(digits);
        low..low + 10u128.pow(digits) + 1
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![3 => amount(13).prop_map(Step::Buy), 2 => (1u128..=1_000).prop_map(Step::Sell)]
}

fn product(curve: &Pricing) -> Uint256 {
    curve.virtual_coin().unwrap().full_mul(curve.virtual_token().unwrap())
}

/// A curve, and the purse of all traders together.
struct Book {
    curve: Pricing,
    paid_in: u128,
    paid_out: u128,
    fees: u128,
    graduated: bool,
}

impl Book {
    fn new(curve: Pricing) -> Book {
        Book { curve, paid_in: 0, paid_out: 0, fees: 0, graduated: false }
    }

    fn play(&mut self, step: Step) {
        if self.graduated {
            return;
        }
        let before = self.curve;
        match step {
            Step::Buy(amount) => {
                let Ok(buy) = before.buy(u(amount)) else { return };
                self.curve = before.after_buy(&buy).unwrap();
                assert_eq!(buy.gross + buy.rest, u(amount));
                assert_eq!(buy.net + buy.fee, buy.gross);
                self.paid_in += buy.gross.u128();
                self.fees += buy.fee.u128();
                self.graduated = buy.graduates;
            }
            Step::Sell(thousandths) => {
                let tokens = u(before.tokens_sold.u128() * thousandths / 1_000);
                let Ok(sale) = before.sell(tokens) else { return };
                self.curve = before.after_sell(tokens, &sale).unwrap();
                assert_eq!(sale.coin_out + sale.fee, sale.gross);
                self.paid_out += sale.coin_out.u128();
                self.fees += sale.fee.u128();
            }
        }
        assert!(product(&self.curve) >= product(&before), "k fell");
        assert!(self.curve.tokens_sold <= u(T), "the pool's tokens were sold");
        assert!(self.curve.bwick_reserves >= u(F) && self.curve.bwick_reserves <= u(R));
        assert_eq!(self.curve.bwick_reserves, u(F + self.paid_in - self.paid_out - self.fees), "COIN is lost or made");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Conservation to the last ucoin, k never falls, no trade reaches into the pool's part or the creation fee.
    #[test]
    fn a_curve_loses_nothing(steps in prop::collection::vec(step(), 1..60)) {
        let mut book = Book::new(fresh());
        steps.into_iter().for_each(|step| book.play(step));
    }

    /// All buyers together never get more out than they put in, whatever they do, when they sell all they hold.
    #[test]
    fn no_round_trip_makes_a_profit(steps in prop::collection::vec(step(), 1..40)) {
        let mut book = Book::new(fresh());
        steps.into_iter().for_each(|step| book.play(step));
        if !book.graduated {
            book.play(Step::Sell(1_000));
            prop_assert!(book.paid_out <= book.paid_in);
            prop_assert!(book.curve.bwick_reserves >= u(F));
        }
    }

    /// The last price of the curve is the first of the pool, whatever has been traded before.
    #[test]
    fn graduation_is_continuous(steps in prop::collection::vec(step(), 0..60)) {
        let mut book = Book::new(fresh());
        steps.into_iter().for_each(|step| book.play(step));
        book.play(Step::Buy(2 * R));
        prop_assert!(book.graduated);
        prop_assert_eq!(book.curve.bwick_reserves, u(R));
        let last = book.curve.price().unwrap();
        let first = math::price(u(R), book.curve.tokens_remaining().unwrap());
        let gap = last.abs_diff(first) / first;
        prop_assert!(gap < "0.000000001".parse::<Decimal256>().unwrap(), "gap {}", gap);
    }

    /// Buying in pieces never gives more than buying at once, so rounding cannot be farmed.
    #[test]
    fn splitting_a_buy_gains_nothing(total in amount(12), cut in 1u128..1_000) {
        let one = total * cut / 1_000;
        let whole = fresh().buy(u(total)).map(|buy| buy.tokens_out.u128()).unwrap_or(0);
        let first = fresh().buy(u(one));
        let (after, got) = match &first {
            Ok(buy) => (fresh().after_buy(buy).unwrap(), buy.tokens_out.u128()),
            Err(_) => (fresh(), 0),
        };
        let rest = after.buy(u(total - one)).map(|buy| buy.tokens_out.u128()).unwrap_or(0);
        prop_assert!(got + rest <= whole, "{} + {} > {}", got, rest, whole);
    }

    /// Every threshold within the bounds has a curve that sells exactly T for exactly B, and ends at the pool's price.
    #[test]
    fn every_threshold_solves(threshold in 100_000_000_000u128..50_000_000_000_000) {
        let opening = solve_opening(u(T), u(P), u(threshold), u(F)).unwrap();
        let curve = Pricing { opening, threshold: u(threshold), ..fresh() };
        let buy = curve.buy(u(threshold * 2)).unwrap();
        prop_assert_eq!((buy.net, buy.tokens_out), (u(threshold - F), u(T)));
        let last = curve.after_buy(&buy).unwrap().price().unwrap();
        let first = math::price(u(threshold), u(P));
        prop_assert!(last.abs_diff(first) / first < "0.000000001".parse::<Decimal256>().unwrap());
    }

    /// A pool's product never falls, nothing is made or lost, and no pair of opposite swaps makes a profit.
    #[test]
    fn a_pool_loses_nothing(coin in amount(15), tokens in amount(15), input in amount(15), fee_bps in 0u16..=2_000) {
        if let Ok(there) = math::swap(u(input), u(coin), u(tokens), fee_bps) {
            let (coin_after, token_after) = (u(coin) + there.input, u(tokens) - there.output);
            prop_assert!(coin_after.full_mul(token_after) >= u(coin).full_mul(u(tokens)));
            prop_assert!(!token_after.is_zero());
            if let Ok(back) = math::swap(there.output, token_after, coin_after, fee_bps) {
                prop_assert!(back.output <= there.input);
            }
        }
    }

    /// What a reverse quote asks for is enough, and one unit less is not.
    #[test]
    fn a_reverse_quote_is_the_least_input(coin in amount(15), tokens in amount(15), wanted in amount(14), fee_bps in 0u16..=2_000) {
        if let Ok(trade) = math::reverse_swap(u(wanted), u(coin), u(tokens), fee_bps) {
            prop_assert!(trade.output >= u(wanted));
            let less = math::swap(trade.input - u(1), u(coin), u(tokens), fee_bps);
            prop_assert!(less.map_or(true, |less| less.output < u(wanted)));
        }
    }
}

/// A trade on the simulated chain, on the curve or in the pool, whichever the token is in.
#[derive(Debug, Clone, Copy)]
struct Deal {
    alice: bool,
    buys: bool,
    amount: u128,
    refund: bool,
}

fn deal() -> impl Strategy<Value = Deal> {
    (any::<bool>(), prop::bool::weighted(0.6), amount(13), any::<bool>()).prop_map(|(alice, buys, amount, refund)| Deal {
        alice,
        buys,
        amount,
        refund,
    })
}

/// Carries out a deal after quoting it, and checks that quote and outcome agree: figures if it goes, refusal if not.
fn quoted_equals_done(w: &mut World, token: &Addr, deal: Deal) {
    let who = if deal.alice { w.alice.clone() } else { w.bob.clone() };
    let graduated = w.curve(token).graduated;
    let (coin, tokens) = (w.coin_of(&who), w.tokens_of(&who, token));
    let selling = deal.amount.min(tokens);
    let then = if deal.refund { OnGraduation::Refund } else { OnGraduation::Swap };
    // (COIN paid, COIN got, tokens paid, tokens got) as quoted
    let (quote, outcome) = match (graduated, deal.buys) {
        (false, true) => (
            w.simulate_buy(token, deal.amount, then).map(|q| (deal.amount - q.refund.u128(), 0, 0, q.tokens_out.u128())),
            w.buy_with(&who, token, deal.amount, None, then),
        ),
        (false, false) => (w.simulate_sell(token, selling).map(|q| (0, q.coin_out.u128(), selling, 0)), w.sell(&who, token, selling)),
        (true, true) => (
            w.simulate_swap(token, Direction::CoinToToken, deal.amount).map(|q| (deal.amount, 0, 0, q.output_amount.u128())),
            w.swap_coin(&who, token, deal.amount),
        ),
        (true, false) => (
            w.simulate_swap(token, Direction::TokenToCoin, selling).map(|q| (0, q.output_amount.u128(), selling, 0)),
            w.swap_token(&who, token, selling),
        ),
    };
    assert_eq!(quote.is_ok(), outcome.is_ok(), "{deal:?}: {quote:?} against {outcome:?}");
    let (coin_paid, coin_got, tokens_paid, tokens_got) = quote.unwrap_or_default();
    assert_eq!(w.coin_of(&who), coin - coin_paid + coin_got, "{deal:?}");
    assert_eq!(w.tokens_of(&who, token), tokens - tokens_paid + tokens_got, "{deal:?}");
}

fn check_books(w: &World, token: &Addr) {
    let everyone = [&w.alice, &w.bob, &w.creator, &w.launchpad, &w.amm, &w.treasury];
    let tokens: u128 = everyone.iter().map(|who| w.tokens_of(who, token)).sum();
    assert_eq!(tokens, T + P, "tokens are lost or made");
    let coins: u128 = everyone.iter().map(|who| w.coin_of(who)).sum();
    assert_eq!(coins, 3 * PURSE, "COIN is lost or made");
    let curve = w.curve(token);
    let fees = w.fees(token);
    assert_eq!(w.coin_of(&w.launchpad), (curve.bwick_reserves + fees.fees_total).u128());
    assert_eq!(w.tokens_of(&w.launchpad, token), curve.tokens_remaining.u128());
    assert_eq!(w.treasury_fees().claimable + fees.creator_claimable, fees.fees_total);
    if curve.graduated {
        let pool = w.pool(token);
        assert_eq!((w.coin_of(&w.amm), w.tokens_of(&w.amm, token)), (pool.coin_reserve.u128(), pool.token_reserve.u128()));
        assert!(pool.coin_reserve.full_mul(pool.token_reserve) >= u(R).full_mul(curve.graduation.unwrap().token_amount));
    } else {
        assert_eq!((w.coin_of(&w.amm), w.tokens_of(&w.amm, token)), (0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// Contracts, CW20 and bank together: quote equals execution, and all books agree after each deal.
    #[test]
    fn the_whole_market_keeps_its_books(deals in prop::collection::vec(deal(), 1..25)) {
        let mut w = World::new();
        let token = w.create();
        for deal in deals {
            quoted_equals_done(&mut w, &token, deal);
            check_books(&w, &token);
        }
        let alice = w.alice.clone();
        if !w.curve(&token).graduated {
            quoted_equals_done(&mut w, &token, Deal { alice: true, buys: true, amount: 11_000_000_000_000, refund: false });
            check_books(&w, &token);
            prop_assert!(w.curve(&token).graduated);
        }
        prop_assert!(w.coin_of(&alice) <= 3 * PURSE);
        prop_assert!(Uint128::new(T) >= w.curve(&token).tokens_sold);
    }
}
