//! Configuration: who may change what, and that living curves never notice.

use amm_api::msg as amm_msg;
use contract_tests::*;
use cosmwasm_std::{Decimal, Uint128};
use launchpad_api::msg::{ConfigResponse, ExecuteMsg, LaunchParams, QueryMsg};

fn change() -> ExecuteMsg {
    ExecuteMsg::UpdateConfig { admin: None, amm: None, oracle: None, fee_collector: None, params: None }
}

fn with_params(params: LaunchParams) -> ExecuteMsg {
    ExecuteMsg::UpdateConfig { admin: None, amm: None, oracle: None, fee_collector: None, params: Some(params) }
}

fn config(w: &World) -> ConfigResponse {
    w.ask_launchpad(&QueryMsg::Config {}).unwrap()
}

#[test]
fn only_the_admin_changes_the_configuration() {
    let mut w = World::new();
    for who in [w.alice.clone(), w.oracle.clone(), w.treasury.clone(), w.creator.clone()] {
        fails_with(w.tell_launchpad(&who, &change(), &[]), "unauthorized: only the admin");
    }
    let (admin, alice, bob) = (w.admin.clone(), w.alice.clone(), w.bob.clone());
    let msg = ExecuteMsg::UpdateConfig {
        admin: None,
        amm: None,
        oracle: Some(alice.to_string()),
        fee_collector: Some(bob.to_string()),
        params: None,
    };
    w.tell_launchpad(&admin, &msg, &[]).unwrap();
    let now = config(&w);
    assert_eq!((now.oracle, now.fee_collector, now.admin), (alice.to_string(), bob.to_string(), admin.to_string()));
    let bad = ExecuteMsg::UpdateConfig { admin: None, amm: None, oracle: Some("nobody".into()), fee_collector: None, params: None };
    fails_with(w.tell_launchpad(&admin, &bad, &[]), "Invalid input");
}

#[test]
fn the_admin_changes_hands_in_two_steps() {
    let mut w = World::new();
    let (admin, alice, bob) = (w.admin.clone(), w.alice.clone(), w.bob.clone());
    let propose = |to: &cosmwasm_std::Addr| ExecuteMsg::UpdateConfig {
        admin: Some(to.to_string()),
        amm: None,
        oracle: None,
        fee_collector: None,
        params: None,
    };
    fails_with(w.tell_launchpad(&alice, &ExecuteMsg::AcceptAdmin {}, &[]), "no admin transfer is proposed");
    w.tell_launchpad(&admin, &propose(&alice), &[]).unwrap();
    assert_eq!((config(&w).admin, config(&w).pending_admin), (admin.to_string(), Some(alice.to_string())));
    fails_with(w.tell_launchpad(&bob, &ExecuteMsg::AcceptAdmin {}, &[]), "unauthorized: only the proposed admin");
    fails_with(w.tell_launchpad(&alice, &change(), &[]), "unauthorized");
    w.tell_launchpad(&admin, &propose(&admin), &[]).unwrap();
    fails_with(w.tell_launchpad(&alice, &ExecuteMsg::AcceptAdmin {}, &[]), "no admin transfer is proposed");
    w.tell_launchpad(&admin, &propose(&alice), &[]).unwrap();
    w.tell_launchpad(&alice, &ExecuteMsg::AcceptAdmin {}, &[]).unwrap();
    assert_eq!((config(&w).admin, config(&w).pending_admin), (alice.to_string(), None));
    fails_with(w.tell_launchpad(&admin, &change(), &[]), "unauthorized");
}

#[test]
fn a_living_curve_keeps_its_rules() {
    let mut w = World::new();
    let (admin, alice) = (w.admin.clone(), w.alice.clone());
    let old = w.create();
    let quote = w.simulate_buy(&old, 1_000_000_000, Default::default()).unwrap();
    let params = LaunchParams {
        buy_fee_bps: 100,
        sell_fee_bps: 100,
        creator_share_bps: 0,
        graduation_raise: Uint128::new(1_000_000_000_000),
        ..Default::default()
    };
    w.tell_launchpad(&admin, &with_params(params.clone()), &[]).unwrap();
    assert_eq!(config(&w).params, params);
    assert_eq!(w.simulate_buy(&old, 1_000_000_000, Default::default()).unwrap(), quote);
    assert_eq!(w.curve(&old).graduation_threshold.u128(), R);
    let new = w.create();
    assert_eq!(w.curve(&new).graduation_threshold.u128(), 1_000_000_000_000);
    assert_eq!(w.curve(&new).rules.buy_fee_bps, 100);
    w.buy(&alice, &new, 1_000_000_000).unwrap();
    assert_eq!((w.fees(&new).creator_claimable.u128(), w.fees(&new).fees_total.u128()), (0, 10_000_000));
}

