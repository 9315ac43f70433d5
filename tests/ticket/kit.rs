//! An offer that is a table, and words that read well: `ticket().picks(&offer, 1)`.

use kvota::domain::aggregate::MatchState;
use kvota::domain::ids::{MarketId, MatchId, OddId};
use kvota::domain::lang::PerLang;
use kvota::domain::matches::Match;
use kvota::domain::money::Money;
use kvota::domain::ticket::{
    AccountFacts, Consent, FeedHealth, Leg, MatchQuote, OfferView, PlacingLimits, Rules, SubmittedPair,
    SubmittedTicket, Ticket, TicketCommand, TicketError, TicketEvent, TicketKind, Totals, decide, has_market, quote_in,
    totals,
};
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, price, result, total};
use std::collections::BTreeMap;

/// The offer of a test.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) feed: FeedHealth,
    pub(crate) matches: BTreeMap<MatchId, Match>,
}

impl OfferView for Offer {
    fn feed(&self) -> FeedHealth {
        self.feed
    }

    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote> {
        self.matches.get(&match_id).map(|live_match| quote_in(live_match, odd_id))
    }

    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool {
        self.matches.get(&match_id).is_some_and(|live_match| has_market(live_match, market_id))
    }
}

impl Offer {
    pub(crate) fn of(matches: impl IntoIterator<Item = MatchBuilder>) -> Offer {
        let matches = matches.into_iter().map(MatchBuilder::build).map(|live_match| (live_match.id, live_match));
        Offer { feed: FeedHealth::Active, matches: matches.collect() }
    }

    /// Matches 1, 2 … with these prices of their first odd. See [`usual_match`].
    pub(crate) fn with_prices(prices: &[&str]) -> Offer {
        Offer::of((1..).zip(prices).map(|(id, price)| usual_match(id, price)))
    }

    /// The same offer with one of its matches as it is now.
    pub(crate) fn now(&self, changed: MatchBuilder) -> Offer {
        let mut offer = self.clone();
        let changed = changed.build();
        offer.matches.insert(changed.id, changed);
        offer
    }

    /// The same offer without a match.
    pub(crate) fn without(&self, id: u64) -> Offer {
        let mut offer = self.clone();
        offer.matches.remove(&match_id(id)).expect("the match is in the offer");
        offer
    }

    /// The same offer while the feed stands so.
    pub(crate) fn while_feed_is(&self, feed: FeedHealth) -> Offer {
        Offer { feed, ..self.clone() }
    }
}

/// A match n with the result in market `10 n` (odds `1000 n` …) and a total on 2.5 in market `10 n + 1`.
pub(crate) fn usual_match(id: u64, price: &str) -> MatchBuilder {
    live_match(id).market(result(id * 10, [price, "3", "0"])).market(total(id * 10 + 1, "2.5", ["1.9", "1.8"]))
}

pub(crate) fn market_id(id: u64) -> MarketId {
    MarketId::new(id).expect("a market id is at most 2^53 - 1")
}

pub(crate) fn odd_id(id: u64) -> OddId {
    OddId::new(id).expect("an odd id is at most 2^53 - 1")
}

/// An amount from its text: `"10.50"`.
#[track_caller]
pub(crate) fn money(text: &str) -> Money {
    Money::parse(text).unwrap_or_else(|| panic!("{text} is no amount"))
}

/// The command that picks the home win of a usual match.
pub(crate) fn pick_home(id: u64) -> TicketCommand {
    pick(id, id * 10, id * 1_000)
}

pub(crate) fn pick(match_number: u64, market: u64, odd: u64) -> TicketCommand {
    TicketCommand::Pick { match_id: match_id(match_number), market_id: market_id(market), odd_id: odd_id(odd) }
}

pub(crate) fn fix(id: u64, on: bool) -> TicketCommand {
    TicketCommand::Fix { match_id: match_id(id), on }
}

/// The ticket of a new session under the default rules.
pub(crate) fn ticket() -> Ticket {
    Ticket::empty(money("1"))
}

