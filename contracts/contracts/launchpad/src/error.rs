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

    #[error("creation fee: send at least {fee}{denom}, got {got}{denom}")]
    CreationFee { fee: Uint128, got: Uint128, denom: String },

    #[error("no curve for token {token}: this launchpad did not make it")]
    NoCurve { token: String },

    #[error("token {token} has graduated: trade it in the pool of {amm}")]
    Graduated { token: String, amm: String },

    #[error("below the graduation threshold: the curve holds {reserves} of {threshold}")]
    BelowThreshold { reserves: Uint128, threshold: Uint128 },

    #[error("slippage: {got} would come out, at least {minimum} wanted")]
    Slippage { got: Uint128, minimum: Uint128 },

    #[error("the deadline {deadline} has passed: the block's time is {now}")]
    Expired { deadline: u64, now: u64 },

    #[error("no trade: {0}")]
    Math(MathError),

    #[error("invalid {field}: {reason}")]
    InvalidMetadata { field: &'static str, reason: String },

    #[error("invalid configuration: {reason}")]
    InvalidConfig { reason: String },

    #[error("the exchange pool is not configured yet: no token can be created")]
    NoAmm {},

    #[error("nothing to claim")]
    NothingToClaim {},

    #[error("no admin transfer is proposed")]
    NoPendingAdmin {},

    #[error("unknown reply {id}")]
    UnknownReply { id: u64 },
}

impl From<MathError> for ContractError {
    fn from(error: MathError) -> Self {
        ContractError::Math(error)
    }
}
