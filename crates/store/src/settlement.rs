//! The types of [`super::SettlementStore`]. What the results decide is in [`kvota_domain::ledger`].

use kvota_domain::bet::{AccountId, BetEvent, TicketId, TicketNumber};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::money::Money;

/// The outcome of [`super::SettlementStore::store_results`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultsStored {
    /// The markets with changed content. Those with bets now have settlement work.
    pub changed: Vec<MarketId>,
}

/// The waiting settlement work, for metrics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SettlementBacklog {
    /// Since when the oldest work waits, in ms since the epoch.
    pub oldest_ms: Option<i64>,
    /// Markets with waiting bets.
    pub markets: u64,
    /// Bets that are set aside.
    pub set_aside: u64,
}

/// Bets on one market that wait to be graded again. The store keeps it until [`super::SettlementStore::settle`] has
/// finished it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SettlementWork {
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
}

/// The line of a market in the offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferedLine {
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
    /// Its special bet value; empty without one.
    pub sbv: String,
}

/// Which bets of some work are graded by one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettleScope {
    /// The next bets. The store remembers the progress.
    Next {
        /// The maximum number of bets in the transaction.
        bets_max: u32,
    },
    /// The bets of these accounts, out of order, because clients are watching them.
    Accounts(Vec<AccountId>),
}

/// The outcome of one call of [`super::SettlementStore::settle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SettledBatch {
    /// One event for each bet that changed.
    pub events: Vec<BetEvent>,
    /// The number of bets that were graded, also without a change.
    pub graded: u32,
    /// Whether the work is done.
    pub is_finished: bool,
}

/// A line of an account's statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementEntry {
    /// The time of the posting, in ms since the epoch.
    pub at_ms: i64,
    /// The kind of the posting (CONTRACT 7).
    pub kind: kvota_domain::settlement::PostingKind,
    /// The amount in cents; negative if the account paid it.
    pub amount: Money,
    /// The balance after the posting.
    pub balance: Money,
    /// The bet of the posting.
    pub ticket_id: Option<TicketId>,
    /// Its number that people read.
    pub ticket_number: Option<TicketNumber>,
}

/// A page of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatementPage {
    /// Newest first.
    pub entries: Vec<StatementEntry>,
    /// The value of `before` for the next page; `None` on the last page.
    pub next: Option<i64>,
}

impl StatementPage {
    /// Makes a page from at most `limit` + 1 lines with their numbers. The extra line shows that there is another page.
    pub(super) fn of(mut newest_first: Vec<(i64, StatementEntry)>, limit: usize) -> StatementPage {
        let has_more = newest_first.len() > limit;
        newest_first.truncate(limit);
        let next = newest_first.last().filter(|_| has_more).map(|(number, _)| *number);
        StatementPage { entries: newest_first.into_iter().map(|(_, entry)| entry).collect(), next }
    }
}

/// How many pairs [`super::SettlementStore::park_moved_lines`] parks in one transaction.
pub(super) const PARKED_AT_ONCE_MAX: i64 = 10_000;

/// How many watched bets are graded in one transaction; the others follow in the batches of all bets.
pub(super) const WATCHED_BETS_MAX: i64 = 1_000;

/// How many bets get rules in one transaction of [`super::SettlementStore::keep_rules`].
pub(super) const RULES_AT_ONCE_MAX: i64 = 10_000;
