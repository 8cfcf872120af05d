//! Entry points: each message is taken apart here and answered elsewhere.

use cosmwasm_std::{entry_point, from_json, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Reply, Response, Uint128};
use cw20::Cw20ReceiveMsg;
use launchpad_api::msg::{ExecuteMsg, InstantiateMsg, QueryMsg, ReceiveMsg};

use crate::admin::{self, check_params, checked_code_id, ConfigChange};
use crate::create::{self, CW20_INSTANTIATED};
use crate::error::ContractError;
use crate::metadata::Description;
use crate::query;
use crate::state::{Config, Treasury, CONFIG, CURVE_COUNT, TREASURY};
use crate::trade::{self, check_deadline, token_address, BuyTerms};

const CONTRACT_NAME: &str = "coin:launchpad";
const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");
const COIN_DENOM: &str = "ucoin";

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, ContractError> {
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    no_funds(&info)?;
    let params = msg.params.unwrap_or_default();
    check_params(&params)?;
    let admin = msg.admin.map_or(Ok(info.sender), |text| deps.api.addr_validate(&text))?;
    let or_admin = |text: Option<String>| text.map_or(Ok(admin.clone()), |text| deps.api.addr_validate(&text));
    let config = Config {
        pending_admin: None,
        cw20_code_id: checked_code_id(msg.cw20_code_id)?,
        amm: None,
        oracle: or_admin(msg.oracle)?,
        fee_collector: or_admin(msg.fee_collector)?,
        coin_denom: msg.coin_denom.unwrap_or_else(|| COIN_DENOM.to_string()),
        params,
        admin,
    };
    CONFIG.save(deps.storage, &config)?;
    TREASURY.save(deps.storage, &Treasury::default())?;
    CURVE_COUNT.save(deps.storage, &0)?;
    Ok(Response::new().add_attribute("action", "instantiate"))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::CreateToken { name, symbol, description, image, social_links, min_tokens_out, deadline, on_graduation } => {
            check_deadline(&env, deadline)?;
            let paid = paid(deps.as_ref(), &info)?;
            let given = Description { name, symbol, description, image, social_links };
            create::create_token(deps, env, info, paid, given, BuyTerms { min_tokens_out, on_graduation })
        }
        ExecuteMsg::Buy { token_address: token, min_tokens_out, deadline, on_graduation } => {
            check_deadline(&env, deadline)?;
            let input = paid(deps.as_ref(), &info)?;
            let token = token_address(deps.as_ref(), &token)?;
            let response = Response::new().add_attribute("action", "buy");
            trade::buy(deps, &env, response, &token, &info.sender, input, BuyTerms { min_tokens_out, on_graduation })
        }
        ExecuteMsg::Receive(message) => {
            no_funds(&info)?;
            receive(deps, env, info, message)
        }
        ExecuteMsg::Graduate { token_address: token } => {
            no_funds(&info)?;
            let token = token_address(deps.as_ref(), &token)?;
            trade::graduate(deps, &env, &token, &info.sender)
        }
        ExecuteMsg::ClaimFees { token_address: token } => {
            no_funds(&info)?;
            match token {
                Some(token) => {
                    let token = token_address(deps.as_ref(), &token)?;
                    admin::claim_creator_fees(deps, info, &token)
                }
                None => admin::claim_treasury_fees(deps, info),
            }
        }
        ExecuteMsg::UpdatePrice { coin_usd } => {
            no_funds(&info)?;
            admin::update_price(deps, env, info, coin_usd)
        }
        ExecuteMsg::UpdateConfig { admin, amm, oracle, fee_collector, params } => {
            no_funds(&info)?;
            let change = ConfigChange { admin, amm, oracle, fee_collector, params };
            admin::update_config(deps, env, info, change)
        }
        ExecuteMsg::AcceptAdmin {} => {
            no_funds(&info)?;
            admin::accept_admin(deps, info)
        }
    }
}

/// A CW20 has moved tokens here. The caller is the token: one that this launchpad did not make has no curve.
fn receive(deps: DepsMut, env: Env, info: MessageInfo, message: Cw20ReceiveMsg) -> Result<Response, ContractError> {
    let trader = deps.api.addr_validate(&message.sender)?;
    match from_json(&message.msg)? {
        ReceiveMsg::SellTokens { min_coin_out, deadline } => {
            check_deadline(&env, deadline)?;
            trade::sell(deps, &info.sender, &trader, message.amount, min_coin_out)
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, env: Env, reply: Reply) -> Result<Response, ContractError> {
    match reply.id {
        CW20_INSTANTIATED => create::open_curve(deps, env, reply),
        id => Err(ContractError::UnknownReply { id }),
    }
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let answer = match msg {
        QueryMsg::Config {} => to_json_binary(&query::config(deps)?),
        QueryMsg::Curve { token_address } => to_json_binary(&query::curve(deps, &token_address)?),
        QueryMsg::Curves { start_after, limit, order, creator } => {
            to_json_binary(&query::curves(deps, start_after, limit, order, creator)?)
        }
        QueryMsg::HasCurve { token_address } => to_json_binary(&query::has_curve(deps, &token_address)?),
        QueryMsg::Progress { token_address } => to_json_binary(&query::progress(deps, &token_address)?),
        QueryMsg::SimulateBuy { token_address, coin_amount, on_graduation } => {
            to_json_binary(&query::simulate_buy(deps, &token_address, coin_amount, on_graduation)?)
        }
        QueryMsg::SimulateSell { token_address, token_amount } => {
            to_json_binary(&query::simulate_sell(deps, &token_address, token_amount)?)
        }
        QueryMsg::Price { token_address } => to_json_binary(&query::price(deps, &token_address)?),
        QueryMsg::Fees { token_address } => to_json_binary(&query::fees(deps, &token_address)?),
        QueryMsg::Treasury {} => to_json_binary(&query::treasury(deps)?),
    };
    Ok(answer?)
}

/// The ucoin sent along: one coin, of the one denomination, above zero.
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
