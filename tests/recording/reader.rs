//! Test support: a reader that applies every event as the offer does, and checks each state.

use kvota_domain::aggregate::MatchState;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::PerLang;
use kvota_domain::market::Market;
use kvota_domain::matches::{Match, Pair};
use kvota_domain::sport::SportInfo;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// The offer of the primary language, and counts for the checks.
#[derive(Default)]
pub(crate) struct Reader {
    pub offer: BTreeMap<MatchId, MatchState>,
    sports: BTreeMap<SportId, SportInfo>,
    /// The last state of each deleted match.
    pub gone: BTreeMap<MatchId, Arc<Match>>,
    pub statuses: BTreeMap<MatchId, Vec<String>>,
    /// Goals, and the number of them in matches that were suspended before the goal.
    pub goals: usize,
    pub goals_while_suspended: usize,
    /// Updates that changed prices although no score, card or status changed.
    pub drifts: usize,
}

impl Reader {
    /// Applies an update of the primary language.
    pub(crate) fn apply(&mut self, update: &FeedUpdate) {
        let date_ms = update.date_ms.expect("every message has its date");
        for sport in &update.sports {
            let info = self.sports.entry(sport.sport.id).or_insert_with(|| SportInfo::new(sport.sport.id));
            info.apply_primary(&sport.sport);
            let preferred = info.primary().preferred.clone();
            for change in &sport.matches {
                let id = change.id();
                match (change.change, self.offer.get(&id)) {
                    (Change::Delete, held) => {
                        let held = held.expect("only a match of the offer is deleted");
                        self.gone.insert(id, held.live_match.clone());
                        self.offer.remove(&id);
                    }
                    (Change::Insert, None) => {
                        assert!(!self.gone.contains_key(&id), "{id} came back");
                        let state = MatchState::inserted(change, date_ms, &preferred, PerLang::new(|_| None), 1);
                        self.seen(change, &state.live_match);
                        self.offer.insert(id, state);
                    }
                    (Change::Update, Some(held)) => {
                        let (next, _) = held.updated(change.clone(), date_ms, &preferred);
                        let before = held.live_match.clone();
                        self.compare(&before, &next.live_match);
                        self.seen(change, &next.live_match);
                        self.offer.insert(id, next);
                    }
                    (change, held) => panic!("{change:?} of a match that is held: {}", held.is_some()),
                }
            }
        }
        assert_eq!(update.number_of_matches, Some(self.offer.len() as u64));
        self.ids_are_unique();
    }

    fn seen(&mut self, update: &MatchUpdate, live_match: &Match) {
        assert_eq!(update.live_match.sport_name.as_deref(), Some("Nogomet"));
        let status = live_match.status.as_deref().expect("a status");
        let statuses = self.statuses.entry(live_match.id).or_default();
        if statuses.last().is_none_or(|last| last != status) {
            statuses.push(status.to_owned());
        }
        look_at_markets(live_match);
    }

    fn compare(&mut self, before: &Match, after: &Match) {
        let goals = after.goals_since(before).len();
        self.goals += goals;
        if goals > 0 {
            assert_eq!(after.suspended, Some(true), "{}: a goal while betting went on", after.id);
            self.goals_while_suspended += usize::from(before.suspended == Some(true)) * goals;
        }
        let sum = |pair: Option<Pair>| pair.map(|pair| pair.iter().sum::<i64>());
        for (was, is) in [
            (before.score, after.score),
            (before.corners, after.corners),
            (before.yellow_cards, after.yellow_cards),
            (before.red_cards, after.red_cards),
        ] {
            assert!(sum(was) <= sum(is), "counts never go back");
        }
        let same_facts = before.score == after.score
            && before.corners == after.corners
            && before.yellow_cards == after.yellow_cards
            && before.status == after.status
            && before.suspended == after.suspended;
        let result = |live_match: &Match| {
            let found = live_match.markets.iter().find(|market| market.kind == 1);
            found.map(|market| market.odds.iter().map(|odd| odd.value).collect::<Vec<_>>())
        };
        self.drifts += usize::from(same_facts && result(before) != result(after));
    }

    fn ids_are_unique(&self) {
        let mut markets = HashSet::new();
        let mut odds = HashSet::new();
        for market in self.offer.values().flat_map(|held| &held.live_match.markets) {
            assert!(markets.insert(market.id), "market {}", market.id);
            assert!(market.id.get() < 1 << 32);
            for odd in &market.odds {
                assert!(odds.insert(odd.id), "odd {}", odd.id);
                assert!(odd.id.get() < 1 << 32);
            }
        }
    }
}

fn look_at_markets(live_match: &Match) {
    let ended = live_match.status.as_deref() == Some("ended");
    assert_eq!(live_match.betting, !ended);
    // A decided shoot-out has no markets left.
    let may_be_empty = ended || live_match.status.as_deref() == Some("penalties");
    assert!(may_be_empty || !live_match.markets.is_empty(), "{:?}", live_match.status);
    assert!(!ended || live_match.markets.is_empty());
    let mut by_kind: BTreeMap<i64, Vec<&Market>> = BTreeMap::new();
    for market in &live_match.markets {
        by_kind.entry(market.kind).or_default().push(market);
        assert!(market.odds.len() >= 2);
        for odd in &market.odds {
            let price = odd.value.thousandths();
            assert!(price == 0 || (1010..=500_000).contains(&price), "{odd:?}");
        }
        assert!(!market.tags.is_empty() && market.tags.iter().all(|tag| tag.contains('.')));
    }
    for (kind, markets) in by_kind {
        let lined = markets.iter().any(|market| market.sbv.is_some());
        let balanced = markets.iter().filter(|market| market.balanced == Some(true)).count();
        assert_eq!(balanced, usize::from(lined), "kind {kind}");
        let lines: BTreeSet<_> = markets.iter().map(|market| market.sbv.clone()).collect();
        assert_eq!(lines.len(), markets.len(), "each line once in kind {kind}");
    }
}
