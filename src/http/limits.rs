//! Limits of the calls, each with its reason; the unit comes last in the name.

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
/// A connection ends when the peer does not acknowledge sent bytes for this long: the only cure for a stuck socket,
/// because its actor cannot run. It is longer than `STALLED_MS_MAX`, so that a client which reads again gets the reason
/// first.
pub const TCP_UNACKNOWLEDGED_MS_MAX: u64 = 45_000;
/// How long a closing socket waits for the peer to confirm that it received everything.
pub const CLOSING_MS_MAX: u64 = 2_000;
/// How long requests in flight may take to finish at shutdown, beyond the longest delay of a bet.
pub const SHUTDOWN_SECONDS_BEYOND_DELAY: u64 = 5;
/// How long a browser keeps the session cookie without a visit: a ticket is live for hours, favourites for weeks.
pub const SESSION_COOKIE_SECONDS: i64 = 30 * 24 * 3600;
/// The session cookie is renewed at most this often. The gap prevents a late response from restoring the cookie that a
/// login has just replaced.
pub const SESSION_COOKIE_RENEWED_SECONDS: i64 = 24 * 3600;
/// How long a browser counts as known to an account after a login.
pub const KNOWN_BROWSER_COOKIE_SECONDS: i64 = 180 * 24 * 3600;
/// A login in use is renewed in the store every ten minutes, which is also how exact `lastSeenAt` is.
pub const LOGIN_RENEWED_MS: i64 = 600_000;
/// Or when 1/30 of its idle limit has passed, if that comes first.
pub const LOGIN_RENEWAL_FRACTION: i64 = 30;
/// Characters that are stored of a browser's `User-Agent`: enough to recognise it.
pub const AGENT_CHARS_MAX: usize = 256;

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
/// Correct passwords per minute of one account: each costs a hash and a row, and a bettor has a few devices.
pub const CORRECT_PASSWORDS_PER_ACCOUNT_MAX: usize = 30;
/// Changes of its limits per minute of one account. Each has up to 11 entries of history, which are never deleted.
pub const LIMIT_CHANGES_PER_MINUTE_MAX: usize = 10;
/// Changes of its limits per day of one account.
pub const LIMIT_CHANGES_PER_DAY_MAX: usize = 50;
/// Calls with a login per minute of one account, all together: about 330 a second, so that a program that asks for a result
/// without a pause gets it, and no account keeps the store busy. A page with its tabs makes some in a minute.
pub const ACCOUNT_CALLS_PER_MINUTE_MAX: usize = 20_000;
/// Calls with a session cookie per minute from one address: a hall or a mobile network with thousands of bettors. Addresses
/// in `accounts.unlimited_networks` have no limit.
pub const ADDRESS_CALLS_PER_MINUTE_MAX: usize = 60_000;
/// Default for accounts registered per minute from one address: a household or an office.
pub const REGISTRATIONS_PER_ADDRESS_MAX: usize = 20;
/// Factor on the per-address limits of failed logins and registrations for an address that is probably a proxy: it is
/// internal and sends forwarded headers, but is not listed in `http.trusted_proxies`.
pub const UNLISTED_PROXY_FACTOR: usize = 10;
/// Keys remembered in one table of attempts. Beyond this the keys that were quiet for the longest time are forgotten.
pub const ATTEMPT_KEYS_MAX: usize = 20_000;
/// Counters per key in a table of attempts. Limits up to this are exact; with a larger limit an attempt is forgotten
/// late, by at most 1/32 of its window.
pub const ATTEMPT_COUNTERS_MAX: usize = 32;

/// How long a store check of `readyz` is reused. Probes come every second or less often, and `readyz` is public.
pub const STORE_PING_AGE_MS_MAX: u64 = 1_000;
/// How long `readyz` waits for the store.
pub const STORE_PING_MS_MAX: u64 = 2_000;
/// Bets on one page of `account/tickets`.
pub const TICKETS_PER_PAGE_MAX: u32 = 100;
/// Bets on one page when the client names no number.
pub const TICKETS_PER_PAGE_DEFAULT: u32 = 20;

/// Lines of a statement in one answer (CONTRACT 7).
pub const STATEMENT_LINES_MAX: u32 = 1_000;
/// Lines of a statement when the call names no limit.
pub const STATEMENT_LINES_DEFAULT: u32 = 100;
/// The longest name of a player in the register of excluded players.
pub const EXTERNAL_ID_CHARS_MAX: usize = 128;
/// The largest deposit or withdrawal, in cents: 1,000,000.00.
pub const PAYMENT_CENTS_MAX: i64 = 100_000_000;
/// Entries of the history of limits and exclusions in one page.
pub const HISTORY_ENTRIES_MAX: u32 = 1_000;
/// Entries of that history when the call names no limit.
pub const HISTORY_ENTRIES_DEFAULT: u32 = 100;
