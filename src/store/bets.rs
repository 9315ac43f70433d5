//! The values of the port of bets; `mod.rs` has the port. Amounts come from above, already judged: nothing here computes
//! a total, a tax or a payout.
//!
//! The answer to a placing holds the balance after it, which only the transaction knows. So the caller hands in a
//! function that makes the answer ([`AnswerMaker`]); its bytes are kept with the key and told again as they are, whatever
//! later versions of the program would write.

use crate::domain::bet::{
    AccountId, AccountMoney, Bet, BetChange, BetEvent, BetState, StoredBet, StoredResult, TicketId, TicketNumber,
};
use crate::domain::ids::MatchId;
use crate::domain::money::Money;
use crate::domain::ticket::{AccountFacts, PlacingLimits};
use std::fmt;
use std::sync::Arc;

/// The `Idempotency-Key` of a call, a UUID. It belongs to its account and is kept for ever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IdempotencyKey(pub [u8; 16]);

/// A kept answer, to be told again as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The HTTP status: 200, or 400 after the delay.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// What is kept under a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRecord {
    /// Of the body that was placed (RFC 8785); another one is a conflict.
    pub digest: [u8; 32],
    /// What was answered.
    pub answer: Answer,
}

/// Which bets of an account are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TicketFilter {
    /// All of them.
    #[default]
    All,
    /// Those that are open.
    Open,
    /// Those that are not open.
    Settled,
}

impl TicketFilter {
    /// Whether a bet in this state is asked for.
    pub fn holds(self, state: BetState) -> bool {
        match self {
            TicketFilter::All => true,
            TicketFilter::Open => state == BetState::Open,
            TicketFilter::Settled => state != BetState::Open,
        }
    }

    /// The two answers of `state = 'open'` that a statement accepts, equal where only one is.
    pub(super) const fn accepted(self) -> (bool, bool) {
        match self {
            TicketFilter::All => (true, false),
            TicketFilter::Open => (true, true),
            TicketFilter::Settled => (false, false),
        }
    }
}

/// Some bets of an account, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TicketPage {
    /// The bets.
    pub tickets: Vec<StoredBet>,
    /// Where the next page begins: `after` of the next call. Nothing at the end.
    pub next: Option<TicketId>,
}

/// What the transaction tells the maker of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// What the account has after the bet, in cents.
    pub balance: Money,
    /// The number that people read.
    pub ticket_number: TicketNumber,
}

/// Makes the body of the 200 while the transaction runs. It must not wait, block or panic, and may be called again
/// where a transaction has to be repeated; what it gave last is kept and told.
pub type AnswerMaker = Arc<dyn Fn(&Receipt) -> Vec<u8> + Send + Sync>;

/// What [`super::BetStore::place`] is given.
#[derive(Clone)]
pub struct PlaceBet {
    /// Who bets.
    pub account: AccountId,
    /// The key of the call.
    pub key: IdempotencyKey,
    /// Of the call's body, canonical (RFC 8785).
    pub digest: [u8; 32],
    /// Never used before.
    pub ticket_id: TicketId,
    /// The bet.
    pub bet: Bet,
    /// The bettor's limits, which the checks above have judged already. Judged again in the transaction, because bets
    /// of one bettor that wait out their delays side by side do not know of each other.
    pub limits: PlacingLimits,
    /// Makes the body of the answer.
    pub answer: AnswerMaker,
}

/// What came of [`super::BetStore::place`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// The bet is kept and paid.
    Placed {
        /// What the account has now, in cents.
        balance: Money,
        /// What was kept under the key: status 200.
        answer: Answer,
        /// To be published.
        event: Box<BetEvent>,
    },
    /// The key was used for the same body: this was answered, and nothing is written.
    Replayed(Answer),
    /// The key was used for another body; nothing is written.
    KeyConflict,
    /// There is not enough money; nothing is written, and the key is not used up.
    NotEnough {
        /// What the account has, in cents.
        balance: Money,
    },
    /// The odd of a pair has a result; nothing is written, and the key is not used up.
    MarketSettled(MatchId),
    /// The account owes something after a correction; nothing is written, and the key is not used up.
    Owes {
        /// How much, in cents.
        receivable: Money,
    },
    /// A limit of the bettor would be passed; nothing is written, and the key is not used up. With what the account has
    /// and has staked, by which the rules above say which limit.
    OverLimit(AccountFacts),
    /// An operator has paused betting; nothing is written, and the key is not used up.
    Paused,
}

/// What [`super::BetStore::keep_refusal`] is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeepRefusal {
    /// Whose key.
    pub account: AccountId,
    /// The key of the call.
    pub key: IdempotencyKey,
    /// Of the call's body, canonical (RFC 8785).
    pub digest: [u8; 32],
    /// What is answered: 400.
    pub answer: Answer,
    /// When, in ms since the epoch.
    pub now_ms: i64,
}

/// What came of [`super::BetStore::keep_refusal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is kept.
    Kept,
    /// The key was used for the same body: this was answered.
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

/// What comes of an order whose rows are written. `number` is the id of the posting of its stake.
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
        bet: order.bet.clone(),
    };
    let change = BetChange::Placed(Arc::new(stored));
    let event = Box::new(BetEvent { account: order.account, money, change });
    Placed::Placed { balance: money.balance, answer, event }
}

/// What the maker of the answer is given.
pub(super) fn receipt(balance: Money, number: i64) -> Receipt {
    Receipt { balance, ticket_number: TicketNumber::of(u64::try_from(number).unwrap_or_default()) }
}

/// Whether there is any limit to look at.
pub(super) fn has_limit(limits: &PlacingLimits) -> bool {
    *limits != PlacingLimits::default()
}

/// Whether open stakes and payouts by match must be summed.
pub(super) fn has_match_limit(limits: &PlacingLimits) -> bool {
    limits.match_stake_max.is_some() || limits.match_payout_max.is_some()
}

/// Whether a bet would pass a limit of its bettor; the matches of `facts` are those of the bet.
pub(super) fn is_over(facts: &AccountFacts, bet: &Bet, limits: &PlacingLimits) -> bool {
    let beyond = |so_far: Money, more: Money, max: Option<Money>| {
        max.is_some_and(|max| so_far.checked_add(more).is_none_or(|sum| sum > max))
    };
    // A match without a bet yet has nothing on it, and the bet alone may be beyond its limit.
    beyond(facts.user_stake, bet.bruto, limits.user_stake_max)
        || beyond(Money::ZERO, bet.bruto, limits.match_stake_max)
        || beyond(Money::ZERO, bet.payout, limits.match_payout_max)
        || facts.matches.iter().any(|on_match| {
            beyond(on_match.stake, bet.bruto, limits.match_stake_max)
                || beyond(on_match.payout, bet.payout, limits.match_payout_max)
        })
}

/// How many bets a page may have.
pub(super) fn page_limit(limit: u32) -> usize {
    limit.clamp(1, 1000) as usize
}

/// The page of bets of which one more than `limit` was looked for, so as to know whether there are more.
pub(super) fn page(mut newest_first: Vec<StoredBet>, limit: usize) -> TicketPage {
    let has_more = newest_first.len() > limit;
    newest_first.truncate(limit);
    let next = newest_first.last().filter(|_| has_more).map(|last| last.ticket_id.clone());
    TicketPage { tickets: newest_first, next }
}
