//! Integers in few bytes.

/// Maps integers to natural numbers, small ones to small ones.
pub(crate) fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

pub(crate) fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Seven bits per byte, lowest first.
#[inline]
pub(crate) fn pack_number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads what [`pack_number`] wrote at `at`, and moves past it.
#[inline]
pub(crate) fn unpack_number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut n, mut shift) = (0, 0);
    while let Some(&byte) = bytes.get(*at) {
        *at += 1;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}
