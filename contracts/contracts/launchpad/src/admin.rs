//! Configuration, the oracle's price and fee claims. Nothing here can reach a curve's reserves.

use amm_api::msg::{ConfigResponse as AmmConfig, QueryMsg as AmmQuery};
use cosmwasm_std::{coins, Addr, BankMsg, Decimal, DepsMut, Env, Event, MessageInfo, Response, Uint128};
use launchpad_api::msg::{LaunchParams, OraclePrice};

use crate::create::rules_of;
use crate::error::ContractError;
use crate::state::{CONFIG, FEES, LAUNCHES, PRICE, TREASURY};

/// Highest trading fee that the configuration takes.
pub const FEE_BPS_MAX: u16 = 1_000;
const SHARE_BPS_MAX: u16 = 10_000;

fn invalid(reason: impl Into<String>) -> ContractError {
    ContractError::InvalidConfig { reason: reason.into() }
}

/// Refuses parameters that no curve could live by.
pub fn check_params(params: &LaunchParams) -> Result<(), ContractError> {
    if params.buy_fee_bps > FEE_BPS_MAX || params.sell_fee_bps > FEE_BPS_MAX {
        return Err(invalid(format!("a trading fee is at most {FEE_BPS_MAX} basis points")));
    }
    if params.creator_share_bps > SHARE_BPS_MAX {
        return Err(invalid(format!("the creator's share is at most {SHARE_BPS_MAX} basis points")));
    }
    if params.curve_supply.checked_add(params.pool_supply).is_err() {
        return Err(invalid("the supply does not fit into 128 bits"));
    }
    if params.min_graduation_threshold > params.max_graduation_threshold {
        return Err(invalid("the minimum threshold is above the maximum"));
    }
    // At the lowest threshold that the bounds allow there must be a curve, too.
    let lowest = LaunchParams { graduation_raise: params.min_graduation_threshold, ..params.clone() };
    rules_of(&lowest, "")?;
    rules_of(params, "")?;
    Ok(())
}

/// What an admin may change.
pub struct ConfigChange {
    pub admin: Option<String>,
    pub amm: Option<String>,
    pub oracle: Option<String>,
    pub fee_collector: Option<String>,
    pub params: Option<LaunchParams>,
}

pub fn update_config(deps: DepsMut, env: Env, info: MessageInfo, change: ConfigChange) -> Result<Response, ContractError> {
    let mut config = CONFIG.load(deps.storage)?;
    if info.sender != config.admin {
        return Err(ContractError::Unauthorized { who: "the admin" });
    }
    let address = |text: String| deps.api.addr_validate(&text);
    if let Some(admin) = change.admin {
        let proposed = address(admin)?;
        config.pending_admin = (proposed != config.admin).then_some(proposed);
    }
    if let Some(oracle) = change.oracle {
        config.oracle = address(oracle)?;
    }
    if let Some(collector) = change.fee_collector {
        config.fee_collector = address(collector)?;
    }
    if let Some(params) = change.params {
        check_params(&params)?;
        config.params = params;
    }
    if let Some(amm) = change.amm {
        // Only once: who could name another pool contract could lead the reserves of later curves anywhere.
        if let Some(present) = &config.amm {
            return Err(invalid(format!("the pool contract is {present} and stays it")));
        }
        let amm = address(amm)?;
        let theirs: AmmConfig = deps.querier.query_wasm_smart(&amm, &AmmQuery::Config {})?;
        if theirs.launchpad != env.contract.address.as_str() || theirs.coin_denom != config.coin_denom {
            return Err(invalid(format!("the pool contract {amm} serves launchpad {} in {}", theirs.launchpad, theirs.coin_denom)));
        }
        config.amm = Some(amm);
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new().add_attribute("action", "update_config").add_event(Event::new("update_config").add_attribute("admin", info.sender)))
}

pub fn checked_code_id(code_id: u64) -> Result<u64, ContractError> {
    if code_id == 0 {
        return Err(invalid("code ids start at 1"));
    }
    Ok(code_id)
}

pub fn accept_admin(deps: DepsMut, info: MessageInfo) -> Result<Response, ContractError> {
    let mut config = CONFIG.load(deps.storage)?;
    let proposed = config.pending_admin.take().ok_or(ContractError::NoPendingAdmin {})?;
    if info.sender != proposed {
        return Err(ContractError::Unauthorized { who: "the proposed admin" });
    }
    config.admin = proposed;
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new().add_attribute("action", "accept_admin").add_event(Event::new("accept_admin").add_attribute("admin", info.sender)))
}

pub fn update_price(deps: DepsMut, env: Env, info: MessageInfo, coin_usd: Decimal) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.oracle {
        return Err(ContractError::Unauthorized { who: "the oracle" });
    }
    if coin_usd.is_zero() {
        return Err(invalid("a price is above zero"));
    }
    let price = OraclePrice { coin_usd, updated_at: env.block.time.seconds(), updated_height: env.block.height };
    PRICE.save(deps.storage, &price)?;
    let event = Event::new("update_price").add_attribute("oracle", info.sender).add_attribute("coin_usd", coin_usd.to_string());
    Ok(Response::new().add_attribute("action", "update_price").add_event(event))
}

/// The creator's share of one token, to its creator.
pub fn claim_creator_fees(deps: DepsMut, info: MessageInfo, token: &Addr) -> Result<Response, ContractError> {
    let launch = LAUNCHES.may_load(deps.storage, token)?.ok_or_else(|| ContractError::NoCurve { token: token.to_string() })?;
    if info.sender != launch.creator {
        return Err(ContractError::Unauthorized { who: "the token's creator" });
    }
    let mut fees = FEES.load(deps.storage, token)?;
    let amount = core::mem::take(&mut fees.creator_claimable);
    fees.creator_claimed = fees.creator_claimed.saturating_add(amount);
    FEES.save(deps.storage, token, &fees)?;
    pay(deps, info.sender, amount, Some(token))
}

/// The treasury's share of all tokens, to the fee collector.
pub fn claim_treasury_fees(deps: DepsMut, info: MessageInfo) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.fee_collector {
        return Err(ContractError::Unauthorized { who: "the fee collector" });
    }
    let mut treasury = TREASURY.load(deps.storage)?;
    let amount = core::mem::take(&mut treasury.claimable);
    treasury.claimed = treasury.claimed.saturating_add(amount);
    TREASURY.save(deps.storage, &treasury)?;
    pay(deps, info.sender, amount, None)
}

fn pay(deps: DepsMut, recipient: Addr, amount: Uint128, token: Option<&Addr>) -> Result<Response, ContractError> {
    if amount.is_zero() {
        return Err(ContractError::NothingToClaim {});
    }
    let denom = CONFIG.load(deps.storage)?.coin_denom;
    let mut event = Event::new("claim_fees").add_attribute("recipient", &recipient).add_attribute("amount", amount);
    if let Some(token) = token {
        event = event.add_attribute("token_address", token);
    }
    Ok(Response::new()
        .add_attribute("action", "claim_fees")
        .add_event(event)
        .add_message(BankMsg::Send { to_address: recipient.to_string(), amount: coins(amount.u128(), denom) }))
}
