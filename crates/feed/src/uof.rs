//! A provider's feed as a generator of the offer: [`kvota_uof`] follows it, and the producer numbers its changes for the
//! native feed (CONTRACT 10). It has results of its own, which are never cancelled because the program restarted.

use kvota_domain::feed::Time;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use kvota_domain::sport::SportPatch;
use kvota_simulator::generator::{GeneratedChange, Generator, RenderMatch};
use kvota_uof::adapter::EventChange;
use kvota_uof::columns::columns;
use kvota_uof::connection::Uof;
use std::sync::Arc;

/// Odds of a market, for the size of a message: more than most have.
const ODDS_OF_A_MARKET: usize = 4;

/// A provider's feed. There must be one at a time, because it takes the changes.
pub struct UofGenerator {
    uof: Uof,
}

impl UofGenerator {
    /// A generator of the whole offer of a feed.
    pub fn new(uof: Uof) -> UofGenerator {
        uof.forget_offer();
        UofGenerator { uof }
    }
}

/// An event at one moment.
#[derive(Debug)]
struct Shown(EventChange);

impl RenderMatch for Shown {
    fn id(&self) -> MatchId {
        self.0.event.id()
    }

    fn sport_id(&self) -> SportId {
        self.0.sport()
    }

    fn entities(&self) -> usize {
        self.0.event.facts.len() * (1 + ODDS_OF_A_MARKET)
    }

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        self.0.as_match(lang, date_ms)
    }
}

impl Generator for UofGenerator {
    /// None at the start: a sport is known with its first event.
    fn sports(&self, _: Lang) -> Vec<SportPatch> {
        Vec::new()
    }

    fn sport(&self, id: SportId, lang: Lang) -> Option<SportPatch> {
        Some(SportPatch {
            id,
            name: self.uof.sport_name(id, lang),
            order: i64::try_from(id.get()).ok(),
            preferred: Some(columns(id, lang)),
            selected_preferred: Some(1),
        })
    }

    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
        let changes = self.uof.take_changes().into_iter();
        let generated = |change: EventChange| GeneratedChange {
            at_ms: to_ms,
            change: change.change,
            state: Arc::new(Shown(change)),
        };
        changes.map(generated).collect()
    }

    fn next_due_ms(&self) -> Option<i64> {
        None
    }

    fn is_active(&self) -> bool {
        self.uof.is_active()
    }

    fn take_results(&mut self) -> Vec<MatchResults> {
        self.uof.take_results()
    }

    fn present_results(&mut self, requested: &[RequestedMatch]) -> Option<Vec<MatchResults>> {
        Some(self.uof.present_results(requested))
    }
}
