//! Every limit of the program that is not a rule of the offer or the ticket, named once, with its reason; the unit
//! comes last in the name.

/// An event of the feed, inflated (CONTRACT 1).
pub const EVENT_BYTES_MAX: usize = 4 << 20;
/// A snapshot of the feed, inflated (CONTRACT 1).
pub const SNAPSHOT_BYTES_MAX: usize = 64 << 20;
/// Members of one gzip: a writer that ends one at every flush makes some. Each costs a microsecond or more even where it
/// holds nothing, and 4 MiB have room for 200,000.
pub const GZIP_MEMBERS_MAX: usize = 1_000;
/// How deep arrays of a feed message may nest (CONTRACT 1). A feed needs 7.
pub const FEED_DEPTH_MAX: usize = 32;
/// Sports, matches, markets and odds together that one event may carry. A byte can announce an element that costs a
/// hundred in memory: 4 MiB of the smallest odds would become half a gigabyte.
pub const EVENT_ENTITIES_MAX: usize = 500_000;
/// The same for a snapshot: 20,000 matches with 100 odds each.
pub const SNAPSHOT_ENTITIES_MAX: usize = 3_000_000;

/// More bad entities than this, in per cent of all of a minute, are an alarm: the producer speaks another version.
pub const DROPPED_ALARM_PER_CENT: u64 = 1;
/// The minute of [`DROPPED_ALARM_PER_CENT`].
pub const DROPPED_ALARM_WINDOW_MS: u64 = 60_000;
/// Fewer entities than this prove nothing.
pub const DROPPED_ALARM_ENTITIES_MIN: u64 = 100;

/// Nothing decodable for so long is a feed gone inactive (CONTRACT 1).
pub const FEED_SILENCE_MS: u64 = 15_000;
/// A feed that is later than this takes no bets (`feed.lag_suspend_seconds`): most in-play delays are longer, so that a bet
/// is never judged by an offer older than its own delay.
pub const FEED_LAG_SUSPEND_MS: i64 = 3_000;
/// A feed that is later than this has no offer (`feed.lag_down_seconds`): as long as one that is silent.
pub const FEED_LAG_DOWN_MS: i64 = 15_000;
/// The longest lag that may be configured, in seconds: a longer one protects nobody.
pub const FEED_LAG_SECONDS_MAX: i64 = 300;
/// A date this much older than the one before, in ms, means that the producer's clock was set back. Messages of one moment
/// differ by less.
pub const FEED_CLOCK_JUMP_MS_MIN: i64 = 1_000;
/// So many older dates in a row are believed. One or two may be messages out of their order.
pub const FEED_OLDER_DATES_MAX: u32 = 3;
/// How fast the learned difference of the clocks gives way, in microseconds a millisecond. Forty times the drift of a bad
/// clock, and slow enough that a lag of ten seconds stays visible for an hour.
pub const FEED_OFFSET_FORGOTTEN_US_PER_MS: i64 = 2;
/// Recovering for so long without a snapshot is Down (CONTRACT 1).
pub const RECOVERY_MS_MAX: u64 = 15_000;
/// A snapshot request without an answer is repeated after this (CONTRACT 1) …
pub const SNAPSHOT_RETRY_MS: u64 = 5_000;
/// … with backoff up to this.
pub const SNAPSHOT_RETRY_MS_MAX: u64 = 30_000;
/// Two snapshot requests are never closer than this, however many gaps are seen: a lossy link must not make a storm.
pub const SNAPSHOT_PAUSE_MS: u64 = 500;
/// So many answers in a row that are older than the gap, with messages that agree with them, mean that the seq of the gap
/// was a mistake of the producer. Asked for 500 ms, 1 s and 2 s apart, they take less than 5 s.
pub const ANSWERS_BEFORE_GAP_MAX: u32 = 3;
/// Events kept, while a snapshot is awaited, to be applied on top of it. Beyond this it is asked for anew.
pub const RECOVERY_EVENTS_MAX: usize = 20_000;

