//! The replay of whole matches, from kick-off to end.

use crate::reader::Reader;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::RecordingFiles;
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota_simulator::recording::timeline::{Competition, Recording};
use kvota_simulator::recording::wyscout::load;

const START_MS: i64 = 1_700_000_000_000;
/// The longest step of the embedded source, in ms.
const STEP_MS: i64 = 200;

fn recordings(of: impl Fn(&Recording) -> bool) -> Vec<Recording> {
    let loaded = load(&RecordingFiles::Embedded).expect("the embedded set is whole");
    loaded.recordings.into_iter().filter(of).collect()
}

/// Replays until every match of the first round has been deleted.
fn replay(recordings: Vec<Recording>, speed: f64) -> Reader {
    let wanted: Vec<u64> = recordings.iter().map(|recording| recording.id).collect();
    let options = ReplayOptions { speed, start_s: -60, ..ReplayOptions::default() };
    let generator = RecordingGenerator::new(recordings, options);
    let mut producer = Producer::new(7, Lang::Hr, vec![Box::new(generator)]);
    let mut reader = Reader::default();
    let mut now_ms = START_MS;
    while !wanted.iter().all(|id| reader.gone.contains_key(&MatchId::new(*id).expect("small"))) {
        for event in producer.step(now_ms) {
            let (lang, update) = event.updates.last().expect("an update a language");
            assert_eq!(*lang, Lang::Hr, "the primary language comes last");
            reader.apply(update);
        }
        now_ms += STEP_MS;
        assert!(now_ms < START_MS + 3_600_000, "the replay comes to an end");
    }
    reader
}

fn ended_as_recorded(reader: &Reader, recordings: &[Recording]) {
    for recording in recordings {
        let last = &reader.gone[&MatchId::new(recording.id).expect("small")];
        let (official, totals) = (recording.official, recording.totals());
        assert_eq!(last.score, Some(official.total), "{}", recording.id);
        assert_eq!(last.scores[0], official.half_time, "{}", recording.id);
        let second = [0, 1].map(|side| official.regular[side] - official.half_time[side]);
        assert_eq!(last.scores[1], second, "{}", recording.id);
        assert_eq!(last.yellow_cards, Some(totals.yellow));
        assert_eq!(last.red_cards, Some(totals.red));
        assert_eq!(last.corners, Some(totals.corners));
        assert_eq!(last.status.as_deref(), Some("ended"));
    }
}

#[test]
fn ten_simultaneous_matches_end_with_their_official_scores() {
    let league = recordings(|recording| recording.competition == Competition::PremierLeague);
    // A step is 6 s of play, which is shorter than the suspension before a goal.
    let reader = replay(league.clone(), 30.0);
    ended_as_recorded(&reader, &league);
    assert_eq!(reader.goals, 31, "goals of the day");
    assert_eq!(reader.goals_while_suspended, reader.goals, "nobody bets on a goal that has fallen");
    assert!(reader.drifts > 300, "prices move with the clock: {}", reader.drifts);
    for recording in &league {
        let statuses = &reader.statuses[&MatchId::new(recording.id).expect("small")];
        assert_eq!(statuses[..], ["not_started", "first_half", "half_time", "second_half", "ended"]);
    }
}

#[test]
fn a_shoot_out_is_played_after_extra_time() {
    let croatia = recordings(|recording| recording.id == 2_058_005);
    let reader = replay(croatia.clone(), 40.0);
    ended_as_recorded(&reader, &croatia);
    let id = MatchId::new(2_058_005).expect("small");
    assert_eq!(reader.gone[&id].result.as_deref(), Some("1:1 (3:2)"));
    assert_eq!(reader.gone[&id].scores, [[1, 1], [0, 0], [0, 0], [3, 2]]);
    assert_eq!(
        reader.statuses[&id][..],
        [
            "not_started",
            "first_half",
            "half_time",
            "second_half",
            "awaiting_extra_time",
            "first_extra",
            "extra_half_time",
            "second_extra",
            "awaiting_penalties",
            "penalties",
            "ended"
        ]
    );
}
