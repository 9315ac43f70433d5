//! Decides what a command does to a ticket: events, or the reason why it is rejected (CONTRACT 4, *Pairs* and *Stake*).
//! The session actor applies the events, saves and publishes them. No event and no error means that nothing had to
//! change.

use super::command::{TicketCommand, TicketError};
use super::offer_view::OfferView;
use super::rules::Rules;
use super::stake::stake_of;
use super::state::{Pair, Ticket, TicketEvent};
use crate::favourites::Favourites;
use crate::ids::{MarketId, MatchId, OddId};

/// The events of a command.
///
/// # Errors
/// [`TicketError`] if the offer or the ticket does not allow it; the ticket stays unchanged.
pub fn decide(
    ticket: &Ticket,
    command: &TicketCommand,
    view: &impl OfferView,
    rules: &Rules,
) -> Result<Vec<TicketEvent>, TicketError> {
    let event = match command {
        TicketCommand::Pick { match_id, market_id, odd_id } => {
            Some(pick(ticket, (*match_id, *market_id, *odd_id), view, rules)?)
        }
        TicketCommand::Drop(match_id) => ticket.pair(*match_id).map(|_| TicketEvent::PairDropped(*match_id)),
        TicketCommand::Fix { match_id, on } => {
            let pair = ticket.pair(*match_id).ok_or(TicketError::NotOnTicket)?;
            (pair.is_fix != *on).then_some(TicketEvent::FixSet { match_id: *match_id, on: *on })
        }
        TicketCommand::Type(kind) => (ticket.kind != *kind).then_some(TicketEvent::KindChosen(*kind)),
        TicketCommand::Combination(k) => {
            if k.is_some_and(|k| !ticket.has_combination(k)) {
                return Err(TicketError::NoSuchCombination);
            }
            (ticket.combination != *k).then_some(TicketEvent::CombinationChosen(*k))
        }
        TicketCommand::Stake(text) => {
            let stake = stake_of(text, ticket.stake, &rules.limits);
            (ticket.stake != stake).then_some(TicketEvent::StakeSet(stake))
        }
        TicketCommand::Consent(consent) => (ticket.consent != *consent).then_some(TicketEvent::ConsentGiven(*consent)),
        TicketCommand::Clear => (!ticket.pairs.is_empty()).then_some(TicketEvent::Cleared),
    };
    Ok(event.map_or_else(Vec::new, |event| with_lost_combination(ticket, event)))
}

/// The events when a match leaves the offer.
pub fn match_deleted(ticket: &Ticket, match_id: MatchId) -> Vec<TicketEvent> {
    match ticket.pair(match_id) {
        Some(_) => with_lost_combination(ticket, TicketEvent::MatchLeft(match_id)),
        None => Vec::new(),
    }
}

/// Adds or removes a favourite match; true if anything changed. A match can be removed even when the offer no longer
/// has it.
///
/// # Errors
/// [`TicketError::UnknownMatch`] and [`TicketError::TooManyFavourites`], when adding.
pub fn mark_favourite(
    favourites: &mut Favourites,
    match_id: MatchId,
    on: bool,
    is_known: impl FnOnce(MatchId) -> bool,
) -> Result<bool, TicketError> {
    if !on {
        return Ok(favourites.remove(match_id));
    }
    if favourites.contains(match_id) {
        return Ok(false);
    }
    if !is_known(match_id) {
        return Err(TicketError::UnknownMatch);
    }
    if favourites.is_full() {
        return Err(TicketError::TooManyFavourites);
    }
    Ok(favourites.insert(match_id))
}

fn pick(
    ticket: &Ticket,
    (match_id, market_id, odd_id): (MatchId, MarketId, OddId),
    view: &impl OfferView,
    rules: &Rules,
) -> Result<TicketEvent, TicketError> {
    let held = ticket.pair(match_id);
    // Checked first, so that an odd can always be unpicked, even if it has left the offer.
    if held.is_some_and(|held| held.odd_id == odd_id) {
        return Ok(TicketEvent::PairDropped(match_id));
    }
    let quote = view.quote(match_id, odd_id).ok_or(TicketError::UnknownMatch)?;
    if !view.has_market(match_id, market_id) {
        return Err(TicketError::UnknownMarket);
    }
    let odd = quote.odd.as_ref().filter(|odd| odd.market_id == market_id).ok_or(TicketError::UnknownOdd)?;
    if odd.offered().is_none() {
        return Err(TicketError::NotOffered);
    }
    if held.is_none() && ticket.pairs.len() >= rules.limits.max_pairs {
        return Err(TicketError::TooManyPairs);
    }
    let is_fix = held.is_some_and(|held| held.is_fix);
    let pair = Pair { match_id, market_id, odd_id, picked: odd.price, is_fix, snapshot: quote.snapshot(odd) };
    Ok(if held.is_some() { TicketEvent::PairReplaced(pair) } else { TicketEvent::PairAdded(pair) })
}

/// The event, followed by the loss of the chosen combination if the event removed it.
fn with_lost_combination(ticket: &Ticket, event: TicketEvent) -> Vec<TicketEvent> {
    let mut after = ticket.clone();
    after.apply(&event);
    let is_choice = matches!(event, TicketEvent::CombinationChosen(_));
    let is_lost = !is_choice && ticket.combination.is_some() && after.combination.is_none();
    let lost = is_lost.then_some(TicketEvent::CombinationChosen(None));
    [event].into_iter().chain(lost).collect()
}
