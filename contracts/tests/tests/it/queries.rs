//! Answers of the launchpad.

use contract_tests::*;
use cosmwasm_std::Decimal;
use launchpad_api::msg::*;

fn ids(
    w: &World,
    start_after: Option<u64>,
    limit: Option<u32>,
    order: Option<CurveOrder>,
    creator: Option<String>,
) -> (Vec<u64>, Option<u64>) {
    let page: CurvesResponse = w.ask_launchpad(&QueryMsg::Curves { start_after, limit, order, creator }).unwrap();
    (page.curves.iter().map(|curve| curve.id).collect(), page.next_cursor)
}

#[test]
fn curves_are_listed_page_by_page_in_both_orders_and_by_creator() {
    let mut w = World::new();
    for _ in 0..5 {
        w.create();
    }
    w.creator = w.alice.clone();
    w.create();
    assert_eq!(ids(&w, None, Some(4), None, None), (vec![1, 2, 3, 4], Some(4)));
    assert_eq!(ids(&w, Some(4), Some(4), None, None), (vec![5, 6], None));
    let newest = Some(CurveOrder::NewestFirst);
    assert_eq!(ids(&w, None, Some(4), newest, None), (vec![6, 5, 4, 3], Some(3)));
    assert_eq!(ids(&w, Some(3), Some(4), newest, None), (vec![2, 1], None));
    assert_eq!(ids(&w, None, None, None, Some(w.alice.to_string())), (vec![6], None));
    assert_eq!(ids(&w, None, Some(2), newest, Some(w.bob.to_string())), (vec![], None));
    assert_eq!(ids(&w, None, Some(0), None, None), (vec![1], Some(1)));
    assert_eq!(ids(&w, None, Some(6), None, None).1, None);
    assert_eq!(ids(&w, Some(u64::MAX), None, None, None), (vec![], None));
}

#[test]
fn a_page_has_at_most_a_hundred_curves_and_thirty_unasked() {
    let mut w = World::new();
    for _ in 0..101 {
        w.create();
    }
    assert_eq!(ids(&w, None, Some(u32::MAX), None, None).0.len(), 100);
    assert_eq!(ids(&w, None, Some(u32::MAX), None, None).1, Some(100));
    assert_eq!(ids(&w, None, None, None, None).0.len(), 30);
}

#[test]
fn progress_counts_to_the_threshold() {
    let mut w = World::new();
    let token = w.create();
    let alice = w.alice.clone();
    let ask = |w: &World| -> ProgressResponse { w.ask_launchpad(&QueryMsg::Progress { token_address: token.to_string() }).unwrap() };
    let fresh = ask(&w);
    assert_eq!((fresh.bwick_reserves.u128(), fresh.graduation_threshold.u128(), fresh.coin_remaining.u128()), (F, R, B));
    assert_eq!(
        (fresh.buy_amount_to_graduate.u128(), fresh.progress_percent, fresh.graduated),
        (GROSS_TO_GRADUATE, Decimal::percent(80), false)
    );
    w.buy(&alice, &token, 5_000_000_000_000).unwrap();
    let half = ask(&w);
    assert_eq!(half.progress_percent.to_string(), "50.55");
    w.buy(&alice, &token, half.buy_amount_to_graduate.u128()).unwrap();
    let done = ask(&w);
    assert_eq!(
        (done.graduated, done.progress_percent, done.coin_remaining.u128(), done.buy_amount_to_graduate.u128()),
        (true, Decimal::percent(10_000), 0, 0)
    );
}

#[test]
fn prices_in_coin_and_dollars() {
    let mut w = World::new();
    let token = w.create();
    let ask = |w: &World| -> PriceResponse { w.ask_launchpad(&QueryMsg::Price { token_address: token.to_string() }).unwrap() };
    let price = ask(&w);
    // Market cap at the opening: 3,236,889.957499 COIN.
    assert_eq!((price.price.to_string(), price.market_cap_ucoin.u128()), ("0.032368899574995156".into(), 3_236_889_957_499));
    assert_eq!((price.price_usd, price.market_cap_usd, price.oracle), (None, None, None));
    w.set_price("0.0005".parse().unwrap()).unwrap();
    let price = ask(&w);
    assert_eq!(price.price_usd.unwrap().to_string(), "0.000016184449787497");
    assert_eq!(price.market_cap_usd.unwrap().to_string(), "1618.4449787495");
    assert_eq!(price.oracle.unwrap().updated_height, w.app.block_info().height);
    let alice = w.alice.clone();
    w.buy(&alice, &token, GROSS_TO_GRADUATE).unwrap();
    let last = ask(&w);
    assert!(last.graduated);
    assert_eq!(last.price, w.curve(&token).current_price);
    assert_eq!(last.market_cap_ucoin.u128() / 1_000_000, 48_332_527);
}

#[test]
fn unknown_tokens_are_named() {
    let w = World::new();
    let token_address = w.alice.to_string();
    let expected = format!("no curve for token {token_address}");
    let errors = [
        w.ask_launchpad::<CurveResponse>(&QueryMsg::Curve { token_address: token_address.clone() }).unwrap_err(),
        w.ask_launchpad::<ProgressResponse>(&QueryMsg::Progress { token_address: token_address.clone() }).unwrap_err(),
        w.ask_launchpad::<PriceResponse>(&QueryMsg::Price { token_address: token_address.clone() }).unwrap_err(),
        w.ask_launchpad::<FeesResponse>(&QueryMsg::Fees { token_address: token_address.clone() }).unwrap_err(),
        w.simulate_buy(&w.alice, 1_000_000, Default::default()).unwrap_err(),
        w.simulate_sell(&w.alice, 1_000_000).unwrap_err(),
    ];
    for error in errors {
        assert!(error.contains(&expected), "{error}");
    }
    let known: HasCurveResponse = w.ask_launchpad(&QueryMsg::HasCurve { token_address }).unwrap();
    assert!(!known.has_curve);
    assert!(w.ask_launchpad::<HasCurveResponse>(&QueryMsg::HasCurve { token_address: "nobody".into() }).is_err());
}

#[test]
fn a_curve_answers_the_documents_fields() {
    let mut w = World::new();
    let token = w.create();
    let json: cosmwasm_std::Binary = {
        let query = cosmwasm_std::to_json_vec(&QueryMsg::Curve { token_address: token.to_string() }).unwrap();
        launchpad::contract::query(
            cosmwasm_std::Deps { storage: &*w.app.contract_storage(&w.launchpad), api: w.app.api(), querier: w.app.wrap() },
            cosmwasm_std::testing::mock_env(),
            cosmwasm_std::from_json(query).unwrap(),
        )
        .unwrap()
    };
    let text = String::from_utf8(json.to_vec()).unwrap();
    for field in [
        "token_address",
        "metadata",
        "name",
        "symbol",
        "image",
        "description",
        "social_links",
        "creator",
        "tokens_sold",
        "tokens_remaining",
        "bwick_reserves",
        "virtual_coin_reserves",
        "virtual_token_reserves",
        "current_price",
        "graduation_threshold",
        "progress_percent",
        "graduated",
        "created_at",
        "created_height",
    ] {
        assert!(text.contains(&format!("\"{field}\":")), "{field} is missing in {text}");
    }
    let known: HasCurveResponse = w.ask_launchpad(&QueryMsg::HasCurve { token_address: token.to_string() }).unwrap();
    assert!(known.has_curve);
}
