//! Applies live events to a snapshot by the rules for INSERT, UPDATE and DELETE (CONTRACT 1), and returns one newer
//! snapshot. The FeedActor then replaces the offer in one step, so clients never see the state before those events.
//!
//! Must not copy the time of a running match clock unchanged. A [`Time::Seconds`] refers to the date of its message,
//! but the result has a single date, so the time is advanced to that date.

use kvota_domain::clock::Clock;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::sport::SportPatch;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The snapshot after the events. All its matches are updates, it has no sports without matches, and its date is the
/// latest of all dates.
pub fn fold<'a>(snapshot: &'a FeedUpdate, events: impl IntoIterator<Item = &'a FeedUpdate>) -> FeedUpdate {
    let mut offer = Offer::default();
    // Apply the snapshot to an empty offer by the same rules: it may contain the same match twice, too.
    offer.apply(snapshot);
    // An event says nothing of a match that the snapshot does not have.
    let of_snapshot = offer.unreadable.clone();
    for event in events {
        offer.apply(event);
    }
    let matches = &offer.matches;
    offer.unreadable.retain(|id| of_snapshot.contains(id) || matches.contains_key(id));
    offer.into_snapshot()
}

/// A match of the offer, with what is needed to put it into the resulting snapshot.
struct Held<'a> {
    sport: SportId,
    /// The order in which matches arrived; the result keeps it.
    arrived: usize,
    /// The date of its last message.
    date_ms: Option<i64>,
    update: &'a MatchUpdate,
}

/// The offer while messages are applied to it.
#[derive(Default)]
struct Offer<'a> {
    /// Each sport, with the order in which it arrived.
    sports: HashMap<SportId, (usize, SportPatch)>,
    matches: HashMap<MatchId, Held<'a>>,
    /// How many sports and matches have arrived: the source of the order.
    arrivals: usize,
    number_of_matches: Option<u64>,
    date_ms: Option<i64>,
    /// Matches of which the last entry could not be read. The snapshot may not have them at all, and the reader keeps
    /// what it holds of them.
    unreadable: HashSet<MatchId>,
}

impl<'a> Offer<'a> {
    /// Applies a snapshot or a live event.
    fn apply(&mut self, message: &'a FeedUpdate) {
        for sport in &message.sports {
            self.patch(&sport.sport);
            for update in &sport.matches {
                self.transition(sport.sport.id, message.date_ms, update);
                self.unreadable.remove(&update.id());
            }
        }
        self.unreadable.extend(&message.unreadable);
        // Remove sports without matches only at the end: a sport may lose its last match and get another one in the
        // same message.
        let played: HashSet<SportId> = self.matches.values().map(|held| held.sport).collect();
        self.sports.retain(|id, _| played.contains(id));
        self.number_of_matches = message.number_of_matches.or(self.number_of_matches);
        self.date_ms = self.date_ms.max(message.date_ms);
    }

    /// The next number of the arrival order.
    fn arrive(&mut self) -> usize {
        self.arrivals += 1;
        self.arrivals
    }

    /// Replaces the fields of a sport that the message has. The preferred columns are replaced as a whole.
    fn patch(&mut self, patch: &SportPatch) {
        let arrived = self.arrive();
        let (_, held) = self.sports.entry(patch.id).or_insert_with(|| (arrived, SportPatch::empty(patch.id)));
        if patch.name.is_some() {
            held.name.clone_from(&patch.name);
        }
        if patch.preferred.is_some() {
            held.preferred.clone_from(&patch.preferred);
        }
        held.order = patch.order.or(held.order);
        held.selected_preferred = patch.selected_preferred.or(held.selected_preferred);
    }

    /// Applies an INSERT, UPDATE or DELETE of a match.
    fn transition(&mut self, sport: SportId, date_ms: Option<i64>, update: &'a MatchUpdate) {
        let id = update.id();
        let held = self.matches.get(&id);
        let arrived = match (update.change, held) {
            // A DELETE applies even if it names another sport than the match has.
            (Change::Delete, _) => {
                self.matches.remove(&id);
                return;
            }
            (Change::Insert, Some(_)) => return,
            (Change::Update, Some(held)) => held.arrived,
            (Change::Insert | Change::Update, None) => self.arrive(),
        };
        self.matches.insert(id, Held { sport, arrived, date_ms, update });
    }

