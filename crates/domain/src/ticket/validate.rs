//! Validates a submitted ticket twice: [`check`] before the in-play delay, [`revalidate`] after it (CONTRACT 4,
//! *Placing*). The placement calls both, waits in between and stores the bet. The server's own numbers decide;
//! submitted numbers are only compared with them. See `docs/life-of-a-bet.md`.
//!
//! The order of [`check`]; the first failure is the rejection, and pairs are checked in the order submitted:
//!
//! 1. *The shape*, which needs only the slip: pairs, not too many, no match twice, no odd of 0; no fix in a
//!    standard ticket; a combination that exists, not too many of them.
//! 2. *The stake* before tax is within the rules.
//! 3. *The amounts* submitted match those computed from the submitted odds.
//! 4. *The feed*, then *each pair*: known, its fields match the offer, bettable, its odd not changed against the
//!    consent.
//! 5. *The account*: exclusion, balance, the limits that the bettor has set, then those of the installation: of the
//!    bettor, of each match, and on payouts at the accepted odds.
//!
//! After the delay 2, 4 and 5 are checked again. The pair must still mean the line and the outcome of the first check:
//! a producer may reuse the ids of a market and its odds for another line. Names may change. During the delay
//! [`revalidate_during_delay`] applies step 4 to every change of a match of the ticket.

use super::bettable::{CannotBet, bettable};
use super::combinations::combinations;
use super::offer_view::{FeedHealth, MatchQuote, OddQuote, OfferView};
use super::rejection::{Amount, Contradiction, Rejection};
use super::rules::Rules;
use super::slip::{AcceptedBet, AcceptedPair, AccountFacts, Checked, PlacingLimits, SubmittedPair, SubmittedTicket};
use super::state::{Consent, Snapshot};
use super::totals::{Leg, Totals, totals};
use crate::Text;
use crate::ids::{MatchId, OddId};
use crate::money::Money;
use crate::price::Price;
use std::collections::HashSet;

/// Validates a ticket when it arrives.
///
/// # Errors
/// The first [`Rejection`] in the order above.
pub fn check(
    ticket: &SubmittedTicket,
    view: &impl OfferView,
    rules: &Rules,
    account: &AccountFacts,
    limits: &PlacingLimits,
) -> Result<Checked, Rejection> {
    check_shape(ticket, rules)?;
    check_stake(ticket.bruto, rules)?;
    check_amounts(ticket, rules)?;
    let pairs = ticket.pairs.iter().map(|pair| {
        // Without a feed no match is known, so the rejection must name the feed and not the match.
        if view.feed() == FeedHealth::Active {
            check_names(pair, view)?;
        }
        take(pair, None, ticket.consent, view)
    });
    let pairs = pairs.collect::<Result<Vec<AcceptedPair>, Rejection>>()?;
    let bet = accept(ticket, pairs, rules, account, limits)?;
    Ok(Checked { ticket: ticket.clone(), bet })
}

/// Revalidates a checked ticket at the end of its delay, against the offer, the rules and the account of that moment.
///
/// # Errors
/// The first [`Rejection`] in the order above.
pub fn revalidate(
    checked: &Checked,
    view: &impl OfferView,
    rules: &Rules,
    account: &AccountFacts,
    limits: &PlacingLimits,
) -> Result<AcceptedBet, Rejection> {
    let ticket = &checked.ticket;
    // The rules may have changed if the server was restarted during the delay.
    check_stake(ticket.bruto, rules)?;
    // `check` keeps the order of the pairs, so the two lists match.
    let with_first = ticket.pairs.iter().zip(&checked.bet.pairs);
    let pairs = with_first.map(|(pair, first)| take(pair, Some(first), ticket.consent, view));
    let pairs = pairs.collect::<Result<Vec<AcceptedPair>, Rejection>>()?;
    accept(ticket, pairs, rules, account, limits)
}

/// Revalidates a checked ticket during its delay, after a change of one match or, if `match_id` is `None`, of the feed.
/// A stop during the delay rejects the bet even if betting resumes. So does an odd that moved against the consent and
/// came back (CONTRACT 4, *In-play delay*).
///
/// # Errors
/// The first [`Rejection`], in the order of the pairs.
pub fn revalidate_during_delay(
    checked: &Checked,
    match_id: Option<MatchId>,
    view: &impl OfferView,
) -> Result<(), Rejection> {
    let ticket = &checked.ticket;
    let with_first = ticket.pairs.iter().zip(&checked.bet.pairs);
    let mut concerned = with_first.filter(|(pair, _)| match_id.is_none_or(|id| pair.match_id == id));
    concerned.try_for_each(|(pair, first)| acceptable(pair, Some(first), ticket.consent, view).map(drop))
}

/// A pair of a rejected ticket that the bettor must look at again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedPair {
    /// The match.
    pub match_id: MatchId,
    /// The odd.
    pub odd_id: OddId,
    /// The odd's value in the submitted ticket.
    pub submitted: Price,
    /// Its value now; `None` if it is not offered.
    pub current: Option<Price>,
    /// Why the pair cannot be bet on; `None` if it can.
    pub reason: Option<CannotBet>,
}

