//! The launchpad, the exchange pool and cw20-base together.

mod admin;
mod attacks;
mod curve;
mod graduation;
mod launch;
mod pool;
mod properties;
mod queries;
mod trading;
