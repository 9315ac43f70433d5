//! Limits of the program, each with its reason; the unit comes last in the name. Rules of the offer and of the ticket
//! are not here.

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

/// Share of undecodable entities in one window, in per cent, above which an alarm is raised: the producer probably uses
/// another version of the format.
pub const DROPPED_ALARM_PER_CENT: u64 = 1;
/// The window in which [`DROPPED_ALARM_PER_CENT`] is measured.
pub const DROPPED_ALARM_WINDOW_MS: u64 = 60_000;
/// Entities that a window must have before the alarm may be raised: a smaller sample proves nothing.
pub const DROPPED_ALARM_ENTITIES_MIN: u64 = 100;

/// The feed is inactive after this long without a decodable message (CONTRACT 1).
pub const FEED_SILENCE_MS: u64 = 15_000;
/// Lag above which no bets are accepted (`feed.lag_suspend_seconds`). Most in-play delays are longer, so a bet is never
/// validated against an offer older than its own delay.
pub const FEED_LAG_SUSPEND_MS: i64 = 3_000;
/// Lag above which there is no offer (`feed.lag_down_seconds`): the same as for a silent feed.
pub const FEED_LAG_DOWN_MS: i64 = 15_000;
/// The largest lag that may be configured, in seconds: a larger one protects nothing.
pub const FEED_LAG_SECONDS_MAX: i64 = 300;
/// A message date this much older than the previous one, in ms, means that the producer's clock was set back. Messages
/// of the same moment differ by less.
pub const FEED_CLOCK_JUMP_MS_MIN: i64 = 1_000;
/// After this many messages in a row with older dates, the clock is accepted as set back. One or two may have arrived
/// out of order.
pub const FEED_OLDER_DATES_MAX: u32 = 3;
/// Decay of the estimated clock offset, in microseconds per millisecond. It is forty times the drift of a bad clock,
/// and slow enough that a lag of ten seconds stays visible for an hour.
pub const FEED_OFFSET_FORGOTTEN_US_PER_MS: i64 = 2;
/// A feed that recovers for this long without a snapshot is Down (CONTRACT 1).
pub const RECOVERY_MS_MAX: u64 = 15_000;
/// A snapshot request without an answer is first repeated after this (CONTRACT 1).
pub const SNAPSHOT_RETRY_MS: u64 = 5_000;
/// The longest wait between two snapshot requests without an answer, after backoff.
pub const SNAPSHOT_RETRY_MS_MAX: u64 = 30_000;
/// The shortest pause between two snapshot requests: a link that loses messages must not cause a storm of requests.
pub const SNAPSHOT_PAUSE_MS: u64 = 500;
/// After this many answers in a row that are older than the gap, while all messages agree with them, the seq of the gap
/// is taken as a producer's mistake. The requests are 500 ms, 1 s and 2 s apart, so this takes less than 5 s.
pub const ANSWERS_BEFORE_GAP_MAX: u32 = 3;
/// Events kept while a snapshot is awaited, to be applied on top of it. Beyond this a new snapshot is requested.
pub const RECOVERY_EVENTS_MAX: usize = 20_000;

/// Price changes kept per odd: some minutes of a lively odd, and as many steps as a small chart can show.
pub const HISTORY_CHANGES_MAX: usize = 64;
/// Odds per match whose changes are kept: twice as many as a match of the richest sport has. With
/// [`HISTORY_CHANGES_MAX`] it bounds a match at 300 KiB; see [`crate::price_history`] for the usual size.
pub const HISTORY_ODDS_MAX: usize = 512;
/// Incidents kept per match: three times the goals, cards and corners of a lively match with extra time.
pub const HISTORY_INCIDENTS_MAX: usize = 120;
/// Minutes per match for which the pressure is kept: two halves and extra time.
pub const HISTORY_MINUTES_MAX: usize = 120;
/// Bytes of a player's name in a match's history; a longer name is left out.
pub const PLAYER_BYTES_MAX: usize = 120;

