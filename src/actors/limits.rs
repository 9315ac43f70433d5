//! Limits of the actors and sessions, each with its reason; the unit comes last in the name.

/// How long changes of prices may be gathered before they are sent (CONTRACT 3.5).
pub const GATHER_MS_MAX: u64 = 50;
/// The shortest gathering time that may be configured. Also how long a session waits after a quiet time for changes
/// that belong to the first one.
pub const GATHER_MS_MIN: u64 = 2;
/// Commands per second from one connection (CONTRACT 3.6).
pub const COMMANDS_PER_SECOND_MAX: u32 = 50;
/// A session without connections stays in memory for this long, for a bettor who reloads the page. With
/// [`SESSION_SWEEP_MS`] it bounds the number of sessions in memory.
pub const SESSION_IDLE_MS: u64 = 60_000;
/// How often a session checks whether it is still needed.
pub const SESSION_SWEEP_MS: u64 = 15_000;
/// A session that could not be saved is dropped this long after its last connection closed.
pub const SESSION_UNSAVED_MS_MAX: u64 = 10 * 60_000;
/// The shortest time between two saves of a session: typing a stake or tapping several odds becomes one save.
pub const SESSION_SAVE_EVERY_MS: u64 = 50;
/// A store that does not answer for this long counts as unavailable.
pub const SESSION_STORE_MS_MAX: u64 = 3_000;
/// A failed save is first retried after this.
pub const SESSION_RETRY_MS: u64 = 1_000;
/// The longest wait between two retries of a save, after backoff.
pub const SESSION_RETRY_MS_MAX: u64 = 30_000;
/// Events kept while they are not saved. Beyond this only the resulting state is kept.
pub const SESSION_UNSAVED_EVENTS_MAX: usize = 500;
/// Commands waiting for one session: one second of five connections.
pub const SESSION_MAILBOX_MAX: usize = 256;
/// Connections waiting for their session: all connections of a node that reconnect at the same time.
pub const SESSIONS_MAILBOX_MAX: usize = 65_536;
/// A match that leaves one sport and does not appear in another within this time has left for good. A move takes two
/// actor messages. Until then its pair cannot be bet on, and the bettor is notified at once.
pub const MATCH_MOVES_MS_MAX: u64 = 250;
/// How often the account of a cookie is looked up again while the store is unavailable.
pub const IDENTIFY_EVERY_MS: u64 = 5_000;
/// Sessions that load again at the same time, after messages of other nodes were lost.
pub const RELOADED_AT_ONCE_MAX: usize = 100;
/// The pause before the next of them load.
pub const RELOAD_EVERY_MS: u64 = 50;
/// Cookies looked up at the same time: the store has just come back, and thousands of lookups may wait.
pub const IDENTIFY_AT_ONCE_MAX: usize = 60;