/// Changes of one odd's price that are remembered: some minutes of a lively one, and as many steps as a small chart has
/// room for.
pub const HISTORY_CHANGES_MAX: usize = 64;
/// Odds of one match whose changes are remembered: twice what a match of the richest sport has. Together with
/// [`HISTORY_CHANGES_MAX`] it bounds a match at 300 KiB; see `domain/price_history.rs` for what one usually needs.
pub const HISTORY_ODDS_MAX: usize = 512;
/// Incidents kept of a match: goals, cards and corners of the liveliest one with extra time, three times over.
pub const HISTORY_INCIDENTS_MAX: usize = 120;
/// Minutes of which is kept who pressed: two halves and extra time.
pub const HISTORY_MINUTES_MAX: usize = 120;
/// Bytes of a player's name in a match's history; a longer one is left out.
pub const PLAYER_BYTES_MAX: usize = 120;

/// How long changes of prices may be gathered before they are sent (CONTRACT 3.5).
pub const GATHER_MS_MAX: u64 = 50;
/// The least that may be configured for it, and how long the first thing that a session tells after a quiet time waits for
/// its companions.
pub const GATHER_MS_MIN: u64 = 2;
/// What came to a connection that was told nothing for a while waits for so long at most for what the same message of the
/// feed still brings.
pub const COMPANIONS_MS_MAX: u64 = 10;
/// Bytes queued for one connection before its changes are merged (CONTRACT 3.4).
pub const OUTBOX_BYTES_MAX: usize = 256 << 10;
/// A connection that takes nothing off a full queue for so long is closed with 4008 (CONTRACT 3.4).
pub const STALLED_MS_MAX: u64 = 30_000;
/// A queue that stands still for so long is not just being written.
pub const STUCK_MS_MIN: u64 = 3_000;
/// The largest frame a client may send (CONTRACT 3.6).
pub const COMMAND_BYTES_MAX: usize = 4 << 10;
/// Pieces in which a command may come: empty ones would else go on for ever.
pub const COMMAND_PIECES_MAX: u32 = 64;
/// Commands a second from one connection (CONTRACT 3.6).
pub const COMMANDS_PER_SECOND_MAX: u32 = 50;
/// Sports or matches one `watch` may name: what fits a command of 4 KiB, and bounds the topics of a connection.
pub const WATCHED_MAX: usize = 1_000;
/// Matches a session may have among its favourites: more than a day's offer of one sport, and few enough to be saved and
/// sent as a whole at every change.
pub const FAVOURITES_MAX: usize = 1_000;
/// A session without connections stays in memory for so long, for the bettor who reloads or comes back: this and
/// [`SESSION_SWEEP_MS`] bound the number of sessions that live.
pub const SESSION_IDLE_MS: u64 = 60_000;
/// How often a session looks whether it is still needed.
pub const SESSION_SWEEP_MS: u64 = 15_000;
/// A session that could not be saved is kept for so long after its last connection went, then given up.
pub const SESSION_UNSAVED_MS_MAX: u64 = 10 * 60_000;
/// Two savings of a session are never closer than this: who types a stake or taps through odds is saved once.
pub const SESSION_SAVE_EVERY_MS: u64 = 50;
/// A store that does not answer for so long counts as unavailable.
pub const SESSION_STORE_MS_MAX: u64 = 3_000;
/// A saving that failed is tried again after this …
pub const SESSION_RETRY_MS: u64 = 1_000;
/// … with backoff up to this.
pub const SESSION_RETRY_MS_MAX: u64 = 30_000;
/// Events kept because they are not saved yet. Beyond this only what came of them is known.
pub const SESSION_UNSAVED_EVENTS_MAX: usize = 500;
/// A saved session: 30 pairs with their names and 1,000 favourites need less than 40 KiB.
pub const SESSION_BYTES_MAX: usize = 256 << 10;
/// A name in a saved session, in bytes: six in each of 30 pairs leave room in [`SESSION_BYTES_MAX`]. No name is so long, but a
/// feed may say anything.
pub const SESSION_TEXT_BYTES_MAX: usize = 1 << 10;
/// Commands waiting for one session: a second of five connections.
pub const SESSION_MAILBOX_MAX: usize = 256;
/// Connections waiting for their session: all of a node's that reconnect at once.
pub const SESSIONS_MAILBOX_MAX: usize = 65_536;
/// A match that left and does not come back, in another sport, within so long has left for good. A move takes two hops of
/// actors; until then its pair cannot be bet on, which is told at once.
pub const MATCH_MOVES_MS_MAX: u64 = 250;
/// How often it is asked again who is logged in, where the store could not say.
pub const IDENTIFY_EVERY_MS: u64 = 5_000;
/// Cookies of which this is asked at once: the store has just come back, and thousands may be waiting.
pub const IDENTIFY_AT_ONCE_MAX: usize = 16;
/// Between two answers to `resync null` of one connection: each tells up to 400 rows, and a page asks at most every 3 s.
pub const RESYNC_ALL_EVERY_MS: u64 = 2_000;
/// WebSocket pings and pongs a second from one connection. Browsers send none but the answers to ours, other clients one
/// every few seconds; each ping is answered with a frame.
pub const CONTROL_FRAMES_PER_SECOND_MAX: u32 = 100;
/// Files that stay free for everything else than the hub's connections: calls, the store, the feed, the log.
pub const OPEN_FILES_RESERVE: u64 = 1_024;
/// When a client may try again that was rejected because its address or its session has too many connections, in seconds.
pub const HUB_RETRY_SECONDS: u64 = 10;
/// For how long new sessions of an address are counted together.
pub const NEW_SESSIONS_WINDOW_MS: u64 = 60_000;
/// The server's ping (CONTRACT 3.6).
pub const PING_EVERY_MS: u64 = 15_000;
/// A connection silent for so long is closed (CONTRACT 3.6).
pub const SILENT_MS_MAX: u64 = 40_000;
/// How often the sums are sent by which a client notices that something was lost.
pub const CHECK_EVERY_MS: u64 = 5_000;

