//! Compares the facts for trackers with the board, in matches of every sport.

use super::random::Random;
use super::sport::{Board, BoardClock, Pairing, Play, Step};
use super::sports::{find, table};
use kvota_domain::facts::{Fact, Topic};
use kvota_domain::limits::FACT_NUMBERS_MAX;

fn played(sport: &str, seed: u64, mut look: impl FnMut(&dyn Play)) {
    let mut random = Random::new(seed, 9);
    let pairing = Pairing { strengths: [0.2, -0.1], tournament: seed };
    let mut play = find(sport).expect("a sport of the table").sport.begin(pairing, &mut random);
    look(&*play);
    loop {
        let step = play.step(&mut random);
        look(&*play);
        if step == Step::Over {
            return;
        }
    }
}

fn numbers(play: &dyn Play, topic: Topic) -> Vec<i32> {
    let found = play.facts().into_iter().find(|fact| fact.topic == topic);
    found.map(|fact| fact.numbers).unwrap_or_default()
}

fn score(board: &Board) -> [i32; 2] {
    board.score.unwrap_or_default().map(|score| score as i32)
}

#[test]
fn facts_are_bounded_and_each_topic_comes_once() {
    for entry in table() {
        played(entry.profile.key, 3, |play| {
            let facts = play.facts();
            for (at, Fact { topic, numbers }) in facts.iter().enumerate() {
                assert!(numbers.len() <= FACT_NUMBERS_MAX, "{topic:?}");
                assert!(facts[..at].iter().all(|held| held.topic != *topic), "{topic:?} twice");
            }
        });
    }
}

#[test]
fn scores_and_their_ways_add_up() {
    for sport in ["rugby", "american-football", "ice-hockey", "handball", "futsal"] {
        let has_ways = ["rugby", "american-football"].contains(&sport);
        for seed in 0..5 {
            played(sport, seed, |play| {
                let scores = numbers(play, Topic::Scores);
                let mut sum = [0, 0];
                let mut before_s = 0;
                for score in scores.chunks(4) {
                    let [at_s, side, points, way] = score else { panic!("four numbers") };
                    assert!(*at_s >= before_s && (*way > 0) == has_ways);
                    before_s = *at_s;
                    sum[*side as usize - 1] += points;
                }
                assert_eq!(sum, score(&play.board()));
            });
        }
    }
}

#[test]
fn rallies_are_the_score_of_the_running_set() {
    for sport in ["table-tennis", "volleyball", "badminton"] {
        played(sport, 2, |play| {
            let rallies = numbers(play, Topic::Rallies);
            let running = rallies.rsplit(|winner| *winner == 0).next().unwrap_or_default();
            let won = [1, 2].map(|side| running.iter().filter(|winner| **winner == side).count() as i64);
            let scores = play.board().scores;
            assert_eq!(won, scores.last().copied().unwrap_or_default(), "{rallies:?}");
        });
    }
}

#[test]
fn games_of_tennis_are_the_score_of_each_set() {
    for seed in 0..6 {
        let mut breaks = 0;
        played("tennis", seed, |play| {
            let games = numbers(play, Topic::Games);
            breaks = games.iter().filter(|game| **game > 100).count();
            let sets: Vec<[i64; 2]> = games
                .split(|game| *game == 0)
                .map(|set| [1, 2].map(|side| set.iter().filter(|game| *game % 10 == side).count() as i64))
                .collect();
            let scores = play.board().scores;
            if !scores.is_empty() {
                assert_eq!(sets, scores, "{games:?}");
            }
        });
        assert!(breaks > 0, "somebody is broken in a match");
    }
}

#[test]
fn a_frame_ends_with_the_break_that_won_it() {
    played("snooker", 4, |play| {
        let table = numbers(play, Topic::Table);
        let board = play.board();
        if let [on_table, reds, player, balls @ ..] = table.as_slice() {
            assert!((0..=147).contains(on_table) && (0..=15).contains(reds));
            assert_eq!(board.serving.map(|side| side as i32 + 1), Some(*player));
            assert!(balls.iter().all(|ball| (1..=7).contains(ball)));
        } else {
            assert!(board.over);
        }
        let breaks = numbers(play, Topic::Breaks);
        assert!(breaks.chunks(3).all(|made| (20..=155).contains(&made[2])), "{breaks:?}");
    });
}

