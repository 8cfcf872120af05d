use amm_api::math::MathError;
use cosmwasm_std::{StdError, Uint128};
use thiserror::Error;

#[derive(Error, Debug, PartialEq)]
pub enum ContractError {
    #[error("{0}")]
    Std(#[from] StdError),

    #[error("unauthorized: only {who} may do this")]
    Unauthorized { who: &'static str },

    #[error("wrong funds: send {expected}, and nothing else; got {got}")]
    WrongFunds { expected: String, got: String },

    #[error("no pool for token {token}")]
    NoPool { token: String },

    #[error("token {token} has a pool already")]
    PoolExists { token: String },

    #[error("token {token} comes from the launchpad: its pool opens at its graduation and not before")]
    LaunchedToken { token: String },

    #[error("the pool needs {needed} tokens, but the AMM holds {held}: transfer them before, in the same transaction")]
    TokensMissing { needed: Uint128, held: Uint128 },

    #[error("a pool needs more than {minimum} LP shares, this deposit gives {shares}")]
    DepositTooSmall { shares: Uint128, minimum: Uint128 },

    #[error("slippage: {got} would come out, at least {minimum} wanted")]
    Slippage { got: Uint128, minimum: Uint128 },

    #[error("the deadline {deadline} has passed: the block's time is {now}")]
    Expired { deadline: u64, now: u64 },

    #[error("no trade: {0}")]
    Math(MathError),

    #[error("invalid configuration: {reason}")]
    InvalidConfig { reason: String },

    #[error("no admin transfer is proposed")]
    NoPendingAdmin {},
}

impl From<MathError> for ContractError {
    fn from(error: MathError) -> Self {
        ContractError::Math(error)
    }
}
