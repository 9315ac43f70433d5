//! Decodes and encodes the native feed's bodies (CONTRACT 1): positional msgpack arrays and [`FeedUpdate`]. Feed
//! adapters call [`decode_update`] with the limits for the message; publishers call [`encode`].
//!
//! Decoding has two steps. `check` first scans the whole document, so that nothing is built from one that is too
//! deep, too large, truncated or followed by other bytes. Then `decode` reads it: an invalid entity is dropped alone,
//! and its cause is counted.
//!
//! Must not panic on any input, nor allocate more than the limits allow.

mod check;
mod decode;
mod digest;
pub mod encode;
mod fields;
mod incidents;
mod intern;
mod kept_markets;
mod market_shape;
pub mod results;
mod translation;

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
mod history_cases;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod translation_tests;

pub use decode::{Decoder, decode_active, decode_snapshot_request, decode_update};

use super::inflate::{Compression, InflateError, inflate};
use super::msgpack::Malformed;
use crate::limits;
use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::Lang;

/// Size limits of one message.
#[derive(Clone, Copy, Debug)]
pub struct UpdateLimits {
    /// Bytes, inflated.
    pub bytes_max: usize,
    /// Sports, matches, markets and odds together.
    pub entities_max: usize,
}

impl UpdateLimits {
    /// Limits of a live event and of the small messages.
    pub const EVENT: UpdateLimits =
        UpdateLimits { bytes_max: limits::EVENT_BYTES_MAX, entities_max: limits::EVENT_ENTITIES_MAX };
    /// Limits of a snapshot of the whole offer.
    pub const SNAPSHOT: UpdateLimits =
        UpdateLimits { bytes_max: limits::SNAPSHOT_BYTES_MAX, entities_max: limits::SNAPSHOT_ENTITIES_MAX };
}

/// A decoded message.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decoded {
    /// The update without the invalid entities.
    pub update: FeedUpdate,
    /// The number of invalid entities by cause.
    pub dropped: Dropped,
    /// Prices with more than 3 decimals, which were cut.
    pub cut_prices: u32,
}

/// A feed-active message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActiveMessage {
    /// Whether the producer reports the feed as active.
    pub active: bool,
    /// When it was made, in ms since the epoch.
    pub date_ms: Option<i64>,
}

impl Decoder {
    /// Decodes a live event or a snapshot, compressed as its `content-encoding` property states.
    ///
    /// # Errors
    /// An invalid envelope.
    pub fn open_update(
        &mut self,
        body: &[u8],
        encoding: Option<&str>,
        limits: &UpdateLimits,
    ) -> Result<Decoded, DecodeError> {
        let encoding = Compression::from_property(encoding)?;
        self.update(&inflate(body, encoding, limits.bytes_max)?, limits)
    }

    /// Like [`Decoder::open_update`], for a language of which only the texts count.
    ///
    /// # Errors
    /// An invalid envelope.
    pub fn open_texts(
        &mut self,
        body: &[u8],
        encoding: Option<&str>,
        limits: &UpdateLimits,
        lang: Lang,
    ) -> Result<Decoded, DecodeError> {
        let encoding = Compression::from_property(encoding)?;
        self.texts(&inflate(body, encoding, limits.bytes_max)?, limits, lang)
    }
}

/// Decodes a single message, as [`Decoder::open_update`] does.
///
/// # Errors
/// An invalid envelope.
pub fn open_update(body: &[u8], encoding: Option<&str>, limits: &UpdateLimits) -> Result<Decoded, DecodeError> {
    Decoder::default().open_update(body, encoding, limits)
}

/// Decodes a feed-active message, compressed as its `content-encoding` property states.
///
/// # Errors
/// An invalid envelope, or a missing or invalid flag.
pub fn open_active(body: &[u8], encoding: Option<&str>) -> Result<ActiveMessage, DecodeError> {
    let encoding = Compression::from_property(encoding)?;
    decode_active(&inflate(body, encoding, UpdateLimits::EVENT.bytes_max)?)
}

/// An invalid envelope: the whole message is dropped (CONTRACT 1).
#[derive(thiserror::Error, Debug)]
pub enum DecodeError {
    /// The compression is invalid.
    #[error("does not inflate")]
    Inflate(#[from] InflateError),
    /// More bytes than [`UpdateLimits::bytes_max`].
    #[error("more than {0} bytes")]
    TooLarge(usize),
    /// More entities than [`UpdateLimits::entities_max`], or too many list items.
    #[error("more than {0} entities, or as much in lists")]
    TooRich(usize),
    /// The bytes are not msgpack.
    #[error("is no msgpack")]
    Malformed(#[from] Malformed),
    /// Nested deeper than [`limits::FEED_DEPTH_MAX`].
    #[error("nested deeper than {}", limits::FEED_DEPTH_MAX)]
    TooDeep,
    /// This many bytes follow the value.
    #[error("{0} bytes follow the message")]
    Trailing(usize),
    /// The outermost value, or the list of sports, is not an array.
    #[error("is no array")]
    NotAnArray,
    /// A feed-active message without its flag, or a snapshot request without a known language.
    #[error("lacks the element it is all about")]
    Lacking,
}

impl DecodeError {
    /// The metrics label of the cause.
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

/// Why an entity (sport, match, market, odd, preferred column) was dropped, or a date counts as absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The id is missing.
    NoId,
    /// The id is above 2^53 - 1.
    Id,
    /// A value of the wrong type, or outside the range of that type.
    Type,
    /// A text that is not UTF-8.
    Text,
    /// A price that is negative, not finite or above 100,000.
    Value,
    /// A `change` outside 0 to 3.
    Change,
    /// An invalid date of a message.
    Date,
    /// An id that another market or odd of the match already has.
    Repeated,
}

impl Flaw {
    /// Every flaw, in the order of their indexes in [`Dropped`].
    pub const ALL: [Flaw; 8] =
        [Flaw::NoId, Flaw::Id, Flaw::Type, Flaw::Text, Flaw::Value, Flaw::Change, Flaw::Date, Flaw::Repeated];

    /// The metrics label of the cause.
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

/// Counts dropped entities by cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped([u32; Flaw::ALL.len()]);

impl Dropped {
    pub(super) fn count(&mut self, flaw: Flaw) {
        let count = &mut self.0[flaw as usize];
        *count = count.saturating_add(1);
    }

    /// The causes that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Flaw, u32)> {
        Flaw::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// The count of one cause.
    pub fn of(&self, flaw: Flaw) -> u32 {
        self.0[flaw as usize]
    }

    /// The count of all causes.
    pub fn total(&self) -> u64 {
        self.0.iter().copied().map(u64::from).sum()
    }
}
