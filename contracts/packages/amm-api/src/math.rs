//! Constant-product pool arithmetic, pure: no storage, no messages, no panics. Rounding always favours the pool.
//!
//! `coin` amounts are ucoin, `token` amounts are the token's base units; fees are basis points of the input.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Decimal256, Isqrt, Uint128, Uint256};

/// 100 % in basis points.
pub const BPS: u128 = 10_000;

/// Why a trade has no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MathError {
    /// A figure would not fit into 128 bits.
    Overflow,
    /// The pool side that is paid out cannot give that much, or holds nothing.
    InsufficientLiquidity,
    /// The amount is so small that nothing would come out.
    ZeroOutput,
    /// The fee is 100 % or more.
    FeeTooHigh,
}

impl core::fmt::Display for MathError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            MathError::Overflow => "the amount is too large",
            MathError::InsufficientLiquidity => "the reserves cannot give that much",
            MathError::ZeroOutput => "the amount is too small: nothing would come out",
            MathError::FeeTooHigh => "the fee is 100 % or more",
        })
    }
}

/// A trade at a pool's reserves: what goes in, what comes out, and what stays as fee.
#[cw_serde]
#[derive(Copy)]
pub struct Trade {
    /// Paid in, fee included.
    pub input: Uint128,
    /// Paid out.
    pub output: Uint128,
    /// The part of `input` that did not take part in the price.
    pub fee: Uint128,
}

/// `amount * numerator / denominator`, rounded down.
pub fn mul_div_floor(amount: Uint128, numerator: Uint128, denominator: Uint128) -> Result<Uint128, MathError> {
    if denominator.is_zero() {
        return Err(MathError::InsufficientLiquidity);
    }
    let quotient = amount.full_mul(numerator) / Uint256::from(denominator);
    quotient.try_into().map_err(|_| MathError::Overflow)
}

/// `amount * numerator / denominator`, rounded up.
pub fn mul_div_ceil(amount: Uint128, numerator: Uint128, denominator: Uint128) -> Result<Uint128, MathError> {
    if denominator.is_zero() {
        return Err(MathError::InsufficientLiquidity);
    }
    let product = amount.full_mul(numerator);
    let divisor = Uint256::from(denominator);
    let quotient = product / divisor;
    let rounded = if (product % divisor).is_zero() { quotient } else { quotient + Uint256::one() };
    rounded.try_into().map_err(|_| MathError::Overflow)
}

/// The fee of `amount`, rounded up: `ceil(amount * fee_bps / 10000)`. Example: 199 at 50 bps is 1.
pub fn fee_of(amount: Uint128, fee_bps: u16) -> Result<Uint128, MathError> {
    mul_div_ceil(amount, Uint128::from(fee_bps), Uint128::new(BPS))
}

/// The smallest amount of which exactly `net` is left after its fee. Example: 9920000000000 at 50 bps is 9969849246232.
///
/// It always exists: one unit more of gross is one unit more of net, or of fee.
pub fn gross_for_net(net: Uint128, fee_bps: u16) -> Result<Uint128, MathError> {
    let kept = BPS.checked_sub(u128::from(fee_bps)).filter(|kept| *kept > 0).ok_or(MathError::FeeTooHigh)?;
    mul_div_ceil(net, Uint128::new(BPS), Uint128::new(kept))
}

/// What `net` buys at the reserves, without any fee: `floor(net * reserve_out / (reserve_in + net))`.
pub fn output_for(net: Uint128, reserve_in: Uint128, reserve_out: Uint128) -> Result<Uint128, MathError> {
    let reserve_after = reserve_in.checked_add(net).map_err(|_| MathError::Overflow)?;
    mul_div_floor(net, reserve_out, reserve_after)
}

/// Exact input: `fee = ceil(a * bps / 10000)`, `out = floor((a - fee) * R_out / (R_in + a - fee))`.
///
/// The pool then holds `R_in + a` and `R_out - out`. Example: 1000000 at 200 bps on 10^12 to 2*10^12 gives 1959998.
pub fn swap(input: Uint128, reserve_in: Uint128, reserve_out: Uint128, fee_bps: u16) -> Result<Trade, MathError> {
    if reserve_in.is_zero() || reserve_out.is_zero() {
        return Err(MathError::InsufficientLiquidity);
    }
    reserve_in.checked_add(input).map_err(|_| MathError::Overflow)?;
    let fee = fee_of(input, fee_bps)?;
    let net = input.checked_sub(fee).map_err(|_| MathError::FeeTooHigh)?;
    let output = output_for(net, reserve_in, reserve_out)?;
    if output.is_zero() {
        return Err(MathError::ZeroOutput);
    }
    Ok(Trade { input, output, fee })
}

