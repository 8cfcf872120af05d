//! Creating tokens.

use contract_tests::*;
use cosmwasm_std::{Coin, Uint128};
use cw20::{LogoInfo, MarketingInfoResponse, MinterResponse};
use launchpad_api::msg::SocialLink;

#[test]
fn a_launch_mints_the_whole_supply_to_the_launchpad_and_nobody_can_mint_more() {
    let mut w = World::new();
    let token = w.create();
    let info = w.token_info(&token);
    assert_eq!((info.name.as_str(), info.symbol.as_str(), info.decimals), ("Example", "EXAMPLE", 6));
    assert_eq!(info.total_supply.u128(), 100_000_000_000_000);
    assert_eq!(w.tokens_of(&w.launchpad, &token), 100_000_000_000_000);
    let minter: Option<MinterResponse> = w.app.wrap().query_wasm_smart(&token, &cw20::Cw20QueryMsg::Minter {}).unwrap();
    assert_eq!(minter, None);
    assert_eq!(w.coin_of(&w.launchpad), F);
    let curve = w.curve(&token);
    assert_eq!(curve.bwick_reserves.u128(), F);
    assert_eq!((curve.virtual_coin_reserves.u128(), curve.virtual_token_reserves.u128()), (3_463_486_273_490, 107_000_433_099_849));
    assert_eq!(curve.creator, w.creator.to_string());
    assert_eq!((curve.id, curve.graduated, curve.tokens_sold.u128()), (1, false, 0));
    assert_eq!(curve.created_height, w.app.block_info().height);
}

