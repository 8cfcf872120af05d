//! Buying, selling and graduating.

use amm_api::math;
use amm_api::msg::ExecuteMsg as AmmExecute;
use cosmwasm_std::{coins, Addr, BankMsg, Deps, DepsMut, Env, Response, StdResult, Storage, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use launchpad_api::msg::{CurveRules, Graduation, OnGraduation};

use crate::curve::Pricing;
use crate::error::ContractError;
use crate::events::{traded, Traded};
use crate::quote::{quote_buy, BuyQuote};
use crate::state::{pricing, CurveState, CONFIG, CURVES, FEES, GRADUATIONS, RULES, TREASURY};

/// What a buyer insists on.
pub struct BuyTerms {
    pub min_tokens_out: Option<Uint128>,
    pub on_graduation: Option<OnGraduation>,
}

pub fn check_deadline(env: &Env, deadline: Option<u64>) -> Result<(), ContractError> {
    let now = env.block.time.seconds();
    match deadline {
        Some(deadline) if now > deadline => Err(ContractError::Expired { deadline, now }),
        _ => Ok(()),
    }
}

fn check_minimum(got: Uint128, minimum: Option<Uint128>) -> Result<(), ContractError> {
    match minimum {
        Some(minimum) if got < minimum => Err(ContractError::Slippage { got, minimum }),
        _ => Ok(()),
    }
}

/// The rules and state of a curve that still trades.
pub fn require_active(storage: &dyn Storage, token: &Addr) -> Result<(CurveRules, CurveState), ContractError> {
    let state = CURVES.may_load(storage, token)?.ok_or_else(|| ContractError::NoCurve { token: token.to_string() })?;
    let rules = RULES.load(storage, token)?;
    if state.graduated {
        return Err(ContractError::Graduated { token: token.to_string(), amm: rules.amm });
    }
    Ok((rules, state))
}

/// Validates an address; one that is not an address cannot have a curve either.
pub fn token_address(deps: Deps, token: &str) -> StdResult<Addr> {
    deps.api.addr_validate(token)
}

/// Buys with `input` ucoin that this contract already holds.
pub fn buy(
    deps: DepsMut,
    env: &Env,
    response: Response,
    token: &Addr,
    trader: &Addr,
    input: Uint128,
    terms: BuyTerms,
) -> Result<Response, ContractError> {
    let (rules, state) = require_active(deps.storage, token)?;
    let before = pricing(&rules, &state);
    let quote = quote_buy(deps.querier, &rules, &before, input, terms.on_graduation.unwrap_or_default())?;
    check_minimum(quote.tokens_out, terms.min_tokens_out)?;

    let BuyQuote { curve, after, .. } = &quote;
    collect_fee(deps.storage, token, rules.creator_share_bps, curve.fee)?;
    let trade = Traded { token, trader, input: curve.gross, output: curve.tokens_out, fee: curve.fee };
    let mut response = response.add_event(traded("buy", &trade, after)?);
    if !curve.tokens_out.is_zero() {
        response = response.add_message(transfer(token, trader, curve.tokens_out)?);
    }
    if curve.graduates {
        response = close(deps.storage, env, response, token, trader, &rules, after)?;
    } else {
        save_state(deps.storage, token, after, false)?;
    }
    finish_buy(deps.storage, response, token, trader, &rules, &quote)
}

/// The rest of a buy that graduated the curve: swapped in the new pool for the buyer, or sent back.
fn finish_buy(
    storage: &dyn Storage,
    response: Response,
    token: &Addr,
    trader: &Addr,
    rules: &CurveRules,
    quote: &BuyQuote,
) -> Result<Response, ContractError> {
    let denom = CONFIG.load(storage)?.coin_denom;
    if let Some(pool) = &quote.pool {
        return Ok(response.add_message(WasmMsg::Execute {
            contract_addr: rules.amm.clone(),
            msg: cosmwasm_std::to_json_binary(&AmmExecute::Swap {
                token_address: token.to_string(),
                // The pool opens in this transaction, so it gives what was quoted or something is badly wrong.
                min_tokens_out: Some(pool.trade.output),
                deadline: None,
                recipient: Some(trader.to_string()),
            })?,
            funds: coins(pool.trade.input.u128(), denom),
        }));
    }
    if quote.refund.is_zero() {
        return Ok(response);
    }
    Ok(response.add_message(BankMsg::Send { to_address: trader.to_string(), amount: coins(quote.refund.u128(), denom) }))
}

/// Sells `tokens` that the token contract has just moved to this contract from `trader`.
pub fn sell(deps: DepsMut, token: &Addr, trader: &Addr, tokens: Uint128, min_coin_out: Option<Uint128>) -> Result<Response, ContractError> {
    let (rules, state) = require_active(deps.storage, token)?;
    let before = pricing(&rules, &state);
    let sale = before.sell(tokens)?;
    check_minimum(sale.coin_out, min_coin_out)?;
    let after = before.after_sell(tokens, &sale)?;
    save_state(deps.storage, token, &after, false)?;
    collect_fee(deps.storage, token, rules.creator_share_bps, sale.fee)?;
    let denom = CONFIG.load(deps.storage)?.coin_denom;
    let trade = Traded { token, trader, input: tokens, output: sale.coin_out, fee: sale.fee };
    Ok(Response::new()
        .add_attribute("action", "sell")
        .add_event(traded("sell", &trade, &after)?)
        .add_message(BankMsg::Send { to_address: trader.to_string(), amount: coins(sale.coin_out.u128(), denom) }))
}

/// Graduates a curve whose reserve has reached its threshold, by anyone's call.
pub fn graduate(deps: DepsMut, env: &Env, token: &Addr, caller: &Addr) -> Result<Response, ContractError> {
    let (rules, state) = require_active(deps.storage, token)?;
    if state.bwick_reserves < rules.graduation_threshold {
        return Err(ContractError::BelowThreshold { reserves: state.bwick_reserves, threshold: rules.graduation_threshold });
    }
    let last = pricing(&rules, &state);
    let response = Response::new().add_attribute("action", "graduate");
    close(deps.storage, env, response, token, caller, &rules, &last)
}

/// Closes the curve for ever: all its COIN and all its tokens open the pool, in this transaction or not at all.
fn close(
    storage: &mut dyn Storage,
    env: &Env,
    response: Response,
    token: &Addr,
    trader: &Addr,
    rules: &CurveRules,
    last: &Pricing,
) -> Result<Response, ContractError> {
    let (coin_amount, token_amount) = (last.bwick_reserves, last.tokens_remaining()?);
    let graduation = Graduation {
        amm: rules.amm.clone(),
        coin_amount,
        token_amount,
        pool_price: math::price(coin_amount, token_amount),
        graduated_at: env.block.time.seconds(),
        graduated_height: env.block.height,
    };
    save_state(storage, token, last, true)?;
    GRADUATIONS.save(storage, token, &graduation)?;

    let trade = Traded { token, trader, input: coin_amount, output: token_amount, fee: Uint128::zero() };
    let event =
        traded("graduate", &trade, last)?.add_attribute("pool_price", graduation.pool_price.to_string()).add_attribute("amm", &rules.amm);
    let amm = Addr::unchecked(&rules.amm);
    let denom = CONFIG.load(storage)?.coin_denom;
    Ok(response.add_event(event).add_message(transfer(token, &amm, token_amount)?).add_message(WasmMsg::Execute {
        contract_addr: rules.amm.clone(),
        msg: cosmwasm_std::to_json_binary(&AmmExecute::CreatePool { token_address: token.to_string(), token_amount })?,
        funds: coins(coin_amount.u128(), denom),
    }))
}

fn save_state(storage: &mut dyn Storage, token: &Addr, curve: &Pricing, graduated: bool) -> Result<(), ContractError> {
    let bwick_reserves = if graduated { Uint128::zero() } else { curve.bwick_reserves };
    let state = CurveState { bwick_reserves, tokens_sold: curve.tokens_sold, graduated };
    Ok(CURVES.save(storage, token, &state)?)
}

fn transfer(token: &Addr, to: &Addr, amount: Uint128) -> Result<WasmMsg, ContractError> {
    Ok(WasmMsg::Execute {
        contract_addr: token.to_string(),
        msg: cosmwasm_std::to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: to.to_string(), amount })?,
        funds: vec![],
    })
}

/// Books a trading fee: the creator's part rounded down, the treasury's part the rest.
fn collect_fee(storage: &mut dyn Storage, token: &Addr, creator_share_bps: u16, fee: Uint128) -> Result<(), ContractError> {
    let creators = math::mul_div_floor(fee, Uint128::from(creator_share_bps), Uint128::new(math::BPS))?;
    let treasurys = fee.checked_sub(creators).map_err(|_| math::MathError::Overflow)?;
    let sum = |a: Uint128, b: Uint128| a.checked_add(b).map_err(|_| math::MathError::Overflow);
    let mut fees = FEES.load(storage, token)?;
    fees.creator_claimable = sum(fees.creator_claimable, creators)?;
    fees.treasury_total = sum(fees.treasury_total, treasurys)?;
    FEES.save(storage, token, &fees)?;
    let mut treasury = TREASURY.load(storage)?;
    treasury.claimable = sum(treasury.claimable, treasurys)?;
    Ok(TREASURY.save(storage, &treasury)?)
}
