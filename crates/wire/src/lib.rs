//! Floor 1: bytes to domain and back: the feed's arrays, the bodies of the calls, the frames of the hub.
//!
//! Must never import feed, read_model, actors, http or anything above, nor do I/O or wait: bytes in, values out.

pub(crate) mod array;
pub mod entities;
pub mod feed;
pub mod hub;
pub mod inflate;
pub mod json;
pub mod matches;
pub mod msgpack;
pub mod offer;
pub mod session;
pub mod ticket;

/// The two spellings in which everything that goes out exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spelling {
    /// Compact, for programs.
    Msgpack,
    /// For people, load tools and everything that speaks nothing else.
    Json,
}

impl Spelling {
    /// Both, in the order of their indexes.
    pub const ALL: [Spelling; 2] = [Spelling::Msgpack, Spelling::Json];

    /// A dense index, for arrays with one place a spelling.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A value in this spelling, appended.
    pub(crate) fn write(self, out: &mut Vec<u8>, value: &impl serde::Serialize) {
        // Writing into memory cannot fail, and nothing serialised here has keys that are no text.
        let written = match self {
            Spelling::Msgpack => rmp_serde::encode::write(out, value).map_err(|error| error.to_string()),
            Spelling::Json => serde_json::to_writer(out, value).map_err(|error| error.to_string()),
        };
        debug_assert_eq!(written, Ok(()));
    }
}