/// All pairs of a ticket whose odd changed or that cannot be bet on, in the order submitted.
pub fn changed_pairs(ticket: &SubmittedTicket, view: &impl OfferView) -> Vec<ChangedPair> {
    let changed = ticket.pairs.iter().filter_map(|pair| {
        let (match_id, odd_id, submitted) = (pair.match_id, pair.odd_id, pair.odd_value);
        let (current, reason) = match bettable(view, match_id, None, odd_id) {
            Ok((_, odd)) if odd.price == submitted => return None,
            Ok((_, odd)) => (Some(odd.price), None),
            Err(reason) => {
                let odd = view.quote(match_id, odd_id).and_then(|quote| quote.odd);
                (odd.and_then(|odd| odd.offered()), Some(reason))
            }
        };
        Some(ChangedPair { match_id, odd_id, submitted, current, reason })
    });
    changed.collect()
}

fn check_shape(ticket: &SubmittedTicket, rules: &Rules) -> Result<(), Rejection> {
    let limits = &rules.limits;
    let count = ticket.pairs.len();
    if count == 0 {
        return Err(Rejection::Empty);
    }
    if count > limits.max_pairs {
        return Err(Rejection::TooManyPairs { count, max: limits.max_pairs });
    }
    let mut seen = HashSet::new();
    if let Some(pair) = ticket.pairs.iter().find(|pair| !seen.insert(pair.match_id)) {
        return Err(Rejection::MatchTwice { match_id: pair.match_id });
    }
    if let Some(pair) = ticket.pairs.iter().find(|pair| !pair.odd_value.is_offered()) {
        return Err(Rejection::NotBettable { match_id: pair.match_id, reason: CannotBet::OddWithdrawn });
    }
    let free = ticket.pairs.iter().filter(|pair| !pair.is_fix).count();
    let Some(k) = ticket.combination() else {
        return if free < count { Err(Rejection::FixInStandard) } else { Ok(()) };
    };
    if usize::from(k) >= free {
        return Err(Rejection::NoSuchCombination { k, free });
    }
    let count = combinations(free, k.into());
    if count > limits.max_combinations {
        return Err(Rejection::TooManyCombinations { count, max: limits.max_combinations });
    }
    Ok(())
}

fn check_stake(stake: Money, rules: &Rules) -> Result<(), Rejection> {
    let (min, max) = (rules.limits.min_stake, rules.limits.max_stake);
    if stake < min || stake > max { Err(Rejection::StakeOutOfRange { stake, min, max }) } else { Ok(()) }
}

fn check_amounts(ticket: &SubmittedTicket, rules: &Rules) -> Result<(), Rejection> {
    let legs = ticket.pairs.iter().map(|pair| Leg { price: pair.odd_value, is_fix: pair.is_fix });
    let computed = totals_at(ticket, legs.collect(), rules);
    for (amount, submitted, computed) in [
        (Amount::Stake, ticket.stake, computed.taxed_stake),
        (Amount::PotentialWin, ticket.potential_win, computed.possible_win),
        (Amount::WinTax, ticket.win_tax, computed.win_tax),
        (Amount::Payout, ticket.payout, computed.possible_payout),
    ] {
        if submitted != computed {
            return Err(Rejection::AmountDiffers { amount, submitted, computed });
        }
    }
    Ok(())
}

fn totals_at(ticket: &SubmittedTicket, legs: Vec<Leg>, rules: &Rules) -> Totals {
    totals(ticket.kind(), ticket.combination(), &legs, ticket.bruto, rules)
}

fn check_names(pair: &SubmittedPair, view: &impl OfferView) -> Result<(), Rejection> {
    let (match_id, odd_id) = (pair.match_id, pair.odd_id);
    let quote = view.quote(match_id, odd_id).ok_or(Rejection::UnknownMatch { match_id })?;
    let odd = quote.odd.ok_or(Rejection::UnknownOdd { match_id, odd_id })?;
    contradiction(pair, &odd).map_or(Ok(()), |what| Err(Rejection::Contradiction { match_id, what }))
}

/// The match and the odd of a pair that can be accepted now. `first` is the pair at the first check, `None` during that
/// check.
fn acceptable(
    pair: &SubmittedPair,
    first: Option<&AcceptedPair>,
    consent: Consent,
    view: &impl OfferView,
) -> Result<(MatchQuote, OddQuote), Rejection> {
    let (match_id, odd_id) = (pair.match_id, pair.odd_id);
    let found = bettable(view, match_id, first.map(|first| first.market_id), odd_id);
    let (quote, odd) = found.map_err(|reason| Rejection::NotBettable { match_id, reason })?;
    if let Some(what) = first.and_then(|first| changed_meaning(&first.snapshot, &odd)) {
        return Err(Rejection::OutcomeChanged { match_id, what });
    }
    if !consent.allows(pair.odd_value, odd.price) {
        return Err(Rejection::OddChanged { match_id, seen: pair.odd_value, now: odd.price });
    }
    Ok((quote, odd))
}

