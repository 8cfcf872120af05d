//! Messages of the launchpad. Amounts are integers in base units (ucoin, or the token's own with 6 decimals), written as
//! strings; prices are exact decimals in ucoin per token base unit, which is the same figure as COIN per token.

use cosmwasm_schema::{cw_serde, QueryResponses};
use cosmwasm_std::{Decimal, Decimal256, Uint128};
use cw20::Cw20ReceiveMsg;

/// The rules that a new curve takes a snapshot of. They are never read again for a curve that lives.
#[cw_serde]
pub struct LaunchParams {
    /// Token base units on the curve, for buyers.
    pub curve_supply: Uint128,
    /// Token base units kept for the pool at graduation.
    pub pool_supply: Uint128,
    /// ucoin that opens the curve's reserve.
    pub creation_fee: Uint128,
    pub buy_fee_bps: u16,
    pub sell_fee_bps: u16,
    /// Part of the trading fees that the token's creator may claim.
    pub creator_share_bps: u16,
    /// ucoin at which a curve graduates, before the bounds below.
    pub graduation_raise: Uint128,
    pub min_graduation_threshold: Uint128,
    pub max_graduation_threshold: Uint128,
    /// Whole US dollars: for display and for a suggested raise, never a rule of a living curve.
    pub target_start_market_cap_usd: Uint128,
    pub target_graduation_market_cap_usd: Uint128,
}

impl Default for LaunchParams {
    fn default() -> Self {
        LaunchParams {
            curve_supply: Uint128::new(79_310_000_000_000),
            pool_supply: Uint128::new(20_690_000_000_000),
            creation_fee: Uint128::new(80_000_000_000),
            buy_fee_bps: 50,
            sell_fee_bps: 250,
            creator_share_bps: 2_000,
            graduation_raise: Uint128::new(10_000_000_000_000),
            min_graduation_threshold: Uint128::new(100_000_000_000),
            max_graduation_threshold: Uint128::new(50_000_000_000_000),
            target_start_market_cap_usd: Uint128::new(1_000),
            target_graduation_market_cap_usd: Uint128::new(10_000),
        }
    }
}

#[cw_serde]
pub struct InstantiateMsg {
    /// Who may change the configuration; the sender when left out.
    pub admin: Option<String>,
    /// Code of the CW20 that each launch instantiates. Never changes.
    pub cw20_code_id: u64,
    /// Who may submit the COIN/USD price; the admin when left out.
    pub oracle: Option<String>,
    /// The treasury: it claims the fees that are not the creators'. The admin when left out.
    pub fee_collector: Option<String>,
    /// `ucoin` when left out.
    pub coin_denom: Option<String>,
    /// The service document's figures when left out.
    pub params: Option<LaunchParams>,
}

#[cw_serde]
pub struct SocialLink {
    /// What it is, for example `website`; 1 to 32 bytes.
    pub label: String,
    /// At most 512 bytes, `http://`, `https://` or `ipfs://`.
    pub url: String,
}

/// What to do with the part of a buy that the curve has no room for.
#[cw_serde]
#[derive(Copy, Default)]
pub enum OnGraduation {
    /// Swap it in the new pool, in the same transaction.
    #[default]
    Swap,
    /// Send it back.
    Refund,
}

#[cw_serde]
pub enum ExecuteMsg {
    /// Launches a token. Send exactly the creation fee, or more: the rest is the creator's first buy.
    CreateToken {
        /// 1 to 32 characters.
        name: String,
        /// 2 to 12 of `[A-Za-z0-9]`.
        symbol: String,
        /// At most 1,000 bytes.
        description: Option<String>,
        /// URL of at most 512 bytes.
        image: Option<String>,
        /// At most 8.
        social_links: Option<Vec<SocialLink>>,
        /// For the first buy.
        min_tokens_out: Option<Uint128>,
        deadline: Option<u64>,
        on_graduation: Option<OnGraduation>,
    },
    /// Buys with the ucoin sent along.
    Buy {
        token_address: String,
        /// Fails when fewer tokens would come out, of curve and pool together.
        min_tokens_out: Option<Uint128>,
        /// Unix seconds; fails in a later block.
        deadline: Option<u64>,
        /// `swap` when left out.
        on_graduation: Option<OnGraduation>,
    },
    /// CW20 `Send` to this contract, with a [`ReceiveMsg`] inside.
    Receive(Cw20ReceiveMsg),
    /// Anyone, once the reserve has reached the threshold. Buys do it by themselves.
    Graduate { token_address: String },
    /// With a token: its creator takes the creator's share. Without: `fee_collector` takes the treasury's share.
    ClaimFees { token_address: Option<String> },
    /// Oracle only: US dollars per COIN, for display.
    UpdatePrice { coin_usd: Decimal },
    /// Admin. What is left out stays. Living curves keep the rules they were created with.
    UpdateConfig {
        /// Proposes another admin, who takes over with `accept_admin`. Naming the present admin withdraws a proposal.
        admin: Option<String>,
        /// The exchange pool contract; it must name this launchpad. It comes after the launchpad, so it is set here, once.
        amm: Option<String>,
        oracle: Option<String>,
        fee_collector: Option<String>,
        params: Option<LaunchParams>,
    },
    /// The proposed admin takes over.
    AcceptAdmin {},
}

