//! The producer: sequence, languages, snapshots and the endless round.

use crate::reader::Reader;
use kvota_domain::feed::{Change, FeedUpdate, Time};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::RecordingFiles;
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use std::sync::Arc;

const START_MS: i64 = 1_700_000_000_000;

pub(crate) fn producer(options: ReplayOptions) -> Producer {
    let generator = RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the embedded set is whole");
    Producer::new(1, Lang::Hr, vec![Box::new(generator)])
}

fn matches(update: &FeedUpdate) -> impl Iterator<Item = &Match> {
    update.sports.iter().flat_map(|sport| &sport.matches).map(|held| &held.live_match)
}

/// A match without its texts.
fn numbers(live_match: &Match) -> Match {
    let mut bare = live_match.clone();
    bare.home = None;
    bare.away = None;
    bare.sport_name = None;
    bare.tournament = None;
    bare.tournament_description = None;
    for market in &mut bare.markets {
        let market = Arc::make_mut(market);
        market.name = None;
        market.short = None;
        market.tags = [].into();
        for odd in &mut market.odds {
            odd.kind = None;
        }
    }
    bare
}

#[test]
fn the_demo_begins_in_the_middle_of_ten_matches() {
    let mut producer = producer(ReplayOptions { start_s: 20 * 60, ..ReplayOptions::default() });
    let events = producer.step(START_MS);
    assert_eq!(events.len(), 1, "one event for all that happened at one step");
    let (_, update) = events[0].updates.last().expect("hr");
    let sport = &update.sports[0];
    assert_eq!(sport.sport.name.as_deref(), Some("Nogomet"), "a new sport comes whole");
    assert!(sport.sport.preferred.as_ref().expect("columns").len() >= 6);
    assert_eq!(sport.matches.len(), 10);
    for held in &sport.matches {
        assert_eq!(held.change, Change::Insert);
        assert_eq!(held.time, Time::Seconds(20 * 60));
        assert_eq!(held.live_match.status.as_deref(), Some("first_half"));
        assert!(held.live_match.ball.is_some());
        let history = held.live_match.history.as_ref().expect("the story so far");
        let minutes = history.pressure.len();
        assert!((18..=20).contains(&minutes), "{minutes}: a figure for each minute that was played");
        assert!(history.counts[0].iter().all(|passes| *passes > 0), "{:?}", history.counts);
        let mut goals = history.incidents.iter().filter(|incident| incident.kind.is_goal());
        assert_eq!(goals.next_back().and_then(|goal| goal.score).unwrap_or_default(), held.live_match.score.unwrap());
        let last = history.incidents.last().and_then(|incident| incident.seconds);
        assert!(last.unwrap_or_default() <= 20 * 60, "nothing is told before it happens");
        let mut kinds: Vec<i64> = held.live_match.markets.iter().map(|market| market.kind).collect();
        kinds.dedup();
        assert!(kinds.len() >= 30, "{} kinds of markets", kinds.len());
    }
}

#[test]
fn four_languages_have_the_same_numbers_and_their_own_texts() {
    let mut producer = producer(ReplayOptions { start_s: 70 * 60, speed: 20.0, ..ReplayOptions::default() });
    for step in 0..10 {
        for event in producer.step(START_MS + step * 1_000) {
            assert_eq!(event.updates.len(), 4);
            let (lang, primary) = event.updates.last().expect("hr");
            assert_eq!(*lang, Lang::Hr);
            for (_, update) in &event.updates {
                assert!(matches(primary).map(numbers).eq(matches(update).map(numbers)));
                assert_eq!((update.date_ms, update.number_of_matches), (primary.date_ms, primary.number_of_matches));
            }
            let in_lang = |lang| &event.updates.iter().find(|(held, _)| *held == lang).expect("each language").1;
            let arsenal = |lang| {
                let found = matches(in_lang(lang)).find(|held| held.id.get() == 2_500_091);
                found.and_then(|held| held.away.clone())
            };
            if arsenal(Lang::Hr).is_some() {
                assert_eq!(arsenal(Lang::En).as_deref(), Some("Arsenal"));
                assert_eq!(arsenal(Lang::Sr).as_deref(), Some("Арсенал"));
            }
        }
    }
}

