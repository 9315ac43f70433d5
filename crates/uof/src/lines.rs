//! The lines of an event: which are open, suspended or gone, and at what prices (contract 10). Odds changes are ordered
//! by line, because recovered messages come among live ones. Times of two producers are never compared.
//!
//! Must not open a line that a later stop suspended, nor one that a recovery has not confirmed.

use crate::line_key::LineKey;
use crate::message::{LineOdds, LineStatus, OutcomeOdds, ProducerId};
use kvota_domain::Text;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines of an event; more are not kept.
pub const LINES_MAX: usize = 10_000;
/// The number of producers with a last time for a line.
const PRODUCERS_MAX: usize = 8;
/// The number of groups with a last stop for an event.
const STOPS_MAX: usize = 256;
/// The group of all markets.
const ALL: &str = "all";

/// A line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The producer that owns it.
    pub owner: ProducerId,
    /// The status that the owner gave it.
    pub status: LineStatus,
    /// Whether it is the line closest to even.
    pub is_favourite: bool,
    /// Its outcomes with their prices.
    pub outcomes: Vec<OutcomeOdds>,
    /// Whether the owner has sent it since its last recovery began.
    pub is_confirmed: bool,
    /// The time of the newest message about it, by producer.
    times: Vec<(ProducerId, i64)>,
}

/// How a line is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Its active outcomes can be bet on.
    Open,
    /// Its prices are shown locked.
    Locked,
}

impl Line {
    /// How it is shown; `None` if it is not in the offer.
    pub fn shown(&self) -> Option<Shown> {
        match self.status {
            LineStatus::Active if self.is_confirmed => Some(Shown::Open),
            LineStatus::Active | LineStatus::Suspended | LineStatus::HandedOver => Some(Shown::Locked),
            LineStatus::Inactive | LineStatus::Settled | LineStatus::Cancelled => None,
        }
    }

    fn time(&self, producer: ProducerId) -> Option<i64> {
        self.times.iter().find(|held| held.0 == producer).map(|held| held.1)
    }

    fn note(&mut self, producer: ProducerId, timestamp_ms: i64) {
        if let Some(held) = self.times.iter_mut().find(|held| held.0 == producer) {
            held.1 = held.1.max(timestamp_ms);
        } else if self.times.len() < PRODUCERS_MAX {
            self.times.push((producer, timestamp_ms));
        }
    }

    /// Whether another producer may take it over: one that has not owned it before, or any once the owner has let go.
    fn may_go_to(&self, producer: ProducerId) -> bool {
        self.time(producer).is_none() || !matches!(self.status, LineStatus::Active | LineStatus::Suspended)
    }
}

/// What an odds change did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// How many of its lines counted; the others were older than what is known, or came from a producer that does not
    /// own them.
    pub counted: usize,
    /// The lines that are new or have other outcomes.
    pub reshaped: Vec<LineKey>,
}

/// Knows the groups of markets.
pub trait Groups {
    /// Whether a market belongs to a group; `None` if the market is unknown.
    fn contains(&self, market: i64, group: &str) -> Option<bool>;
}

/// The last stop of a group by a producer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stop {
    producer: ProducerId,
    group: Text,
    timestamp_ms: i64,
    status: LineStatus,
}

/// The lines of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    lines: BTreeMap<LineKey, Arc<Line>>,
    stops: Vec<Stop>,
}

