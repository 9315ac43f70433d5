//! The ticket as a bettor is putting it together, and what each event makes of it (CONTRACT 4, *Pairs*). Kept by the
//! session's actor and saved as it is. It holds no price of now: that is the offer's, asked for when it is needed.

use crate::Text;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::money::Money;
use crate::price::Price;

/// How the pairs are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TicketKind {
    /// Type 0: one bet on all pairs together.
    #[default]
    Standard,
    /// Type 1: all subsets of a size of the free pairs, each with all fixed ones.
    System,
}

impl TicketKind {
    /// The kind of a type as the hub says it: 0 or 1.
    pub const fn from_type(number: u64) -> Option<TicketKind> {
        match number {
            0 => Some(TicketKind::Standard),
            1 => Some(TicketKind::System),
            _ => None,
        }
    }

    /// The type as the hub says it.
    pub const fn as_type(self) -> u8 {
        match self {
            TicketKind::Standard => 0,
            TicketKind::System => 1,
        }
    }
}

/// Which changes of its odds a bettor takes without being asked again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Consent {
    /// None: any change refuses the bet.
    #[default]
    None,
    /// Higher odds are taken, a lower one refuses the bet.
    Higher,
    /// All of them.
    Any,
}

impl Consent {
    /// The consent of its word in the hub and in a submitted ticket.
    pub fn from_code(code: &str) -> Option<Consent> {
        [Consent::None, Consent::Higher, Consent::Any].into_iter().find(|consent| consent.code() == code)
    }

    /// Its word: `none`, `higher` or `any`.
    pub const fn code(self) -> &'static str {
        match self {
            Consent::None => "none",
            Consent::Higher => "higher",
            Consent::Any => "any",
        }
    }

    /// Whether an odd that was `seen` may be taken at what it is `now`.
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
    /// The match; one pair a match.
    pub match_id: MatchId,
    /// The market of the odd.
    pub market_id: MarketId,
    /// The odd that was picked.
    pub odd_id: OddId,
    /// Its price when it was picked; never 0.
    pub picked: Price,
    /// Stands in every combination of a system ticket; kept without effect in a standard one.
    pub is_fix: bool,
    /// What it looked like when it was picked.
    pub snapshot: Snapshot,
}

/// What a pair looked like, in the primary language: shown when the offer no longer has it, kept with the bet. Other
/// languages are looked up by ids where texts are made.
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
    /// The odd's type, which is its name.
    pub odd_kind: Option<Text>,
}

/// The ticket of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Standard or system.
    pub kind: TicketKind,
    /// In the order they were picked; one a match.
    pub pairs: Vec<Pair>,
    /// The chosen k of a system ticket. Between 1 and one less than the free pairs, or nothing; kept while the ticket is
    /// a standard one.
    pub combination: Option<u8>,
    /// The last valid stake, before tax.
    pub stake: Money,
    /// What is taken without being asked again.
    pub consent: Consent,
}

/// What happened to a ticket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TicketEvent {
    /// An odd of a match that was not on the ticket: the pair is the last one now.
    PairAdded(Pair),
    /// Another odd of a match that was on the ticket: in the same place, as fixed as the one before.
    PairReplaced(Pair),
    /// A pair was taken off by the bettor.
    PairDropped(MatchId),
    /// A pair left because its match is no longer in the offer.
    MatchLeft(MatchId),
    /// A pair was fixed or freed.
    FixSet {
        /// Which.
        match_id: MatchId,
        /// Fixed, or freed.
        on: bool,
    },
    /// Standard or system.
    KindChosen(TicketKind),
    /// A combination was chosen, or the chosen one no longer exists.
    CombinationChosen(Option<u8>),
    /// A valid stake.
    StakeSet(Money),
    /// What is taken without being asked again.
    ConsentGiven(Consent),
    /// All pairs left at once, with the combination; stake, kind and consent stay.
    Cleared,
}

impl Ticket {
    /// The ticket of a new session, with the smallest stake.
    pub fn empty(min_stake: Money) -> Ticket {
        let kind = TicketKind::Standard;
        Ticket { kind, pairs: Vec::new(), combination: None, stake: min_stake, consent: Consent::None }
    }

    /// The pair of a match.
    pub fn pair(&self, match_id: MatchId) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.match_id == match_id)
    }

    /// Pairs that are not fixed (the contract's m), whatever the kind of the ticket.
    pub fn number_of_free_pairs(&self) -> usize {
        self.pairs.iter().filter(|pair| !pair.is_fix).count()
    }

    /// Whether there is a combination of k: `1 <= k <= m - 1`.
    pub fn has_combination(&self, k: u8) -> bool {
        k >= 1 && usize::from(k) < self.number_of_free_pairs()
    }

    /// What an event makes of it. An event about a pair that is not there changes nothing, and no event leaves two
    /// pairs of a match or a combination that does not exist: what is saved may be older than the code.
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

    /// The ticket after a login (CONTRACT 2): the anonymous one, if it has pairs, takes the place of the saved one.
    pub fn at_login(anonymous: Ticket, saved: Option<Ticket>) -> Ticket {
        match saved {
            Some(saved) if anonymous.pairs.is_empty() => saved,
            _ => anonymous,
        }
    }
}