/// How long changes of prices may be gathered before they are sent (CONTRACT 3.5).
pub const GATHER_MS_MAX: u64 = 50;
/// The shortest gathering time that may be configured. Also how long a session waits after a quiet time for changes
/// that belong to the first one.
pub const GATHER_MS_MIN: u64 = 2;
/// Longest wait for the rest of the same feed message before a room that was quiet sends its first change.
pub const SAME_MESSAGE_WAIT_MS_MAX: u64 = 10;
/// Bytes queued for one connection before its changes are merged (CONTRACT 3.4).
pub const OUTBOX_BYTES_MAX: usize = 256 << 10;
/// A connection that takes nothing from a full queue for this long is closed with 4008 (CONTRACT 3.4).
pub const STALLED_MS_MAX: u64 = 30_000;
/// A queue that has not moved for this long is stuck, not just being written.
pub const STUCK_MS_MIN: u64 = 3_000;
/// The largest frame a client may send (CONTRACT 3.6).
pub const COMMAND_BYTES_MAX: usize = 4 << 10;
/// WebSocket fragments of one command: without a limit, empty fragments could continue without end.
pub const COMMAND_FRAGMENTS_MAX: u32 = 64;
/// Commands per second from one connection (CONTRACT 3.6).
pub const COMMANDS_PER_SECOND_MAX: u32 = 50;
/// Sports or matches that one `watch` may name: what fits into a command of 4 KiB. It bounds the topics of a
/// connection.
pub const WATCHED_MAX: usize = 1_000;
/// Favourites of one session: more than a day's offer of one sport, and few enough to be saved and sent as a whole at
/// each change.
pub const FAVOURITES_MAX: usize = 1_000;
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
/// A saved session: 30 pairs with their names and 1,000 favourites need less than 40 KiB.
pub const SESSION_BYTES_MAX: usize = 256 << 10;
/// Bytes of one name in a saved session: six such names in each of 30 pairs still fit into [`SESSION_BYTES_MAX`]. Real
/// names are shorter, but a feed may send anything.
pub const SESSION_TEXT_BYTES_MAX: usize = 1 << 10;
/// Commands waiting for one session: one second of five connections.
pub const SESSION_MAILBOX_MAX: usize = 256;
/// Connections waiting for their session: all connections of a node that reconnect at the same time.
pub const SESSIONS_MAILBOX_MAX: usize = 65_536;
/// A match that leaves one sport and does not appear in another within this time has left for good. A move takes two
/// actor messages. Until then its pair cannot be bet on, and the bettor is notified at once.
pub const MATCH_MOVES_MS_MAX: u64 = 250;
/// How often the account of a cookie is looked up again while the store is unavailable.
pub const IDENTIFY_EVERY_MS: u64 = 5_000;
/// Cookies looked up at the same time: the store has just come back, and thousands of lookups may wait.
pub const IDENTIFY_AT_ONCE_MAX: usize = 16;
/// The shortest time between two answers to `resync null` on one connection. Each answer carries up to 400 rows, and a
/// page asks at most every 3 s.
pub const RESYNC_ALL_EVERY_MS: u64 = 2_000;
/// WebSocket pings and pongs per second from one connection. Browsers only answer our pings, and other clients send one
/// every few seconds; each ping costs a frame in reply.
pub const CONTROL_FRAMES_PER_SECOND_MAX: u32 = 100;
/// Open files reserved for everything except the hub's connections: HTTP calls, the store, the feed, the log.
pub const OPEN_FILES_RESERVE: u64 = 1_024;
/// When a client that was rejected because of too many connections (per address or per session) may try again, in
/// seconds.
pub const HUB_RETRY_SECONDS: u64 = 10;
/// The window in which new sessions of one address are counted.
pub const NEW_SESSIONS_WINDOW_MS: u64 = 60_000;
/// How often the server sends a ping (CONTRACT 3.6).
pub const PING_EVERY_MS: u64 = 15_000;
/// A connection that is silent for this long is closed (CONTRACT 3.6).
pub const SILENT_MS_MAX: u64 = 40_000;
/// How often checksums are sent, by which a client notices lost changes.
pub const CHECK_EVERY_MS: u64 = 5_000;

/// Changes waiting for one publisher. Beyond this its connections must start over; the mailbox does not grow.
pub const PUBLISHER_MAILBOX_MAX: usize = 65_536;

/// The shortest time between two builds of a `live/offer` body of one language, encoding and view. Requests that arrive
/// sooner share the next build, so a page loads at most this much later.
pub const OFFER_BODY_AGE_MS_MIN: u64 = 250;
/// Offer bodies assembled or compressed at the same time: a client that requests many in a loop can occupy only one
/// core.
pub const OFFER_BODIES_AT_ONCE_MAX: usize = 1;

