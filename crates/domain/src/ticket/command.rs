//! What a bettor may ask of the ticket (CONTRACT 3, the verbs of the hub), and why it may not be done. Made by the hub
//! from what it reads; the errors' codes are what it acknowledges with (docs/protocol.md).

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
    /// `drop`: takes the pair of a match off.
    Drop(MatchId),
    /// `fix`: fixes or frees the pair of a match.
    Fix {
        /// Which.
        match_id: MatchId,
        /// Fixed, or freed.
        on: bool,
    },
    /// `type`: standard or system.
    Type(TicketKind),
    /// `combination`: chooses k, or none.
    Combination(Option<u8>),
    /// `stake`: a text as it was typed.
    Stake(String),
    /// `consent`: which changes are taken without being asked again.
    Consent(Consent),
    /// `clear`: takes all pairs off.
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
    /// As many pairs as the rules allow are on the ticket.
    #[error("the ticket holds no more pairs")]
    TooManyPairs,
    /// A pair to be fixed is not on the ticket.
    #[error("the match is not on the ticket")]
    NotOnTicket,
    /// There is no combination of that k.
    #[error("there is no such combination")]
    NoSuchCombination,
    /// As many favourites as a session may have.
    #[error("there is no room for more favourites")]
    TooManyFavourites,
    /// Arguments the verb does not take, found by whoever reads them.
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