/// Whether the ids of a pair now mean another line or outcome. Compares only the primary language: texts of other
/// languages arrive later and may still describe the previous line.
fn changed_meaning(first: &Snapshot, odd: &OddQuote) -> Option<Contradiction> {
    // An absent text equals an empty one, and an absent variant equals 0, as in a submitted pair.
    let text = |text: &Option<Text>| text.clone().unwrap_or_default();
    [
        (first.market_kind != odd.market_kind, Contradiction::MarketType),
        (first.market_subtype.unwrap_or(0) != odd.market_subtype.unwrap_or(0), Contradiction::MarketSubtype),
        (text(&first.sbv) != text(&odd.sbv), Contradiction::Sbv),
        (text(&first.odd_kind) != text(&odd.odd_kind), Contradiction::OddType),
    ]
    .into_iter()
    .find_map(|(has_changed, what)| has_changed.then_some(what))
}

/// The pair at its current odd.
fn take(
    pair: &SubmittedPair,
    first: Option<&AcceptedPair>,
    consent: Consent,
    view: &impl OfferView,
) -> Result<AcceptedPair, Rejection> {
    let (quote, odd) = acceptable(pair, first, consent, view)?;
    Ok(AcceptedPair {
        match_id: pair.match_id,
        market_id: odd.market_id,
        odd_id: pair.odd_id,
        seen: pair.odd_value,
        taken: odd.price,
        is_fix: pair.is_fix,
        snapshot: quote.snapshot(&odd),
    })
}

fn contradiction(pair: &SubmittedPair, odd: &OddQuote) -> Option<Contradiction> {
    let text = |text: &Option<Text>| text.clone().unwrap_or_default();
    let kind = text(&pair.odd_kind);
    let is_kind = kind == text(&odd.odd_kind) || odd.other_kinds.contains(&kind);
    [
        (pair.market_kind != odd.market_kind, Contradiction::MarketType),
        // A market without a subtype has subtype 0 for clients that count from 0.
        (
            pair.market_subtype.is_some_and(|subtype| subtype != odd.market_subtype.unwrap_or(0)),
            Contradiction::MarketSubtype,
        ),
        (shortest(&text(&pair.sbv)) != shortest(&text(&odd.sbv)), Contradiction::Sbv),
        (!is_kind, Contradiction::OddType),
    ]
    .into_iter()
    .find_map(|(contradicts, what)| contradicts.then_some(what))
}

/// An sbv without the zeros that mean nothing, as a client may send it as a number (CONTRACT 0): `2.50` is `2.5`.
fn shortest(sbv: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match sbv.split_once('.') {
        Some((whole, part)) if is_number(whole.trim_start_matches('-')) && is_number(part) => {
            sbv.trim_end_matches('0').trim_end_matches('.')
        }
        _ => sbv,
    }
}

/// The bet at the accepted odds, if the account allows it.
fn accept(
    ticket: &SubmittedTicket,
    pairs: Vec<AcceptedPair>,
    rules: &Rules,
    account: &AccountFacts,
    limits: &PlacingLimits,
) -> Result<AcceptedBet, Rejection> {
    let legs = pairs.iter().map(|pair| Leg { price: pair.taken, is_fix: pair.is_fix });
    let totals = totals_at(ticket, legs.collect(), rules);
    let stake = ticket.bruto;
    if let Some(exclusion) = account.exclusion {
        return Err(Rejection::Excluded { kind: exclusion.kind });
    }
    if account.has_unknown_protection {
        return Err(Rejection::UnknownProtection);
    }
    if stake > account.balance {
        return Err(Rejection::NotEnoughBalance { stake, balance: account.balance });
    }
    if let Some(allowance) = account.allowances.iter().find(|allowance| stake > allowance.left) {
        return Err(Rejection::OwnLimit { kind: allowance.kind, left: allowance.left });
    }
    if let Some(max) = limits.user_stake_max.filter(|max| exceeds(account.user_stake, stake, *max)) {
        return Err(Rejection::UserStakeLimit { max });
    }
    for match_id in pairs.iter().map(|pair| pair.match_id) {
        let (staked, payouts) = on_match(account, match_id);
        if let Some(max) = limits.match_stake_max.filter(|max| exceeds(staked, stake, *max)) {
            return Err(Rejection::MatchStakeLimit { match_id, max });
        }
        if let Some(max) = limits.match_payout_max.filter(|max| exceeds(payouts, totals.possible_payout, *max)) {
            return Err(Rejection::MatchPayoutLimit { match_id, max });
        }
    }
    let (kind, combination) = (ticket.kind(), ticket.combination());
    Ok(AcceptedBet { kind, combination, consent: ticket.consent, bruto: stake, totals, pairs })
}

fn on_match(account: &AccountFacts, match_id: MatchId) -> (Money, Money) {
    let facts = account.matches.iter().find(|facts| facts.match_id == match_id);
    facts.map_or((Money::ZERO, Money::ZERO), |facts| (facts.stake, facts.payout))
}

/// A sum that overflows is above any limit.
fn exceeds(so_far: Money, more: Money, max: Money) -> bool {
    so_far.checked_add(more).is_none_or(|sum| sum > max)
}