impl Lines {
    /// All lines by their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&LineKey, &Line)> {
        self.lines.iter().map(|(key, line)| (key, &**line))
    }

    /// A line.
    pub fn get(&self, key: &LineKey) -> Option<&Line> {
        self.lines.get(key).map(|line| &**line)
    }

    /// Applies an odds change: lines that it does not list are unchanged.
    pub fn change(
        &mut self,
        producer: ProducerId,
        timestamp_ms: i64,
        odds: Vec<LineOdds>,
        groups: &impl Groups,
    ) -> Changed {
        let mut changed = Changed::default();
        for change in odds {
            let stopped = self.stopped(producer, timestamp_ms, change.line.market, groups);
            if let Some(line) = self.lines.get_mut(&change.line) {
                if !applies(line, producer, timestamp_ms, &change) {
                    continue;
                }
                let line = Arc::make_mut(line);
                if !change.outcomes.is_empty() {
                    let have = line.outcomes.iter().map(|outcome| &outcome.id);
                    if !have.eq(change.outcomes.iter().map(|outcome| &outcome.id)) {
                        changed.reshaped.push(change.line.clone());
                    }
                    line.outcomes = change.outcomes;
                }
                (line.owner, line.status) = (producer, stopped.unwrap_or(change.status));
                (line.is_favourite, line.is_confirmed) = (change.is_favourite, true);
                line.note(producer, timestamp_ms);
            } else {
                // A status alone says nothing about a line that is not known.
                if change.outcomes.is_empty() || self.lines.len() >= LINES_MAX {
                    continue;
                }
                let LineOdds { line, status, is_favourite, outcomes } = change;
                let status = stopped.unwrap_or(status);
                let times = vec![(producer, timestamp_ms)];
                let held = Line { owner: producer, status, is_favourite, outcomes, is_confirmed: true, times };
                changed.reshaped.push(line.clone());
                self.lines.insert(line, Arc::new(held));
            }
            changed.counted = changed.counted.saturating_add(1);
        }
        changed
    }

    /// Applies a stop to the active lines of its producer in these groups. A market without a known group is stopped,
    /// too, because no bet is better than a wrong one. Returns how many lines it stopped.
    pub fn stop(
        &mut self,
        producer: ProducerId,
        timestamp_ms: i64,
        stopped: &[Text],
        status: LineStatus,
        groups: &impl Groups,
    ) -> usize {
        for group in stopped {
            self.note_stop(producer, timestamp_ms, group, status);
        }
        let mut number = 0_usize;
        for (key, line) in &mut self.lines {
            let is_older = line.time(producer).is_none_or(|time| time <= timestamp_ms);
            if line.owner == producer && is_older && stopped.iter().any(|group| is_in(groups, key.market, group)) {
                let line = Arc::make_mut(line);
                line.note(producer, timestamp_ms);
                if line.status == LineStatus::Active {
                    line.status = status;
                    number = number.saturating_add(1);
                }
            }
        }
        number
    }

    /// A producer is down or recovers: its lines take no bets until it sends them again.
    pub fn doubt(&mut self, producer: ProducerId) {
        for line in self.lines.values_mut().filter(|line| line.owner == producer) {
            Arc::make_mut(line).is_confirmed = false;
        }
    }

    fn note_stop(&mut self, producer: ProducerId, timestamp_ms: i64, group: &Text, status: LineStatus) {
        // Beyond the limit a stop counts for all groups, so that none is lost.
        let is_known = |stop: &Stop| stop.producer == producer && stop.group == *group;
        let is_full = self.stops.len() >= STOPS_MAX && !self.stops.iter().any(is_known);
        let group = if is_full { Text::from(ALL) } else { Text::clone(group) };
        let held = self.stops.iter_mut().find(|stop| stop.producer == producer && stop.group == group);
        match held {
            Some(stop) if stop.timestamp_ms <= timestamp_ms => {
                (stop.timestamp_ms, stop.status) = (timestamp_ms, status);
            }
            Some(_) => {}
            None => self.stops.push(Stop { producer, group, timestamp_ms, status }),
        }
    }

    /// The status that a later stop gives a line of a change.
    fn stopped(
        &self,
        producer: ProducerId,
        timestamp_ms: i64,
        market: i64,
        groups: &impl Groups,
    ) -> Option<LineStatus> {
        let later = self.stops.iter().filter(|stop| stop.producer == producer && stop.timestamp_ms > timestamp_ms);
        later
            .filter(|stop| is_in(groups, market, &stop.group))
            .max_by_key(|stop| stop.timestamp_ms)
            .map(|stop| stop.status)
    }
}

fn is_in(groups: &impl Groups, market: i64, group: &str) -> bool {
    group == ALL || groups.contains(market, group).unwrap_or(true)
}

