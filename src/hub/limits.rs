//! Limits of the live connection, each with its reason; the unit comes last in the name.

/// Longest wait for the rest of the same feed message before a room that was quiet sends its first change.
pub const SAME_MESSAGE_WAIT_MS_MAX: u64 = 10;
/// Bytes queued for one connection before its changes are merged (CONTRACT 3.4).
pub const OUTBOX_BYTES_MAX: usize = 256 << 10;
/// A connection that takes nothing from a full queue for this long is closed with 4008 (CONTRACT 3.4).
pub const STALLED_MS_MAX: u64 = 30_000;
/// A queue that has not moved for this long is stuck, not just being written.
pub const STUCK_MS_MIN: u64 = 3_000;
/// WebSocket fragments of one command: without a limit, empty fragments could continue without end.
pub const COMMAND_FRAGMENTS_MAX: u32 = 64;
/// The shortest time between two answers to `resync null` on one connection. Each answer carries up to 400 rows, and a
/// page asks at most every 3 s.
pub const RESYNC_ALL_EVERY_MS: u64 = 2_000;
/// WebSocket pings and pongs per second from one connection. Browsers only answer our pings, and other clients send one
/// every few seconds; each ping costs a frame in reply.
pub const CONTROL_FRAMES_PER_SECOND_MAX: u32 = 100;
/// When a client that was rejected because of too many connections (per address or per session) may try again, in
/// seconds.
pub const HUB_RETRY_SECONDS: u64 = 10;
/// The window in which new sessions of one address are counted.
pub const NEW_SESSIONS_WINDOW_MS: u64 = 60_000;
/// Sports and matches that the `watch` commands of one address may name in a second. Each costs some microseconds, because
/// it opens or closes a room. Two hundred tabs behind one address that reconnect at once name fewer.
pub const WATCHED_PER_ADDRESS_AND_SECOND_MAX: usize = 20_000;
/// The shortest time between two reads of the open bets for one connection, however often it starts to watch them. A page
/// starts once.
pub const CONNECTION_BETS_EVERY_MS: u64 = 2_000;
/// The shortest time between the beginnings of two reads of an account's open bets, for all its connections together.
pub const OPEN_BETS_EVERY_MS: u64 = 500;
/// Reads of open bets at the same time, of all accounts of a node: a quarter of the connections to the database. Each
/// holds up to about 10 MB.
pub const OPEN_BETS_READS_MAX: usize = 4;
/// The first wait after the open bets could not be read; it doubles with each failure in a row.
pub const OPEN_BETS_RETRY_MS: u64 = 1_000;
/// The longest such wait.
pub const OPEN_BETS_RETRY_MS_MAX: u64 = 30_000;
/// How often the server sends a ping (CONTRACT 3.6).
pub const PING_EVERY_MS: u64 = 15_000;
/// A connection that is silent for this long is closed (CONTRACT 3.6).
pub const SILENT_MS_MAX: u64 = 40_000;
/// How often checksums are sent, by which a client notices lost changes.
pub const CHECK_EVERY_MS: u64 = 5_000;

/// Changes waiting for one publisher. Beyond this its connections must start over; the mailbox does not grow.
pub const PUBLISHER_MAILBOX_MAX: usize = 65_536;

/// Unacknowledged bytes that the kernel may hold per connection, in addition to the outbox. The kernel doubles this for
/// its own bookkeeping; without a limit it would take megabytes.
pub const SOCKET_SEND_BUFFER_BYTES: usize = 128 << 10;
