//! The bonding curve's arithmetic, pure: execution and simulation both call it, so a quote is what a trade gives.
//!
//! Constant product over pricing reserves `(X, Y)`. With `T` tokens on the curve, `P` for the pool, threshold `R`,
//! creation fee `F` and `B = R - F`, they are solved so that the curve's last price is the pool's first:
//! `X0 = B^2 * P / (R*T - B*P)` and `Y0 = T * (X0 + B) / B`. Rounding never goes against the curve.

use amm_api::math::{self, fee_of, gross_for_net, mul_div_floor, MathError};
use cosmwasm_std::{Decimal256, Uint128, Uint256, Uint512};

/// Pricing reserves at a curve's opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// X0, ucoin.
    pub coin: Uint128,
    /// Y0, token base units.
    pub token: Uint128,
}

/// Solves the opening reserves. `None` when no curve fits the figures (`R <= F`, nothing to sell, pool part too large).
///
/// X0 is rounded down. Y0 is the largest integer for which exactly `B` net ucoin buy exactly `T` tokens.
/// The default figures give X0 = 3463486273490 and Y0 = 107000433099849.
pub fn solve_opening(curve_supply: Uint128, pool_supply: Uint128, threshold: Uint128, creation_fee: Uint128) -> Option<Opening> {
    let raise = threshold.checked_sub(creation_fee).ok().filter(|raise| !raise.is_zero())?;
    if curve_supply.is_zero() || pool_supply.is_zero() {
        return None;
    }
    let (t, p) = (Uint256::from(curve_supply), Uint256::from(pool_supply));
    let (r, b) = (Uint256::from(threshold), Uint256::from(raise));
    let denominator = (r.checked_mul(t).ok()?).checked_sub(b.checked_mul(p).ok()?).ok()?;
    let numerator = Uint512::from(b.checked_mul(b).ok()?).checked_mul(Uint512::from(p)).ok()?;
    let coin: Uint128 = numerator.checked_div(Uint512::from(denominator)).ok()?.try_into().ok()?;
    if coin.is_zero() {
        return None;
    }
    // Largest Y with floor(B*Y / (X0+B)) = T, that is B*Y < (T+1)*(X0+B).
    let bound = (t + Uint256::one()).checked_mul(Uint256::from(coin) + b).ok()?;
    let token: Uint128 = ((bound - Uint256::one()) / b).try_into().ok()?;
    Some(Opening { coin, token })
}

/// What a curve needs to be priced: its snapshot of the rules, and the two numbers that trades move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pricing {
    pub opening: Opening,
    pub creation_fee: Uint128,
    pub threshold: Uint128,
    pub supply: Uint128,
    pub buy_fee_bps: u16,
    pub sell_fee_bps: u16,
    /// Real ucoin in the curve: opens at the creation fee, graduates at the threshold.
    pub bwick_reserves: Uint128,
    pub tokens_sold: Uint128,
}

/// What a buy takes from and gives to the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveBuy {
    /// ucoin the curve takes, fee included.
    pub gross: Uint128,
    pub fee: Uint128,
    /// ucoin that joins the reserve.
    pub net: Uint128,
    pub tokens_out: Uint128,
    /// ucoin the curve has no room for.
    pub rest: Uint128,
    /// The reserve has reached the threshold.
    pub graduates: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveSell {
    /// ucoin that leaves the reserve.
    pub gross: Uint128,
    pub fee: Uint128,
    /// ucoin for the seller.
    pub coin_out: Uint128,
}

impl Pricing {
    /// X: `X0` plus what buys have added.
    pub fn virtual_coin(&self) -> Result<Uint128, MathError> {
        let added = self.bwick_reserves.checked_sub(self.creation_fee).map_err(|_| MathError::InsufficientLiquidity)?;
        self.opening.coin.checked_add(added).map_err(|_| MathError::Overflow)
    }

