//! Bytes to domain values and back: the feed's arrays, the bodies of the HTTP calls, the frames of the hub.
//!
//! Must not import another crate of the workspace except the domain, nor do I/O or wait.

pub(crate) mod array;
pub mod bets;
pub mod cash_out;
pub mod cashier;
pub mod entities;
pub mod feed;
pub mod hub;
pub mod inflate;
pub mod json;
pub mod limits;
pub mod matches;
pub mod msgpack;
pub mod offer;
pub mod protection;
pub mod session;
pub mod ticket;

/// The two encodings of all outgoing data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Compact, for programs.
    Msgpack,
    /// For people, load tools and other clients that do not read msgpack.
    Json,
}

impl Encoding {
    /// Both, in the order of their indexes.
    pub const ALL: [Encoding; 2] = [Encoding::Msgpack, Encoding::Json];

    /// A dense index, for arrays with one element per encoding.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Appends a value in this encoding.
    pub(crate) fn write(self, out: &mut Vec<u8>, value: &impl serde::Serialize) {
        // Writing to memory cannot fail, and no serialised map has keys other than text.
        let written = match self {
            Encoding::Msgpack => rmp_serde::encode::write(out, value).map_err(|error| error.to_string()),
            Encoding::Json => serde_json::to_writer(out, value).map_err(|error| error.to_string()),
        };
        debug_assert_eq!(written, Ok(()));
    }
}
