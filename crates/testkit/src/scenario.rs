//! Given-when-then scenarios for the rules of the domain: earlier events, a command, the expected events. Must not use
//! an actor or a clock.
//!
//! ```
//! use kvota_testkit::scenario::{given, pick, picked, TableOffer};
//!
//! let offer = TableOffer::of("MATCH 17 soccer 1:0 live\n result 1.85 3.2 4");
//! given(&offer, []).when(pick(17, 17_000)).then([picked(&offer, 17, 17_000)]);
//! ```

use crate::builders::{MatchBuilder, market_id, match_id, odd_id, usual_match};
use crate::received::nearest;
use crate::table::matches_of;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::market::Market;
use kvota_domain::matches::Match;
use kvota_domain::session_state::{SessionCommand, SessionEvent, SessionState};
use kvota_domain::ticket::{
    FeedHealth, MatchQuote, OfferView, Pair, Rules, Snapshot, TicketCommand, TicketError, TicketEvent, has_market,
    quote_in,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;

/// An offer given as a table.
#[derive(Clone, Debug)]
pub struct TableOffer {
    /// The state of the feed.
    pub feed: FeedHealth,
    /// The matches.
    pub matches: BTreeMap<MatchId, Match>,
    /// Odds with a current result.
    pub settled: BTreeSet<OddId>,
}

impl TableOffer {
    /// The offer of a feed table.
    #[track_caller]
    pub fn of(table: &str) -> TableOffer {
        TableOffer::with(matches_of(table))
    }

    /// The offer with these matches.
    pub fn with(matches: impl IntoIterator<Item = MatchBuilder>) -> TableOffer {
        let matches = matches.into_iter().map(MatchBuilder::build).map(|live_match| (live_match.id, live_match));
        TableOffer { feed: FeedHealth::Active, matches: matches.collect(), settled: BTreeSet::new() }
    }

    /// The usual matches 1, 2 … with these prices of the home win.
    pub fn with_prices(prices: &[&str]) -> TableOffer {
        TableOffer::with((1..).zip(prices).map(|(id, price)| usual_match(id, price)))
    }

    /// The same offer with one match changed.
    pub fn now(&self, changed: MatchBuilder) -> TableOffer {
        let (mut offer, changed) = (self.clone(), changed.build());
        offer.matches.insert(changed.id, changed);
        offer
    }

    /// The same offer without this match.
    #[track_caller]
    pub fn without(&self, id: u64) -> TableOffer {
        let mut offer = self.clone();
        assert!(offer.matches.remove(&match_id(id)).is_some(), "match {id} is in the offer");
        offer
    }

    /// The same offer with this state of the feed.
    pub fn while_feed_is(&self, feed: FeedHealth) -> TableOffer {
        TableOffer { feed, ..self.clone() }
    }

    /// The same offer after this odd got a result.
    pub fn settled(&self, id: u64) -> TableOffer {
        let mut offer = self.clone();
        offer.settled.insert(odd_id(id));
        offer
    }

    /// The market of a match that contains this odd.
    #[track_caller]
    pub fn market_of(&self, match_of: u64, odd: u64) -> &Market {
        let live_match = &self.matches[&match_id(match_of)];
        let has = |market: &&Arc<Market>| market.odds.iter().any(|held| held.id.get() == odd);
        live_match.markets.iter().find(has).unwrap_or_else(|| panic!("match {match_of} has no odd {odd}"))
    }
}

impl OfferView for TableOffer {
    fn feed(&self) -> FeedHealth {
        self.feed
    }

    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote> {
        self.matches.get(&match_id).map(|live_match| quote_in(live_match, odd_id))
    }

    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool {
        self.matches.get(&match_id).is_some_and(|live_match| has_market(live_match, market_id))
    }

    fn is_settled(&self, _: MatchId, _: MarketId, odd_id: OddId) -> bool {
        self.settled.contains(&odd_id)
    }
}

/// A session after these events.
pub fn given(offer: &TableOffer, events: impl IntoIterator<Item = SessionEvent>) -> Given<'_> {
    let rules = Rules::default();
    let mut state = SessionState::empty(&rules);
    events.into_iter().for_each(|event| state.apply(&event));
    Given { offer, rules, state }
}