/// Changes waiting for one publisher. Beyond this it tells its connections to start over instead of growing.
pub const PUBLISHER_MAILBOX_MAX: usize = 65_536;

/// A body of `live/offer` of one language, encoding and view is made this often at most. Requests that come sooner after a
/// change wait for the next one together, so a page loads this much later at worst.
pub const OFFER_BODY_AGE_MS_MIN: u64 = 250;
/// Bodies of the offer that are assembled or compressed at a time: whoever asks for many of them in a loop gets one core.
pub const OFFER_BODIES_AT_ONCE_MAX: usize = 1;

/// The JSON body of a request: a ticket with 30 pairs needs 6 KiB.
pub const JSON_BYTES_MAX: usize = 16 << 10;
/// A client that has not sent the head of its request after so long is hung up on.
pub const REQUEST_HEAD_MS_MAX: u64 = 5_000;
/// A request, its body included, takes no longer than this: a body that trickles in must not hold a worker's memory.
pub const REQUEST_MS_MAX: u64 = 15_000;
/// An idle connection is kept for the next request for so long: above the 60 s after which usual proxies close theirs,
/// so that it is never we who close one that is just being used.
pub const KEEP_ALIVE_MS: u64 = 75_000;
/// Connections that are made and wait to be accepted. The 128 of the standard library are few for thousands of browsers
/// that come back together: the kernel forgets whom it cannot queue, and resets them later. The kernel's own limit
/// (`net.core.somaxconn`, 4,096 by itself) counts where it is lower.
pub const WAITING_CONNECTIONS_MAX: i32 = 4_096;
/// Bytes sent that a peer has not acknowledged for so long end its connection: the only cure for a socket that is stuck
/// while its actor cannot run. Longer than [`STALLED_MS_MAX`], so that a client which reads again in between is told why.
pub const TCP_UNACKNOWLEDGED_MS_MAX: u64 = 45_000;
/// How long a socket that is being ended may take to tell that it got everything.
pub const CLOSING_MS_MAX: u64 = 2_000;
/// What the kernel may hold of what a client has not acknowledged, beside its outbox. The kernel takes twice of it for its
/// own bookkeeping; without a limit it would take megabytes.
pub const SOCKET_SEND_BUFFER_BYTES: usize = 128 << 10;
/// How long requests in flight may finish after the order to stop.
pub const SHUTDOWN_SECONDS_MAX: u64 = 10;
/// How long a browser keeps the cookie of a session without a visit: a ticket is live for hours, favourites for weeks.
pub const SESSION_COOKIE_SECONDS: i64 = 30 * 24 * 3600;
/// The cookie of a session is renewed at most this often. The gap keeps an answer that is late from bringing back the
/// cookie that a login has just replaced.
pub const SESSION_COOKIE_RENEWED_SECONDS: i64 = 24 * 3600;
/// How long a browser counts as one in which an account has logged in before.
pub const KNOWN_BROWSER_COOKIE_SECONDS: i64 = 180 * 24 * 3600;
/// A login is renewed in the store when this part of its idle limit has passed: once a day of a limit of 30 days.
pub const LOGIN_RENEWED_PART: i64 = 30;