#[test]
fn the_threshold_is_the_raise_within_its_bounds() {
    let threshold = |raise: u128| {
        let params = LaunchParams { graduation_raise: Uint128::new(raise), ..Default::default() };
        config(&World::with_params(Some(params))).graduation_threshold.u128()
    };
    assert_eq!(threshold(10_000_000_000_000), R);
    assert_eq!(threshold(1), 100_000_000_000);
    assert_eq!(threshold(u128::MAX), 50_000_000_000_000);
}

#[test]
fn parameters_no_curve_could_live_by_are_refused() {
    let mut w = World::new();
    let admin = w.admin.clone();
    let good = LaunchParams::default();
    for (bad, why) in [
        (LaunchParams { buy_fee_bps: 1_001, ..good.clone() }, "a trading fee is at most 1000"),
        (LaunchParams { sell_fee_bps: 10_000, ..good.clone() }, "a trading fee is at most 1000"),
        (LaunchParams { creator_share_bps: 10_001, ..good.clone() }, "the creator's share is at most 10000"),
        (LaunchParams { min_graduation_threshold: Uint128::MAX, ..good.clone() }, "the minimum threshold is above the maximum"),
        (LaunchParams { min_graduation_threshold: good.creation_fee, ..good.clone() }, "no curve fits"),
        (LaunchParams { curve_supply: Uint128::zero(), ..good.clone() }, "no curve fits"),
        (LaunchParams { pool_supply: Uint128::zero(), ..good.clone() }, "no curve fits"),
        (LaunchParams { curve_supply: Uint128::MAX, ..good.clone() }, "the supply does not fit into 128 bits"),
    ] {
        fails_with(w.tell_launchpad(&admin, &with_params(bad), &[]), why);
    }
    assert_eq!(config(&w).params, good);
}

#[test]
fn the_pool_contract_is_named_once_and_must_name_this_launchpad() {
    let mut w = World::new();
    let mut other = World::without_amm(None);
    let (admin, amm) = (w.admin.clone(), w.amm.clone());
    let name = |amm: String| ExecuteMsg::UpdateConfig { admin: None, amm: Some(amm), oracle: None, fee_collector: None, params: None };
    fails_with(w.tell_launchpad(&admin, &name(amm.to_string()), &[]), "the pool contract is");
    // A second launchpad, and a pool contract that serves someone else.
    let alice = other.alice.clone();
    let stranger = amm_msg::InstantiateMsg {
        admin: None,
        launchpad: alice.to_string(),
        listing: None,
        coin_denom: None,
        base_fee_bps: None,
        augmented_fee_bps: None,
    };
    let pool = cw_multi_test::Executor::instantiate_contract(&mut other.app, 3, alice, &stranger, &[], "amm", None).unwrap();
    fails_with(other.tell_launchpad(&admin, &name(pool.to_string()), &[]), "invalid configuration: the pool contract");
    let none = config(&other);
    assert_eq!((none.amm, config(&w).amm), (None, Some(amm.to_string())));
}

#[test]
fn only_the_oracle_sets_the_price_and_it_moves_no_curve() {
    let mut w = World::new();
    let token = w.create();
    let (admin, before) = (w.admin.clone(), w.curve(&token));
    let price = Decimal::from_ratio(206_897u128, 1_000_000_000u128);
    fails_with(w.tell_launchpad(&admin, &ExecuteMsg::UpdatePrice { coin_usd: price }, &[]), "unauthorized: only the oracle");
    fails_with(w.set_price(Decimal::zero()), "a price is above zero");
    assert_eq!((config(&w).price, config(&w).suggested_graduation_raise), (None, None));
    w.set_price(price).unwrap();
    let now = config(&w);
    assert_eq!(now.price.unwrap().coin_usd, price);
    // 10,000 USD * 20.69 / 100 / 0.000206897 USD = 10,000,144.999685 COIN
    assert_eq!(now.suggested_graduation_raise.unwrap().u128(), 10_000_144_999_685);
    assert_eq!((w.curve(&token), now.graduation_threshold.u128()), (before, R));
    w.set_price(Decimal::MAX).unwrap();
    assert_eq!(config(&w).suggested_graduation_raise.unwrap().u128(), 100_000_000_000);
    w.set_price(Decimal::raw(1)).unwrap();
    assert_eq!(config(&w).suggested_graduation_raise.unwrap().u128(), 50_000_000_000_000);
}

