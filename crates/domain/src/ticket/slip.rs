//! A submitted ticket (CONTRACT 4, *Placing*) as parsed from its body, the account facts it needs, and the bet it
//! becomes. Values only: `validate.rs` decides.

use super::exact::ExactOdd;
use super::state::{Consent, Snapshot, TicketKind};
use super::totals::Totals;
use crate::Text;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::money::Money;
use crate::price::Price;
use crate::protection::{Allowance, Exclusion};

/// A submitted ticket. None of its fields is trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubmittedTicket {
    /// `stake`: after tax.
    pub stake: Money,
    /// `bruto`: before tax; the amount that is debited.
    pub bruto: Money,
    /// `potentialWin`.
    pub potential_win: Money,
    /// `winTax`.
    pub win_tax: Money,
    /// `payout`.
    pub payout: Money,
    /// `systemType`: 0 standard, or the k of a system ticket.
    pub system_type: u8,
    /// `oddsPolicy`, or the value of `consentForChangedOdss`: any or none.
    pub consent: Consent,
    /// `pairs`.
    pub pairs: Vec<SubmittedPair>,
}

/// A submitted pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubmittedPair {
    /// `matchId`.
    pub match_id: MatchId,
    /// `marketId`, which is the odd's id.
    pub odd_id: OddId,
    /// `marketType`.
    pub market_kind: i64,
    /// `marketSubType`; an absent one matches any subtype.
    pub market_subtype: Option<i64>,
    /// `sbv`; absent and empty are equal, and mean a market without a line.
    pub sbv: Option<Text>,
    /// `oddType`, in any language of the offer; absent and empty are equal.
    pub odd_kind: Option<Text>,
    /// `oddValue`: the price that the bettor saw.
    pub odd_value: Price,
    /// `isFix`.
    pub is_fix: bool,
}

impl SubmittedTicket {
    /// Standard or system.
    pub fn kind(&self) -> TicketKind {
        if self.system_type == 0 { TicketKind::Standard } else { TicketKind::System }
    }

    /// The k of a system ticket.
    pub fn combination(&self) -> Option<u8> {
        (self.system_type > 0).then_some(self.system_type)
    }
}

/// The bettor's account at the time of validation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccountFacts {
    /// The balance that can be spent.
    pub balance: Money,
    /// Stakes before tax of the bettor's open bets.
    pub user_stake: Money,
    /// Open bets by match, for the matches of this ticket; a missing match has none.
    pub matches: Vec<MatchFacts>,
    /// The exclusion in force (CONTRACT 9).
    pub exclusion: Option<Exclusion>,
    /// Whether the account has a limit or an exclusion that this version does not know.
    pub has_unknown_protection: bool,
    /// What the bettor's own limits of stakes and losses leave.
    pub allowances: Vec<Allowance>,
}

/// The bettor's open bets on one match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchFacts {
    /// The match.
    pub match_id: MatchId,
    /// Stakes before tax of the bettor's open bets on this match.
    pub stake: Money,
    /// Payouts of those bets.
    pub payout: Money,
}

/// Limits of one bettor over all open bets; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlacingLimits {
    /// Stakes of all open bets together.
    pub user_stake_max: Option<Money>,
    /// Stakes of all open bets on one match.
    pub match_stake_max: Option<Money>,
    /// Payouts of all open bets on one match.
    pub match_payout_max: Option<Money>,
}

/// A submitted ticket that passed [`check`](super::check) and may wait for its delay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    pub(super) ticket: SubmittedTicket,
    pub(super) bet: AcceptedBet,
}

impl Checked {
    /// The submitted ticket.
    pub fn ticket(&self) -> &SubmittedTicket {
        &self.ticket
    }

    /// The bet if it were accepted now.
    pub fn bet(&self) -> &AcceptedBet {
        &self.bet
    }

    /// The sports of its pairs: the one with the longest delay decides.
    pub fn sports(&self) -> impl Iterator<Item = SportId> {
        self.bet.pairs.iter().map(|pair| pair.snapshot.sport_id)
    }
}

/// An accepted bet: what the store writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedBet {
    /// Standard or system.
    pub kind: TicketKind,
    /// The k of a system bet.
    pub combination: Option<u8>,
    /// The consent that the bettor gave.
    pub consent: Consent,
    /// The amount that is debited: the stake before tax.
    pub bruto: Money,
    /// The numbers of the bet at the accepted odds.
    pub totals: Totals,
    /// In the order submitted.
    pub pairs: Vec<AcceptedPair>,
}

impl AcceptedBet {
    /// The total odd that counts for the bet, clamped to the rules.
    pub fn total_odd(&self) -> &ExactOdd {
        &self.totals.total_odd
    }
}

/// A pair of an accepted bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedPair {
    /// The match.
    pub match_id: MatchId,
    /// The odd's market.
    pub market_id: MarketId,
    /// The odd.
    pub odd_id: OddId,
    /// The price that the bettor saw.
    pub seen: Price,
    /// The price at which the pair was accepted.
    pub taken: Price,
    /// Whether the pair is part of every combination.
    pub is_fix: bool,
    /// The pair's texts when it was accepted.
    pub snapshot: Snapshot,
}