/// What a CW20 `Send` to the launchpad may ask for.
#[cw_serde]
pub enum ReceiveMsg {
    SellTokens {
        /// Fails when less ucoin would come out, after the fee.
        min_coin_out: Option<Uint128>,
        /// Unix seconds; fails in a later block.
        deadline: Option<u64>,
    },
}

#[cw_serde]
#[derive(Copy)]
pub enum CurveOrder {
    OldestFirst,
    NewestFirst,
}

#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    #[returns(ConfigResponse)]
    Config {},
    #[returns(CurveResponse)]
    Curve { token_address: String },
    /// `start_after` is the last answer's `next_cursor`; 30 at a time, at most 100; `oldest_first` when left out.
    #[returns(CurvesResponse)]
    Curves { start_after: Option<u64>, limit: Option<u32>, order: Option<CurveOrder>, creator: Option<String> },
    /// Whether this launchpad made the token. Never an error for a valid address.
    #[returns(HasCurveResponse)]
    HasCurve { token_address: String },
    #[returns(ProgressResponse)]
    Progress { token_address: String },
    /// The figures of the buy that would follow, the pool part included.
    #[returns(SimulateBuyResponse)]
    SimulateBuy { token_address: String, coin_amount: Uint128, on_graduation: Option<OnGraduation> },
    #[returns(SimulateSellResponse)]
    SimulateSell { token_address: String, token_amount: Uint128 },
    #[returns(PriceResponse)]
    Price { token_address: String },
    #[returns(FeesResponse)]
    Fees { token_address: String },
    /// What the treasury may claim, over all tokens.
    #[returns(TreasuryResponse)]
    Treasury {},
}

#[cw_serde]
pub struct OraclePrice {
    /// US dollars per COIN.
    pub coin_usd: Decimal,
    /// Unix seconds.
    pub updated_at: u64,
    pub updated_height: u64,
}

#[cw_serde]
pub struct ConfigResponse {
    pub admin: String,
    pub pending_admin: Option<String>,
    pub cw20_code_id: u64,
    pub amm: Option<String>,
    pub oracle: String,
    pub fee_collector: String,
    pub coin_denom: String,
    pub params: LaunchParams,
    /// The threshold that a curve created now gets: the raise within its bounds.
    pub graduation_threshold: Uint128,
    pub price: Option<OraclePrice>,
    /// The raise at which a token would reach the target market cap in dollars at its graduation, within the bounds; null without a price.
    pub suggested_graduation_raise: Option<Uint128>,
}

#[cw_serde]
pub struct Metadata {
    pub name: String,
    pub symbol: String,
    /// Empty when there is none.
    pub image: String,
    pub description: String,
    pub social_links: Vec<SocialLink>,
}

/// The rules a curve was created with.
#[cw_serde]
pub struct CurveRules {
    pub curve_supply: Uint128,
    pub pool_supply: Uint128,
    pub creation_fee: Uint128,
    pub graduation_threshold: Uint128,
    pub buy_fee_bps: u16,
    pub sell_fee_bps: u16,
    pub creator_share_bps: u16,
    /// Pricing reserves at the opening.
    pub initial_virtual_coin_reserves: Uint128,
    pub initial_virtual_token_reserves: Uint128,
    pub amm: String,
}

