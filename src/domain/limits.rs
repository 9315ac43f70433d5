//! Every limit of the program that is not a rule of the offer or the ticket, named once, with its reason; the unit
//! comes last in the name.

/// An event of the feed, inflated (CONTRACT 1).
pub const EVENT_BYTES_MAX: usize = 4 << 20;
/// A snapshot of the feed, inflated (CONTRACT 1).
pub const SNAPSHOT_BYTES_MAX: usize = 64 << 20;
/// How deep arrays of a feed message may nest (CONTRACT 1). A feed needs 7.
pub const FEED_DEPTH_MAX: usize = 32;
/// Sports, matches, markets and odds together that one event may carry. A byte can announce an element that costs a
/// hundred in memory: 4 MiB of the smallest odds would become half a gigabyte.
pub const EVENT_ENTITIES_MAX: usize = 500_000;
/// The same for a snapshot: 20,000 matches with 100 odds each.
pub const SNAPSHOT_ENTITIES_MAX: usize = 3_000_000;

/// Nothing decodable for so long is a feed gone inactive (CONTRACT 1).
pub const FEED_SILENCE_MS: u64 = 15_000;
/// Recovering for so long without a snapshot is Down (CONTRACT 1).
pub const RECOVERY_MS_MAX: u64 = 15_000;
/// A snapshot request without an answer is repeated after this (CONTRACT 1) …
pub const SNAPSHOT_RETRY_MS: u64 = 5_000;
/// … with backoff up to this.
pub const SNAPSHOT_RETRY_MS_MAX: u64 = 30_000;
/// Two snapshot requests are never closer than this, however many gaps are seen: a lossy link must not make a storm.
pub const SNAPSHOT_PAUSE_MS: u64 = 500;
/// Events kept, while a snapshot is awaited, to be applied on top of it. Beyond this it is asked for anew.
pub const RECOVERY_EVENTS_MAX: usize = 20_000;

/// How long changes of prices may be gathered before they are sent (CONTRACT 3.5).
pub const GATHER_MS_MAX: u64 = 50;
/// How long the first change after a quiet time waits for its companions of the same feed message.
pub const GATHER_MS_MIN: u64 = 2;
/// Bytes queued for one connection before its changes are merged (CONTRACT 3.4).
pub const OUTBOX_BYTES_MAX: usize = 256 << 10;
/// A connection that takes nothing off a full queue for so long is closed with 4008 (CONTRACT 3.4).
pub const STALLED_MS_MAX: u64 = 30_000;
/// A queue that stands still for so long is not just being written.
pub const STUCK_MS_MIN: u64 = 3_000;
/// The largest frame a client may send (CONTRACT 3.6).
pub const COMMAND_BYTES_MAX: usize = 4 << 10;
/// Commands a second from one connection (CONTRACT 3.6).
pub const COMMANDS_PER_SECOND_MAX: u32 = 50;
/// Sports or matches one `watch` may name: what fits a command of 4 KiB, and bounds the topics of a connection.
pub const WATCHED_MAX: usize = 1_000;
/// Matches a session may have among its favourites: more than a day's offer of one sport, and few enough to be saved and
/// sent as a whole at every change.
pub const FAVOURITES_MAX: usize = 1_000;
/// The server's ping (CONTRACT 3.6).
pub const PING_EVERY_MS: u64 = 15_000;
/// A connection silent for so long is closed (CONTRACT 3.6).
pub const SILENT_MS_MAX: u64 = 40_000;
/// How often the sums are sent by which a client notices that something was lost.
pub const CHECK_EVERY_MS: u64 = 5_000;

/// Changes waiting for one publisher. Beyond this it tells its connections to start over instead of growing.
pub const PUBLISHER_MAILBOX_MAX: usize = 65_536;

/// The JSON body of a request: a ticket with 30 pairs needs 6 KiB.
pub const JSON_BYTES_MAX: usize = 16 << 10;
/// A client that has not sent the head of its request after so long is hung up on.
pub const REQUEST_HEAD_MS_MAX: u64 = 5_000;
/// A request, its body included, takes no longer than this: a body that trickles in must not hold a worker's memory.
pub const REQUEST_MS_MAX: u64 = 15_000;
/// An idle connection is kept for the next request for so long: above the 60 s after which usual proxies close theirs,
/// so that it is never we who close one that is just being used.
pub const KEEP_ALIVE_MS: u64 = 75_000;
/// Bytes sent that a peer has not acknowledged for so long end its connection: the only cure for a socket that is stuck
/// while its actor cannot run. Longer than [`STALLED_MS_MAX`], so that a client which reads again in between is told why.
pub const TCP_UNACKNOWLEDGED_MS_MAX: u64 = 45_000;
/// How long requests in flight may finish after the order to stop.
pub const SHUTDOWN_SECONDS_MAX: u64 = 10;
/// How long a browser keeps an anonymous session: a ticket is live for hours, favourites for weeks.
pub const SESSION_COOKIE_SECONDS: i64 = 30 * 24 * 3600;
