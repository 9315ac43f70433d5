//! Limits of placing and settling bets, each with its reason; the unit comes last in the name.

/// Placements of one account that run at the same time, each with its own key: more than a person starts, and few
/// enough that waiting bets cannot fill the memory.
pub const PLACEMENTS_PER_ACCOUNT_MAX: usize = 16;
/// How long bets in their delay may take to finish at shutdown, beyond the longest delay. With
/// [`PLACEMENTS_WRITING_MS_MAX`] it stays below
/// [`SHUTDOWN_SECONDS_BEYOND_DELAY`](crate::http::limits::SHUTDOWN_SECONDS_BEYOND_DELAY).
pub const PLACEMENTS_DRAIN_MS_BEYOND_DELAY: u64 = 2_000;
/// How long a bet that is being written may take at shutdown, after the bets in their delay were cancelled.
pub const PLACEMENTS_WRITING_MS_MAX: u64 = 1_750;

/// Markets with open bets that one request for results names: some 200 KB.
pub const RESULT_MARKETS_ASKED_MAX: usize = 20_000;
/// Wait before the first request for the results of a match that has left the offer, in ms (CONTRACT 7).
pub const RESULT_ASK_MS: i64 = 60_000;
/// The longest wait between two requests for the results of a match, in ms.
pub const RESULT_ASK_MS_MAX: i64 = 15 * 60_000;
/// Bets graded in one transaction: enough to share one disk write, and few enough that placing waits only some
/// milliseconds.
pub const SETTLE_BETS_MAX: u32 = 200;
/// How often a node reads whether an operator has paused betting. Each bet is checked against the store again when it
/// is written, so this only decides how soon a waiting bettor is notified.
pub const BETTING_PAUSE_EVERY_MS: u64 = 1_000;
/// How old the answer of the register of excluded players may be when a bet is accepted, in ms (CONTRACT 9).
pub const REGISTER_ANSWER_MS_MAX: i64 = 15 * 60_000;
/// How long a good answer of the register may count while it does not answer, in ms (CONTRACT 9).
pub const REGISTER_OUTAGE_MS_MAX: i64 = 60 * 60_000;
/// Answers of the register that a node keeps: some 10 MB. Those of other players are asked for again.
pub const REGISTER_ANSWERS_MAX: usize = 200_000;
/// Questions to the register about players without an account, at the same time: anybody can register, and bettors must
/// not wait for it.
pub const REGISTER_NEW_PLAYERS_MAX: usize = 4;
/// How long a registration waits for such a place.
pub const REGISTER_NEW_PLAYER_WAIT_MS_MAX: u64 = 5_000;
/// Cash-outs by rules that use the store at the same time, of a node: a quarter of the connections to the database.
pub const RULE_STORE_CALLS_MAX: usize = 4;
/// How long another node than the first waits before it executes a rule that the first one has not executed.
pub const RULE_SECOND_NODE_AFTER_MS: u64 = 5_000;
