//! What is left of a division by a number that is known beforehand, without dividing.
//!
//! Turned upside down, as a part of 2^64, the divisor gives it by two multiplications: the first leaves the fraction of
//! the quotient, the second makes of that fraction what is left (Lemire, Kaser and Kurz, "Faster remainder by direct
//! computation"). It is exact for all numbers of 32 bits, and takes a fraction of a division's time.

use crate::value::Value;

/// A divisor above 0, turned upside down: a value, because it lies among the constants of a function.
pub fn reciprocal(divisor: u32) -> Value {
    // Below 2^63 or just that, which as a decimal number is -0: never one of the other kinds of values.
    Value::float(f64::from_bits(
        (u64::MAX / u64::from(divisor.max(1))).wrapping_add(1),
    ))
}

/// What is left of `n` divided by the divisor that was turned upside down.
#[inline(always)]
pub fn fastmod(n: u32, divisor: u32, upside_down: Value) -> u32 {
    let fraction = upside_down.to_bits().wrapping_mul(u64::from(n));
    ((u128::from(fraction) * u128::from(divisor)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_a_division_leaves() {
        let mut numbers: Vec<u32> = (0..70)
            .chain([97, 1000, 1_000_003, 65_535, 65_536, 65_537])
            .collect();
        numbers.extend((0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1]));
        numbers.extend([i32::MAX as u32 - 1, i32::MAX as u32, u32::MAX - 1, u32::MAX]);
        for &divisor in numbers.iter().filter(|d| **d > 0) {
            let kept = reciprocal(divisor);
            for n in numbers.iter().flat_map(|n| {
                [
                    *n,
                    n.wrapping_mul(divisor),
                    n.wrapping_mul(divisor).wrapping_sub(1),
                ]
            }) {
                assert_eq!(fastmod(n, divisor, kept), n % divisor, "{n} % {divisor}");
            }
        }
    }
}