/// See [`given`].
#[derive(Clone, Debug)]
pub struct Given<'a> {
    offer: &'a TableOffer,
    rules: Rules,
    state: SessionState,
}

impl Given<'_> {
    /// Uses other rules.
    pub fn by(self, rules: Rules) -> Self {
        Given { rules, ..self }
    }

    /// The state of the session.
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// Sends a command to the session.
    pub fn when(self, command: SessionCommand) -> When {
        let is_known = |id| self.offer.matches.contains_key(&id);
        let outcome = self.state.decide(&command, self.offer, &self.rules, is_known);
        let mut after = self.state;
        outcome.iter().flatten().for_each(|event| after.apply(event));
        When { command, outcome, after }
    }
}

/// The result of a command.
#[derive(Clone, Debug)]
#[must_use = "a story without an end tests nothing"]
pub struct When {
    command: SessionCommand,
    outcome: Result<Vec<SessionEvent>, TicketError>,
    after: SessionState,
}

impl When {
    /// Asserts that exactly these events happened, in this order; returns the session after them.
    #[track_caller]
    pub fn then(self, events: impl IntoIterator<Item = SessionEvent>) -> SessionState {
        let expected: Vec<SessionEvent> = events.into_iter().collect();
        if self.outcome.as_ref() != Ok(&expected) {
            self.fail(&expected);
        }
        self.after
    }

    /// Asserts that the command was rejected with this error.
    #[track_caller]
    pub fn then_rejected(self, error: TicketError) {
        if self.outcome != Err(error) {
            self.fail(&error);
        }
    }

    #[track_caller]
    fn fail(&self, expected: &impl Debug) -> ! {
        let expected = format!("{expected:?}");
        let came = match &self.outcome {
            Ok(events) => events.iter().map(|event| format!("{event:?}")).collect(),
            Err(error) => vec![format!("refused: {error:?}")],
        };
        let near = nearest(&expected, came.iter().map(String::as_str)).unwrap_or("nothing like it");
        let all = came.join("\n    ");
        panic!("when {:?}\n  came\n    {all}\n  expected: {expected}\n  nearest:  {near}", self.command)
    }
}

/// Picks an odd of a match of a table; its market follows from the odd's number.
#[track_caller]
pub fn pick(match_of: u64, odd: u64) -> SessionCommand {
    SessionCommand::Ticket(TicketCommand::Pick {
        match_id: match_id(match_of),
        market_id: market_id(odd / 100),
        odd_id: odd_id(odd),
    })
}

/// A command on the ticket.
pub fn ticket(command: TicketCommand) -> SessionCommand {
    SessionCommand::Ticket(command)
}

/// The event that an odd was picked, with the data of the offer.
#[track_caller]
pub fn picked(offer: &TableOffer, match_of: u64, odd: u64) -> SessionEvent {
    let (live_match, market) = (&offer.matches[&match_id(match_of)], offer.market_of(match_of, odd));
    let Some(held) = market.odds.iter().find(|held| held.id.get() == odd) else {
        panic!("market {} has no odd {odd}", market.id)
    };
    SessionEvent::Ticket(TicketEvent::PairAdded(Pair {
        match_id: live_match.id,
        market_id: market.id,
        odd_id: held.id,
        picked: held.value,
        is_fix: false,
        snapshot: Snapshot {
            sport_id: live_match.sport_id,
            home: live_match.home.clone(),
            away: live_match.away.clone(),
            tournament: live_match.tournament.clone(),
            market_kind: market.kind,
            market_subtype: market.subtype,
            market_name: market.name.clone(),
            sbv: market.sbv.clone(),
            odd_kind: held.kind.clone(),
            odd_name: held.provider_name().cloned(),
        },
    }))
}