    /// Y: `Y0` less what has been sold.
    pub fn virtual_token(&self) -> Result<Uint128, MathError> {
        self.opening.token.checked_sub(self.tokens_sold).map_err(|_| MathError::InsufficientLiquidity)
    }

    /// `X / Y`, ucoin per token base unit.
    pub fn price(&self) -> Result<Decimal256, MathError> {
        Ok(math::price(self.virtual_coin()?, self.virtual_token()?))
    }

    /// Tokens that the launchpad holds for this curve, the pool's part included.
    pub fn tokens_remaining(&self) -> Result<Uint128, MathError> {
        self.supply.checked_sub(self.tokens_sold).map_err(|_| MathError::InsufficientLiquidity)
    }

    /// Net ucoin to the threshold.
    pub fn room(&self) -> Uint128 {
        self.threshold.saturating_sub(self.bwick_reserves)
    }

    /// Exact input: `fee = ceil(a*bps/10000)`, `n = a - fee`, `out = floor(n*Y/(X+n))`. When `n` reaches the room left,
    /// the curve takes exactly that room (and the fee on it), graduates, and leaves the rest of the input as `rest`.
    ///
    /// Fails when nothing would come out, unless the curve graduates: the rest then buys in the pool.
    pub fn buy(&self, input: Uint128) -> Result<CurveBuy, MathError> {
        let fee = fee_of(input, self.buy_fee_bps)?;
        let net = input.checked_sub(fee).map_err(|_| MathError::FeeTooHigh)?;
        let room = self.room();
        let graduates = net >= room;
        let (gross, fee, net) = if graduates {
            let gross = gross_for_net(room, self.buy_fee_bps)?;
            (gross, gross.checked_sub(room).map_err(|_| MathError::Overflow)?, room)
        } else {
            (input, fee, net)
        };
        let tokens_out = math::output_for(net, self.virtual_coin()?, self.virtual_token()?)?;
        if tokens_out.is_zero() && !graduates {
            return Err(MathError::ZeroOutput);
        }
        let rest = input.checked_sub(gross).map_err(|_| MathError::Overflow)?;
        Ok(CurveBuy { gross, fee, net, tokens_out, rest, graduates })
    }

    /// Exact input: `gross = floor(t*X/(Y+t))`, `fee = ceil(gross*bps/10000)`, `out = gross - fee`.
    pub fn sell(&self, tokens: Uint128) -> Result<CurveSell, MathError> {
        if tokens > self.tokens_sold {
            return Err(MathError::InsufficientLiquidity);
        }
        let after = self.virtual_token()?.checked_add(tokens).map_err(|_| MathError::Overflow)?;
        let gross = mul_div_floor(tokens, self.virtual_coin()?, after)?;
        let fee = fee_of(gross, self.sell_fee_bps)?;
        let coin_out = gross.checked_sub(fee).map_err(|_| MathError::FeeTooHigh)?;
        if coin_out.is_zero() {
            return Err(MathError::ZeroOutput);
        }
        Ok(CurveSell { gross, fee, coin_out })
    }

    /// The curve after a buy.
    pub fn after_buy(&self, buy: &CurveBuy) -> Result<Pricing, MathError> {
        Ok(Pricing {
            bwick_reserves: self.bwick_reserves.checked_add(buy.net).map_err(|_| MathError::Overflow)?,
            tokens_sold: self.tokens_sold.checked_add(buy.tokens_out).map_err(|_| MathError::Overflow)?,
            ..*self
        })
    }

    /// The curve after a sale of `tokens`.
    pub fn after_sell(&self, tokens: Uint128, sell: &CurveSell) -> Result<Pricing, MathError> {
        Ok(Pricing {
            bwick_reserves: self.bwick_reserves.checked_sub(sell.gross).map_err(|_| MathError::InsufficientLiquidity)?,
            tokens_sold: self.tokens_sold.checked_sub(tokens).map_err(|_| MathError::InsufficientLiquidity)?,
            ..*self
        })
    }
}