/// Orders of one account that run at a time, each with a key of its own: more than a person presses, and few enough that
/// nobody's delays fill the memory.
pub const PLACEMENTS_PER_ACCOUNT_MAX: usize = 16;
/// How long bets in their delay may finish after the order to stop; with what is added for those that are just being
/// written it stays below [`SHUTDOWN_SECONDS_MAX`].
pub const PLACEMENTS_DRAIN_MS_MAX: u64 = 7_000;
/// Calls of `send-ticket` by one account in [`BETS_WINDOW_MS`]: 50 a second, so that a program which tries every way of
/// writing a ticket is told what is wrong with each.
pub const BETS_MAX: usize = 500;
/// See [`BETS_MAX`].
pub const BETS_WINDOW_MS: u64 = 10_000;

/// Characters of an account's name.
pub const NAME_CHARS_MIN: usize = 1;
/// The same at most: an address of a mail and a word with a UUID behind it fit.
pub const NAME_CHARS_MAX: usize = 64;
/// Characters of a password (CONTRACT 2).
pub const PASSWORD_CHARS_MIN: usize = 8;
/// Bytes of a password: more than any phrase, and little enough to be hashed at once.
pub const PASSWORD_BYTES_MAX: usize = 256;
/// Passwords that wait for their turn to be hashed, in each of the two queues (logins, registrations). Each turn is tens
/// of milliseconds of a core.
pub const PASSWORDS_WAITING_MAX: usize = 64;
/// The same from one address, so that one client cannot fill a queue.
pub const PASSWORDS_WAITING_PER_ADDRESS_MAX: usize = 8;
/// Failed logins of one account from one address, or in one known browser, in a minute (CONTRACT 11.6).
pub const LOGIN_TRIES_PER_ACCOUNT_MAX: usize = 5;
/// Failed logins of one account from all addresses together in a minute. Known browsers do not count. It bounds guesses
/// from many addresses; it is above [`LOGIN_TRIES_PER_ACCOUNT_MAX`], so that one address cannot lock an account.
pub const LOGIN_TRIES_PER_NAME_MAX: usize = 20;
/// Failed logins from one address in a minute (CONTRACT 11.6).
pub const LOGIN_TRIES_PER_ADDRESS_MAX: usize = 20;
/// Accounts registered from one address in a minute where the configuration does not say: a household or an office.
pub const REGISTRATIONS_PER_ADDRESS_MAX: usize = 20;
/// How many times as much an address may do that is probably a proxy's: it sends forwarded headers and is not listed in
/// `http.trusted_proxies`. A client that sends such a header itself gets the same, so this is also what it can gain.
pub const UNLISTED_PROXY_FACTOR: usize = 10;
/// Keys of which tries are remembered in one table. Beyond this the keys that were quiet the longest are forgotten.
pub const TRIES_REMEMBERED_MAX: usize = 20_000;
/// Counters of one key in a table of tries. Limits up to this are exact; a larger one forgets a try late by at most this
/// part of its window.
pub const TRY_COUNTERS_MAX: usize = 32;

