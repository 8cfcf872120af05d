//! Answers. Every figure of a trade comes from the same functions that trades use.

use amm_api::math::{self, MathError};
use cosmwasm_std::{Addr, Decimal, Decimal256, Deps, Order, StdResult, Uint128};
use cw_storage_plus::Bound;
use launchpad_api::msg::*;

use crate::create::{is_launched, threshold_of};
use crate::curve::Pricing;
use crate::error::ContractError;
use crate::quote::quote_buy;
use crate::state::*;
use crate::trade::{require_active, token_address};

const LIMIT_DEFAULT: u32 = 30;
const LIMIT_MAX: u32 = 100;
const UCOIN_PER_COIN: Uint128 = Uint128::new(1_000_000);

pub fn config(deps: Deps) -> Result<ConfigResponse, ContractError> {
    let config = CONFIG.load(deps.storage)?;
    let price = PRICE.may_load(deps.storage)?;
    let suggested_graduation_raise = price.as_ref().and_then(|price| suggested_raise(&config.params, price.coin_usd));
    Ok(ConfigResponse {
        admin: config.admin.into(),
        pending_admin: config.pending_admin.map(Addr::into_string),
        cw20_code_id: config.cw20_code_id,
        amm: config.amm.map(Addr::into_string),
        oracle: config.oracle.into(),
        fee_collector: config.fee_collector.into(),
        coin_denom: config.coin_denom,
        graduation_threshold: threshold_of(&config.params),
        params: config.params,
        price,
        suggested_graduation_raise,
    })
}

/// `target * P / S / price`: at that raise the pool opens at the target market cap. Within the bounds.
fn suggested_raise(params: &LaunchParams, coin_usd: Decimal) -> Option<Uint128> {
    let supply = params.curve_supply.checked_add(params.pool_supply).ok()?;
    let target = params.target_graduation_market_cap_usd.checked_mul(UCOIN_PER_COIN).ok()?;
    let in_pool = math::mul_div_floor(target, params.pool_supply, supply).ok()?;
    let raise = math::mul_div_floor(in_pool, Decimal::one().atomics(), coin_usd.atomics()).unwrap_or(Uint128::MAX);
    Some(raise.max(params.min_graduation_threshold).min(params.max_graduation_threshold))
}

/// A curve's three records, and its pricing as of now: once graduated, as of its last trade.
struct Found {
    token: Addr,
    launch: Launch,
    rules: CurveRules,
    state: CurveState,
    graduation: Option<Graduation>,
    pricing: Pricing,
}

fn find(deps: Deps, token: Addr) -> Result<Found, ContractError> {
    let launch = LAUNCHES.may_load(deps.storage, &token)?.ok_or_else(|| ContractError::NoCurve { token: token.to_string() })?;
    let rules = RULES.load(deps.storage, &token)?;
    let state = CURVES.load(deps.storage, &token)?;
    let graduation = GRADUATIONS.may_load(deps.storage, &token)?;
    let mut last = state.clone();
    if let Some(graduation) = &graduation {
        last.bwick_reserves = graduation.coin_amount;
    }
    let pricing = pricing(&rules, &last);
    Ok(Found { token, launch, rules, state, graduation, pricing })
}

fn progress_percent(reserves: Uint128, rules: &CurveRules, graduated: bool) -> Decimal {
    let hundred = Decimal::percent(10_000);
    if graduated {
        return hundred;
    }
    let part = Decimal::checked_from_ratio(reserves, rules.graduation_threshold).unwrap_or_default();
    part.checked_mul(hundred).unwrap_or(hundred).min(hundred)
}

fn curve_response(found: Found) -> Result<CurveResponse, ContractError> {
    let Found { token, launch, rules, state, graduation, pricing } = found;
    let tokens_remaining = if state.graduated { Uint128::zero() } else { pricing.tokens_remaining()? };
    Ok(CurveResponse {
        id: launch.id,
        token_address: token.into(),
        metadata: launch.metadata,
        creator: launch.creator.into(),
        tokens_sold: state.tokens_sold,
        tokens_remaining,
        bwick_reserves: state.bwick_reserves,
        virtual_coin_reserves: pricing.virtual_coin()?,
        virtual_token_reserves: pricing.virtual_token()?,
        current_price: pricing.price()?,
        graduation_threshold: rules.graduation_threshold,
        progress_percent: progress_percent(state.bwick_reserves, &rules, state.graduated),
        graduated: state.graduated,
        graduation,
        rules,
        created_at: launch.created_at,
        created_height: launch.created_height,
    })
}

pub fn curve(deps: Deps, token: &str) -> Result<CurveResponse, ContractError> {
    curve_response(find(deps, token_address(deps, token)?)?)
}

pub fn curves(
    deps: Deps,
    start_after: Option<u64>,
    limit: Option<u32>,
    order: Option<CurveOrder>,
    creator: Option<String>,
) -> Result<CurvesResponse, ContractError> {
    let limit = limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX) as usize;
    let (order, min, max) = match order.unwrap_or(CurveOrder::OldestFirst) {
        CurveOrder::OldestFirst => (Order::Ascending, start_after.map(Bound::exclusive), None),
        CurveOrder::NewestFirst => (Order::Descending, None, start_after.map(Bound::exclusive)),
    };
    // One more than asked for tells whether a page follows.
    let mut page: Vec<(u64, Addr)> = match creator {
        Some(creator) => {
            let creator = deps.api.addr_validate(&creator)?;
            TOKENS_OF.prefix(&creator).range(deps.storage, min, max, order).take(limit + 1).collect::<StdResult<_>>()?
        }
        None => TOKENS.range(deps.storage, min, max, order).take(limit + 1).collect::<StdResult<_>>()?,
    };
    let more = page.len() > limit;
    page.truncate(limit);
    let next_cursor = if more { page.last().map(|(id, _)| *id) } else { None };
    let curves = page.into_iter().map(|(_, token)| curve_response(find(deps, token)?)).collect::<Result<_, _>>()?;
    Ok(CurvesResponse { curves, next_cursor })
}

