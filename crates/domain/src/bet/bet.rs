//! A bet: what was accepted, and what became of it (CONTRACT 4 and 7). Stores keep these values; placing and settlement
//! make them.

use super::{AccountId, TicketNumber};
use crate::feed::Position;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::money::Money;
use crate::price::Price;
use crate::settlement::{BetTerms, CashOutShare, PairResult, Settlement, StakePart, possible};
use crate::ticket::{Consent, Rules};
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
    /// Its number: the id of the posting of its stake.
    pub number: u64,
    /// Grows with each change of the bet.
    pub revision: u64,
    /// Where it stands.
    pub state: BetState,
    /// What the account had after it, in cents.
    pub balance_after: Money,
    /// The settlement that stands.
    pub settlement: Option<StoredSettlement>,
    /// The results of its pairs, in their order.
    pub results: Vec<StoredResult>,
    /// What is left of its stake after cash-outs; zero if it was cashed out completely.
    pub rest: StakePart,
    /// Its cash-outs, oldest first.
    pub cash_outs: Vec<StoredCashOut>,
    /// The rule that cashes it out.
    pub cash_out_rule: Option<CashOutRule>,
    /// The bet.
    pub bet: Bet,
}

/// A cash-out as it is stored, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredCashOut {
    /// When, in ms since the epoch.
    pub at_ms: i64,
    /// The share of what was left of the bet.
    pub share: CashOutShare,
    /// The share of the value, before the win tax.
    pub value: Money,
    /// The win tax.
    pub win_tax: Money,
    /// The amount paid to the bettor.
    pub paid: Money,
}

/// A bettor's order to cash out a whole bet (CONTRACT 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutRule {
    /// The bet is cashed out once its net amount reaches this, in cents.
    pub at_least: Money,
}

/// The result of a pair of a bet, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredResult {
    /// The result; a parked one is stored as open.
    pub result: PairResult,
    /// When it was decided, in ms since the epoch; `None` while it is open.
    pub settled_at_ms: Option<i64>,
    /// The provider's reason, such as "match abandoned".
    pub reason: Option<String>,
}

impl Default for StoredResult {
    fn default() -> StoredResult {
        StoredResult { result: PairResult::Open, settled_at_ms: None, reason: None }
    }
}

/// A settlement as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSettlement {
    /// 1 for the first of its bet.
    pub number: u32,
    /// When, in ms since the epoch.
    pub at_ms: i64,
    /// Before the win tax, in cents.
    pub gross: Money,
    /// The win tax.
    pub win_tax: Money,
    /// What was paid.
    pub paid: Money,
    /// Why, where the provider names a reason.
    pub reason: Option<String>,
}

/// The rules at placing, with what a void bet returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetRules {
    /// Taxes and limits.
    pub rules: Rules,
    /// `betting.void_returns_stake_tax`.
    pub void_returns_stake_tax: bool,
}

impl Default for BetRules {
    fn default() -> BetRules {
        BetRules { rules: Rules::default(), void_returns_stake_tax: true }
    }
}

impl StoredBet {
    /// The number that people read.
    pub fn ticket_number(&self) -> TicketNumber {
        TicketNumber::of(self.number)
    }

    /// What the bet would pay if every undecided pair were won at the odd taken (CONTRACT 7, `possible`). `None` unless it
    /// is open, and for a bet whose rules are not stored.
    pub fn possible(&self) -> Option<Settlement> {
        let terms = self.terms().filter(|_| self.state == BetState::Open)?;
        let results: Vec<PairResult> = self.results.iter().map(|stored| stored.result).collect();
        Some(possible(&terms, &results))
    }

    /// The terms of what is left of the bet; `None` if its rules are not stored.
    pub fn terms(&self) -> Option<BetTerms> {
        let rules = self.bet.basis.rules.as_ref()?;
        let terms = BetTerms {
            bruto: self.rest.bruto,
            taxed_stake: self.rest.taxed_stake,
            system_type: self.bet.system_type,
            pairs: self.bet.pairs.iter().map(|pair| (pair.odds_taken, pair.is_fix)).collect(),
            rules: rules.rules.clone(),
            void_returns_stake_tax: rules.void_returns_stake_tax,
        };
        Some(terms.after_payments(self.cash_outs.iter().map(|cash_out| cash_out.paid).sum()))
    }
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