/// How a curve ended.
#[cw_serde]
pub struct Graduation {
    /// The contract that holds the pool.
    pub amm: String,
    pub coin_amount: Uint128,
    pub token_amount: Uint128,
    /// The pool's opening price.
    pub pool_price: Decimal256,
    /// Unix seconds.
    pub graduated_at: u64,
    pub graduated_height: u64,
}

#[cw_serde]
pub struct CurveResponse {
    /// Cursor of the `curves` query: 1 is the first curve.
    pub id: u64,
    pub token_address: String,
    pub metadata: Metadata,
    pub creator: String,
    /// Bought from the curve and not sold back.
    pub tokens_sold: Uint128,
    /// Held for the curve, the pool's part included; zero once graduated.
    pub tokens_remaining: Uint128,
    /// ucoin held for the curve; zero once graduated.
    pub bwick_reserves: Uint128,
    pub virtual_coin_reserves: Uint128,
    pub virtual_token_reserves: Uint128,
    /// Of the curve; once graduated, the curve's last price (the pool has its own).
    pub current_price: Decimal256,
    pub graduation_threshold: Uint128,
    /// Reserve in percent of the threshold; 100 once graduated.
    pub progress_percent: Decimal,
    pub graduated: bool,
    pub graduation: Option<Graduation>,
    pub rules: CurveRules,
    /// Unix seconds.
    pub created_at: u64,
    pub created_height: u64,
}

#[cw_serde]
pub struct CurvesResponse {
    pub curves: Vec<CurveResponse>,
    /// `start_after` of the next page; null after the last.
    pub next_cursor: Option<u64>,
}

#[cw_serde]
pub struct HasCurveResponse {
    pub has_curve: bool,
}

#[cw_serde]
pub struct ProgressResponse {
    pub token_address: String,
    pub bwick_reserves: Uint128,
    pub graduation_threshold: Uint128,
    /// ucoin that the reserve still needs.
    pub coin_remaining: Uint128,
    /// The smallest buy, fee included, that graduates the curve now; zero once graduated.
    pub buy_amount_to_graduate: Uint128,
    pub progress_percent: Decimal,
    pub graduated: bool,
}

/// One priced part of a buy.
#[cw_serde]
pub struct BuyPart {
    /// ucoin, fee included.
    pub input_amount: Uint128,
    pub fee_amount: Uint128,
    pub output_amount: Uint128,
    pub price_after: Decimal256,
}

#[cw_serde]
pub struct SimulateBuyResponse {
    /// Tokens in all, from curve and pool.
    pub tokens_out: Uint128,
    pub curve: BuyPart,
    /// Whether this buy reaches the threshold.
    pub graduates: bool,
    /// The part that is swapped in the new pool.
    pub pool: Option<BuyPart>,
    /// ucoin that comes back.
    pub refund: Uint128,
    /// Of the curve after the buy; what goes to the pool when it graduates.
    pub bwick_reserves_after: Uint128,
    pub tokens_remaining_after: Uint128,
}

#[cw_serde]
pub struct SimulateSellResponse {
    /// ucoin after the fee.
    pub coin_out: Uint128,
    pub fee_amount: Uint128,
    pub price_after: Decimal256,
    pub bwick_reserves_after: Uint128,
    pub tokens_remaining_after: Uint128,
}

#[cw_serde]
pub struct PriceResponse {
    pub token_address: String,
    /// ucoin per token base unit (COIN per token) on the curve; its last one once graduated.
    pub price: Decimal256,
    /// Price times the whole supply.
    pub market_cap_ucoin: Uint128,
    pub graduated: bool,
    /// US dollars per token; null without an oracle price.
    pub price_usd: Option<Decimal256>,
    /// US dollars; null without an oracle price.
    pub market_cap_usd: Option<Decimal256>,
    pub oracle: Option<OraclePrice>,
}

#[cw_serde]
pub struct FeesResponse {
    pub token_address: String,
    pub creator: String,
    pub creator_claimable: Uint128,
    pub creator_claimed: Uint128,
    /// The treasury's part of this token's fees, claimed or not.
    pub treasury_total: Uint128,
    /// All fees of this curve, ever.
    pub fees_total: Uint128,
}

#[cw_serde]
pub struct TreasuryResponse {
    pub fee_collector: String,
    pub claimable: Uint128,
    pub claimed: Uint128,
}
