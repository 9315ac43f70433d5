//! Floor 2: what must not be lost: accounts with their money, bets, saved sessions. This file holds the ports, which
//! `http`, `actors` and the composition use; `memory`, `sqlite` and `postgres` stand behind them and are held to one
//! suite of tests (`tests/store`).
//!
//! Must never import read_model, actors, http or anything above, nor read a clock or make an id: times, ticket ids and
//! tokens are handed in, so that a test decides them. A rule of a bet is not judged here, except where only the
//! transaction knows: the money, the key, and what already stands on a match.

mod accounts;
pub mod audit;
mod bet_rules;
mod bets;
mod fail_point;
mod failures;
pub mod memory;
pub mod nodes;
mod open;
pub mod postgres;
mod rows;
mod runtime;
mod schema;
mod sessions;
mod settlement;
mod settling;
mod slices;
pub mod sqlite;

pub use crate::domain::bet::{
    AccountId, AccountMoney, Bet, BetBasis, BetChange, BetEvent, BetPair, BetProgress, BetRules, BetState, PairTexts,
    StoredBet, StoredResult, StoredSettlement, TicketId, TicketNumber,
};
pub use accounts::{Account, Created, Login, NewAccount};
pub use bets::{
    Answer, AnswerMaker, IdempotencyKey, KeepRefusal, Kept, KeyRecord, PlaceBet, Placed, Receipt, TicketFilter,
    TicketPage,
};
pub use open::{OpenError, Opening, Place, Stores, migrate, open, open_as_it_is};
pub use schema::{Migrated, SchemaError};
pub use sessions::{SavedSession, SessionOwner, SessionSaved};
pub use settlement::{
    ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementWork, StatementEntry, StatementPage,
};

use crate::domain::ids::MatchId;
use crate::domain::money::Money;
use crate::domain::session::SessionId;
use crate::domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use crate::domain::ticket::{AccountFacts, PlacingLimits};
use std::future::Future;
use std::pin::Pin;

/// Why a store did not do what it was asked to. Whether a write that failed so was kept can be unknown (the answer of
/// a commit may be lost); asking again with the same key settles it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, its disk is full, or it is too busy: a call answers 503, and it may go on by itself.
    #[error("the store is unavailable: {cause}")]
    Unavailable {
        /// For the log, lower case, without a full stop, without secrets.
        cause: String,
    },
    /// It holds what it must not hold, or refused what should be right: a bug here or a damaged file.
    #[error("the store is corrupt: {cause}")]
    Corrupt {
        /// For the log, lower case, without a full stop, without secrets.
        cause: String,
    },
}

/// What a port answers with: boxed, so that `Arc<dyn BetStore>` can be handed down.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Accounts, their money, and who is logged in where (CONTRACT 2, *account*).
pub trait AccountStore: Send + Sync + 'static {
    /// Makes an account and books its opening balance in the same transaction. A name is taken where an account has it
    /// or one that looks the same ([`name_skeleton`](crate::domain::account_name::name_skeleton)).
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created>;

    /// The account of exactly this name; without one, the account whose name looks the same. Where several look the
    /// same, which only accounts from before that rule do, it is the oldest.
    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>>;

    /// The account of an id.
    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>>;

    /// What an account has, in cents; nothing for an account that does not exist.
    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>>;

    /// The balance and the receivable of an account with their revision; `None` for an unknown account.
    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>>;

    /// Logs an account in under a session's id, in place of whoever was logged in under it. Only a hash is kept.
    fn log_in(&self, session: SessionId, login: Login) -> StoreFuture<'_, ()>;

    /// Who is logged in under a session's id at `now_ms`; nobody once `expires_at_ms` is reached.
    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>>;

    /// Moves the end of a login that is still there. Whether there was one; a login that has ended does not come back.
    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool>;

    /// Logs out. Whether somebody was logged in.
    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool>;

    /// Logs an account out everywhere. How many logins that were.
    fn log_out_everywhere(&self, id: AccountId) -> StoreFuture<'_, u64>;

    /// Forgets the logins that have ended at `now_ms`, in slices: see `slices.rs`. How many they were; 0 where another
    /// node does the same at the moment.
    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64>;
}

