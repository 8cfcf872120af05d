//! Opening a pool, and what a trade does to one.

use amm_api::math::{self, MathError, Trade};
use amm_api::msg::{Direction, Origin};
use cosmwasm_std::{Addr, Deps, DepsMut, Env, Event, Response, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg};
use launchpad_api::msg::{HasCurveResponse, QueryMsg as LaunchpadQuery};

use crate::error::ContractError;
use crate::state::{Config, Pool, CONFIG, POOLS};

/// Shares of a first deposit that nobody ever owns.
pub const LOCKED_SHARES_MIN: Uint128 = Uint128::new(1_000);
/// The augmented fee ends when the COIN reserve is this many times the initial one.
const AUGMENTED_UNTIL: u128 = 10;

/// What a swap makes of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Swapped {
    pub trade: Trade,
    /// What the swap paid in basis points.
    pub fee_bps: u16,
    pub after: Pool,
    pub ends_augmented_fee: bool,
}

impl Pool {
    /// Base fee, plus the augmented one while it is on.
    pub fn fee_bps(&self) -> u16 {
        let extra = if self.augmented_fee { self.augmented_fee_bps } else { 0 };
        self.base_fee_bps.saturating_add(extra)
    }

    /// Exact input. Execution and simulation both come through here.
    pub fn swap(&self, direction: Direction, input: Uint128) -> Result<Swapped, MathError> {
        let (reserve_in, reserve_out) = self.sides(direction);
        self.settle(direction, math::swap(input, reserve_in, reserve_out, self.fee_bps())?)
    }

    /// The smallest input that gives at least `wanted`.
    pub fn reverse_swap(&self, direction: Direction, wanted: Uint128) -> Result<Swapped, MathError> {
        let (reserve_in, reserve_out) = self.sides(direction);
        self.settle(direction, math::reverse_swap(wanted, reserve_in, reserve_out, self.fee_bps())?)
    }

    fn sides(&self, direction: Direction) -> (Uint128, Uint128) {
        match direction {
            Direction::CoinToToken => (self.coin_reserve, self.token_reserve),
            Direction::TokenToCoin => (self.token_reserve, self.coin_reserve),
        }
    }

    /// The pool after a trade: the whole input joins it, fee included.
    fn settle(&self, direction: Direction, trade: Trade) -> Result<Swapped, MathError> {
        let (reserve_in, reserve_out) = self.sides(direction);
        let more = reserve_in.checked_add(trade.input).map_err(|_| MathError::Overflow)?;
        let less = reserve_out.checked_sub(trade.output).map_err(|_| MathError::InsufficientLiquidity)?;
        let mut after = self.clone();
        (after.coin_reserve, after.token_reserve) = match direction {
            Direction::CoinToToken => (more, less),
            Direction::TokenToCoin => (less, more),
        };
        after.augmented_fee = self.augmented_fee && !after.has_grown_tenfold();
        let ends_augmented_fee = self.augmented_fee && !after.augmented_fee;
        Ok(Swapped { trade, fee_bps: self.fee_bps(), after, ends_augmented_fee })
    }

    fn has_grown_tenfold(&self) -> bool {
        self.coin_reserve.full_mul(1u128) >= self.initial_coin_reserve.full_mul(AUGMENTED_UNTIL)
    }
}

/// Opens a pool with `coin_amount` ucoin, sent along, and `token_amount` tokens, transferred before.
pub fn create_pool(
    deps: DepsMut,
    env: Env,
    sender: Addr,
    token: Addr,
    coin_amount: Uint128,
    token_amount: Uint128,
) -> Result<Response, ContractError> {
    let config = CONFIG.load(deps.storage)?;
    let origin = origin_of(deps.as_ref(), &config, &sender, &token)?;
    if POOLS.has(deps.storage, &token) {
        return Err(ContractError::PoolExists { token: token.into() });
    }
    let query = Cw20QueryMsg::Balance { address: env.contract.address.to_string() };
    let held: BalanceResponse = deps.querier.query_wasm_smart(&token, &query)?;
    if held.balance < token_amount {
        return Err(ContractError::TokensMissing { needed: token_amount, held: held.balance });
    }
    let shares = math::first_shares(coin_amount, token_amount);
    if shares <= LOCKED_SHARES_MIN {
        return Err(ContractError::DepositTooSmall { shares, minimum: LOCKED_SHARES_MIN });
    }
    let pool = Pool {
        origin,
        coin_reserve: coin_amount,
        token_reserve: token_amount,
        initial_coin_reserve: coin_amount,
        base_fee_bps: config.base_fee_bps,
        augmented_fee_bps: config.augmented_fee_bps,
        augmented_fee: origin == Origin::Graduation,
        lp_total_shares: shares,
        // The opening deposit belongs to nobody: its liquidity can never be pulled.
        lp_locked_shares: shares,
        created_at: env.block.time.seconds(),
        created_height: env.block.height,
    };
    POOLS.save(deps.storage, &token, &pool)?;
    let event = Event::new("create_pool")
        .add_attribute("token_address", &token)
        .add_attribute("origin", if origin == Origin::Graduation { "graduation" } else { "listing" })
        .add_attribute("price", math::price(coin_amount, token_amount).to_string())
        .add_attribute("bwick_reserves", coin_amount)
        .add_attribute("token_reserves", token_amount)
        .add_attribute("fee_bps", pool.fee_bps().to_string())
        .add_attribute("lp_locked_shares", shares);
    Ok(Response::new().add_attribute("action", "create_pool").add_event(event))
}

/// The launchpad opens pools of the tokens it made, the listing address those of all others; nobody else opens any.
fn origin_of(deps: Deps, config: &Config, sender: &Addr, token: &Addr) -> Result<Origin, ContractError> {
    if *sender == config.launchpad {
        return Ok(Origin::Graduation);
    }
    if config.listing.as_ref() != Some(sender) {
        return Err(ContractError::Unauthorized { who: "the launchpad or the token-listing module" });
    }
    let query = LaunchpadQuery::HasCurve { token_address: token.to_string() };
    let launched: HasCurveResponse = deps.querier.query_wasm_smart(&config.launchpad, &query)?;
    if launched.has_curve {
        return Err(ContractError::LaunchedToken { token: token.to_string() });
    }
    Ok(Origin::Listing)
}

pub fn require_pool(deps: Deps, token: &Addr) -> Result<Pool, ContractError> {
    POOLS.may_load(deps.storage, token)?.ok_or_else(|| ContractError::NoPool { token: token.to_string() })
}
