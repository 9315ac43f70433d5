//! The persistent data: accounts with their money, bets, results and saved sessions. This file contains the traits that
//! `http`, `actors` and the start of the program use. `memory`, `sqlite` and `postgres` implement them and pass the same
//! tests (`tests/store`).
//!
//! Must never import read_model, actors, http or anything above, nor read a clock or create an id: times, ticket ids
//! and tokens are parameters, so that a test can choose them. Must not decide about money: within its transaction it reads,
//! asks [`kvota_domain::ledger`], and writes.

#![expect(clippy::duplicate_mod, reason = "each database includes `sql/` with its own types (docs/decisions/0023)")]

mod accounts;
pub mod audit;
mod bet_rules;
mod bets;
mod cash_outs;
mod cashier;
mod fail_point;
mod failures;
pub mod limits;
#[cfg(any(test, feature = "testkit"))]
pub mod memory;
pub mod nodes;
mod open;
mod placing_activity;
pub mod postgres;
mod protection;
mod result_columns;
mod rows;
mod runtime;
mod schema;
mod sessions;
mod settlement;
mod slices;
pub mod sqlite;
mod unsettled;

pub use accounts::{Account, AccountSession, Created, Login, NewAccount, NewLogin, PasswordChange};
pub use bets::{
    Answer, AnswerMaker, IdempotencyKey, KeepRefusal, Kept, KeyPurpose, KeyRecord, PlaceBet, Placed, Receipt,
    TicketFilter, TicketPage,
};
pub use cash_outs::{CashOutAnswerMaker, CashOutDone, CashOutKey, CashOutOrder, CashOutOrigin, OpenBets, RuleSet};
pub use cashier::{Paid, Payment, PaymentAnswerMaker};
pub use kvota_domain::bet::{
    AccountId, AccountMoney, Bet, BetBasis, BetChange, BetEvent, BetPair, BetProgress, BetRules, BetState, CashOutRule,
    PairTexts, StoredBet, StoredCashOut, StoredResult, StoredSettlement, TicketId, TicketNumber,
};
pub use kvota_domain::ledger::{
    CashOutObstacle, CashOutReceipt, PaymentKind, PaymentObstacle, UnsettledBet, UnsettledCause,
};
pub use open::{OpenError, Opening, StoreLocation, Stores, migrate, open, open_as_it_is};
pub use protection::{CheckAnswer, HistoryEntry, HistoryPage, Protected, ProtectionChange};
pub use schema::{Migrated, SchemaError};
pub use sessions::{SavedSession, SessionOwner, SessionSaved};
pub use settlement::{
    OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementWork, StatementEntry,
    StatementPage,
};

use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::money::Money;
use kvota_domain::protection::{Flows, Protection};
use kvota_domain::session::SessionId;
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use nodes::SessionKey;
use std::future::Future;
use std::pin::Pin;

/// Why a call of a store failed. It can be unknown whether a failed write was committed, because the answer to a commit
/// may be lost. A retry with the same key settles it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, its disk is full, or it is too busy. HTTP calls answer 503. The store may recover
    /// by itself.
    #[error("the store is unavailable: {cause}")]
    Unavailable {
        /// The cause, for the log: in lower case, without a full stop, without secrets.
        cause: String,
    },
    /// It holds what it must not hold, or refused what should be right: a bug here or a damaged file.
    #[error("the store is corrupt: {cause}")]
    Corrupt {
        /// The cause, for the log: in lower case, without a full stop, without secrets.
        cause: String,
    },
}

