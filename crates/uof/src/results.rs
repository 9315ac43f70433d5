//! The results of an event: settlements, cancellations and their rollbacks become the whole current result of each
//! market (contract 7 and 10). The messages of a line are kept and read in the order of their times, so that the order
//! of arrival does not matter.

use crate::ids::{market_id, odd_id};
use crate::line_key::LineKey;
use crate::message::{Body, EventMessage, OutcomeResult, Window};
use crate::urn::Urn;
use kvota_domain::Text;
use kvota_domain::settlement::{DeadHeat, MarketResult, MarketState, RawOddResult, VoidFactor, VoidWindow};
use std::collections::BTreeMap;

/// Lines with results of an event; more are not kept.
pub const LINES_MAX: usize = 10_000;
/// Messages of a line: settlements, corrections and rollbacks. Of more, the oldest are forgotten.
const MESSAGES_MAX: usize = 64;
/// The void reason with which a line waits for its next settlement.
const PARKS: i64 = 15;

/// What a message says about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    Settled { certainty: i64, void_reason: Option<i64>, outcomes: Vec<OutcomeResult> },
    Unsettled { outcomes: Vec<Text> },
    Cancelled { window: Window, void_reason: Option<i64> },
    Uncancelled { window: Window },
}

/// The messages of a line in the order of their times, and what was reported last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Line {
    said: Vec<(i64, Said)>,
    reported: Option<MarketResult>,
}

/// The results of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Results {
    event: Urn,
    lines: BTreeMap<LineKey, Line>,
}

impl Results {
    /// An event without results.
    pub fn new(event: Urn) -> Results {
        Results { event, lines: BTreeMap::new() }
    }

    /// Applies a message and returns the markets with a new result. `waits` are the market types that are paid only
    /// when a settlement is confirmed.
    pub fn apply(&mut self, message: &EventMessage, waits: impl Fn(i64) -> bool) -> Vec<MarketResult> {
        let at_ms = message.timestamp_ms;
        let said: Vec<(LineKey, Said)> = match &message.body {
            Body::Settlement { certainty, lines } => lines
                .iter()
                .map(|line| {
                    let outcomes = line.outcomes.clone();
                    let void_reason = line.void_reason;
                    (line.line.clone(), Said::Settled { certainty: *certainty, void_reason, outcomes })
                })
                .collect(),
            Body::RollbackSettlement { lines } => lines
                .iter()
                .map(|line| (line.line.clone(), Said::Unsettled { outcomes: line.outcomes.clone() }))
                .collect(),
            Body::Cancel { window, lines } => lines
                .iter()
                .map(|line| (line.line.clone(), Said::Cancelled { window: *window, void_reason: line.void_reason }))
                .collect(),
            Body::RollbackCancel { window, lines } => {
                lines.iter().map(|line| (line.line.clone(), Said::Uncancelled { window: *window })).collect()
            }
            Body::OddsChange { .. } | Body::BetStop { .. } | Body::FixtureChange { .. } => return Vec::new(),
        };
        said.into_iter().filter_map(|(key, said)| self.note(key, at_ms, said, &waits)).collect()
    }

    /// Whether a rollback is about lines of which nothing is known: then earlier messages are missing.
    pub fn lacks(&self, message: &EventMessage) -> bool {
        let (Body::RollbackSettlement { lines } | Body::RollbackCancel { lines, .. }) = &message.body else {
            return false;
        };
        lines.iter().any(|line| !self.lines.contains_key(&line.line))
    }

    /// The present results of all lines.
    pub fn current(&self) -> impl Iterator<Item = &MarketResult> {
        self.lines.values().filter_map(|line| line.reported.as_ref())
    }