#[test]
fn the_amms_admin_has_the_same_two_steps_and_pools_keep_their_fees() {
    let mut w = World::new();
    let token = w.graduated();
    let (admin, alice, bob) = (w.admin.clone(), w.alice.clone(), w.bob.clone());
    let update = |admin: Option<String>, listing: Option<String>, base: Option<u16>, extra: Option<u16>| {
        amm_msg::ExecuteMsg::UpdateConfig { admin, listing, base_fee_bps: base, augmented_fee_bps: extra }
    };
    fails_with(w.tell_amm(&alice, &update(None, None, Some(1), None), &[]), "unauthorized: only the admin");
    fails_with(w.tell_amm(&admin, &update(None, None, Some(1_001), None), &[]), "a fee is at most 1000");
    fails_with(w.tell_amm(&admin, &update(None, None, None, Some(1_001)), &[]), "a fee is at most 1000");
    w.tell_amm(&admin, &update(Some(alice.to_string()), Some(bob.to_string()), Some(30), Some(70)), &[]).unwrap();
    fails_with(w.tell_amm(&bob, &amm_msg::ExecuteMsg::AcceptAdmin {}, &[]), "unauthorized: only the proposed admin");
    w.tell_amm(&alice, &amm_msg::ExecuteMsg::AcceptAdmin {}, &[]).unwrap();
    fails_with(w.tell_amm(&alice, &amm_msg::ExecuteMsg::AcceptAdmin {}, &[]), "no admin transfer is proposed");
    let now: amm_msg::ConfigResponse = w.ask_amm(&amm_msg::QueryMsg::Config {}).unwrap();
    assert_eq!((now.admin, now.pending_admin, now.listing), (alice.to_string(), None, Some(bob.to_string())));
    assert_eq!((now.base_fee_bps, now.augmented_fee_bps, now.launchpad, now.coin_denom), (30, 70, w.launchpad.to_string(), "ucoin".into()));
    assert_eq!(w.pool(&token).fee_bps, 200);
    // Quotes of a crossing buy know the fees of the pool that would open.
    let second = w.create();
    let quote = w.simulate_buy(&second, GROSS_TO_GRADUATE + 1_000_000, Default::default()).unwrap();
    assert_eq!(quote.pool.unwrap().fee_amount.u128(), 10_000);
    w.buy(&bob, &second, GROSS_TO_GRADUATE + 1_000_000).unwrap();
    assert_eq!(w.tokens_of(&bob, &second), quote.tokens_out.u128());
}

#[test]
fn bad_instantiations_are_refused() {
    let mut w = World::new();
    let alice = w.alice.clone();
    let start = |code: u64, params: Option<LaunchParams>, admin: Option<&str>| launchpad_api::msg::InstantiateMsg {
        admin: admin.map(String::from),
        cw20_code_id: code,
        oracle: None,
        fee_collector: None,
        coin_denom: None,
        params,
    };
    let mut go = |msg: &launchpad_api::msg::InstantiateMsg, funds: &[cosmwasm_std::Coin]| {
        cw_multi_test::Executor::instantiate_contract(&mut w.app, 2, alice.clone(), msg, funds, "pad", None).map_err(|e| format!("{e:#}"))
    };
    assert!(go(&start(0, None, None), &[]).unwrap_err().contains("code ids start at 1"));
    assert!(go(&start(1, None, Some("nobody")), &[]).unwrap_err().contains("Invalid input"));
    assert!(go(&start(1, None, None), &ucoin(1)).unwrap_err().contains("wrong funds"));
    let bad = LaunchParams { buy_fee_bps: 9_999, ..Default::default() };
    assert!(go(&start(1, Some(bad), None), &[]).unwrap_err().contains("a trading fee is at most"));
    let pad = go(&start(1, None, None), &[]).unwrap();
    let answer: ConfigResponse = w.app.wrap().query_wasm_smart(pad, &QueryMsg::Config {}).unwrap();
    assert_eq!((answer.admin.clone(), answer.oracle, answer.fee_collector), (alice.to_string(), answer.admin.clone(), answer.admin));
}
