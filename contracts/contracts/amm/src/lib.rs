//! The exchange pool: one constant-product pool per graduated or listed token, against the native coin.

pub mod admin;
pub mod contract;
pub mod error;
pub mod pool;
pub mod query;
pub mod state;
pub mod swap;