    fn note(&mut self, key: LineKey, at_ms: i64, said: Said, waits: &impl Fn(i64) -> bool) -> Option<MarketResult> {
        if self.lines.len() >= LINES_MAX && !self.lines.contains_key(&key) {
            return None;
        }
        // A rollback takes back what another run of ours has reported, unless it names only some outcomes of a line
        // that nothing is known of.
        let is_whole_rollback = match &said {
            Said::Unsettled { outcomes } => outcomes.is_empty(),
            Said::Uncancelled { .. } => true,
            Said::Settled { .. } | Said::Cancelled { .. } => false,
        };
        let line = self.lines.entry(key.clone()).or_default();
        let place = line.said.partition_point(|(held_ms, _)| *held_ms <= at_ms);
        // A recovery sends messages again.
        if line.said.iter().take(place).any(|held| *held == (at_ms, said.clone())) {
            return None;
        }
        line.said.insert(place, (at_ms, said));
        if line.said.len() > MESSAGES_MAX {
            line.said.remove(0);
        }
        let newest_ms = line.said.last().map_or(at_ms, |(held_ms, _)| *held_ms);
        let mut result = read(&self.event, &key, &line.said, waits(key.market), newest_ms);
        if let Some(reported) = &line.reported {
            if reported.has_content_of(&result) {
                return None;
            }
            // A late message changes the result, and readers take only higher versions.
            result.version = newest_ms.max(reported.version.saturating_add(1));
        } else if result.state == MarketState::OpenAgain && !is_whole_rollback {
            return None;
        }
        line.reported = Some(result.clone());
        Some(result)
    }
}

/// The whole current result of a line.
fn read(event: &Urn, key: &LineKey, said: &[(i64, Said)], waits: bool, version: i64) -> MarketResult {
    let mut results: BTreeMap<&Text, &OutcomeResult> = BTreeMap::new();
    let mut windows: Vec<(Window, Option<i64>)> = Vec::new();
    let mut is_parked = false;
    for (_, said) in said {
        match said {
            Said::Settled { void_reason: Some(PARKS), .. } => is_parked = true,
            Said::Cancelled { void_reason: Some(PARKS), .. } => is_parked = true,
            Said::Settled { certainty: 1, .. } if waits => {}
            Said::Settled { outcomes, .. } => {
                is_parked = false;
                results.extend(outcomes.iter().map(|outcome| (&outcome.id, outcome)));
            }
            Said::Unsettled { outcomes } => {
                // A rollback of some outcomes settles nothing: the others stay parked.
                is_parked &= !outcomes.is_empty();
                results.retain(|id, _| !outcomes.is_empty() && !outcomes.contains(id));
            }
            Said::Cancelled { window, void_reason } => windows.push((*window, *void_reason)),
            Said::Uncancelled { window } => {
                let is_all = *window == Window::default();
                windows.retain(|(held, _)| !is_all && held != window);
            }
        }
    }
    let state = match (is_parked, windows.is_empty(), results.is_empty()) {
        (true, _, _) => MarketState::Unknown(PARKS),
        (false, false, _) => MarketState::Cancelled,
        (false, true, false) => MarketState::Settled,
        (false, true, true) => MarketState::OpenAgain,
    };
    let is_all = windows.iter().any(|(window, _)| *window == Window::default());
    let void_windows = windows.iter().filter(|_| state == MarketState::Cancelled && !is_all);
    let reason = windows.last().and_then(|(_, reason)| *reason).filter(|_| state == MarketState::Cancelled);
    MarketResult {
        market: market_id(event, key),
        version,
        state,
        odds: results.values().map(|outcome| raw(event, key, outcome)).collect(),
        void_windows: void_windows
            .map(|(window, _)| VoidWindow { from_ms: window.from_ms, until_ms: window.until_ms })
            .collect(),
        reason: reason.map(|reason| Text::from(format!("void reason {reason}"))),
    }
}

/// The result of an outcome; a factor that the contract does not define is absent, so that the pair stays open.
fn raw(event: &Urn, key: &LineKey, outcome: &OutcomeResult) -> RawOddResult {
    let number = |factor: i64| u64::try_from(factor).ok();
    RawOddResult {
        odd: odd_id(event, key, &outcome.id),
        result: outcome.result.filter(|result| *result != -1),
        void_factor: match outcome.void_factor {
            None => Some(VoidFactor::Zero),
            Some(factor) => number(factor).and_then(VoidFactor::from_ten_thousandths),
        },
        dead_heat: match outcome.dead_heat_factor {
            None => Some(DeadHeat::NONE),
            Some(factor) => number(factor).and_then(DeadHeat::from_ten_thousandths),
        },
    }
}