/// JSON body of a request: a ticket with 30 pairs needs 6 KiB.
pub const JSON_BYTES_MAX: usize = 16 << 10;
/// A connection that has not sent the head of its request after this time is closed.
pub const REQUEST_HEAD_MS_MAX: u64 = 5_000;
/// The longest duration of a request with its body: a slow body must not hold a worker's memory.
pub const REQUEST_MS_MAX: u64 = 15_000;
/// How long an idle connection is kept for the next request. Common proxies close theirs after 60 s; a longer time here
/// avoids closing a connection that the proxy is about to use.
pub const KEEP_ALIVE_MS: u64 = 75_000;
/// Connections that are established and wait to be accepted. The standard library's 128 is too low when thousands of
/// browsers reconnect at once: the kernel drops the others and resets them later. A lower `net.core.somaxconn` (4,096
/// by default) still applies.
pub const WAITING_CONNECTIONS_MAX: i32 = 4_096;
/// A connection ends when the peer does not acknowledge sent bytes for this long: the only cure for a stuck socket
/// whose actor cannot run. It is longer than [`STALLED_MS_MAX`], so that a client which reads again gets the reason
/// first.
pub const TCP_UNACKNOWLEDGED_MS_MAX: u64 = 45_000;
/// How long a closing socket waits for the peer to confirm that it received everything.
pub const CLOSING_MS_MAX: u64 = 2_000;
/// Unacknowledged bytes that the kernel may hold per connection, in addition to the outbox. The kernel doubles this for
/// its own bookkeeping; without a limit it would take megabytes.
pub const SOCKET_SEND_BUFFER_BYTES: usize = 128 << 10;
/// How long requests in flight may take to finish at shutdown.
pub const SHUTDOWN_SECONDS_MAX: u64 = 10;
/// How long a browser keeps the session cookie without a visit: a ticket is live for hours, favourites for weeks.
pub const SESSION_COOKIE_SECONDS: i64 = 30 * 24 * 3600;
/// The session cookie is renewed at most this often. The gap prevents a late response from restoring the cookie that a
/// login has just replaced.
pub const SESSION_COOKIE_RENEWED_SECONDS: i64 = 24 * 3600;
/// How long a browser counts as known to an account after a login.
pub const KNOWN_BROWSER_COOKIE_SECONDS: i64 = 180 * 24 * 3600;
/// A login is renewed in the store when 1/30 of its idle limit has passed: once a day for a limit of 30 days.
pub const LOGIN_RENEWAL_FRACTION: i64 = 30;

/// Placements of one account that run at the same time, each with its own key: more than a person starts, and few
/// enough that waiting bets cannot fill the memory.
pub const PLACEMENTS_PER_ACCOUNT_MAX: usize = 16;
/// How long bets in their delay may take to finish at shutdown. It stays below [`SHUTDOWN_SECONDS_MAX`] even with the
/// time for bets that are just being written.
pub const PLACEMENTS_DRAIN_MS_MAX: u64 = 7_000;
/// Calls of `send-ticket` per account in [`BETS_WINDOW_MS`]: 50 per second. A program that tests many invalid tickets
/// still gets the reason for each.
pub const BETS_MAX: usize = 500;
/// The window of [`BETS_MAX`].
pub const BETS_WINDOW_MS: u64 = 10_000;

/// Fewest characters of an account's name.
pub const NAME_CHARS_MIN: usize = 1;
/// Most characters of an account's name: an email address fits, and so does a word followed by a UUID.
pub const NAME_CHARS_MAX: usize = 64;
/// Fewest characters of a password (CONTRACT 2).
pub const PASSWORD_CHARS_MIN: usize = 8;
/// Most bytes of a password: longer than any phrase, and short enough to be hashed at once.
pub const PASSWORD_BYTES_MAX: usize = 256;
/// Passwords that wait to be hashed, in each of the two queues (logins, registrations). Each hash takes tens of
/// milliseconds of one core.
pub const PASSWORDS_WAITING_MAX: usize = 64;
/// Passwords of one address that wait to be hashed, so that one client cannot fill a queue.
pub const PASSWORDS_WAITING_PER_ADDRESS_MAX: usize = 8;
/// Failed logins per minute of one account from one address or one known browser (CONTRACT 11.6).
pub const LOGIN_TRIES_PER_ACCOUNT_MAX: usize = 5;
/// Failed logins per minute of one account from all addresses together, without known browsers. It bounds guesses from
/// many addresses, and is above [`LOGIN_TRIES_PER_ACCOUNT_MAX`] so that one address cannot lock an account.
pub const LOGIN_TRIES_PER_NAME_MAX: usize = 20;
/// Failed logins per minute from one address (CONTRACT 11.6).
pub const LOGIN_TRIES_PER_ADDRESS_MAX: usize = 20;
/// Default for accounts registered per minute from one address: a household or an office.
pub const REGISTRATIONS_PER_ADDRESS_MAX: usize = 20;
/// Factor on the per-address limits of failed logins and registrations for an address that is probably a proxy: it sends
/// forwarded headers but is not listed in `http.trusted_proxies`. A client that sends such a header itself gains this
/// factor too.
pub const UNLISTED_PROXY_FACTOR: usize = 10;
/// Keys remembered in one table of attempts. Beyond this the keys that were quiet for the longest time are forgotten.
pub const ATTEMPT_KEYS_MAX: usize = 20_000;
/// Counters per key in a table of attempts. Limits up to this are exact; with a larger limit an attempt is forgotten
/// late, by at most 1/32 of its window.
pub const ATTEMPT_COUNTERS_MAX: usize = 32;