    fn into_snapshot(self) -> FeedUpdate {
        let mut unreadable: Vec<MatchId> = self.unreadable.into_iter().collect();
        unreadable.sort_unstable();
        let mut matches: Vec<Held<'a>> = self.matches.into_values().collect();
        matches.sort_by_key(|held| held.arrived);
        let mut sports: BTreeMap<usize, SportUpdate> = BTreeMap::new();
        for held in matches {
            let Some((arrived, patch)) = self.sports.get(&held.sport) else {
                continue;
            };
            let whole = || SportUpdate { sport: patch.clone(), matches: Vec::new() };
            let sport = sports.entry(*arrived).or_insert_with(whole);
            sport.matches.push(held.as_of(self.date_ms));
        }
        FeedUpdate {
            sports: sports.into_values().collect(),
            number_of_matches: self.number_of_matches,
            date_ms: self.date_ms,
            unreadable,
            is_incomplete: false,
        }
    }
}

impl Held<'_> {
    /// The match as an UPDATE in a message of this date, with its clock advanced. If a date is missing, the time is not
    /// changed.
    fn as_of(&self, date_ms: Option<i64>) -> MatchUpdate {
        let update = self.update;
        let stopped = update.live_match.clock_stopped == Some(true);
        let time = match (&update.time, self.date_ms, date_ms) {
            (Time::Seconds(seconds), Some(read_ms), Some(date_ms)) => {
                // Messages may carry dates out of order; a clock never runs back (CONTRACT 0).
                let carried = Clock::read(*seconds, read_ms, stopped).seconds_at(date_ms.max(read_ms));
                Time::Seconds(carried.unwrap_or(*seconds))
            }
            (time, _, _) => time.clone(),
        };
        MatchUpdate { change: Change::Update, live_match: update.live_match.clone(), time, texts: update.texts.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::matches::Match;

    fn sport(id: u64) -> SportId {
        SportId::new(id).unwrap()
    }

    /// A change of a match. Its status shows which message it comes from.
    fn update_of(change: Change, id: u64, status: &str) -> MatchUpdate {
        let mut live_match = Match::empty(MatchId::new(id).unwrap(), sport(1));
        live_match.status = Some(status.into());
        MatchUpdate { change, live_match, time: Time::None, texts: None }
    }

    fn insert(id: u64, status: &str) -> MatchUpdate {
        update_of(Change::Insert, id, status)
    }

    fn update(id: u64, status: &str) -> MatchUpdate {
        update_of(Change::Update, id, status)
    }

    fn delete(id: u64) -> MatchUpdate {
        update_of(Change::Delete, id, "")
    }

    fn message(date_ms: i64, sports: &[(u64, &[MatchUpdate])]) -> FeedUpdate {
        let sports = sports
            .iter()
            .map(|(id, matches)| SportUpdate { sport: SportPatch::empty(sport(*id)), matches: matches.to_vec() });
        FeedUpdate {
            sports: sports.collect(),
            number_of_matches: None,
            date_ms: Some(date_ms),
            ..FeedUpdate::default()
        }
    }

    /// `1: 10 a, 11 b; 2: 20 c`: sports, their matches and statuses.
    fn shape(update: &FeedUpdate) -> String {
        let of_sport = |sport: &SportUpdate| {
            let matches = sport.matches.iter().map(|update| {
                assert_eq!(update.change, Change::Update);
                format!("{} {}", update.id(), update.live_match.status.as_deref().unwrap_or_default())
            });
            format!("{}: {}", sport.sport.id, matches.collect::<Vec<_>>().join(", "))
        };
        update.sports.iter().map(of_sport).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn the_transitions_of_the_contract() {
        type Events<'a> = &'a [&'a [(u64, &'a [MatchUpdate])]];
        let cases: [(&str, Events<'_>, &str); 12] = [
            ("nothing happened", &[], "1: 10 s, 11 s; 2: 20 s"),
            ("an insert", &[&[(1, &[insert(12, "a")])]], "1: 10 s, 11 s, 12 a; 2: 20 s"),
            ("an insert of a match held", &[&[(1, &[insert(10, "a")])]], "1: 10 s, 11 s; 2: 20 s"),
            ("an update", &[&[(1, &[update(10, "a")])]], "1: 10 a, 11 s; 2: 20 s"),
            ("an update of an unknown match", &[&[(2, &[update(21, "a")])]], "1: 10 s, 11 s; 2: 20 s, 21 a"),
            ("a deletion under another sport", &[&[(2, &[delete(10)])]], "1: 11 s; 2: 20 s"),
            ("a deletion of an unknown match", &[&[(3, &[delete(99)])]], "1: 10 s, 11 s; 2: 20 s"),
            ("the last match of a sport", &[&[(2, &[delete(20)])]], "1: 10 s, 11 s"),
            ("a match that moves", &[&[(1, &[update(20, "a")])]], "1: 10 s, 11 s, 20 a"),
            (
                "the same match twice",
                &[&[(1, &[delete(10), insert(10, "a"), insert(10, "b"), update(10, "c")])]],
                "1: 11 s, 10 c; 2: 20 s",
            ),
            ("one leaves, one comes", &[&[(2, &[delete(20), insert(21, "a")])]], "1: 10 s, 11 s; 2: 21 a"),
            (
                "one after the other",
                &[&[(1, &[update(10, "a")])], &[(1, &[update(10, "b"), delete(11)])], &[(1, &[insert(11, "c")])]],
                "1: 10 b, 11 c; 2: 20 s",
            ),
        ];
        let snapshot = message(0, &[(1, &[insert(10, "s"), insert(11, "s")]), (2, &[insert(20, "s")]), (3, &[])]);
        for (name, events, expected) in cases {
            let events: Vec<FeedUpdate> = events.iter().map(|sports| message(0, sports)).collect();
            assert_eq!(shape(&fold(&snapshot, &events)), expected, "{name}");
        }
    }

    #[test]
    fn a_snapshot_goes_by_the_same_rules() {
        let snapshot = message(0, &[(1, &[insert(10, "a"), update(10, "b"), insert(10, "c")]), (2, &[delete(10)])]);
        assert_eq!(shape(&fold(&snapshot, [])), "");
    }

    #[test]
    fn what_a_sport_does_not_say_stays_until_it_is_gone() {
        let mut first = message(0, &[(1, &[insert(10, "a")])]);
        first.sports[0].sport.name = Some("Nogomet".into());
        first.sports[0].sport.order = Some(3);
        first.sports[0].sport.preferred = Some(vec![]);
        let mut second = message(0, &[(1, &[])]);
        second.sports[0].sport.order = Some(4);
        second.number_of_matches = Some(7);
        let folded = fold(&first, [&second]);
        let patch = &folded.sports[0].sport;
        assert_eq!((patch.name.as_deref(), patch.order), (Some("Nogomet"), Some(4)));
        assert_eq!(patch.preferred.as_ref().map(Vec::len), Some(0));
        assert_eq!(folded.number_of_matches, Some(7));

        let (gone, back) = (message(0, &[(1, &[delete(10)])]), message(0, &[(1, &[insert(10, "b")])]));
        let folded = fold(&first, [&gone, &back]);
        assert_eq!(folded.sports[0].sport, SportPatch::empty(sport(1)), "a sport that comes anew comes whole");
    }

    #[test]
    fn clocks_are_carried_to_the_date_of_the_result() {
        let with = |id: u64, time: Time, stopped: Option<bool>| {
            let mut it = update(id, "");
            it.time = time;
            it.live_match.clock_stopped = stopped;
            it
        };
        let snapshot = message(
            100_000,
            &[(
                1,
                &[
                    with(1, Time::Seconds(600), None),
                    with(2, Time::Seconds(600), Some(true)),
                    with(3, Time::Text("HT".into()), None),
                    with(4, Time::None, None),
                    with(5, Time::Seconds(600), None),
                ],
            )],
        );
        let event = message(160_500, &[(1, &[with(5, Time::Seconds(1), Some(false))])]);
        let last = message(170_500, &[]);
        let folded = fold(&snapshot, [&event, &last]);
        assert_eq!(folded.date_ms, Some(170_500));
        let times: Vec<&Time> = folded.sports[0].matches.iter().map(|update| &update.time).collect();
        let expected =
            [&Time::Seconds(670), &Time::Seconds(600), &Time::Text("HT".into()), &Time::None, &Time::Seconds(11)];
        assert_eq!(times, expected);

        let undated = FeedUpdate { date_ms: None, ..snapshot.clone() };
        let folded = fold(&undated, [&last]);
        assert_eq!(folded.sports[0].matches[0].time, Time::Seconds(600), "nobody knows as of when");
    }
}
