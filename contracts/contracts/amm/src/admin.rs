//! Configuration. Nothing here can reach a pool's reserves, and a pool keeps the fees it opened with.

use cosmwasm_std::{DepsMut, Event, MessageInfo, Response};

use crate::error::ContractError;
use crate::state::CONFIG;

/// Highest fee that the configuration takes, for each of the two.
pub const FEE_BPS_MAX: u16 = 1_000;

pub fn checked_fee(fee_bps: u16) -> Result<u16, ContractError> {
    if fee_bps > FEE_BPS_MAX {
        return Err(ContractError::InvalidConfig { reason: format!("a fee is at most {FEE_BPS_MAX} basis points") });
    }
    Ok(fee_bps)
}

pub fn update_config(
    deps: DepsMut,
    info: MessageInfo,
    admin: Option<String>,
    listing: Option<String>,
    base_fee_bps: Option<u16>,
    augmented_fee_bps: Option<u16>,
) -> Result<Response, ContractError> {
    let mut config = CONFIG.load(deps.storage)?;
    if info.sender != config.admin {
        return Err(ContractError::Unauthorized { who: "the admin" });
    }
    if let Some(admin) = admin {
        let proposed = deps.api.addr_validate(&admin)?;
        config.pending_admin = (proposed != config.admin).then_some(proposed);
    }
    if let Some(listing) = listing {
        config.listing = Some(deps.api.addr_validate(&listing)?);
    }
    if let Some(fee_bps) = base_fee_bps {
        config.base_fee_bps = checked_fee(fee_bps)?;
    }
    if let Some(fee_bps) = augmented_fee_bps {
        config.augmented_fee_bps = checked_fee(fee_bps)?;
    }
    CONFIG.save(deps.storage, &config)?;
    let event = Event::new("update_config").add_attribute("admin", info.sender);
    Ok(Response::new().add_attribute("action", "update_config").add_event(event))
}

pub fn accept_admin(deps: DepsMut, info: MessageInfo) -> Result<Response, ContractError> {
    let mut config = CONFIG.load(deps.storage)?;
    let proposed = config.pending_admin.take().ok_or(ContractError::NoPendingAdmin {})?;
    if info.sender != proposed {
        return Err(ContractError::Unauthorized { who: "the proposed admin" });
    }
    config.admin = proposed;
    CONFIG.save(deps.storage, &config)?;
    let event = Event::new("accept_admin").add_attribute("admin", info.sender);
    Ok(Response::new().add_attribute("action", "accept_admin").add_event(event))
}
