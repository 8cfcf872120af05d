//! What a buy gives, from the curve and from the pool that it may open. The buy itself and its simulation both ask here.

use amm_api::math::{self, MathError, Trade};
use amm_api::msg::{ConfigResponse as AmmConfig, QueryMsg as AmmQuery};
use cosmwasm_std::{Decimal256, QuerierWrapper, Uint128};
use launchpad_api::msg::{CurveRules, OnGraduation};

use crate::curve::{CurveBuy, Pricing};
use crate::error::ContractError;

/// The part of a buy that goes on in the new pool.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolPart {
    pub trade: Trade,
    pub price_after: Decimal256,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BuyQuote {
    pub curve: CurveBuy,
    /// The curve after its part; what it then holds goes to the pool if the buy graduates it.
    pub after: Pricing,
    pub pool: Option<PoolPart>,
    pub refund: Uint128,
    /// Tokens from curve and pool.
    pub tokens_out: Uint128,
}

/// Prices a buy of `input` ucoin. A rest too small to buy anything in the pool is refunded.
pub fn quote_buy(
    querier: QuerierWrapper,
    rules: &CurveRules,
    before: &Pricing,
    input: Uint128,
    on_graduation: OnGraduation,
) -> Result<BuyQuote, ContractError> {
    let curve = before.buy(input)?;
    let after = before.after_buy(&curve)?;
    let wants_pool = curve.graduates && !curve.rest.is_zero() && on_graduation == OnGraduation::Swap;
    let pool = if wants_pool { pool_part(querier, rules, &after, curve.rest)? } else { None };
    let from_pool = pool.as_ref().map_or(Uint128::zero(), |part| part.trade.output);
    let tokens_out = curve.tokens_out.checked_add(from_pool).map_err(|_| MathError::Overflow)?;
    if tokens_out.is_zero() {
        return Err(MathError::ZeroOutput.into());
    }
    let refund = if pool.is_some() { Uint128::zero() } else { curve.rest };
    Ok(BuyQuote { curve, after, pool, refund, tokens_out })
}

fn pool_part(querier: QuerierWrapper, rules: &CurveRules, after: &Pricing, rest: Uint128) -> Result<Option<PoolPart>, ContractError> {
    let amm: AmmConfig = querier.query_wasm_smart(&rules.amm, &AmmQuery::Config {})?;
    let fee_bps = amm.base_fee_bps.saturating_add(amm.augmented_fee_bps);
    let (coin, token) = (after.bwick_reserves, after.tokens_remaining()?);
    match math::swap(rest, coin, token, fee_bps) {
        Ok(trade) => {
            let coin_after = coin.checked_add(trade.input).map_err(|_| MathError::Overflow)?;
            let token_after = token.checked_sub(trade.output).map_err(|_| MathError::InsufficientLiquidity)?;
            Ok(Some(PoolPart { trade, price_after: math::price(coin_after, token_after) }))
        }
        Err(MathError::ZeroOutput) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