/// Attempts to read the matches of a bet at one revision before the task yields. A change of the offer takes
/// microseconds, so the second attempt usually succeeds.
pub const SNAPSHOT_ATTEMPTS_PER_TURN: usize = 1_000;
/// How long the task waits after it yielded.
pub const SNAPSHOT_PAUSE_BETWEEN_TURNS_MS: u64 = 1;
/// How long the attempts go on before the bet is answered with 503. A busy machine may interrupt a writer in the middle
/// of a change for tens of milliseconds; after a second the change will not finish.
pub const SNAPSHOT_MS_MAX: u64 = 1_000;

/// How long a call waits for a PostgreSQL connection; after this a bet is answered with 503.
pub const STORE_CONNECT_MS_MAX: u64 = 3_000;
/// How long a PostgreSQL statement may run: a bet takes milliseconds, so a statement that takes longer is stuck.
pub const STORE_STATEMENT_MS_MAX: u64 = 10_000;
/// How long a PostgreSQL statement may wait for a lock.
pub const STORE_LOCK_MS_MAX: u64 = 5_000;
/// How long a PostgreSQL transaction may be idle: the locks of a lost client must be released.
pub const STORE_IDLE_TRANSACTION_MS_MAX: u64 = 15_000;
/// How often a node asks whether it may migrate the tables while another node does.
pub const MIGRATION_TURN_EVERY_MS: u64 = 250;
/// How long a SQLite migration waits for a process that holds the file: as long as a migration may take.
pub const MIGRATION_WAIT_MS_MAX: u64 = 3_600_000;
/// Rows deleted by one clean-up statement: some milliseconds, so that bets do not wait behind it.
pub const STORE_DELETION_ROWS_MAX: u64 = 1_000;
/// How long a node may spend on such deletions each hour.
pub const STORE_DELETION_MS_MAX: u64 = 60_000;

/// How long a store check of `readyz` is reused. Probes come every second or less often, and `readyz` is public.
pub const STORE_PING_AGE_MS_MAX: u64 = 1_000;
/// How often a node reads whether an operator has paused betting. Each bet is checked against the store again when it
/// is written, so this only decides how soon a waiting bettor is notified.
pub const BETTING_PAUSE_EVERY_MS: u64 = 1_000;
/// How long `readyz` waits for the store.
pub const STORE_PING_MS_MAX: u64 = 2_000;
/// Bets on one page of `account/tickets`.
pub const TICKETS_PER_PAGE_MAX: u32 = 100;
/// Bets on one page when the client names no number.
pub const TICKETS_PER_PAGE_DEFAULT: u32 = 20;

/// Matches in one request for results (CONTRACT 7, *Asking*).
pub const RESULT_MATCHES_ASKED_MAX: usize = 1_000;
/// Markets with open bets that one request for results names: some 200 KB.
pub const RESULT_MARKETS_ASKED_MAX: usize = 20_000;
/// Wait before the first request for the results of a match that has left the offer, in ms (CONTRACT 7, *Asking*).
pub const RESULT_ASK_MS: i64 = 60_000;
/// The longest wait between two requests for the results of a match, in ms.
pub const RESULT_ASK_MS_MAX: i64 = 15 * 60_000;
/// Bets graded in one transaction: enough to share one disk write, and few enough that placing waits only some
/// milliseconds.
pub const SETTLE_BETS_MAX: u32 = 200;
/// Lines of a statement in one answer (CONTRACT 7).
pub const STATEMENT_LINES_MAX: u32 = 1_000;
/// Lines of a statement when the call names no limit.
pub const STATEMENT_LINES_DEFAULT: u32 = 100;
/// How long a producer keeps the results of a match that has left the offer, in ms of its own clock: a node that was
/// away for a day still gets them (CONTRACT 7, *Asking*).
pub const RESULTS_KEPT_MS: i64 = 24 * 3_600_000;
/// Markets and odds kept with those results, some 20 bytes each: 80 MB. Beyond this the results of the match that left
/// first are dropped early.
pub const RESULTS_KEPT_ENTITIES_MAX: usize = 4_000_000;
/// How long the store keeps the results of a market without bets, in ms: longer than a match is offered. Those of markets
/// with bets are kept, because a bettor may ask about them.
pub const RESULTS_WITHOUT_BETS_KEPT_MS: i64 = 30 * 24 * 3_600_000;
/// Results that wait in memory for the settlement engine. Beyond this they are dropped and requested later.
pub const RESULTS_WAITING_MAX: usize = 10_000;
