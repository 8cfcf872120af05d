//! What the launchpad keeps. A curve is three records, so that a trade rewrites only the few numbers that move.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Item, Map};
use launchpad_api::msg::{CurveRules, Graduation, LaunchParams, Metadata, OraclePrice};

use crate::curve::{Opening, Pricing};

#[cw_serde]
pub struct Config {
    pub admin: Addr,
    pub pending_admin: Option<Addr>,
    pub cw20_code_id: u64,
    pub amm: Option<Addr>,
    pub oracle: Addr,
    /// Claims the treasury's part of the fees.
    pub fee_collector: Addr,
    pub coin_denom: String,
    pub params: LaunchParams,
}

/// Written once, at creation.
#[cw_serde]
pub struct Launch {
    /// 1 is the first curve.
    pub id: u64,
    pub creator: Addr,
    pub metadata: Metadata,
    /// Unix seconds.
    pub created_at: u64,
    pub created_height: u64,
}

/// The numbers that trades move.
#[cw_serde]
pub struct CurveState {
    /// ucoin held for the curve; zero once graduated.
    pub bwick_reserves: Uint128,
    /// Token base units bought and not sold back.
    pub tokens_sold: Uint128,
    pub graduated: bool,
}

/// Trading fees of one curve; they are never part of its reserve.
#[cw_serde]
#[derive(Default)]
pub struct Fees {
    pub creator_claimable: Uint128,
    pub creator_claimed: Uint128,
    pub treasury_total: Uint128,
}

/// What the treasury may claim, over all curves.
#[cw_serde]
#[derive(Default)]
pub struct Treasury {
    pub claimable: Uint128,
    pub claimed: Uint128,
}

pub const CONFIG: Item<Config> = Item::new("config");
pub const PRICE: Item<OraclePrice> = Item::new("price");
pub const TREASURY: Item<Treasury> = Item::new("treasury");
/// Number of curves created.
pub const CURVE_COUNT: Item<u64> = Item::new("curve_count");

/// token -> rules of its curve
pub const RULES: Map<&Addr, CurveRules> = Map::new("rules");
/// token -> who launched it as what, and when
pub const LAUNCHES: Map<&Addr, Launch> = Map::new("launches");
/// token -> its curve's moving numbers
pub const CURVES: Map<&Addr, CurveState> = Map::new("curves");
/// token -> how its curve ended
pub const GRADUATIONS: Map<&Addr, Graduation> = Map::new("graduations");
/// token -> its fees
pub const FEES: Map<&Addr, Fees> = Map::new("fees");
/// curve id -> token
pub const TOKENS: Map<u64, Addr> = Map::new("tokens");
/// (creator, curve id) -> token
pub const TOKENS_OF: Map<(&Addr, u64), Addr> = Map::new("tokens_of");

/// A curve as the arithmetic sees it.
pub fn pricing(rules: &CurveRules, state: &CurveState) -> Pricing {
    Pricing {
        opening: Opening { coin: rules.initial_virtual_coin_reserves, token: rules.initial_virtual_token_reserves },
        creation_fee: rules.creation_fee,
        threshold: rules.graduation_threshold,
        // Bounded when the rules were made: the sum fits.
        supply: rules.curve_supply.saturating_add(rules.pool_supply),
        buy_fee_bps: rules.buy_fee_bps,
        sell_fee_bps: rules.sell_fee_bps,
        bwick_reserves: state.bwick_reserves,
        tokens_sold: state.tokens_sold,
    }
}