#[test]
fn visits_lead_to_the_points_left() {
    played("darts", 4, |play| {
        let visits = numbers(play, Topic::Visits);
        if let Some([side, _, left]) = visits.rchunks_exact(3).next()
            && *left > 0
        {
            let shown = play.board().game.expect("points left")[*side as usize - 1].clone();
            assert_eq!(shown, left.to_string());
        }
    });
}

#[test]
fn overs_add_up_to_the_runs() {
    for seed in 0..4 {
        played("cricket", seed, |play| {
            let mut runs = [0, 0];
            for over in numbers(play, Topic::Overs).chunks(5) {
                runs[over[0] as usize - 1] += over[1];
            }
            assert_eq!(runs, score(&play.board()));
        });
    }
}

#[test]
fn bases_and_control_are_those_of_the_moment() {
    let mut most = 0;
    played("baseball", 5, |play| {
        let bases = numbers(play, Topic::Bases);
        assert!(bases.is_empty() || bases.len() == 4 && bases[3] <= 3);
        most = most.max(bases.iter().take(3).sum());
    });
    assert!(most >= 2, "two runners at once");
    let mut seconds = 0;
    played("mma", 5, |play| seconds = numbers(play, Topic::Control).len() * 10);
    assert!(seconds > 0);
}

#[test]
fn penalties_shots_and_goals_with_more_players_add_up() {
    for (sport, counts_shots) in [("ice-hockey", true), ("handball", false)] {
        for seed in 0..5 {
            let (mut before, mut seen) = ([0, 0], [0, 0]);
            played(sport, seed, |play| {
                let short = numbers(play, Topic::Short);
                let now = [1, 2].map(|side| short.chunks(2).filter(|short| short[0] == side).count() as i32);
                // At most one side loses a player at a time, and others may come back at the same time.
                let taken = numbers(play, Topic::Penalties);
                let [home, away, with_home, with_away] = taken[..] else { panic!("four numbers") };
                for (side, all) in [home, away].into_iter().enumerate() {
                    assert!(all >= seen[side] && now[side] <= before[side] + all - seen[side], "{sport}: {taken:?}");
                }
                (before, seen) = (now, [home, away]);
                let goals = score(&play.board());
                assert!(with_home <= goals[0] && with_away <= goals[1], "{sport}: {taken:?}");
                let shots = numbers(play, Topic::Shots);
                assert_eq!(!shots.is_empty(), counts_shots);
                let is_decided_by_kicks = play.board().shoot_out.is_some() || play.board().over;
                let is_counted = |(shots, goals): (&i32, &i32)| shots >= goals || is_decided_by_kicks;
                assert!(shots.iter().zip(&goals).all(is_counted), "{shots:?} of {goals:?}");
            });
            assert!(seen[0] + seen[1] > 0, "{sport}: a match without any");
        }
    }
    played("rugby", 1, |play| assert!(numbers(play, Topic::Penalties).is_empty()));
}

#[test]
fn a_period_ends_at_a_second_that_the_clock_reaches_and_does_not_pass() {
    for sport in ["basketball", "american-football", "ice-hockey"] {
        let (mut ends, mut last) = (Vec::new(), None);
        played(sport, 4, |play| {
            let board = play.board();
            let (BoardClock::Running { ms } | BoardClock::Stopped { ms }) = board.clock else { return };
            match numbers(play, Topic::PeriodEnd)[..] {
                [end_s] => {
                    assert!(ms <= i64::from(end_s) * 1000, "{sport}: {ms} ms, {end_s} s");
                    last = Some(i64::from(end_s) * 1000);
                }
                _ => ends.extend(last.take().map(|end_ms| (ms, end_ms))),
            }
        });
        assert!(ends.len() >= 2 && ends.iter().all(|(ms, end_ms)| ms == end_ms), "{sport}: {ends:?}");
    }
}