/// The future of a store call. It is boxed, so that the traits can be used as `dyn`.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Accounts, their money and their logins (CONTRACT 2, *account*).
pub trait AccountStore: Send + Sync + 'static {
    /// Creates an account and books its opening balance in the same transaction. A name is taken if an account has the
    /// same name or one that looks the same ([`name_skeleton`](kvota_domain::account_name::name_skeleton)).
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created>;

    /// The account with exactly this name, or else an account with a name that looks the same. Several of those exist
    /// only from before that rule; the oldest is returned.
    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>>;

    /// The account with this id.
    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>>;

    /// The balance of an account, in cents; `None` for an unknown account.
    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>>;

    /// The balance and the receivable of an account with their revision; `None` for an unknown account.
    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>>;

    /// Logs an account in with a session id. Replaces the former login of that session. Only a hash of the id is
    /// stored. A change of the password at the same moment either ends this login or is over when this returns, so the
    /// caller reads the hash of the password again.
    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()>;

    /// The login of a session at `now_ms`; `None` once `expires_at_ms` is reached.
    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>>;

    /// Changes the end of an existing login. Returns whether it exists; an expired login is not renewed.
    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool>;

    /// Logs out. Returns whether there was a login.
    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool>;

    /// The logins of an account that have not expired at `now_ms`; the one that was used last is first, and at most
    /// [`ACCOUNT_SESSIONS_LISTED_MAX`](limits::ACCOUNT_SESSIONS_LISTED_MAX) are returned.
    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>>;

    /// Ends a login of this account. Returns whether there was one.
    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool>;

    /// Changes the password and ends all other logins of the account in one transaction. Returns the keys of their
    /// cookies; `None`, without any change, if the account does not have the old hash any more.
    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>>;

    /// Deletes the logins that have expired at `now_ms`, in slices (`slices.rs`). Returns their number; 0 if another
    /// node is doing the same.
    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64>;
}

/// Bets with the keys under which they were placed (CONTRACT 4, *Placing*).
pub trait BetStore: Send + Sync + 'static {
    /// Places a bet: key, bet, pairs, debit and answer are written in one transaction, or not at all. A second call
    /// with the same key, even at the same moment, returns the stored answer.
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed>;

    /// Stores a rejection under its key: the 400 after the in-play delay.
    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept>;

    /// The record of a key. Read before the checks and the delay.
    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>>;

    /// The data of an account that the checks of a ticket need: its balance, the stakes (bruto) of its open bets, and
    /// the stakes and payouts of open bets on these matches. Matches without a bet are omitted. A bet on several of the
    /// matches counts in full for each. Each sum is read only if `limits` contains its limit, because it takes longer
    /// with more open bets; otherwise the stakes are zero and the matches empty. Also the exclusion at `now_ms`, and what
    /// the bettor's own limits leave. `None` for an unknown account.
    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>>;

    /// The bets of an account, newest first, at most `limit` (1 to 1000). With `after`, only those after this ticket;
    /// `None` if it is not a ticket of the account.
    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>>;

    /// The bet of an account with this number.
    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>>;

    /// All settlements of a bet, oldest first, each with the state of the bet after it.
    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>>;

    /// A bet of an account; `None` also if it belongs to another account.
    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>>;
}

/// Results of markets, and the settlement of bets (CONTRACT 7).
pub trait SettlementStore: Send + Sync + 'static {
    /// Stores the results that are newer than the stored ones, market by market, and the settlement work that they
    /// cause, in one transaction. A newer version with the same content causes no work. Afterwards no bet is placed on
    /// a decided odd.
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored>;

    /// The markets of a match with waiting bets.
    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>>;

    /// At most `max` markets with bets that have waited since before `before_ms`, oldest first. Markets that another
    /// node is working on are omitted.
    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>>;

    /// Skips the next bet of some work, because it cannot be graded, and stores the cause. Returns whether there was
    /// one.
    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool>;

    /// Queues the bets that were set aside before `before_ms` for grading again. Returns their number.
    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64>;

    /// The waiting settlement work, for metrics.
    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog>;

    /// Gives these rules to bets without stored rules, a limited number at a time. Returns how many.
    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64>;

    /// Grades bets of some work in one transaction, each against the current results of all its pairs. Two callers may
    /// work on the same market.
    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch>;

    /// The current results of all markets of these matches.
    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>>;

    /// Deletes results that were stored before `before_ms`, of markets without any bet, a limited number at a time.
    /// Returns how many.
    fn forget_results(&self, before_ms: i64) -> StoreFuture<'_, u64>;

    /// Parks the undecided pairs that were bet on another line (sbv) than their market has now, a limited number at a
    /// time: its result is that of the new line, which can only void them. Returns how many.
    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64>;

    /// Sets the version of a market's stored result to 0, so that the next message about it counts, whatever its version.
    /// The result itself stays until then. Pairs that were parked because the line moved are graded by it at once.
    /// Returns whether there is one.
    fn reset_result_version(&self, match_id: MatchId, market: MarketId) -> StoreFuture<'_, bool>;

    /// The matches with undecided pairs of open bets, and the markets of these pairs. Ordered by id.
    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>>;

    /// Notes that matches have left the offer, and that others are in it again. The first end of a match stays.
    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()>;

    /// Open bets of which all undecided matches ended before `ended_before_ms`, and those that are parked or set aside. The
    /// longest waiting first.
    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>>;

    /// Lines of an account's statement, newest first, at most `limit` (1 to 1,000). Optional filters: before the line
    /// `before`, and `from_ms <= at < to_ms`.
    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage>;
}