#[test]
fn the_event_has_all_that_an_indexer_needs() {
    let mut w = World::new();
    let links = vec![SocialLink { label: "website".into(), url: "https://example.org".into() }];
    let outcome = w
        .try_create(F, |l| {
            l.description = Some("A token".into());
            l.image = Some("https://example.org/i.png".into());
            l.social_links = Some(links.clone());
        })
        .unwrap();
    let of = |key: &str| attribute(&outcome, "wasm-create_token", key);
    assert_eq!(event_types(&outcome), ["wasm-create_token"]);
    assert_eq!(
        (of("trader"), of("input_amount"), of("output_amount"), of("fee_amount")),
        (w.creator.to_string(), F.to_string(), "0".into(), "0".into())
    );
    assert_eq!((of("bwick_reserves"), of("token_reserves")), (F.to_string(), "100000000000000".into()));
    assert_eq!((of("virtual_coin_reserves"), of("virtual_token_reserves")), ("3463486273490".into(), "107000433099849".into()));
    assert_eq!((of("name"), of("symbol"), of("curve_id"), of("decimals")), ("Example".into(), "EXAMPLE".into(), "1".into(), "6".into()));
    assert_eq!((of("description"), of("image")), ("A token".into(), "https://example.org/i.png".into()));
    assert_eq!(of("social_links"), r#"[{"label":"website","url":"https://example.org"}]"#);
    assert_eq!((of("price"), of("graduation_threshold")), ("0.032368899574995156".into(), R.to_string()));
    let token = cosmwasm_std::Addr::unchecked(of("token_address"));
    assert_eq!(w.curve(&token).metadata.social_links, links);
    let marketing: MarketingInfoResponse = w.app.wrap().query_wasm_smart(&token, &cw20::Cw20QueryMsg::MarketingInfo {}).unwrap();
    assert_eq!(marketing.description.as_deref(), Some("A token"));
    assert_eq!(marketing.logo, Some(LogoInfo::Url("https://example.org/i.png".into())));
    assert_eq!(marketing.marketing, Some(w.creator.clone()));
}

#[test]
fn the_creator_may_buy_in_the_same_transaction() {
    let mut w = World::new();
    let outcome = w.try_create(F + 1_000_000_000, |l| l.min_tokens_out = Some(Uint128::new(30_730_000_000))).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-create_token", "wasm-buy"]);
    let token = cosmwasm_std::Addr::unchecked(attribute(&outcome, "wasm-buy", "token_address"));
    let bought = w.tokens_of(&w.creator, &token);
    assert_eq!(attribute(&outcome, "wasm-buy", "output_amount"), bought.to_string());
    assert_eq!(w.curve(&token).tokens_sold.u128(), bought);
    assert_eq!(w.coin_of(&w.creator), PURSE - F - 1_000_000_000);
}

#[test]
fn a_first_buy_may_graduate_the_token_at_once() {
    let mut w = World::new();
    let outcome = w.try_create(F + GROSS_TO_GRADUATE + 5_000_000, |_| {}).unwrap();
    assert_eq!(event_types(&outcome), ["wasm-create_token", "wasm-buy", "wasm-graduate", "wasm-create_pool", "wasm-swap"]);
    let token = cosmwasm_std::Addr::unchecked(attribute(&outcome, "wasm-buy", "token_address"));
    assert!(w.curve(&token).graduated);
    assert!(w.tokens_of(&w.creator, &token) > T);
}

#[test]
fn a_first_buy_below_its_minimum_takes_nothing_at_all() {
    let mut w = World::new();
    fails_with(w.try_create(F + 1_000_000_000, |l| l.min_tokens_out = Some(Uint128::new(30_740_000_000))), "slippage: 30730");
    fails_with(w.try_create(F, |l| l.min_tokens_out = Some(Uint128::one())), "slippage: 0 would come out");
    w.try_create(F, |l| l.min_tokens_out = Some(Uint128::zero())).unwrap();
    assert_eq!(w.coin_of(&w.creator), PURSE - F);
    assert_eq!(w.curve_count(), 1);
}

#[test]
fn the_fee_is_exact_and_only_the_native_coin_pays_it() {
    let mut w = World::new();
    fails_with(w.try_create(F - 1, |_| {}), "creation fee: send at least 80000000000ucoin, got 79999999999ucoin");
    fails_with(w.try_create(0, |_| {}), "wrong funds: send ucoin, and nothing else; got nothing");
    let creator = w.creator.clone();
    let launchpad = w.launchpad.clone();
    let msg = launchpad_api::msg::ExecuteMsg::CreateToken {
        name: "Example".into(),
        symbol: "EXAMPLE".into(),
        description: None,
        image: None,
        social_links: None,
        min_tokens_out: None,
        deadline: None,
        on_graduation: None,
    };
    fails_with(w.tell(&launchpad, &creator, &msg, &[Coin::new(F, "uother")]), "wrong funds");
    fails_with(w.tell(&launchpad, &creator, &msg, &[Coin::new(F, DENOM), Coin::new(1u128, "uother")]), "wrong funds");
    assert_eq!(w.curve_count(), 0);
}

#[test]
fn names_and_symbols_have_their_limits() {
    let mut w = World::new();
    for name in ["", "   ", "a\nb", &"n".repeat(33)] {
        fails_with(w.try_create(F, |l| l.name = name.into()), "invalid name");
    }
    for symbol in ["", "A", "ABCDEFGHIJKLM", "A B", "A-B", "ÄÖÜ", "AB!"] {
        fails_with(w.try_create(F, |l| l.symbol = symbol.into()), "invalid symbol");
    }
    for name in ["a", "nn", &"n".repeat(32), "日本語のトークン", &"語".repeat(32)] {
        w.try_create(F, |l| l.name = name.into()).unwrap();
    }
    for symbol in ["AB", "a1", "ABCDEFGHIJKL", "0123456789", "X2"] {
        w.try_create(F, |l| l.symbol = symbol.into()).unwrap();
    }
    assert_eq!(w.curve_count(), 10);
}

#[test]
fn what_cw20_base_cannot_hold_is_written_as_near_as_it_can() {
    let mut w = World::new();
    let mut create = |name: &str, symbol: &str| {
        let outcome = w
            .try_create(F, |l| {
                l.name = name.into();
                l.symbol = symbol.into();
            })
            .unwrap();
        let token = cosmwasm_std::Addr::unchecked(attribute(&outcome, "wasm-create_token", "token_address"));
        let (info, kept) = (w.token_info(&token), w.curve(&token).metadata);
        assert_eq!((kept.name.as_str(), kept.symbol.as_str()), (name, symbol));
        (info.name, info.symbol)
    };
    assert_eq!(create("Pepe", "PEPE"), ("Pepe".into(), "PEPE".into()));
    assert_eq!(create("A", "A1"), ("A token".into(), "AI-".into()));
    assert_eq!(create("Pepe 2", "PEPE2"), ("Pepe 2".into(), "PEPEZ".into()));
    assert_eq!(create(&"語".repeat(32), "0123456789"), (format!("{}…", "語".repeat(15)), "OIZEASGTBP".into()));
}

#[test]
fn texts_and_links_have_their_limits() {
    let mut w = World::new();
    let link = |label: &str, url: &str| SocialLink { label: label.into(), url: url.into() };
    fails_with(w.try_create(F, |l| l.description = Some("d".repeat(1_001))), "invalid description: at most 1000 bytes, got 1001");
    fails_with(w.try_create(F, |l| l.image = Some(format!("https://{}", "i".repeat(505)))), "invalid image");
    for image in ["ftp://a", "https://", "javascript:alert(1)", "https://a b", "https://a\n"] {
        fails_with(w.try_create(F, |l| l.image = Some(image.into())), "invalid image");
    }
    fails_with(w.try_create(F, |l| l.social_links = Some(vec![link("x", "https://x.y"); 9])), "invalid social_links: at most 8, got 9");
    for bad in [link("", "https://x.y"), link(&"l".repeat(33), "https://x.y"), link("x", "x.y"), link("x\ty", "https://x.y")] {
        fails_with(w.try_create(F, |l| l.social_links = Some(vec![bad])), "invalid social_links");
    }
    w.try_create(F, |l| {
        l.description = Some("d".repeat(1_000));
        l.image = Some(format!("https://{}", "i".repeat(504)));
        l.social_links = Some(vec![link("x", "ipfs://abc"); 8]);
    })
    .unwrap();
}

#[test]
fn a_late_launch_fails_and_one_without_a_pool_contract_too() {
    let mut w = World::new();
    let now = w.app.block_info().time.seconds();
    fails_with(w.try_create(F, |l| l.deadline = Some(now - 1)), "the deadline");
    w.try_create(F, |l| l.deadline = Some(now)).unwrap();
    let mut w = World::without_amm(None);
    fails_with(w.try_create(F, |_| {}), "the exchange pool is not configured yet");
}
