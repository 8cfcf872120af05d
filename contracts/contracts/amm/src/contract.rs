//! Entry points: each message is taken apart here and answered elsewhere.

use amm_api::msg::{Direction, ExecuteMsg, InstantiateMsg, QueryMsg, ReceiveMsg};
use cosmwasm_std::{entry_point, from_json, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Response, Uint128};
use cw20::Cw20ReceiveMsg;

use crate::admin::{self, checked_fee};
use crate::error::ContractError;
use crate::pool::create_pool;
use crate::query;
use crate::state::{Config, CONFIG};
use crate::swap::{swap, Order};

const CONTRACT_NAME: &str = "coin:amm";
const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");
const COIN_DENOM: &str = "ucoin";
const FEE_BPS: u16 = 100;

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, ContractError> {
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    no_funds(&info)?;
    let config = Config {
        admin: msg.admin.map_or(Ok(info.sender), |text| deps.api.addr_validate(&text))?,
        pending_admin: None,
        launchpad: deps.api.addr_validate(&msg.launchpad)?,
        listing: msg.listing.map(|text| deps.api.addr_validate(&text)).transpose()?,
        coin_denom: msg.coin_denom.unwrap_or_else(|| COIN_DENOM.to_string()),
        base_fee_bps: checked_fee(msg.base_fee_bps.unwrap_or(FEE_BPS))?,
        augmented_fee_bps: checked_fee(msg.augmented_fee_bps.unwrap_or(FEE_BPS))?,
    };
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new().add_attribute("action", "instantiate"))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::CreatePool { token_address, token_amount } => {
            let coin_amount = paid(deps.as_ref(), &info)?;
            let token = deps.api.addr_validate(&token_address)?;
            create_pool(deps, env, info.sender, token, coin_amount, token_amount)
        }
        ExecuteMsg::Swap { token_address, min_tokens_out, deadline, recipient } => {
            let input = paid(deps.as_ref(), &info)?;
            let token = deps.api.addr_validate(&token_address)?;
            let direction = Direction::CoinToToken;
            let order = Order { direction, sender: info.sender, recipient, input, min_output: min_tokens_out, deadline };
            swap(deps, env, token, order)
        }
        ExecuteMsg::Receive(message) => {
            no_funds(&info)?;
            receive(deps, env, info, message)
        }
        ExecuteMsg::UpdateConfig { admin, listing, base_fee_bps, augmented_fee_bps } => {
            no_funds(&info)?;
            admin::update_config(deps, info, admin, listing, base_fee_bps, augmented_fee_bps)
        }
        ExecuteMsg::AcceptAdmin {} => {
            no_funds(&info)?;
            admin::accept_admin(deps, info)
        }
    }
}

/// A CW20 has moved tokens here. The caller is the token: only one that has a pool gets any answer but an error.
fn receive(deps: DepsMut, env: Env, info: MessageInfo, message: Cw20ReceiveMsg) -> Result<Response, ContractError> {
    let sender = deps.api.addr_validate(&message.sender)?;
    match from_json(&message.msg)? {
        ReceiveMsg::SwapTokenForBwick { min_coin_out, deadline, recipient } => {
            let direction = Direction::TokenToCoin;
            let order = Order { direction, sender, recipient, input: message.amount, min_output: min_coin_out, deadline };
            swap(deps, env, info.sender, order)
        }
    }
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let answer = match msg {
        QueryMsg::Config {} => to_json_binary(&query::config(deps)?),
        QueryMsg::Pool { token_address } => to_json_binary(&query::pool(deps, &token_address)?),
        QueryMsg::Pools { start_after, limit } => to_json_binary(&query::pools(deps, start_after, limit)?),
        QueryMsg::SimulateSwap { token_address, direction, amount } => {
            to_json_binary(&query::simulate_swap(deps, &token_address, direction, amount)?)
        }
        QueryMsg::SimulateReverseSwap { token_address, direction, amount } => {
            to_json_binary(&query::simulate_reverse_swap(deps, &token_address, direction, amount)?)
        }
    };
    Ok(answer?)
}

/// The coin sent along: one, of the one denomination, above zero.
fn paid(deps: Deps, info: &MessageInfo) -> Result<Uint128, ContractError> {
    let denom = CONFIG.load(deps.storage)?.coin_denom;
    match info.funds.as_slice() {
        [coin] if coin.denom == denom && !coin.amount.is_zero() => Ok(coin.amount),
        _ => Err(ContractError::WrongFunds { expected: denom, got: funds_text(info) }),
    }
}

fn no_funds(info: &MessageInfo) -> Result<(), ContractError> {
    if info.funds.is_empty() {
        return Ok(());
    }
    Err(ContractError::WrongFunds { expected: "no coins".to_string(), got: funds_text(info) })
}

fn funds_text(info: &MessageInfo) -> String {
    if info.funds.is_empty() {
        return "nothing".to_string();
    }
    info.funds.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
