//! Swaps: the same path for both directions.

use amm_api::math;
use amm_api::msg::Direction;
use cosmwasm_std::{coins, to_json_binary, Addr, BankMsg, CosmosMsg, DepsMut, Env, Event, Response, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;

use crate::error::ContractError;
use crate::pool::{require_pool, Swapped};
use crate::state::{Config, CONFIG, POOLS};

/// What a trader asks for.
pub struct Order {
    pub direction: Direction,
    pub sender: Addr,
    /// The sender when left out.
    pub recipient: Option<String>,
    pub input: Uint128,
    pub min_output: Option<Uint128>,
    pub deadline: Option<u64>,
}

/// Swaps `order.input`, which the AMM already holds.
pub fn swap(deps: DepsMut, env: Env, token: Addr, order: Order) -> Result<Response, ContractError> {
    let now = env.block.time.seconds();
    if let Some(deadline) = order.deadline.filter(|deadline| now > *deadline) {
        return Err(ContractError::Expired { deadline, now });
    }
    let config = CONFIG.load(deps.storage)?;
    let recipient = match &order.recipient {
        Some(text) => deps.api.addr_validate(text)?,
        None => order.sender.clone(),
    };
    let swapped = require_pool(deps.as_ref(), &token)?.swap(order.direction, order.input)?;
    let output = swapped.trade.output;
    if let Some(minimum) = order.min_output.filter(|minimum| output < *minimum) {
        return Err(ContractError::Slippage { got: output, minimum });
    }
    POOLS.save(deps.storage, &token, &swapped.after)?;

    let payment: CosmosMsg = match order.direction {
        Direction::CoinToToken => WasmMsg::Execute {
            contract_addr: token.to_string(),
            msg: to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: recipient.to_string(), amount: output })?,
            funds: vec![],
        }
        .into(),
        Direction::TokenToCoin => {
            BankMsg::Send { to_address: recipient.to_string(), amount: coins(output.u128(), &config.coin_denom) }.into()
        }
    };
    let mut response = Response::new()
        .add_attribute("action", "swap")
        .add_event(swap_event(&config, &token, &order, &recipient, &swapped))
        .add_message(payment);
    if swapped.ends_augmented_fee {
        let event = Event::new("augmented_fee_off")
            .add_attribute("token_address", &token)
            .add_attribute("bwick_reserves", swapped.after.coin_reserve)
            .add_attribute("fee_bps", swapped.after.fee_bps().to_string());
        response = response.add_event(event);
    }
    Ok(response)
}

fn swap_event(config: &Config, token: &Addr, order: &Order, recipient: &Addr, swapped: &Swapped) -> Event {
    // The launchpad swaps for a buyer whose buy has graduated the curve: the buyer is who trades.
    let trader = if order.sender == config.launchpad { recipient } else { &order.sender };
    let Swapped { trade, after, .. } = swapped;
    Event::new("swap")
        .add_attribute("token_address", token)
        .add_attribute("trader", trader)
        .add_attribute("recipient", recipient)
        .add_attribute("side", if order.direction == Direction::CoinToToken { "buy" } else { "sell" })
        .add_attribute("input_amount", trade.input)
        .add_attribute("output_amount", trade.output)
        .add_attribute("fee_amount", trade.fee)
        .add_attribute("fee_bps", swapped.fee_bps.to_string())
        .add_attribute("price", math::price(after.coin_reserve, after.token_reserve).to_string())
        .add_attribute("bwick_reserves", after.coin_reserve)
        .add_attribute("token_reserves", after.token_reserve)
}
