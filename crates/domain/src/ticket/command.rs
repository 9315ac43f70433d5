//! Commands on the ticket (CONTRACT 3, the hub's verbs) and the reasons why they are rejected. The hub parses the
//! commands and acknowledges with the errors' codes (docs/protocol.md).

use super::state::{Consent, TicketKind};
use crate::ids::{MarketId, MatchId, OddId};
use thiserror::Error;

/// One verb with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TicketCommand {
    /// `pick`: toggles an odd.
    Pick {
        /// The match of the odd.
        match_id: MatchId,
        /// The market of the odd.
        market_id: MarketId,
        /// The odd.
        odd_id: OddId,
    },
    /// `drop`: removes the pair of a match.
    Drop(MatchId),
    /// `fix`: fixes or unfixes the pair of a match.
    Fix {
        /// The match of the pair.
        match_id: MatchId,
        /// True to fix, false to unfix.
        on: bool,
    },
    /// `type`: standard or system.
    Type(TicketKind),
    /// `combination`: selects k, or none.
    Combination(Option<u8>),
    /// `stake`: the text as typed.
    Stake(String),
    /// `consent`: which odds changes are accepted without asking again.
    Consent(Consent),
    /// `clear`: removes all pairs.
    Clear,
}

/// Why a command changed nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TicketError {
    /// The offer has no such match, or there is no offer.
    #[error("the offer has no such match")]
    UnknownMatch,
    /// The match has no such market.
    #[error("the match has no such market")]
    UnknownMarket,
    /// The market has no such odd.
    #[error("the market has no such odd")]
    UnknownOdd,
    /// The odd's value is 0.
    #[error("the odd is not offered")]
    NotOffered,
    /// The ticket has as many pairs as the rules allow.
    #[error("the ticket holds no more pairs")]
    TooManyPairs,
    /// A pair to be fixed is not on the ticket.
    #[error("the match is not on the ticket")]
    NotOnTicket,
    /// There is no combination with this k.
    #[error("there is no such combination")]
    NoSuchCombination,
    /// The session has as many favourites as it may have.
    #[error("there is no room for more favourites")]
    TooManyFavourites,
    /// Invalid arguments for the verb; found by the parser.
    #[error("the verb does not take these arguments")]
    WrongArguments,
}

impl TicketError {
    /// Every error, for documents and tests.
    pub const ALL: [TicketError; 9] = [
        TicketError::UnknownMatch,
        TicketError::UnknownMarket,
        TicketError::UnknownOdd,
        TicketError::NotOffered,
        TicketError::TooManyPairs,
        TicketError::NotOnTicket,
        TicketError::NoSuchCombination,
        TicketError::TooManyFavourites,
        TicketError::WrongArguments,
    ];

    /// The code of the acknowledgement.
    pub const fn code(self) -> &'static str {
        match self {
            TicketError::UnknownMatch => "unknown_match",
            TicketError::UnknownMarket => "unknown_market",
            TicketError::UnknownOdd => "unknown_odd",
            TicketError::NotOffered => "not_offered",
            TicketError::TooManyPairs => "too_many_pairs",
            TicketError::NotOnTicket => "not_on_ticket",
            TicketError::NoSuchCombination => "no_such_combination",
            TicketError::TooManyFavourites => "too_many_favourites",
            TicketError::WrongArguments => "wrong_arguments",
        }
    }
}
