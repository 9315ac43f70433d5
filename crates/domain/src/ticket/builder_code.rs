//! Why a ticket cannot be sent yet (CONTRACT 4, *Builder codes*). The client shows these warnings without a request to
//! the server.

use super::bettable::bettable;
use super::offer_view::OfferView;
use super::state::{Ticket, TicketKind};

/// A reason, with its number in the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuilderCode {
    /// 2: the ticket has no pairs.
    EmptyTicket,
    /// 1: a pair cannot be bet on.
    PairCannotBeBetOn,
    /// 0: a system ticket with no combination selected.
    NoCombination,
}

impl BuilderCode {
    /// The number in the contract.
    pub const fn number(self) -> u8 {
        match self {
            BuilderCode::EmptyTicket => 2,
            BuilderCode::PairCannotBeBetOn => 1,
            BuilderCode::NoCombination => 0,
        }
    }

    /// The translation key of the warning.
    pub const fn key(self) -> &'static str {
        match self {
            BuilderCode::EmptyTicket => "liveEmptyTicketPairs",
            BuilderCode::PairCannotBeBetOn => "liveRemoveDisabledPairs",
            BuilderCode::NoCombination => "liveAtLeastOneComb",
        }
    }
}

/// The first reason in the contract's order of checking (2, 1, 0); `None` if the ticket can be sent.
pub fn builder_code(ticket: &Ticket, view: &impl OfferView) -> Option<BuilderCode> {
    if ticket.pairs.is_empty() {
        return Some(BuilderCode::EmptyTicket);
    }
    let mut pairs = ticket.pairs.iter();
    if pairs.any(|pair| bettable(view, pair.match_id, Some(pair.market_id), pair.odd_id).is_err()) {
        return Some(BuilderCode::PairCannotBeBetOn);
    }
    let has_combination = ticket.combination.is_some_and(|k| ticket.has_combination(k));
    (ticket.kind == TicketKind::System && !has_combination).then_some(BuilderCode::NoCombination)
}
