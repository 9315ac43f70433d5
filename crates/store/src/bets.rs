//! The types of [`super::BetStore`]. Callers validate a bet and compute its amounts: this file must not compute a
//! total, a tax or a payout.
//!
//! The answer to a placed bet contains the balance after it, which only the transaction knows. So the caller passes a
//! function that writes the answer ([`AnswerMaker`]). Its bytes are stored with the key, and a retry receives exactly
//! these bytes, even from a later version of the program.

use kvota_domain::bet::{
    AccountId, AccountMoney, Bet, BetChange, BetEvent, BetState, StoredBet, StoredResult, TicketId, TicketNumber,
};
use kvota_domain::ids::MatchId;
use kvota_domain::money::Money;
use kvota_domain::settlement::StakePart;
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use std::fmt;
use std::sync::Arc;

/// The `Idempotency-Key` of a call, a UUID. It belongs to one account and is never deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IdempotencyKey(pub [u8; 16]);

/// A stored answer. A retry receives it unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The HTTP status: 200, or 400 after the delay.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// The record of a used key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRecord {
    /// The digest of the request body (RFC 8785). A request with the same key and another digest is a conflict.
    pub digest: [u8; 32],
    /// The answer.
    pub answer: Answer,
}

/// Which bets of an account to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TicketFilter {
    /// All bets.
    #[default]
    All,
    /// Open bets.
    Open,
    /// Bets that are not open.
    Settled,
}

impl TicketFilter {
    /// Whether the filter includes bets in this state.
    pub fn holds(self, state: BetState) -> bool {
        match self {
            TicketFilter::All => true,
            TicketFilter::Open => state == BetState::Open,
            TicketFilter::Settled => state != BetState::Open,
        }
    }
}

/// A page of bets of an account, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TicketPage {
    /// The bets.
    pub tickets: Vec<StoredBet>,
    /// The value of `after` for the next page; `None` on the last page.
    pub next: Option<TicketId>,
}

/// Data for the answer that only the transaction knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The balance of the account after the bet, in cents.
    pub balance: Money,
    /// The ticket number for people.
    pub ticket_number: TicketNumber,
}

/// Writes the body of the 200 while the transaction runs. It must not wait, block or panic. If the transaction is
/// repeated, it is called again, and the last body is stored and sent.
pub type AnswerMaker = Arc<dyn Fn(&Receipt) -> Vec<u8> + Send + Sync>;

/// The arguments of [`super::BetStore::place`].
#[derive(Clone)]
pub struct PlaceBet {
    /// The account of the bettor.
    pub account: AccountId,
    /// The key of the call.
    pub key: IdempotencyKey,
    /// The digest of the canonical request body (RFC 8785).
    pub digest: [u8; 32],
    /// The ticket id. It must be new.
    pub ticket_id: TicketId,
    /// The bet.
    pub bet: Bet,
    /// The bettor's limits. The caller has checked them already; the transaction checks them again, because concurrent
    /// bets of one bettor do not see each other during their delays.
    pub limits: PlacingLimits,
    /// Writes the body of the answer.
    pub answer: AnswerMaker,
}

/// The outcome of [`super::BetStore::place`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// The bet is stored and its stake is booked.
    Placed {
        /// The balance of the account after the bet, in cents.
        balance: Money,
        /// The stored answer, with status 200.
        answer: Answer,
        /// The event to publish.
        event: Box<BetEvent>,
    },
    /// The key was used for the same body. This is its answer; nothing is written.
    Replayed(Answer),
    /// The key was used for another body; nothing is written.
    KeyConflict,
    /// The balance is too low; nothing is written, and the key is not used up.
    NotEnough {
        /// The balance of the account, in cents.
        balance: Money,
    },
    /// The odd of a pair has a result; nothing is written, and the key is not used up.
    MarketSettled(MatchId),
    /// The account has a debt after a correction; nothing is written, and the key is not used up.
    Owes {
        /// The debt, in cents.
        receivable: Money,
    },
    /// The account is excluded, or the bet would exceed a limit of the bettor; nothing is written, and the key is not used
    /// up. Contains the facts of the account, from which the caller finds out what it is.
    OverLimit(AccountFacts),
    /// An operator has paused betting; nothing is written, and the key is not used up.
    Paused,
}

/// What a key was used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyPurpose {
    /// A bet.
    Bet,
    /// A cash-out.
    CashOut,
}

impl KeyPurpose {
    /// Its word in the databases.
    pub(super) const fn word(self) -> &'static str {
        match self {
            KeyPurpose::Bet => "bet",
            KeyPurpose::CashOut => "cash_out",
        }
    }
}

/// The arguments of [`super::BetStore::keep_refusal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeepRefusal {
    /// The account of the key.
    pub account: AccountId,
    /// The key of the call.
    pub key: IdempotencyKey,
    /// The digest of the canonical request body (RFC 8785).
    pub digest: [u8; 32],
    /// The answer, with status 400.
    pub answer: Answer,
    /// What the key was used for.
    pub purpose: KeyPurpose,
    /// The time of the rejection, in ms since the epoch.
    pub now_ms: i64,
}

/// The outcome of [`super::BetStore::keep_refusal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The rejection is stored.
    Kept,
    /// The key was used for the same body. This is its answer.
    Replayed(Answer),
    /// The key was used for another body.
    KeyConflict,
}

impl fmt::Debug for PlaceBet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PlaceBet");
        shown.field("account", &self.account).field("key", &self.key).field("ticket_id", &self.ticket_id);
        shown.field("bet", &self.bet).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The outcome of a bet after its rows are written. `number` is the id of its stake posting.
pub(super) fn placed(order: &PlaceBet, number: i64, money: AccountMoney, answer: Answer) -> Placed {
    let stored = StoredBet {
        ticket_id: order.ticket_id.clone(),
        account: order.account,
        number: u64::try_from(number).unwrap_or_default(),
        revision: 0,
        state: BetState::Open,
        balance_after: money.balance,
        settlement: None,
        results: vec![StoredResult::default(); order.bet.pairs.len()],
        rest: StakePart { bruto: order.bet.bruto, taxed_stake: order.bet.stake },
        cash_outs: Vec::new(),
        cash_out_rule: None,
        bet: order.bet.clone(),
    };
    let change = BetChange::Placed(Arc::new(stored));
    let event = Box::new(BetEvent { account: order.account, money, change });
    Placed::Placed { balance: money.balance, answer, event }
}

/// The argument of the [`AnswerMaker`].
pub(super) fn receipt(balance: Money, number: i64) -> Receipt {
    Receipt { balance, ticket_number: TicketNumber::of(u64::try_from(number).unwrap_or_default()) }
}

/// The page size for a requested limit.
pub(super) fn page_limit(limit: u32) -> usize {
    limit.clamp(1, 1000) as usize
}

/// Makes a page from at most `limit` + 1 bets. The extra bet shows that there is another page.
pub(super) fn page(mut newest_first: Vec<StoredBet>, limit: usize) -> TicketPage {
    let has_more = newest_first.len() > limit;
    newest_first.truncate(limit);
    let next = newest_first.last().filter(|_| has_more).map(|last| last.ticket_id.clone());
    TicketPage { tickets: newest_first, next }
}