pub fn has_curve(deps: Deps, token: &str) -> Result<HasCurveResponse, ContractError> {
    Ok(HasCurveResponse { has_curve: is_launched(deps.storage, &token_address(deps, token)?) })
}

pub fn progress(deps: Deps, token: &str) -> Result<ProgressResponse, ContractError> {
    let Found { token, rules, state, pricing, .. } = find(deps, token_address(deps, token)?)?;
    let coin_remaining = if state.graduated { Uint128::zero() } else { pricing.room() };
    Ok(ProgressResponse {
        token_address: token.into(),
        bwick_reserves: state.bwick_reserves,
        graduation_threshold: rules.graduation_threshold,
        coin_remaining,
        buy_amount_to_graduate: math::gross_for_net(coin_remaining, rules.buy_fee_bps)?,
        progress_percent: progress_percent(state.bwick_reserves, &rules, state.graduated),
        graduated: state.graduated,
    })
}

pub fn simulate_buy(
    deps: Deps,
    token: &str,
    coin_amount: Uint128,
    on_graduation: Option<OnGraduation>,
) -> Result<SimulateBuyResponse, ContractError> {
    let (rules, state) = require_active(deps.storage, &token_address(deps, token)?)?;
    let quote = quote_buy(deps.querier, &rules, &pricing(&rules, &state), coin_amount, on_graduation.unwrap_or_default())?;
    Ok(SimulateBuyResponse {
        tokens_out: quote.tokens_out,
        curve: BuyPart {
            input_amount: quote.curve.gross,
            fee_amount: quote.curve.fee,
            output_amount: quote.curve.tokens_out,
            price_after: quote.after.price()?,
        },
        graduates: quote.curve.graduates,
        pool: quote.pool.map(|part| BuyPart {
            input_amount: part.trade.input,
            fee_amount: part.trade.fee,
            output_amount: part.trade.output,
            price_after: part.price_after,
        }),
        refund: quote.refund,
        bwick_reserves_after: quote.after.bwick_reserves,
        tokens_remaining_after: quote.after.tokens_remaining()?,
    })
}

pub fn simulate_sell(deps: Deps, token: &str, token_amount: Uint128) -> Result<SimulateSellResponse, ContractError> {
    let (rules, state) = require_active(deps.storage, &token_address(deps, token)?)?;
    let before = pricing(&rules, &state);
    let sale = before.sell(token_amount)?;
    let after = before.after_sell(token_amount, &sale)?;
    Ok(SimulateSellResponse {
        coin_out: sale.coin_out,
        fee_amount: sale.fee,
        price_after: after.price()?,
        bwick_reserves_after: after.bwick_reserves,
        tokens_remaining_after: after.tokens_remaining()?,
    })
}

pub fn price(deps: Deps, token: &str) -> Result<PriceResponse, ContractError> {
    let Found { token, state, pricing, .. } = find(deps, token_address(deps, token)?)?;
    let oracle = PRICE.may_load(deps.storage)?;
    let price = pricing.price()?;
    let market_cap_ucoin = math::mul_div_floor(pricing.supply, pricing.virtual_coin()?, pricing.virtual_token()?)?;
    // A figure too large to write is left out rather than failing the whole answer.
    let in_usd = |coin: Decimal256| oracle.as_ref().and_then(|o| coin.checked_mul(o.coin_usd.into()).ok());
    let coin_cap = Decimal256::checked_from_ratio(market_cap_ucoin, UCOIN_PER_COIN).map_err(|_| MathError::Overflow)?;
    Ok(PriceResponse {
        token_address: token.into(),
        price_usd: in_usd(price),
        market_cap_usd: in_usd(coin_cap),
        price,
        market_cap_ucoin,
        graduated: state.graduated,
        oracle,
    })
}

pub fn fees(deps: Deps, token: &str) -> Result<FeesResponse, ContractError> {
    let token = token_address(deps, token)?;
    let Found { launch, .. } = find(deps, token.clone())?;
    let fees = FEES.load(deps.storage, &token)?;
    let creators = fees.creator_claimable.checked_add(fees.creator_claimed).map_err(|_| MathError::Overflow)?;
    Ok(FeesResponse {
        token_address: token.into(),
        creator: launch.creator.into(),
        creator_claimable: fees.creator_claimable,
        creator_claimed: fees.creator_claimed,
        treasury_total: fees.treasury_total,
        fees_total: creators.checked_add(fees.treasury_total).map_err(|_| MathError::Overflow)?,
    })
}

pub fn treasury(deps: Deps) -> Result<TreasuryResponse, ContractError> {
    let treasury = TREASURY.load(deps.storage)?;
    let fee_collector = CONFIG.load(deps.storage)?.fee_collector.into();
    Ok(TreasuryResponse { fee_collector, claimable: treasury.claimable, claimed: treasury.claimed })
}
