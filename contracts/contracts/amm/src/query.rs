//! Answers. Simulations run the functions that swaps run.

use amm_api::math;
use amm_api::msg::{ConfigResponse, Direction, PoolResponse, PoolsResponse, SimulateSwapResponse};
use cosmwasm_std::{Addr, Deps, Order, StdResult, Uint128};
use cw_storage_plus::Bound;

use crate::error::ContractError;
use crate::pool::{require_pool, Swapped};
use crate::state::{Pool, CONFIG, POOLS};

const LIMIT_DEFAULT: u32 = 30;
const LIMIT_MAX: u32 = 100;

pub fn config(deps: Deps) -> Result<ConfigResponse, ContractError> {
    let config = CONFIG.load(deps.storage)?;
    Ok(ConfigResponse {
        admin: config.admin.into(),
        pending_admin: config.pending_admin.map(Addr::into_string),
        launchpad: config.launchpad.into(),
        listing: config.listing.map(Addr::into_string),
        coin_denom: config.coin_denom,
        base_fee_bps: config.base_fee_bps,
        augmented_fee_bps: config.augmented_fee_bps,
    })
}

fn pool_response(token: Addr, pool: Pool) -> PoolResponse {
    PoolResponse {
        token_address: token.into(),
        price: math::price(pool.coin_reserve, pool.token_reserve),
        fee_bps: pool.fee_bps(),
        origin: pool.origin,
        coin_reserve: pool.coin_reserve,
        token_reserve: pool.token_reserve,
        initial_coin_reserve: pool.initial_coin_reserve,
        base_fee_bps: pool.base_fee_bps,
        augmented_fee_bps: pool.augmented_fee_bps,
        augmented_fee: pool.augmented_fee,
        lp_total_shares: pool.lp_total_shares,
        lp_locked_shares: pool.lp_locked_shares,
        created_at: pool.created_at,
        created_height: pool.created_height,
    }
}

pub fn pool(deps: Deps, token: &str) -> Result<PoolResponse, ContractError> {
    let token = deps.api.addr_validate(token)?;
    let pool = require_pool(deps, &token)?;
    Ok(pool_response(token, pool))
}

pub fn pools(deps: Deps, start_after: Option<String>, limit: Option<u32>) -> Result<PoolsResponse, ContractError> {
    let limit = limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX) as usize;
    let after = start_after.map(|text| deps.api.addr_validate(&text)).transpose()?;
    // One more than asked for tells whether a page follows.
    let mut page: Vec<(Addr, Pool)> = POOLS
        .range(deps.storage, after.as_ref().map(Bound::exclusive), None, Order::Ascending)
        .take(limit + 1)
        .collect::<StdResult<_>>()?;
    let more = page.len() > limit;
    page.truncate(limit);
    let next_cursor = if more { page.last().map(|(token, _)| token.to_string()) } else { None };
    let pools = page.into_iter().map(|(token, pool)| pool_response(token, pool)).collect();
    Ok(PoolsResponse { pools, next_cursor })
}

fn simulated(swapped: Swapped) -> SimulateSwapResponse {
    let Swapped { trade, fee_bps, after, ends_augmented_fee } = swapped;
    SimulateSwapResponse {
        input_amount: trade.input,
        output_amount: trade.output,
        fee_amount: trade.fee,
        fee_bps,
        price_after: math::price(after.coin_reserve, after.token_reserve),
        coin_reserve_after: after.coin_reserve,
        token_reserve_after: after.token_reserve,
        ends_augmented_fee,
    }
}

pub fn simulate_swap(deps: Deps, token: &str, direction: Direction, amount: Uint128) -> Result<SimulateSwapResponse, ContractError> {
    let token = deps.api.addr_validate(token)?;
    Ok(simulated(require_pool(deps, &token)?.swap(direction, amount)?))
}

pub fn simulate_reverse_swap(
    deps: Deps,
    token: &str,
    direction: Direction,
    amount: Uint128,
) -> Result<SimulateSwapResponse, ContractError> {
    let token = deps.api.addr_validate(token)?;
    Ok(simulated(require_pool(deps, &token)?.reverse_swap(direction, amount)?))
}