/// Exact output: the smallest input whose [`swap`] gives at least `wanted`; `output` is what that input really gives.
pub fn reverse_swap(wanted: Uint128, reserve_in: Uint128, reserve_out: Uint128, fee_bps: u16) -> Result<Trade, MathError> {
    if wanted.is_zero() {
        return Err(MathError::ZeroOutput);
    }
    let left = reserve_out.checked_sub(wanted).map_err(|_| MathError::InsufficientLiquidity)?;
    let net = mul_div_ceil(wanted, reserve_in, left)?;
    swap(gross_for_net(net, fee_bps)?, reserve_in, reserve_out, fee_bps)
}

/// Price of one token base unit in ucoin (the same figure as COIN per token), 18 places, rounded down.
///
/// A pool side is never empty; were it, the price would be zero.
pub fn price(coin_reserve: Uint128, token_reserve: Uint128) -> Decimal256 {
    Decimal256::checked_from_ratio(coin_reserve, token_reserve).unwrap_or_default()
}

/// LP shares of a first deposit: `floor(sqrt(coin * token))`.
pub fn first_shares(coin: Uint128, token: Uint128) -> Uint128 {
    // The root of a 256-bit product always fits into 128 bits.
    coin.full_mul(token).isqrt().try_into().unwrap_or(Uint128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn u(n: u128) -> Uint128 {
        Uint128::new(n)
    }

    #[test]
    fn fees_round_up() {
        assert_eq!(fee_of(u(199), 50), Ok(u(1)));
        assert_eq!(fee_of(u(200), 50), Ok(u(1)));
        assert_eq!(fee_of(u(201), 50), Ok(u(2)));
        assert_eq!(fee_of(u(0), 50), Ok(u(0)));
        assert_eq!(fee_of(u(7), 0), Ok(u(0)));
    }

    #[test]
    fn gross_for_net_is_the_smallest_gross_that_leaves_exactly_the_net() {
        assert_eq!(gross_for_net(u(9_920_000_000_000), 50), Ok(u(9_969_849_246_232)));
        for net in 1..2_000u128 {
            for bps in [0u16, 1, 50, 250, 9_999] {
                let gross = gross_for_net(u(net), bps).unwrap();
                assert_eq!(gross - fee_of(gross, bps).unwrap(), u(net));
                let less = gross - u(1);
                assert!(less - fee_of(less, bps).unwrap() < u(net));
            }
        }
        assert_eq!(gross_for_net(u(1), 10_000), Err(MathError::FeeTooHigh));
    }

    #[test]
    fn a_swap_pays_the_decided_figure() {
        let trade = swap(u(1_000_000), u(1_000_000_000_000), u(2_000_000_000_000), 200).unwrap();
        assert_eq!(trade, Trade { input: u(1_000_000), output: u(1_959_998), fee: u(20_000) });
    }

    #[test]
    fn a_swap_that_gives_nothing_is_an_error() {
        assert_eq!(swap(u(0), u(10), u(10), 100), Err(MathError::ZeroOutput));
        assert_eq!(swap(u(1), u(10), u(10), 100), Err(MathError::ZeroOutput));
        assert_eq!(swap(u(5), u(0), u(10), 100), Err(MathError::InsufficientLiquidity));
        assert_eq!(swap(Uint128::MAX, u(10), u(10), 100), Err(MathError::Overflow));
        assert_eq!(swap(u(5), u(10), u(10), 20_000), Err(MathError::FeeTooHigh));
    }

    #[test]
    fn a_reverse_swap_gives_at_least_what_was_wanted_for_the_least_input() {
        for wanted in [1u128, 2, 999, 50_000, 999_999] {
            let trade = reverse_swap(u(wanted), u(3_000_000), u(1_000_000), 200).unwrap();
            assert!(trade.output >= u(wanted));
            let less = swap(trade.input - u(1), u(3_000_000), u(1_000_000), 200);
            assert!(less.map_or(true, |t| t.output < u(wanted)));
        }
        assert_eq!(reverse_swap(u(0), u(10), u(10), 100), Err(MathError::ZeroOutput));
        assert_eq!(reverse_swap(u(10), u(10), u(10), 100), Err(MathError::InsufficientLiquidity));
        assert_eq!(reverse_swap(u(11), u(10), u(10), 100), Err(MathError::InsufficientLiquidity));
    }

    #[test]
    fn division_by_nothing_and_overflow_are_errors() {
        assert_eq!(mul_div_floor(u(1), u(1), u(0)), Err(MathError::InsufficientLiquidity));
        assert_eq!(mul_div_ceil(u(1), u(1), u(0)), Err(MathError::InsufficientLiquidity));
        assert_eq!(mul_div_floor(Uint128::MAX, u(2), u(1)), Err(MathError::Overflow));
        assert_eq!(mul_div_ceil(Uint128::MAX, Uint128::MAX, u(1)), Err(MathError::Overflow));
        assert_eq!(mul_div_ceil(u(10), u(1), u(3)), Ok(u(4)));
        assert_eq!(price(u(1), u(0)), Decimal256::zero());
        assert_eq!(first_shares(Uint128::MAX, Uint128::MAX), Uint128::MAX);
        assert_eq!(first_shares(u(4), u(9)), u(6));
    }
}
