//! The native feed's bodies (CONTRACT 1): positional msgpack arrays to [`FeedUpdate`] and back. Feed adapters call
//! [`decode_update`] with the limits of what they expect; publishers call [`encode`].
//!
//! A message is judged in two steps. [`check`] passes over the whole document first, so that nothing is built from one
//! that is too deep, too rich, cut off or followed by anything. Then [`decode`] reads it: a bad entity is dropped alone,
//! and its cause counted.
//!
//! Must never panic, whatever the bytes, nor hold more than the limits allow.

mod check;
mod decode;
pub mod encode;
mod fields;
mod history;
mod intern;
pub mod results;

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod gaps;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod hostile;

pub use decode::{Decoder, decode_active, decode_snapshot_request, decode_update};

use super::inflate::{Encoding, InflateError, inflate};
use super::msgpack::Malformed;
use kvota_domain::feed::FeedUpdate;
use kvota_domain::limits;

/// How much one message may carry.
#[derive(Clone, Copy, Debug)]
pub struct UpdateLimits {
    /// Bytes, inflated.
    pub bytes_max: usize,
    /// Sports, matches, markets and odds together.
    pub entities_max: usize,
}

impl UpdateLimits {
    /// Of a live event, and of the small messages.
    pub const EVENT: UpdateLimits =
        UpdateLimits { bytes_max: limits::EVENT_BYTES_MAX, entities_max: limits::EVENT_ENTITIES_MAX };
    /// Of a snapshot of the whole offer.
    pub const SNAPSHOT: UpdateLimits =
        UpdateLimits { bytes_max: limits::SNAPSHOT_BYTES_MAX, entities_max: limits::SNAPSHOT_ENTITIES_MAX };
}

/// A message that decoded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decoded {
    /// What it says, without what was bad in it.
    pub update: FeedUpdate,
    /// How much of it was bad.
    pub dropped: Dropped,
    /// Prices with more than 3 decimals, of which the rest was cut off.
    pub cut_prices: u32,
}

/// A feed-active message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActiveMessage {
    /// Whether the producer says that the feed is active.
    pub active: bool,
    /// When it was made, ms since the epoch.
    pub date_ms: Option<i64>,
}

impl Decoder {
    /// Decodes a live event or a snapshot as it came, by its `content-encoding` property.
    ///
    /// # Errors
    /// A bad envelope.
    pub fn open_update(
        &mut self,
        body: &[u8],
        encoding: Option<&str>,
        limits: &UpdateLimits,
    ) -> Result<Decoded, DecodeError> {
        let encoding = Encoding::from_property(encoding)?;
        self.update(&inflate(body, encoding, limits.bytes_max)?, limits)
    }
}

/// Decodes one message by itself, as [`Decoder::open_update`] does.
///
/// # Errors
/// A bad envelope.
pub fn open_update(body: &[u8], encoding: Option<&str>, limits: &UpdateLimits) -> Result<Decoded, DecodeError> {
    Decoder::default().open_update(body, encoding, limits)
}

/// Decodes a feed-active message as it came, by its `content-encoding` property.
///
/// # Errors
/// A bad envelope, or a flag that is none.
pub fn open_active(body: &[u8], encoding: Option<&str>) -> Result<ActiveMessage, DecodeError> {
    let encoding = Encoding::from_property(encoding)?;
    decode_active(&inflate(body, encoding, UpdateLimits::EVENT.bytes_max)?)
}

/// A bad envelope: the message is dropped as a whole (CONTRACT 1).
#[derive(thiserror::Error, Debug)]
pub enum DecodeError {
    /// The compression.
    #[error("does not inflate")]
    Inflate(#[from] InflateError),
    /// More bytes than [`UpdateLimits::bytes_max`].
    #[error("more than {0} bytes")]
    TooLarge(usize),
    /// More entities than [`UpdateLimits::entities_max`], or lists of texts beyond any use.
    #[error("more than {0} entities, or as much in lists")]
    TooRich(usize),
    /// No msgpack.
    #[error("is no msgpack")]
    Malformed(#[from] Malformed),
    /// Nested deeper than [`limits::FEED_DEPTH_MAX`].
    #[error("nested deeper than {}", limits::FEED_DEPTH_MAX)]
    TooDeep,
    /// Bytes behind the one value.
    #[error("{0} bytes follow the message")]
    Trailing(usize),
    /// The outermost value, or the list of sports, is no array.
    #[error("is no array")]
    NotAnArray,
    /// A feed-active without its flag, or a snapshot request without a known language.
    #[error("lacks the element it is all about")]
    Lacking,
}

impl DecodeError {
    /// The label under which it is counted.
    pub fn cause(&self) -> &'static str {
        match self {
            DecodeError::Inflate(InflateError::TooLarge(_)) | DecodeError::TooLarge(_) => "too_large",
            DecodeError::Inflate(_) => "compression",
            DecodeError::TooRich(_) => "entities",
            DecodeError::Malformed(Malformed::Truncated) => "truncated",
            DecodeError::Malformed(Malformed::Reserved) => "msgpack",
            DecodeError::TooDeep => "depth",
            DecodeError::Trailing(_) => "trailing",
            DecodeError::NotAnArray => "array",
            DecodeError::Lacking => "element",
        }
    }
}

/// Why an entity (sport, match, market, odd, preferred column) was dropped, or a date taken as absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// No id.
    NoId,
    /// An id above 2^53 - 1.
    Id,
    /// A value of another type than its place wants, or beyond the numbers of that type.
    Type,
    /// A text that is not UTF-8.
    Text,
    /// A price that is not finite, negative or above 100,000.
    Value,
    /// A `change` that is none of 0 to 3.
    Change,
    /// The date of a message.
    Date,
    /// An id that another market or odd of the match has.
    Repeated,
}

impl Flaw {
    /// Every flaw, in the order of their places in [`Dropped`].
    pub const ALL: [Flaw; 8] =
        [Flaw::NoId, Flaw::Id, Flaw::Type, Flaw::Text, Flaw::Value, Flaw::Change, Flaw::Date, Flaw::Repeated];

    /// The label under which it is counted.
    pub const fn cause(self) -> &'static str {
        match self {
            Flaw::NoId => "no_id",
            Flaw::Id => "id",
            Flaw::Type => "type",
            Flaw::Text => "text",
            Flaw::Value => "value",
            Flaw::Change => "change",
            Flaw::Date => "date",
            Flaw::Repeated => "repeated",
        }
    }
}

/// Counts what was dropped, by cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped([u32; Flaw::ALL.len()]);

impl Dropped {
    pub(super) fn count(&mut self, flaw: Flaw) {
        let count = &mut self.0[flaw as usize];
        *count = count.saturating_add(1);
    }

    /// The causes that occurred, with how often.
    pub fn iter(&self) -> impl Iterator<Item = (Flaw, u32)> {
        Flaw::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// How often a cause occurred.
    pub fn of(&self, flaw: Flaw) -> u32 {
        self.0[flaw as usize]
    }

    /// How much was dropped in all.
    pub fn total(&self) -> u64 {
        self.0.iter().copied().map(u64::from).sum()
    }
}
