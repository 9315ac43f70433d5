//! The ticket that a bettor is composing, and how events change it (CONTRACT 4, *Pairs*). The session actor keeps and
//! saves it. Must not hold current prices: they are read from the offer when needed.

use crate::Text;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::money::Money;
use crate::price::Price;

/// How the pairs are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TicketKind {
    /// Type 0: one bet on all pairs together.
    #[default]
    Standard,
    /// Type 1: all subsets of size k of the pairs that are not fixed, each with all fixed pairs.
    System,
}

impl TicketKind {
    /// The kind for a type number of the hub, 0 or 1.
    pub const fn from_type(number: u64) -> Option<TicketKind> {
        match number {
            0 => Some(TicketKind::Standard),
            1 => Some(TicketKind::System),
            _ => None,
        }
    }

    /// The type number of the hub.
    pub const fn as_type(self) -> u8 {
        match self {
            TicketKind::Standard => 0,
            TicketKind::System => 1,
        }
    }
}

/// Which odds changes a bettor accepts without being asked again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Consent {
    /// Any change rejects the bet.
    #[default]
    None,
    /// A higher odd is accepted; a lower odd rejects the bet.
    Higher,
    /// Every change is accepted.
    Any,
}

impl Consent {
    /// The consent for a code of the hub or of a submitted ticket.
    pub fn from_code(code: &str) -> Option<Consent> {
        [Consent::None, Consent::Higher, Consent::Any].into_iter().find(|consent| consent.code() == code)
    }

    /// Its code: `none`, `higher` or `any`.
    pub const fn code(self) -> &'static str {
        match self {
            Consent::None => "none",
            Consent::Higher => "higher",
            Consent::Any => "any",
        }
    }

    /// Whether a bet may be accepted at the odd `now` when the bettor saw `seen`.
    pub fn allows(self, seen: Price, now: Price) -> bool {
        match self {
            Consent::None => now == seen,
            Consent::Higher => now >= seen,
            Consent::Any => true,
        }
    }
}

/// One match with its chosen market and odd.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The match; a ticket has one pair per match.
    pub match_id: MatchId,
    /// The market of the odd.
    pub market_id: MarketId,
    /// The odd that was picked.
    pub odd_id: OddId,
    /// Its price when it was picked; never 0.
    pub picked: Price,
    /// Whether it is part of every combination of a system ticket; kept without effect in a standard one.
    pub is_fix: bool,
    /// The pair's texts when it was picked.
    pub snapshot: Snapshot,
}

/// The texts and types of a pair in the primary language: shown when the offer no longer has it, and kept with the bet.
/// Texts in other languages are looked up by id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The sport it is played in.
    pub sport_id: SportId,
    /// The side named first.
    pub home: Option<Text>,
    /// The side named second.
    pub away: Option<Text>,
    /// The tournament.
    pub tournament: Option<Text>,
    /// The market's type.
    pub market_kind: i64,
    /// The type's variant.
    pub market_subtype: Option<i64>,
    /// The market's name.
    pub market_name: Option<Text>,
    /// The special bet value.
    pub sbv: Option<Text>,
    /// The odd's type, which is its name unless it has another one.
    pub odd_kind: Option<Text>,
    /// The name of an odd with an outcome id of a provider as its type.
    pub odd_name: Option<Text>,
}

/// The ticket of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Standard or system.
    pub kind: TicketKind,
    /// In the order they were picked; one pair per match.
    pub pairs: Vec<Pair>,
    /// The selected k of a system ticket: from 1 to one less than the pairs that are not fixed, or `None`. Kept while
    /// the ticket is a standard one.
    pub combination: Option<u8>,
    /// The last valid stake, before tax.
    pub stake: Money,
    /// Which odds changes are accepted without asking again.
    pub consent: Consent,
}

/// A change of a ticket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TicketEvent {
    /// An odd of a match that was not on the ticket: the pair is appended.
    PairAdded(Pair),
    /// Another odd of a match on the ticket: the pair keeps its position and whether it is fixed.
    PairReplaced(Pair),
    /// The bettor removed a pair.
    PairDropped(MatchId),
    /// A pair was removed because its match left the offer.
    MatchLeft(MatchId),
    /// A pair was fixed or unfixed.
    FixSet {
        /// The match of the pair.
        match_id: MatchId,
        /// True if fixed, false if unfixed.
        on: bool,
    },
    /// The kind changed.
    KindChosen(TicketKind),
    /// A combination was selected, or the selected one no longer exists.
    CombinationChosen(Option<u8>),
    /// The stake changed to a valid amount.
    StakeSet(Money),
    /// The consent changed.
    ConsentGiven(Consent),
    /// All pairs and the combination were removed; stake, kind and consent stay.
    Cleared,
}

impl Ticket {
    /// The ticket of a new session, with the minimum stake. Higher odds are accepted until the bettor chooses otherwise.
    pub fn empty(min_stake: Money) -> Ticket {
        let kind = TicketKind::Standard;
        Ticket { kind, pairs: Vec::new(), combination: None, stake: min_stake, consent: Consent::Higher }
    }

    /// The pair of a match.
    pub fn pair(&self, match_id: MatchId) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.match_id == match_id)
    }

    /// Pairs that are not fixed (the contract's m), for either kind of ticket.
    pub fn number_of_free_pairs(&self) -> usize {
        self.pairs.iter().filter(|pair| !pair.is_fix).count()
    }

    /// Whether there is a combination with this k: `1 <= k <= m - 1`.
    pub fn has_combination(&self, k: u8) -> bool {
        k >= 1 && usize::from(k) < self.number_of_free_pairs()
    }

    /// Applies an event. An event for a missing pair changes nothing. No event leaves two pairs of one match, or a
    /// combination that does not exist: saved events may be older than the code.
    pub fn apply(&mut self, event: &TicketEvent) {
        match event {
            TicketEvent::PairAdded(pair) | TicketEvent::PairReplaced(pair) => {
                match self.pairs.iter_mut().find(|held| held.match_id == pair.match_id) {
                    Some(held) => held.clone_from(pair),
                    None => self.pairs.push(pair.clone()),
                }
            }
            TicketEvent::PairDropped(match_id) | TicketEvent::MatchLeft(match_id) => {
                self.pairs.retain(|pair| pair.match_id != *match_id);
            }
            TicketEvent::FixSet { match_id, on } => {
                if let Some(pair) = self.pairs.iter_mut().find(|pair| pair.match_id == *match_id) {
                    pair.is_fix = *on;
                }
            }
            TicketEvent::KindChosen(kind) => self.kind = *kind,
            TicketEvent::CombinationChosen(k) => self.combination = *k,
            TicketEvent::StakeSet(stake) => self.stake = *stake,
            TicketEvent::ConsentGiven(consent) => self.consent = *consent,
            TicketEvent::Cleared => self.pairs.clear(),
        }
        if self.combination.is_some_and(|k| !self.has_combination(k)) {
            self.combination = None;
        }
    }

    /// The ticket after a login (CONTRACT 2): the anonymous ticket replaces the saved one if it has pairs.
    pub fn at_login(anonymous: Ticket, saved: Option<Ticket>) -> Ticket {
        match saved {
            Some(saved) if anonymous.pairs.is_empty() => saved,
            _ => anonymous,
        }
    }
}
