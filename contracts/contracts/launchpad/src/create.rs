//! Launching a token: its CW20 contract is instantiated with the whole supply minted to the launchpad, and the answer of
//! that message opens the curve, all in one transaction.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{from_json, to_json_binary, Addr, DepsMut, Env, MessageInfo, Reply, Response, StdError, SubMsg, Uint128, WasmMsg};
use cw20::Cw20Coin;
use launchpad_api::msg::{CurveRules, LaunchParams, OnGraduation};

use crate::curve::solve_opening;
use crate::error::ContractError;
use crate::events::{described, traded, Traded};
use crate::metadata::{self, Description};
use crate::state::{pricing, CurveState, Fees, Launch, CONFIG, CURVES, CURVE_COUNT, FEES, LAUNCHES, RULES, TOKENS, TOKENS_OF};
use crate::trade::{self, BuyTerms};

pub const CW20_INSTANTIATED: u64 = 1;
/// Decimals of every launched token.
pub const DECIMALS: u8 = 6;

/// What the answer of the CW20's instantiation needs to know of its launch.
#[cw_serde]
pub struct PendingLaunch {
    launch: Launch,
    rules: CurveRules,
    first_buy: Uint128,
    min_tokens_out: Option<Uint128>,
    on_graduation: Option<OnGraduation>,
}

/// The threshold of the present parameters: the raise within its bounds.
pub fn threshold_of(params: &LaunchParams) -> Uint128 {
    params.graduation_raise.max(params.min_graduation_threshold).min(params.max_graduation_threshold)
}

/// The snapshot that a curve created now takes of the rules.
/// A curve that lives never looks at the parameters again.
pub fn rules_of(params: &LaunchParams, amm: &str) -> Result<CurveRules, ContractError> {
    let graduation_threshold = threshold_of(params);
    let opening = solve_opening(params.curve_supply, params.pool_supply, graduation_threshold, params.creation_fee)
        .ok_or_else(|| ContractError::InvalidConfig { reason: "no curve fits these supplies, threshold and creation fee".to_string() })?;
    Ok(CurveRules {
        curve_supply: params.curve_supply,
        pool_supply: params.pool_supply,
        creation_fee: params.creation_fee,
        graduation_threshold,
        buy_fee_bps: params.buy_fee_bps,
        sell_fee_bps: params.sell_fee_bps,
        creator_share_bps: params.creator_share_bps,
        initial_virtual_coin_reserves: opening.coin,
        initial_virtual_token_reserves: opening.token,
        amm: amm.to_string(),
    })
}

/// `paid` is the ucoin sent along: the creation fee, and what is over it is the first buy.
pub fn create_token(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    paid: Uint128,
    given: Description,
    terms: BuyTerms,
) -> Result<Response, ContractError> {
    let config = CONFIG.load(deps.storage)?;
    let amm = config.amm.ok_or(ContractError::NoAmm {})?;
    let rules = rules_of(&config.params, amm.as_str())?;
    let metadata = metadata::check(given)?;
    let first_buy = paid.checked_sub(rules.creation_fee).map_err(|_| ContractError::CreationFee {
        fee: rules.creation_fee,
        got: paid,
        denom: config.coin_denom,
    })?;
    let id = CURVE_COUNT.load(deps.storage)? + 1;
    CURVE_COUNT.save(deps.storage, &id)?;

    let instantiate = WasmMsg::Instantiate {
        admin: None,
        code_id: config.cw20_code_id,
        label: format!("launch {id}: {}", metadata.symbol),
        msg: to_json_binary(&cw20_base::msg::InstantiateMsg {
            name: metadata::cw20_name(&metadata.name),
            symbol: metadata::cw20_symbol(&metadata.symbol),
            decimals: DECIMALS,
            initial_balances: vec![Cw20Coin { address: env.contract.address.to_string(), amount: supply(&rules)? }],
            mint: None,
            marketing: Some(metadata::marketing(&metadata, info.sender.as_str())),
        })?,
        funds: vec![],
    };
    let launch = Launch { id, creator: info.sender, metadata, created_at: env.block.time.seconds(), created_height: env.block.height };
    let BuyTerms { min_tokens_out, on_graduation } = terms;
    let pending = PendingLaunch { launch, rules, first_buy, min_tokens_out, on_graduation };
    let message = SubMsg::reply_on_success(instantiate, CW20_INSTANTIATED).with_payload(to_json_binary(&pending)?);
    Ok(Response::new().add_attribute("action", "create_token").add_submessage(message))
}

fn supply(rules: &CurveRules) -> Result<Uint128, ContractError> {
    Ok(rules.curve_supply.checked_add(rules.pool_supply).map_err(StdError::from)?)
}

/// The CW20 stands: opens its curve, and makes the creator's first buy if there is one.
pub fn open_curve(deps: DepsMut, env: Env, reply: Reply) -> Result<Response, ContractError> {
    let pending: PendingLaunch = from_json(&reply.payload)?;
    let token = deps.api.addr_validate(&instantiated_address(reply)?)?;
    let PendingLaunch { launch, rules, first_buy, min_tokens_out, on_graduation } = pending;
    let state = CurveState { bwick_reserves: rules.creation_fee, tokens_sold: Uint128::zero(), graduated: false };
    RULES.save(deps.storage, &token, &rules)?;
    CURVES.save(deps.storage, &token, &state)?;
    LAUNCHES.save(deps.storage, &token, &launch)?;
    FEES.save(deps.storage, &token, &Fees::default())?;
    TOKENS.save(deps.storage, launch.id, &token)?;
    TOKENS_OF.save(deps.storage, (&launch.creator, launch.id), &token)?;

    let opened =
        Traded { token: &token, trader: &launch.creator, input: rules.creation_fee, output: Uint128::zero(), fee: Uint128::zero() };
    let event = traded("create_token", &opened, &pricing(&rules, &state))?
        .add_attribute("decimals", DECIMALS.to_string())
        .add_attribute("graduation_threshold", rules.graduation_threshold);
    let response = Response::new().add_event(described(event, launch.id, &launch.metadata)?).set_data(to_json_binary(&token)?);
    if first_buy.is_zero() {
        return match min_tokens_out {
            Some(minimum) if !minimum.is_zero() => Err(ContractError::Slippage { got: Uint128::zero(), minimum }),
            _ => Ok(response),
        };
    }
    trade::buy(deps, &env, response, &token, &launch.creator, first_buy, BuyTerms { min_tokens_out, on_graduation })
}

/// Contract address from the answer: field 1 of `MsgInstantiateContractResponse`.
fn instantiated_address(reply: Reply) -> Result<String, ContractError> {
    let answer = reply.result.into_result().map_err(StdError::generic_err)?;
    let first = answer.msg_responses.first().ok_or_else(|| StdError::generic_err("the CW20's instantiation has no answer"))?;
    let bytes = first.value.as_slice();
    // Key 0x0a: field 1, length-delimited. A bech32 address is shorter than 128 bytes, so its length is one byte.
    let address = match bytes {
        [0x0a, length, rest @ ..] if *length < 0x80 => rest.get(..usize::from(*length)),
        _ => None,
    };
    let address = address.and_then(|text| core::str::from_utf8(text).ok());
    Ok(address.ok_or_else(|| StdError::generic_err("the CW20's instantiation gave no address"))?.to_string())
}

/// Whether `token` was launched here.
pub fn is_launched(storage: &dyn cosmwasm_std::Storage, token: &Addr) -> bool {
    LAUNCHES.has(storage, token)
}
