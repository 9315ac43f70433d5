//! A ticket as it is submitted (CONTRACT 4, *Placing*), already read from its body; what must be known of the account;
//! and the bet it becomes. Values only: `judge.rs` decides.

use super::exact::ExactOdd;
use super::state::{Consent, Snapshot, TicketKind};
use super::totals::Totals;
use crate::Text;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::money::Money;
use crate::price::Price;

/// A submitted ticket. Nothing of it is believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubmittedTicket {
    /// `stake`: after tax.
    pub stake: Money,
    /// `bruto`: before tax; what is debited.
    pub bruto: Money,
    /// `potentialWin`.
    pub potential_win: Money,
    /// `winTax`.
    pub win_tax: Money,
    /// `payout`.
    pub payout: Money,
    /// `systemType`: 0 standard, or the k of a system ticket.
    pub system_type: u8,
    /// `oddsPolicy`, or what `consentForChangedOdss` says: any or none.
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
    /// `marketSubType`; contradicts nothing where it is absent.
    pub market_subtype: Option<i64>,
    /// `sbv`; absent and empty are one, and mean a market without a line.
    pub sbv: Option<Text>,
    /// `oddType`, in any language of the offer; absent and empty are one.
    pub odd_kind: Option<Text>,
    /// `oddValue`: what the bettor saw.
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

/// What must be known of the bettor's account, as of now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccountFacts {
    /// What may be spent.
    pub balance: Money,
    /// Stakes before tax of the bettor's open bets.
    pub user_stake: Money,
    /// The same for matches of this ticket; a match that is not named has none.
    pub matches: Vec<MatchFacts>,
}

/// What the bettor has on a match already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchFacts {
    /// The match.
    pub match_id: MatchId,
    /// Stakes before tax of the bettor's open bets with this match.
    pub stake: Money,
    /// Payouts of those bets.
    pub payout: Money,
}

/// Limits of one bettor beyond those of a single ticket; nothing: no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlacingLimits {
    /// Stakes of all open bets together.
    pub user_stake_max: Option<Money>,
    /// Stakes of all open bets with one match.
    pub match_stake_max: Option<Money>,
    /// Payouts of all open bets with one match.
    pub match_payout_max: Option<Money>,
}

/// A submitted ticket that may wait for its delay. Made by `check` alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    pub(super) ticket: SubmittedTicket,
    pub(super) bet: AcceptedBet,
}

impl Checked {
    /// What was submitted.
    pub fn ticket(&self) -> &SubmittedTicket {
        &self.ticket
    }

    /// The bet it would be if it were taken now.
    pub fn bet(&self) -> &AcceptedBet {
        &self.bet
    }

    /// The sports of its pairs: the slowest of them says how long it waits.
    pub fn sports(&self) -> impl Iterator<Item = SportId> {
        self.bet.pairs.iter().map(|pair| pair.snapshot.sport_id)
    }
}

/// A bet as it is taken: what the store writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedBet {
    /// Standard or system.
    pub kind: TicketKind,
    /// The k of a system bet.
    pub combination: Option<u8>,
    /// What the bettor had agreed to.
    pub consent: Consent,
    /// What is debited: the stake before tax.
    pub bruto: Money,
    /// The numbers of the bet at the odds taken.
    pub totals: Totals,
    /// In the order submitted.
    pub pairs: Vec<TakenPair>,
}

impl AcceptedBet {
    /// The total odd as it counts.
    pub fn total_odd(&self) -> &ExactOdd {
        &self.totals.total_odd
    }
}

/// A pair of a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenPair {
    /// The match.
    pub match_id: MatchId,
    /// The odd's market.
    pub market_id: MarketId,
    /// The odd.
    pub odd_id: OddId,
    /// What the bettor saw.
    pub seen: Price,
    /// What it was taken at.
    pub taken: Price,
    /// Stands in every combination.
    pub is_fix: bool,
    /// What it looked like when it was taken.
    pub snapshot: Snapshot,
}