/// Whether a change of a producer counts for a line.
fn applies(line: &Line, producer: ProducerId, timestamp_ms: i64, change: &LineOdds) -> bool {
    if line.time(producer).is_some_and(|time| timestamp_ms < time) {
        return false;
    }
    // Another producer takes a line over with odds. Its status alone is about a line that it has lost.
    line.owner == producer || !change.outcomes.is_empty() && line.may_go_to(producer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_key::Specifiers;
    use kvota_domain::price::Price;
    use proptest::prelude::*;

    /// Market 1 belongs to `score`, market 2 to `corners`, others are unknown.
    struct Known;

    impl Groups for Known {
        fn contains(&self, market: i64, group: &str) -> Option<bool> {
            match market {
                1 => Some(group == "score"),
                2 => Some(group == "corners"),
                _ => None,
            }
        }
    }

    fn key(market: i64) -> LineKey {
        LineKey { market, specifiers: Specifiers::default() }
    }

    fn odds(market: i64, price: &str, status: LineStatus) -> LineOdds {
        let outcome = OutcomeOdds { id: "1".into(), price: Price::parse(price).unwrap(), team: None };
        LineOdds { line: key(market), status, is_favourite: false, outcomes: vec![outcome] }
    }

    fn only(market: i64, status: LineStatus) -> LineOdds {
        LineOdds { line: key(market), status, is_favourite: false, outcomes: vec![] }
    }

    fn changed(lines: &mut Lines, producer: ProducerId, at: i64, odds: LineOdds) -> usize {
        lines.change(producer, at, vec![odds], &Known).counted
    }

    fn shown(lines: &Lines, market: i64) -> Option<(Shown, String)> {
        let line = lines.get(&key(market))?;
        let price = line.outcomes[0].price.thousandths();
        line.shown().map(|shown| (shown, price.to_string()))
    }

    fn open(price: &str) -> Option<(Shown, String)> {
        Some((Shown::Open, price.to_owned()))
    }

    fn locked(price: &str) -> Option<(Shown, String)> {
        Some((Shown::Locked, price.to_owned()))
    }

    #[test]
    fn a_change_is_partial_and_a_status_alone_keeps_the_prices() {
        let mut lines = Lines::default();
        lines.change(1, 10, vec![odds(1, "2", LineStatus::Active), odds(2, "3", LineStatus::Active)], &Known);
        changed(&mut lines, 1, 11, odds(1, "2.5", LineStatus::Active));
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (open("2500"), open("3000")));
        changed(&mut lines, 1, 12, only(2, LineStatus::Suspended));
        assert_eq!(shown(&lines, 2), locked("3000"));
        for gone in [LineStatus::Inactive, LineStatus::Settled, LineStatus::Cancelled] {
            changed(&mut lines, 1, 13, only(2, gone));
            assert_eq!(shown(&lines, 2), None, "{gone:?}");
        }
        assert_eq!(changed(&mut lines, 1, 14, only(9, LineStatus::Active)), 0, "nothing is known of it");
    }

    #[test]
    fn an_older_change_of_a_line_does_not_count() {
        let mut lines = Lines::default();
        changed(&mut lines, 1, 10, odds(1, "2", LineStatus::Active));
        assert_eq!(changed(&mut lines, 1, 9, odds(1, "9", LineStatus::Active)), 0);
        assert_eq!(changed(&mut lines, 1, 9, odds(2, "3", LineStatus::Active)), 1, "another line is not older");
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (open("2000"), open("3000")));
    }

    #[test]
    fn a_stop_suspends_the_active_lines_of_its_groups_until_they_are_listed() {
        let mut lines = Lines::default();
        let all = vec![
            odds(1, "2", LineStatus::Active),
            odds(2, "3", LineStatus::Active),
            odds(3, "4", LineStatus::Active),
            odds(4, "5", LineStatus::Inactive),
        ];
        lines.change(1, 10, all, &Known);
        assert_eq!(lines.stop(1, 11, &["score".into()], LineStatus::Suspended, &Known), 2);
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (locked("2000"), open("3000")));
        assert_eq!(shown(&lines, 3), locked("4000"), "a market of unknown groups");
        assert_eq!(shown(&lines, 4), None);
        changed(&mut lines, 1, 12, odds(1, "2.1", LineStatus::Active));
        assert_eq!((shown(&lines, 1), shown(&lines, 3)), (open("2100"), locked("4000")));
        assert_eq!(lines.stop(1, 11, &["all".into()], LineStatus::Inactive, &Known), 1, "an old stop, for the others");
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (open("2100"), None));
    }

    #[test]
    fn a_recovered_change_does_not_open_what_a_later_stop_has_closed() {
        let mut lines = Lines::default();
        changed(&mut lines, 1, 10, odds(1, "2", LineStatus::Active));
        lines.stop(1, 20, &["all".into()], LineStatus::Suspended, &Known);
        assert_eq!(changed(&mut lines, 1, 15, odds(1, "2", LineStatus::Active)), 0);
        changed(&mut lines, 1, 15, odds(2, "3", LineStatus::Active));
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (locked("2000"), locked("3000")));
        changed(&mut lines, 1, 21, odds(2, "3", LineStatus::Active));
        assert_eq!(shown(&lines, 2), open("3000"));
    }

    #[test]
    fn a_line_goes_from_one_producer_to_another_in_either_order() {
        for live_first in [true, false] {
            let mut lines = Lines::default();
            changed(&mut lines, 3, 10, odds(1, "2", LineStatus::Active));
            if live_first {
                changed(&mut lines, 1, 5, odds(1, "2.2", LineStatus::Active));
                assert_eq!(changed(&mut lines, 3, 11, only(1, LineStatus::HandedOver)), 0);
                assert_eq!(changed(&mut lines, 3, 11, only(1, LineStatus::Inactive)), 0);
            } else {
                changed(&mut lines, 3, 11, only(1, LineStatus::HandedOver));
                assert_eq!(shown(&lines, 1), locked("2000"));
                changed(&mut lines, 1, 5, odds(1, "2.2", LineStatus::Active));
            }
            assert_eq!(shown(&lines, 1), open("2200"));
            assert_eq!(changed(&mut lines, 3, 12, odds(1, "1.9", LineStatus::Active)), 0, "it has lost the line");
            assert_eq!(lines.stop(3, 13, &["all".into()], LineStatus::Suspended, &Known), 0);
            changed(&mut lines, 1, 6, only(1, LineStatus::HandedOver));
            changed(&mut lines, 3, 14, odds(1, "1.9", LineStatus::Active));
            assert_eq!(shown(&lines, 1), open("1900"), "handed back");
        }
    }

    #[test]
    fn lines_that_a_recovery_does_not_confirm_stay_locked() {
        let mut lines = Lines::default();
        lines.change(1, 10, vec![odds(1, "2", LineStatus::Active), odds(2, "3", LineStatus::Active)], &Known);
        changed(&mut lines, 3, 10, odds(3, "4", LineStatus::Active));
        lines.doubt(1);
        assert_eq!((shown(&lines, 1), shown(&lines, 3)), (locked("2000"), open("4000")));
        changed(&mut lines, 1, 11, only(1, LineStatus::Active));
        assert_eq!((shown(&lines, 1), shown(&lines, 2)), (open("2000"), locked("3000")));
    }

    proptest! {
        /// Whatever arrives late or twice, the newest message about a line decides.
        #[test]
        fn the_order_of_arrival_does_not_matter(order in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle()) {
            let apply = |lines: &mut Lines, which: usize| match which {
                0 => drop(changed(lines, 1, 10, odds(1, "2", LineStatus::Active))),
                1 => drop(lines.stop(1, 11, &["score".into()], LineStatus::Suspended, &Known)),
                2 => drop(changed(lines, 1, 12, odds(1, "2.2", LineStatus::Active))),
                3 => drop(changed(lines, 1, 13, odds(2, "3", LineStatus::Active))),
                4 => drop(lines.stop(1, 14, &["corners".into()], LineStatus::Suspended, &Known)),
                _ => drop(changed(lines, 1, 12, odds(1, "2.2", LineStatus::Active))),
            };
            let mut lines = Lines::default();
            order.into_iter().for_each(|which| apply(&mut lines, which));
            prop_assert_eq!((shown(&lines, 1), shown(&lines, 2)), (open("2200"), locked("3000")));
        }
    }
}
