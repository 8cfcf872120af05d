//! The exchange pool's interface: its messages, and the pool arithmetic that the pool, its simulations and the
//! launchpad's quotes all share.

pub mod math;
pub mod msg;
