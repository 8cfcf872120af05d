//! The launchpad: anyone creates a token on a bonding curve; at the threshold its reserves become an exchange pool.
//!
//! `contract` takes messages apart, `create`, `trade`, `admin` and `query` answer them, `curve` is the arithmetic.

pub mod admin;
pub mod contract;
pub mod create;
pub mod curve;
pub mod error;
pub mod events;
pub mod metadata;
pub mod query;
pub mod quote;
pub mod state;
pub mod trade;