/// Attempts to read the matches of a bet at one revision before other tasks may run. A change of the offer takes
/// microseconds, so the second attempt usually succeeds.
pub const SNAPSHOT_ATTEMPTS_PER_TURN: usize = 1_000;
/// How long a bet waits between two such turns.
pub const SNAPSHOT_PAUSE_BETWEEN_TURNS_MS: u64 = 1;
/// How long such attempts go on before the bet is answered with 503. A busy machine may stop a writer in the middle of a
/// change for tens of milliseconds; after a second the change will not end any more.
pub const SNAPSHOT_MS_MAX: u64 = 1_000;

/// How long a call waits for a connection to PostgreSQL: a bet that waits longer is answered with 503.
pub const STORE_CONNECT_MS_MAX: u64 = 3_000;
/// How long a statement of PostgreSQL may run: a bet takes milliseconds, so one that takes longer is stuck.
pub const STORE_STATEMENT_MS_MAX: u64 = 10_000;
/// How long a statement of PostgreSQL may wait for a lock.
pub const STORE_LOCK_MS_MAX: u64 = 5_000;
/// How long a transaction of PostgreSQL may be idle: a lost client must let go of its locks.
pub const STORE_IDLE_TRANSACTION_MS_MAX: u64 = 15_000;
/// How often a node asks whether it may bring the tables to its version while another one does.
pub const MIGRATION_TURN_EVERY_MS: u64 = 250;
/// How long a migration of SQLite waits for a process that holds the file: as long as a migration may take.
pub const MIGRATION_WAIT_MS_MAX: u64 = 3_600_000;
/// Rows that one statement deletes of what has ended: some milliseconds, so that bets do not wait behind it.
pub const STORE_DELETION_ROWS_MAX: u64 = 1_000;
/// How long a node goes on with such deletions each hour.
pub const STORE_DELETION_MS_MAX: u64 = 60_000;

/// How long an answer of the store to `readyz` is used again. Probes come every second or less often, and anybody may ask.
pub const STORE_PING_AGE_MS_MAX: u64 = 1_000;
/// How often a node reads whether an operator has paused betting. A bet is checked against the store once more when it is
/// written, so this is only how soon a bettor hears of it without waiting out the delay.
pub const BETTING_PAUSE_EVERY_MS: u64 = 1_000;
/// How long `readyz` waits for the store.
pub const STORE_PING_MS_MAX: u64 = 2_000;
/// Bets on one page of `account/tickets`.
pub const TICKETS_PER_PAGE_MAX: u32 = 100;
/// The same where the client does not say.
pub const TICKETS_PER_PAGE_DEFAULT: u32 = 20;

/// Matches in one request for results (CONTRACT 7, *Asking*).
pub const RESULT_MATCHES_ASKED_MAX: usize = 1_000;
/// The first request for the results of a match that has left the offer comes after this (CONTRACT 7, *Asking*), in ms.
pub const RESULT_ASK_MS: i64 = 60_000;
/// The longest wait between two requests for the results of a match, in ms.
pub const RESULT_ASK_MS_MAX: i64 = 15 * 60_000;
/// Bets that are graded in one transaction: enough to share the wait for the disk, few enough that placing waits for some
/// milliseconds at most.
pub const SETTLE_BETS_MAX: u32 = 200;
/// Lines of a statement in one answer (CONTRACT 7).
pub const STATEMENT_LINES_MAX: u32 = 1_000;
/// Lines of a statement in an answer to a call that names no limit.
pub const STATEMENT_LINES_DEFAULT: u32 = 100;
/// How long a producer keeps the results of a match that has left the offer, in milliseconds of its own clock: a node
/// that was away for a day still gets them (CONTRACT 7, *Asking*).
pub const RESULTS_KEPT_MS: i64 = 24 * 3_600_000;
/// Markets and odds of all these matches together, some 20 bytes each: 80 MB. Beyond it the results of the match that
/// left first are forgotten, even before their time.
pub const RESULTS_KEPT_ENTITIES_MAX: usize = 4_000_000;
/// Results that wait for the settlement engine in process; more are dropped and asked for later.
pub const RESULTS_WAITING_MAX: usize = 10_000;
