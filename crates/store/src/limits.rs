//! Limits of the database, each with its reason; the unit comes last in the name.

/// How long a call waits for a PostgreSQL connection; after this a bet is answered with 503.
pub const STORE_CONNECT_MS_MAX: u64 = 3_000;
/// How long a PostgreSQL statement may run: a bet takes milliseconds, so a statement that takes longer is stuck.
pub const STORE_STATEMENT_MS_MAX: u64 = 10_000;
/// How long a call may take in PostgreSQL, as the program measures it: a little longer than a statement may run, because a
/// link that froze does not even report that. Then the call fails, and the pool's connections are opened again.
pub const STORE_CALL_MS_MAX: u64 = 12_000;
/// How long the messages between nodes wait for an answer of PostgreSQL; a node counts as dead after 5 s.
pub const NODE_CALL_MS_MAX: u64 = 3_000;
/// How long an audit or a migration may take.
pub const STORE_LONG_CALL_MS_MAX: u64 = 6 * 3_600_000;
/// How long a PostgreSQL statement may wait for a lock.
pub const STORE_LOCK_MS_MAX: u64 = 5_000;
/// How long a PostgreSQL transaction may be idle: the locks of a lost client must be released.
pub const STORE_IDLE_TRANSACTION_MS_MAX: u64 = 15_000;
/// How often a node asks whether it may migrate the tables while another node does.
pub const MIGRATION_TURN_EVERY_MS: u64 = 250;
/// How long a SQLite migration waits for a process that holds the file: as long as a migration may take.
pub const MIGRATION_WAIT_MS_MAX: u64 = 3_600_000;
/// Saved anonymous sessions that are kept; beyond this the oldest are deleted every hour. Anybody can begin sessions, so
/// only this bounds their disk space: about 5 GB if each has a full ticket.
pub const ANONYMOUS_SESSIONS_MAX: u64 = 1_000_000;
/// Logins of an account: more than a bettor has devices. A further login ends the one that would end first.
pub const ACCOUNT_SESSIONS_LISTED_MAX: usize = 100;
/// Rows deleted by one clean-up statement: some milliseconds, so that bets do not wait behind it.
pub const STORE_DELETION_ROWS_MAX: u64 = 1_000;
/// How long a node may spend on such deletions each hour.
pub const STORE_DELETION_MS_MAX: u64 = 60_000;
