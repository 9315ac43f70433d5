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
    gaps: Gaps,
    /// The hash of what stays the same.
    hash: u64,
    /// The length and the hash of all its bytes in the last message.
    last: (u32, u64),
}

/// A market that is known.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) len: usize,
    /// Whether it has the same values as in the last message.
    pub(super) is_same: bool,
}

/// The bytes that stay the same between the values that may change.
#[derive(Default)]
pub(super) struct Gaps {
    before: Box<[Gap]>,
    /// How many come after the last value.
    after: u16,
}

/// So many bytes, and then a value that may change.
#[derive(Clone, Copy)]
struct Gap {
    bytes: u16,
    value: Value,
}

/// A value that may change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Price,
    Movement,
}

impl Value {
    /// The length of the value at the beginning of `rest`, if it is valid wherever it may stand.
    pub(super) fn len(self, rest: &[u8]) -> Option<usize> {
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

impl Gaps {
    /// The gaps of a market with all its bytes, which are valid; `values` is where the values begin that may change.
    pub(super) fn of(bytes: &[u8], values: &[(usize, Value)]) -> Option<Gaps> {
        let (mut before, mut end) = (Vec::with_capacity(values.len()), 0);
        for (start, value) in values {
            // One that is not valid everywhere stays the same, or the market is read.
            if let Some(len) = value.len(bytes.get(*start..)?) {
                before.push(Gap { bytes: start.checked_sub(end)?.try_into().ok()?, value: *value });
                end = start + len;
            }
        }
        let after = bytes.len().checked_sub(end)?.try_into().ok()?;
        Some(Gaps { before: before.into(), after })
    }

    /// How many values may change.
    pub(super) fn values(&self) -> usize {
        self.before.len()
    }

    /// The length of the market at the beginning of `rest`, if it has valid values where this one has them. `part` takes
    /// the bytes before each value with the value, and at last the bytes after them; false ends the walk.
    pub(super) fn walk<'a>(
        &self,
        rest: &'a [u8],
        mut part: impl FnMut(&'a [u8], Option<(Value, &'a [u8])>) -> bool,
    ) -> Option<usize> {
        let mut at = 0;
        for gap in &self.before {
            let same = rest.get(at..at + usize::from(gap.bytes))?;
            at += same.len();
            let value = rest.get(at..at + gap.value.len(rest.get(at..)?)?)?;
            at += value.len();
            part(same, Some((gap.value, value))).then_some(())?;
        }
        let same = rest.get(at..at + usize::from(self.after))?;
        part(same, None).then_some(at + same.len())
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
        let last = (bytes.len().try_into().ok()?, seed.hash_one(bytes));
        let gaps = Gaps::of(bytes, values)?;
        let mut shape = MarketShape { head: *bytes.first_chunk()?, gaps, hash: 0, last };
        shape.hash = shape.bare(bytes, seed, bare)?.1;
        Some(shape)
    }

    /// This market, with any prices, if `rest` begins with it.
    pub(super) fn find(&self, rest: &[u8], seed: &RandomState, bare: &mut Vec<u8>) -> Option<Found> {
        if rest.first_chunk() != Some(&self.head) {
            return None;
        }
        let (len, hash) = self.last;
        if rest.get(..len as usize).is_some_and(|bytes| seed.hash_one(bytes) == hash) {
            return Some(Found { len: len as usize, is_same: true });
        }
        let (len, _) = self.bare(rest, seed, bare).filter(|(_, hash)| *hash == self.hash)?;
        Some(Found { len, is_same: false })
    }

    /// Notes all bytes of this market in a message.
    pub(super) fn note(&mut self, bytes: &[u8], seed: &RandomState) {
        self.last = (bytes.len() as u32, seed.hash_one(bytes));
    }

    /// The length of a market of this shape, and the hash of what stays the same.
    fn bare(&self, rest: &[u8], seed: &RandomState, bare: &mut Vec<u8>) -> Option<(usize, u64)> {
        bare.clear();
        let len = self.gaps.walk(rest, |same, _| {
            bare.extend_from_slice(same);
            true
        })?;
        Some((len, seed.hash_one(&bare[..])))
    }
}