#[test]
fn snapshot_equals_the_state_after_all_events() {
    let mut producer = producer(ReplayOptions { start_s: 85 * 60, speed: 60.0, ..ReplayOptions::default() });
    let mut reader = Reader::default();
    let mut seq = 0;
    for step in 0..50 {
        let now_ms = START_MS + step * 1_000;
        for event in producer.step(now_ms) {
            seq += 1;
            assert_eq!((event.position.epoch, event.position.seq), (1, seq), "one more for each event");
            reader.apply(&event.updates.last().expect("hr").1);
        }
        let (position, snapshot) = producer.snapshot(Lang::Hr, now_ms);
        assert_eq!(position, producer.position());
        let mut fresh = Reader::default();
        fresh.apply(&snapshot);
        let bare = |reader: &Reader| -> Vec<Match> {
            let held = reader.offer.values().map(|held| numbers(&held.live_match));
            held.map(without_marks_and_clock).collect()
        };
        assert_eq!(bare(&fresh), bare(&reader));
    }
}

/// A match without movement marks and clock, which depend on what a reader has received before.
fn without_marks_and_clock(mut live_match: Match) -> Match {
    live_match.clock = None;
    for odd in live_match.markets.iter_mut().flat_map(|market| &mut Arc::make_mut(market).odds) {
        odd.changed = None;
    }
    live_match
}

#[test]
fn replay_loops_and_never_reuses_an_id() {
    let mut producer = producer(ReplayOptions { speed: 1000.0, ..ReplayOptions::default() });
    let mut reader = Reader::default();
    let mut now_ms = START_MS;
    while reader.gone.len() < 40 {
        for event in producer.step(now_ms) {
            reader.apply(&event.updates.last().expect("hr").1);
        }
        assert!(producer.number_of_matches() > 0, "the offer is never empty");
        now_ms += 200;
        assert!(now_ms < START_MS + 120_000);
    }
    let rounds: Vec<u64> = reader.gone.keys().map(|id| id.get() / 1_000_000).collect();
    assert_eq!((rounds[0], rounds[39]), (2, 4), "{rounds:?}");
}

#[test]
fn same_times_give_the_same_feed() {
    let run = || {
        let mut producer = producer(ReplayOptions { speed: 50.0, start_s: 600, ..ReplayOptions::default() });
        let steps = (0..20).flat_map(|step| producer.step(START_MS + step * 700));
        steps.collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn driver_can_sleep_until_the_next_due_time() {
    let mut producer = producer(ReplayOptions { start_s: -601, ..ReplayOptions::default() });
    assert_eq!(producer.next_due_ms(), Some(i64::MIN), "at once, to begin with");
    assert!(producer.step(START_MS).is_empty());
    let due = producer.next_due_ms().expect("there is always a next one");
    assert_eq!(due, START_MS + 1_000, "ten minutes before the kick-off");
    assert_eq!(producer.step(due).len(), 1);
    assert_eq!(producer.next_due_ms(), Some(START_MS + 601_000), "nothing before the kick-off");
}

#[test]
fn one_step_catches_up_after_a_long_pause() {
    let mut producer = producer(ReplayOptions::default());
    producer.step(START_MS);
    let days_ms = 40 * 86_400_000;
    let events = producer.step(START_MS + days_ms);
    let (_, update) = events[0].updates.last().expect("hr");
    let deleted = update.sports[0].matches.iter().filter(|held| held.change == Change::Delete);
    assert_eq!(deleted.count(), 10);
    assert!(producer.number_of_matches() > 0);
}
