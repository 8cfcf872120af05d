//! Events that indexers follow. Their names and fields are a promise: fields may be added, none is ever removed.

use cosmwasm_std::{Addr, Event, Uint128};
use launchpad_api::msg::Metadata;

use crate::curve::Pricing;
use crate::error::ContractError;

/// Who traded what for what.
pub struct Traded<'a> {
    pub token: &'a Addr,
    pub trader: &'a Addr,
    pub input: Uint128,
    pub output: Uint128,
    pub fee: Uint128,
}

/// `buy`, `sell` and the common part of the others: token, trader, input, output, fee, price and reserves after.
pub fn traded(kind: &str, trade: &Traded, after: &Pricing) -> Result<Event, ContractError> {
    Ok(Event::new(kind)
        .add_attribute("token_address", trade.token)
        .add_attribute("trader", trade.trader)
        .add_attribute("input_amount", trade.input)
        .add_attribute("output_amount", trade.output)
        .add_attribute("fee_amount", trade.fee)
        .add_attribute("price", after.price()?.to_string())
        .add_attribute("bwick_reserves", after.bwick_reserves)
        .add_attribute("token_reserves", after.tokens_remaining()?)
        .add_attribute("virtual_coin_reserves", after.virtual_coin()?)
        .add_attribute("virtual_token_reserves", after.virtual_token()?))
}

/// Adds what a token says about itself; what is empty is left out.
pub fn described(event: Event, id: u64, metadata: &Metadata) -> Result<Event, ContractError> {
    let mut event =
        event.add_attribute("curve_id", id.to_string()).add_attribute("name", &metadata.name).add_attribute("symbol", &metadata.symbol);
    for (key, value) in [("description", &metadata.description), ("image", &metadata.image)] {
        if !value.trim().is_empty() {
            event = event.add_attribute(key, value);
        }
    }
    if !metadata.social_links.is_empty() {
        event = event.add_attribute("social_links", cosmwasm_std::to_json_string(&metadata.social_links)?);
    }
    Ok(event)
}