/// What a command comes to: the events, applied.
pub(crate) fn asked(
    ticket: &mut Ticket,
    command: &TicketCommand,
    offer: &Offer,
) -> Result<Vec<TicketEvent>, TicketError> {
    let events = decide(ticket, command, offer, &Rules::default())?;
    events.iter().for_each(|event| ticket.apply(event));
    Ok(events)
}

/// A ticket after commands that are all allowed.
#[track_caller]
pub(crate) fn ticket_after(offer: &Offer, commands: &[TicketCommand]) -> Ticket {
    let mut ticket = ticket();
    for command in commands {
        if let Err(error) = asked(&mut ticket, command, offer) {
            panic!("{command:?}: {error}");
        }
    }
    ticket
}

/// Prices as legs; those before the semicolon are fixed: `"1.3 1.2; 2.2 1.9 1.5"`.
#[track_caller]
pub(crate) fn legs(text: &str) -> Vec<Leg> {
    let (fixed, free) = text.split_once(';').unwrap_or(("", text));
    let all = |text: &str, is_fix| {
        text.split_whitespace().map(move |text| Leg { price: price(text), is_fix }).collect::<Vec<Leg>>()
    };
    [all(fixed, true), all(free, false)].concat()
}

/// The numbers of a standard ticket (k 0) or of a system of k.
#[track_caller]
pub(crate) fn numbers(k: u8, odds: &str, stake: &str, rules: &Rules) -> Totals {
    let kind = if k == 0 { TicketKind::Standard } else { TicketKind::System };
    totals(kind, (k > 0).then_some(k), &legs(odds), money(stake), rules)
}

/// A slip on the home wins of these usual matches, as a page with the same rules would send it.
#[track_caller]
pub(crate) fn slip(offer: &Offer, matches: &[u64], system_type: u8, bruto: &str) -> SubmittedTicket {
    let pairs: Vec<SubmittedPair> = matches.iter().map(|id| submitted_pair(offer, *id)).collect();
    let (stake, consent) = (money(bruto), Consent::None);
    let ticket = SubmittedTicket {
        stake,
        bruto: stake,
        potential_win: stake,
        win_tax: stake,
        payout: stake,
        system_type,
        consent,
        pairs,
    };
    recounted(ticket)
}

/// The slip with the amounts of its own odds.
pub(crate) fn recounted(ticket: SubmittedTicket) -> SubmittedTicket {
    let legs: Vec<Leg> = ticket.pairs.iter().map(|pair| Leg { price: pair.odd_value, is_fix: pair.is_fix }).collect();
    let numbers = totals(ticket.kind(), ticket.combination(), &legs, ticket.bruto, &Rules::default());
    SubmittedTicket {
        stake: numbers.taxed_stake,
        potential_win: numbers.possible_win,
        win_tax: numbers.win_tax,
        payout: numbers.possible_payout,
        ..ticket
    }
}

#[track_caller]
fn submitted_pair(offer: &Offer, id: u64) -> SubmittedPair {
    let (match_id, odd_id) = (match_id(id), odd_id(id * 1_000));
    let odd = offer.quote(match_id, odd_id).and_then(|quote| quote.odd).expect("the odd is in the offer");
    SubmittedPair {
        match_id,
        odd_id,
        market_kind: odd.market_kind,
        market_subtype: odd.market_subtype,
        sbv: odd.sbv,
        odd_kind: odd.odd_kind,
        odd_value: odd.price,
        is_fix: false,
    }
}

/// An account with so much on it and no open bets.
pub(crate) fn account(balance: &str) -> AccountFacts {
    AccountFacts { balance: money(balance), ..AccountFacts::default() }
}

pub(crate) fn no_limits() -> PlacingLimits {
    PlacingLimits::default()
}

/// A match in all its languages, with the words of one other.
pub(crate) fn state_with_words(
    primary: MatchBuilder,
    lang: kvota::domain::lang::Lang,
    words: MatchBuilder,
) -> MatchState {
    let state = MatchState::inserted(&primary.insert(), 0, &[], PerLang::default(), 0);
    state.reworded(lang, &words.insert()).expect("the words are new")
}
