//! Limits of the bytes that are read and written, each with its reason; the unit comes last in the name.

/// Largest event of the feed, inflated (CONTRACT 1).
pub const EVENT_BYTES_MAX: usize = 4 << 20;
/// Largest snapshot of the feed, inflated (CONTRACT 1).
pub const SNAPSHOT_BYTES_MAX: usize = 64 << 20;
/// Members in one gzip stream. A writer that ends a member at every flush makes many. Even an empty member costs about
/// a microsecond, and 4 MiB have room for 200,000.
pub const GZIP_MEMBERS_MAX: usize = 1_000;
/// How deep arrays of a feed message may nest (CONTRACT 1). A feed needs 7.
pub const FEED_DEPTH_MAX: usize = 32;
/// Sports, matches, markets and odds together in one event. One byte can announce an element that takes a hundred bytes
/// of memory: 4 MiB of the smallest odds would become half a gigabyte.
pub const EVENT_ENTITIES_MAX: usize = 500_000;
/// Sports, matches, markets and odds together in one snapshot: 20,000 matches with 100 odds each.
pub const SNAPSHOT_ENTITIES_MAX: usize = 3_000_000;

/// Bytes of a player's name in a match's history; a longer name is left out.
pub const PLAYER_BYTES_MAX: usize = 120;

/// The largest frame a client may send (CONTRACT 3.6).
pub const COMMAND_BYTES_MAX: usize = 4 << 10;
/// Sports or matches that one `watch` may name: what fits into a command of 4 KiB. It bounds the topics of a
/// connection.
pub const WATCHED_MAX: usize = 1_000;
/// A saved session: 30 pairs with their names and 1,000 favourites need less than 40 KiB.
pub const SESSION_BYTES_MAX: usize = 256 << 10;
/// Bytes of one name in a saved session: six such names in each of 30 pairs still fit into [`SESSION_BYTES_MAX`]. Real
/// names are shorter, but a feed may send anything.
pub const SESSION_TEXT_BYTES_MAX: usize = 1 << 10;
