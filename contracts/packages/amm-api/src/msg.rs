//! Messages of the exchange pool. Amounts are integers in base units, as strings; prices are ucoin per token base unit.

use cosmwasm_schema::{cw_serde, QueryResponses};
use cosmwasm_std::{Decimal256, Uint128};
use cw20::Cw20ReceiveMsg;

#[cw_serde]
pub struct InstantiateMsg {
    /// Who may change the configuration; the sender when left out.
    pub admin: Option<String>,
    /// The launchpad: it alone creates pools of launched tokens. Never changes.
    pub launchpad: String,
    /// The token-listing module's address: it creates pools of other tokens.
    pub listing: Option<String>,
    /// Native denomination of every pool; `ucoin` when left out.
    pub coin_denom: Option<String>,
    /// Fee of every swap in basis points; 100 when left out. At most 1000.
    pub base_fee_bps: Option<u16>,
    /// Extra fee of a newly graduated pool in basis points; 100 when left out. At most 1000.
    pub augmented_fee_bps: Option<u16>,
}

#[cw_serde]
pub enum ExecuteMsg {
    /// Opens a pool with the COIN sent along and with tokens transferred to the AMM before in the same transaction.
    /// Only the launchpad (graduation) and, for tokens it did not launch, the listing address.
    CreatePool { token_address: String, token_amount: Uint128 },
    /// COIN to token: send the native coin along.
    Swap {
        token_address: String,
        /// Fails when fewer tokens would come out.
        min_tokens_out: Option<Uint128>,
        /// Unix seconds; fails in a later block.
        deadline: Option<u64>,
        /// Who gets the tokens; the sender when left out.
        recipient: Option<String>,
    },
    /// CW20 `Send` to this contract, with a [`ReceiveMsg`] inside.
    Receive(Cw20ReceiveMsg),
    /// Admin. What is left out stays; fees apply to pools created later.
    UpdateConfig {
        /// Proposes another admin, who takes over with `accept_admin`. Naming the present admin withdraws a proposal.
        admin: Option<String>,
        listing: Option<String>,
        base_fee_bps: Option<u16>,
        augmented_fee_bps: Option<u16>,
    },
    /// The proposed admin takes over.
    AcceptAdmin {},
}

/// What a CW20 `Send` to the AMM may ask for.
#[cw_serde]
pub enum ReceiveMsg {
    /// Token to COIN.
    SwapTokenForBwick {
        /// Fails when less ucoin would come out.
        min_coin_out: Option<Uint128>,
        /// Unix seconds; fails in a later block.
        deadline: Option<u64>,
        /// Who gets the COIN; the sender when left out.
        recipient: Option<String>,
    },
}

#[cw_serde]
#[derive(Copy)]
pub enum Direction {
    CoinToToken,
    TokenToCoin,
}

#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    #[returns(ConfigResponse)]
    Config {},
    #[returns(PoolResponse)]
    Pool { token_address: String },
    /// Pools ordered by token address. `start_after` is the last answer's `next_cursor`; 30 at a time, at most 100.
    #[returns(PoolsResponse)]
    Pools { start_after: Option<String>, limit: Option<u32> },
    /// What `amount` of input gives now: the figures of the swap that would follow.
    #[returns(SimulateSwapResponse)]
    SimulateSwap { token_address: String, direction: Direction, amount: Uint128 },
    /// The smallest input that gives at least `amount`.
    #[returns(SimulateSwapResponse)]
    SimulateReverseSwap { token_address: String, direction: Direction, amount: Uint128 },
}

#[cw_serde]
pub struct ConfigResponse {
    pub admin: String,
    pub pending_admin: Option<String>,
    pub launchpad: String,
    pub listing: Option<String>,
    pub coin_denom: String,
    pub base_fee_bps: u16,
    pub augmented_fee_bps: u16,
}

/// How a pool came to be.
#[cw_serde]
#[derive(Copy)]
pub enum Origin {
    Graduation,
    Listing,
}

#[cw_serde]
pub struct PoolResponse {
    pub token_address: String,
    pub origin: Origin,
    /// ucoin in the pool.
    pub coin_reserve: Uint128,
    /// Token base units in the pool.
    pub token_reserve: Uint128,
    /// The COIN deposit that opened the pool. The augmented fee ends at ten times this reserve.
    pub initial_coin_reserve: Uint128,
    /// ucoin per token base unit.
    pub price: Decimal256,
    pub base_fee_bps: u16,
    pub augmented_fee_bps: u16,
    /// Whether the augmented fee is on. Once off it stays off.
    pub augmented_fee: bool,
    /// What a swap pays now: base, plus augmented while it is on.
    pub fee_bps: u16,
    pub lp_total_shares: Uint128,
    /// Shares that the AMM holds for ever: nobody can withdraw them. The whole opening deposit is among them.
    pub lp_locked_shares: Uint128,
    /// Unix seconds.
    pub created_at: u64,
    pub created_height: u64,
}

#[cw_serde]
pub struct PoolsResponse {
    pub pools: Vec<PoolResponse>,
    /// `start_after` of the next page; null after the last.
    pub next_cursor: Option<String>,
}

#[cw_serde]
pub struct SimulateSwapResponse {
    /// Paid in, fee included.
    pub input_amount: Uint128,
    pub output_amount: Uint128,
    /// The part of the input that stays in the pool as fee.
    pub fee_amount: Uint128,
    pub fee_bps: u16,
    /// ucoin per token base unit after the swap.
    pub price_after: Decimal256,
    pub coin_reserve_after: Uint128,
    pub token_reserve_after: Uint128,
    /// Whether this swap would end the augmented fee.
    pub ends_augmented_fee: bool,
}
