//! The launchpad's interface: every message, query and answer.

pub mod msg;
