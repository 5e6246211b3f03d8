//! Remainder by a constant divisor, without a division instruction.
//!
//! The reciprocal of the divisor, as a fraction of 2^64, gives the remainder with two
//! multiplications: the first yields the fractional part of the quotient, the second scales it by
//! the divisor (Lemire, Kaser and Kurz, "Faster remainder by direct computation"). Exact for all
//! 32-bit numbers, and several times faster than a division.

use crate::value::Value;

/// The reciprocal of a positive divisor, scaled by 2^64. Encoded as a value so that it can be
/// stored among a function's constants.
pub fn reciprocal(divisor: u32) -> Value {
    // At most 2^63, which is the bit pattern of -0.0, so it is always a valid float.
    Value::float(f64::from_bits(
        (u64::MAX / u64::from(divisor.max(1))).wrapping_add(1),
    ))
}

/// `n % divisor`, given the divisor's [`reciprocal`].
#[inline(always)]
pub fn fastmod(n: u32, divisor: u32, reciprocal: Value) -> u32 {
    let fraction = reciprocal.to_bits().wrapping_mul(u64::from(n));
    ((u128::from(fraction) * u128::from(divisor)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastmod_equals_remainder() {
        let mut numbers: Vec<u32> = (0..70)
            .chain([97, 1000, 1_000_003, 65_535, 65_536, 65_537])
            .collect();
        numbers.extend((0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1]));
        numbers.extend([i32::MAX as u32 - 1, i32::MAX as u32, u32::MAX - 1, u32::MAX]);
        for &divisor in numbers.iter().filter(|d| **d > 0) {
            let inverse = reciprocal(divisor);
            for n in numbers.iter().flat_map(|n| {
                [
                    *n,
                    n.wrapping_mul(divisor),
                    n.wrapping_mul(divisor).wrapping_sub(1),
                ]
            }) {
                assert_eq!(fastmod(n, divisor, inverse), n % divisor, "{n} % {divisor}");
            }
        }
    }
}