/// Limits and exclusions that bettors set for themselves (CONTRACT 9). [`BetStore::place`] applies them in the
/// transaction of each bet.
pub trait ProtectionStore: Send + Sync + 'static {
    /// The limits and the exclusion of an account; `None` for an unknown account.
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>>;

    /// Changes them, and adds the change to the history, in one transaction. A bet that is placed at the same moment
    /// is placed either before the change or by its rules. Limits in minutes also apply to the present logins.
    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected>;

    /// The stakes, payouts and deposits of an account in the sliding windows that end at `now_ms`.
    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows>;

    /// The stakes and payouts of an account since a time, in ms since the epoch.
    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)>;

    /// The reality check of a login is answered, if one is due: the next one is due after the minutes of the limit.
    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer>;

    /// Entries of the history, newest first, at most `limit` (1 to 1,000); with `before`, only those before that entry.
    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage>;
}

/// Deposits and withdrawals (CONTRACT 9).
pub trait CashierStore: Send + Sync + 'static {
    /// Books a payment with its answer in one transaction, or not at all. A second call with the same key, even at the
    /// same moment, returns the stored answer.
    fn pay(&self, payment: Payment) -> StoreFuture<'_, Paid>;
}

/// Cash-outs and their rules (CONTRACT 8).
pub trait CashOutStore: Send + Sync + 'static {
    /// Cashes a bet out: postings, the rest of the bet and the answer are written in one transaction, or not at all. If
    /// the stored results decide the bet, it is settled instead. Any cash-out removes the rule of the bet.
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone>;

    /// Sets the rule of an open bet, or removes it.
    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet>;

    /// Open bets, or only those with a rule; at most `limit`, after the bet with the number `after`.
    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets>;
}

/// Tickets and favourites of sessions, as bytes that only the session actor decodes (CONTRACT 4, *The ticket*).
pub trait SessionStore: Send + Sync + 'static {
    /// The saved session of an owner.
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>>;

    /// Saves a session, if the stored version is still `expected` (0: there is none). Otherwise another node has saved
    /// it meanwhile: nothing is written, and the stored session is returned.
    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved>;

    /// Deletes a session. Returns whether it existed.
    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool>;

    /// Deletes anonymous sessions in slices (`slices.rs`): those last saved before `before_ms`, and the oldest ones if
    /// there are more than `max`. Returns their number; 0 if another node is doing the same.
    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64>;
}

/// The operator's pause of betting, for all nodes of the installation (`kvota betting`).
pub trait BettingPause: Send + Sync + 'static {
    /// When the pause began, in ms since the epoch; `None` while betting is open.
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>>;

    /// Pauses betting: from now on [`BetStore::place`] writes no bet. If betting is paused already, the beginning of
    /// the pause stays. Returns whether betting was open before.
    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool>;

    /// Opens betting again. Returns whether it was paused before.
    fn resume(&self) -> StoreFuture<'_, bool>;
}

/// Maintenance of a store.
pub trait StoreCare: Send + Sync + 'static {
    /// Whether the store can be reached, for `readyz`.
    fn ping(&self) -> StoreFuture<'_, ()>;

    /// Checks the invariants of all stored data.
    fn audit(&self) -> StoreFuture<'_, audit::AuditReport>;

    /// The key with which all servers of this store sign cookies: the stored one, or else `own`, which is then stored.
    /// `None` if the store cannot have several servers.
    fn shared_key(&self, _own: Vec<u8>) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Closes the store, after the accepted calls are finished. Later calls fail as unavailable.
    fn close(&self) -> StoreFuture<'_, ()>;
}
