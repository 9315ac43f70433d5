//! The values of the port of bets; `mod.rs` has the port. Amounts come from above, already judged: nothing here computes
//! a total, a tax or a payout.
//!
//! The answer to a placing holds the balance after it, which only the transaction knows. So the caller hands in a
//! function that makes the answer ([`AnswerMaker`]); its bytes are kept with the key and told again as they are, whatever
//! later versions of the program would write.

use super::{AccountId, BetRules, StoredSettlement};
use crate::domain::feed::Position;
use crate::domain::ids::{MarketId, MatchId, OddId, SportId};
use crate::domain::money::Money;
use crate::domain::price::Price;
use crate::domain::settlement::PairResult;
use crate::domain::ticket::{AccountFacts, Consent, PlacingLimits};
use std::fmt;
use std::sync::Arc;

/// The number on a ticket (CONTRACT 4, `ticketId`): 1 to 64 ASCII letters, digits, `-` and `_`, made above. Bets are
/// found by it for their own account alone, so it need not be a secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicketId(Arc<str>);

impl TicketId {
    /// The id, or nothing for another text.
    pub fn new(text: &str) -> Option<TicketId> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        ((1..=64).contains(&text.len()) && text.bytes().all(fits)).then(|| TicketId(text.into()))
    }

    /// As it stands on the ticket.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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

/// Where a bet stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BetState {
    /// Not yet decided: as it is placed.
    Open,
    /// It won.
    Won,
    /// It lost.
    Lost,
    /// It does not count; the stake goes back.
    Void,
    /// It was cashed out as a whole.
    CashedOut,
}

impl BetState {
    /// All states.
    pub const ALL: [BetState; 5] = [BetState::Open, BetState::Won, BetState::Lost, BetState::Void, BetState::CashedOut];

    /// As it is kept.
    pub const fn as_str(self) -> &'static str {
        match self {
            BetState::Open => "open",
            BetState::Won => "won",
            BetState::Lost => "lost",
            BetState::Void => "void",
            BetState::CashedOut => "cashed_out",
        }
    }

    /// The state of a kept word.
    pub fn from_word(word: &str) -> Option<BetState> {
        BetState::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// The words of a pair as the bettor saw them, for receipts: the feed forgets a match, a receipt must not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairTexts {
    /// The home side.
    pub home: String,
    /// The away side.
    pub away: String,
    /// The market's name.
    pub market: String,
    /// The odd's name.
    pub odd: String,
    /// The tournament.
    pub tournament: String,
}

/// One pair of a bet, as it was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetPair {
    /// Its match.
    pub match_id: MatchId,
    /// Its market.
    pub market_id: MarketId,
    /// Its odd (what the call names `marketId`).
    pub odd_id: OddId,
    /// The sport of the match.
    pub sport_id: SportId,
    /// The kind of the market (`marketType`).
    pub market_type: i64,
    /// The kind below it, where the market has one.
    pub market_subtype: Option<i64>,
    /// The line, where the market has one.
    pub sbv: Option<String>,
    /// The kind of the odd, where it has one.
    pub odd_type: Option<String>,
    /// The price in the call.
    pub odds_submitted: Price,
    /// The price at which the bet was taken.
    pub odds_taken: Price,
    /// Whether it stands in every combination.
    pub is_fix: bool,
    /// What the bettor saw.
    pub texts: PairTexts,
}

/// What a bet was accepted by, to decide a dispute.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BetBasis {
    /// The rules at placing; nothing for bets that were placed before rules were kept.
    pub rules: Option<BetRules>,
    /// The version of the offer.
    pub offer_version: Option<u64>,
    /// The position of the primary language's feed.
    pub feed: Option<Position>,
}

/// A bet as it is taken; all amounts in cents, computed from the odds taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bet {
    /// When it was taken, in ms since the epoch: after the in-play delay.
    pub placed_at_ms: i64,
    /// The stake that is debited; positive.
    pub bruto: Money,
    /// The stake without its tax.
    pub stake: Money,
    /// The total odd, exact, as decimal text.
    pub total_odd: String,
    /// 0 for a standard ticket, or the k of a system.
    pub system_type: u8,
    /// The possible win.
    pub potential_win: Money,
    /// The tax on it.
    pub win_tax: Money,
    /// What would be paid out.
    pub payout: Money,
    /// Which changes of odds the bettor agreed to.
    pub consent: Consent,
    /// What it was accepted by.
    pub basis: BetBasis,
    /// Its pairs in their order, 1 to 30, each of another match.
    pub pairs: Vec<BetPair>,
}

/// A bet as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredBet {
    /// The number on the ticket.
    pub ticket_id: TicketId,
    /// Whose bet.
    pub account: AccountId,
    /// Where it stands.
    pub state: BetState,
    /// What the account had after it, in cents.
    pub balance_after: Money,
    /// The settlement that stands.
    pub settlement: Option<StoredSettlement>,
    /// The results of its pairs, in their order.
    pub results: Vec<StoredResult>,
    /// The bet.
    pub bet: Bet,
}

/// The result of a pair, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredResult {
    /// Its name (CONTRACT 7, *Told*).
    pub code: String,
    /// When it was decided, in ms since the epoch; nothing while it is open.
    pub settled_at_ms: Option<i64>,
}

impl Default for StoredResult {
    fn default() -> StoredResult {
        StoredResult { code: PairResult::Open.code().to_owned(), settled_at_ms: None }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_id_is_a_plain_word() {
        for (text, is_id) in [
            ("0193f5c2-7d1e-7000-8000-0123456789ab", true),
            ("A_1", true),
            ("", false),
            ("a b", false),
            ("č", false),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
        ] {
            assert_eq!(TicketId::new(text).is_some(), is_id, "{text}");
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        for state in BetState::ALL {
            assert_eq!(BetState::from_word(state.as_str()), Some(state));
        }
        assert_eq!(BetState::from_word("lots"), None);
    }
}