/// Bets with the keys under which they were placed (CONTRACT 4, *Placing*).
pub trait BetStore: Send + Sync + 'static {
    /// Places a bet: key, bet, pairs, debit and the answer are one transaction, or nothing is. The same key again, even
    /// at the same moment, is answered with what was kept.
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed>;

    /// Keeps a refusal under its key: the 400 after the in-play delay.
    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept>;

    /// What is kept under a user's key: asked before the checks and the delay.
    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>>;

    /// What the checks of a ticket must know of the account: its money, the stakes (bruto) of its open bets, and stakes
    /// and payouts of those with one of these matches. A match without a bet is not in the answer; a bet with several
    /// of them counts in full for each. Sums over open bets grow with the account's age, so each is read only where
    /// `limits` sets a limit on it; else the stakes are zero and the matches empty. Nothing for an account that does
    /// not exist.
    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
    ) -> StoreFuture<'a, Option<AccountFacts>>;

    /// The bets of an account, newest first, at most `limit` (1 to 1000), those after the ticket `after` where it is
    /// given. Nothing where `after` is no ticket of the account.
    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>>;

    /// The bet of an account with this number.
    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>>;

    /// All settlements that were made of a bet, oldest first, with the state that each gave it.
    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>>;

    /// One bet of an account; another's is as none.
    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>>;
}

/// Results of markets, and what they make of bets (CONTRACT 7).
pub trait SettlementStore: Send + Sync + 'static {
    /// Stores results that are newer than the stored ones, market by market, and notes the work that they cause, in one
    /// transaction. A newer version with the same content causes no work. After it, no bet is placed on a decided odd.
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored>;

    /// The markets of a match whose bets wait to be graded.
    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>>;

    /// At most `max` markets whose bets wait to be graded since before `before_ms`, oldest first. Those that another node
    /// works on are left out.
    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>>;

    /// Sets the next bet of some work aside, because it cannot be graded, and continues behind it. Returns whether there
    /// was one.
    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool>;

    /// Lets the bets that were set aside before `before_ms` be graded again. Returns how many.
    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64>;

    /// What waits for settlement, for metrics.
    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog>;

    /// Gives these rules to bets that were placed before rules were kept, some at a time. Returns how many got them.
    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64>;

    /// Grades bets of some work in one transaction, each against the current results of all its pairs. Two callers may
    /// work on the same market.
    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch>;

    /// The present results of all markets of these matches.
    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>>;

    /// The matches with undecided pairs of open bets, and the markets of these pairs. Ordered by id.
    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>>;

    /// Lines of an account's ledger, newest first: those before the line `before` where it is given, with
    /// `from_ms <= at < to_ms` where these are given; at most `limit` (1 to 1,000).
    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage>;
}

/// Tickets and favourites of sessions, as bytes that only their owner's actor reads (CONTRACT 4, *The ticket*).
pub trait SessionStore: Send + Sync + 'static {
    /// What is saved of a session.
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>>;

    /// Saves over the version that was loaded (0: there was none). Where another has saved meanwhile, nothing is
    /// written and what he saved is told: this settles two nodes with the same session.
    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved>;

    /// Forgets a session. Whether there was one.
    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool>;

    /// Forgets anonymous sessions last saved before `before_ms`, in slices; those of accounts stay. How many they were; 0
    /// where another node does the same at the moment.
    fn forget_anonymous(&self, before_ms: i64) -> StoreFuture<'_, u64>;
}

/// The operator's pause of betting, for all nodes of the installation (`kvota betting`).
pub trait BettingPause: Send + Sync + 'static {
    /// When the pause began, ms since the epoch; nothing while betting is open.
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>>;

    /// Pauses betting: from now on [`BetStore::place`] writes no bet. A pause that exists keeps its beginning. Whether
    /// betting was open before.
    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool>;

    /// Opens betting again. Whether it was paused before.
    fn resume(&self) -> StoreFuture<'_, bool>;
}

/// What is asked of a store as a whole.
pub trait StoreCare: Send + Sync + 'static {
    /// Whether it can be reached: `readyz` asks.
    fn ping(&self) -> StoreFuture<'_, ()>;

    /// Looks at all that is kept for what must not be.
    fn audit(&self) -> StoreFuture<'_, audit::AuditReport>;

    /// The key with which all servers of this store sign cookies, where there may be several: the one that is kept, else
    /// `own`, which is kept from now on. Nothing where the store is one server's alone.
    fn shared_key(&self, _own: Vec<u8>) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Ends what runs for it. What was accepted before is done; later calls are unavailable.
    fn close(&self) -> StoreFuture<'_, ()>;
}
