//! The bytes of a market without its prices and their movement: what stays the same from message to message. They are known
//! by their hash, because the bytes would take several times the memory.
//!
//! Must not count a value as a price that is not valid wherever a price may stand.

use super::digest::PLAIN_MAX;
use foldhash::fast::RandomState;
use std::hash::BuildHasher;

/// The first bytes, with the id of the market: they exclude most others without a hash.
const HEAD: usize = 8;

/// What stays the same of a market.
#[derive(Default)]
pub(super) struct MarketShape {
    head: [u8; HEAD],
    /// How many bytes stay the same before each value that may change.
    before: Vec<(usize, Value)>,
    /// How many after the last one.
    after: usize,
    hash: u64,
}

/// A value that may change.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Price,
    Movement,
}

impl Value {
    /// The length of the value at the beginning of `rest`, if it is valid wherever it may stand.
    fn len(self, rest: &[u8]) -> Option<usize> {
        let (marker, value) = rest.split_first()?;
        let is_plain = |price: f64| (0.0..=f64::from(PLAIN_MAX)).contains(&price);
        match (self, marker) {
            (_, 0xc0 | 0..=0x7f) | (Value::Movement, 0xff) => Some(1),
            (Value::Price, 0xcc) => value.first().map(|_| 2),
            (Value::Price, 0xcd) => value.first_chunk::<2>().map(|_| 3),
            (Value::Price, 0xca) => is_plain(f32::from_be_bytes(*value.first_chunk()?).into()).then_some(5),
            (Value::Price, 0xcb) => is_plain(f64::from_be_bytes(*value.first_chunk()?)).then_some(9),
            _ => None,
        }
    }
}

impl MarketShape {
    /// The shape of a market with all its bytes, which are valid; `values` is where the values begin that may change.
    /// `bare` is room for a copy.
    pub(super) fn of(
        bytes: &[u8],
        values: &[(usize, Value)],
        seed: &RandomState,
        bare: &mut Vec<u8>,
    ) -> Option<MarketShape> {
        let (mut before, mut end) = (Vec::with_capacity(values.len()), 0);
        for (start, value) in values {
            // One that is not valid everywhere stays the same, or the market is read.
            if let Some(len) = value.len(bytes.get(*start..)?) {
                before.push((start.checked_sub(end)?, *value));
                end = start + len;
            }
        }
        let after = bytes.len().checked_sub(end)?;
        let mut shape = MarketShape { head: *bytes.first_chunk()?, before, after, hash: 0 };
        shape.hash = shape.bare(bytes, seed, bare)?.1;
        Some(shape)
    }

    /// The length of this market, with any prices, if `rest` begins with it.
    pub(super) fn len(&self, rest: &[u8], seed: &RandomState, bare: &mut Vec<u8>) -> Option<usize> {
        if rest.first_chunk() != Some(&self.head) {
            return None;
        }
        self.bare(rest, seed, bare).filter(|(_, hash)| *hash == self.hash).map(|(len, _)| len)
    }

    /// The length of a market of this shape, and the hash of what stays the same.
    fn bare(&self, rest: &[u8], seed: &RandomState, bare: &mut Vec<u8>) -> Option<(usize, u64)> {
        bare.clear();
        let mut at = 0;
        for (same, value) in &self.before {
            bare.extend_from_slice(rest.get(at..at + same)?);
            at += same;
            at += value.len(rest.get(at..)?)?;
        }
        bare.extend_from_slice(rest.get(at..at + self.after)?);
        Some((at + self.after, seed.hash_one(&bare[..])))
    }
}
