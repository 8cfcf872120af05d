//! What the AMM keeps. Reserves are its own books, never its balances: a gift of coins or tokens moves no price.

use amm_api::msg::Origin;
use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Item, Map};

#[cw_serde]
pub struct Config {
    pub admin: Addr,
    pub pending_admin: Option<Addr>,
    /// Never changes: it alone opens the pools of launched tokens.
    pub launchpad: Addr,
    /// Opens the pools of listed tokens.
    pub listing: Option<Addr>,
    pub coin_denom: String,
    pub base_fee_bps: u16,
    pub augmented_fee_bps: u16,
}

#[cw_serde]
pub struct Pool {
    pub origin: Origin,
    /// ucoin
    pub coin_reserve: Uint128,
    /// token base units
    pub token_reserve: Uint128,
    pub initial_coin_reserve: Uint128,
    pub base_fee_bps: u16,
    pub augmented_fee_bps: u16,
    /// Whether the augmented fee is on; once off it stays off.
    pub augmented_fee: bool,
    pub lp_total_shares: Uint128,
    /// Shares that the AMM holds for ever.
    pub lp_locked_shares: Uint128,
    /// Unix seconds.
    pub created_at: u64,
    pub created_height: u64,
}

pub const CONFIG: Item<Config> = Item::new("config");

/// token -> its pool
pub const POOLS: Map<&Addr, Pool> = Map::new("pools");
