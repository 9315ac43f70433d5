//! Tests of goal sports, beyond the tests that apply to every sport.

use super::GoalSport;
use super::futsal::FUTSAL;
use super::handball::HANDBALL;
use super::hockey::HOCKEY;
use crate::catalogue::questions::{ClockQuestion as Question, Part, Scope};
use crate::pricing::book::Book;
use crate::simulator::clock::game::Game;
use crate::simulator::random::Random;
use crate::simulator::sport::{Board, BoardClock, Play, Step};
use kvota_domain::matches::Pair;

fn play_out(sport: &GoalSport, seed: u64, has_overtime: bool, mut look: impl FnMut(&Board)) -> Game {
    let mut random = Random::new(seed, 5);
    let mut play = sport.game([0.0, 0.0], has_overtime);
    while play.step(&mut random) != Step::Over {
        look(&play.board());
    }
    play
}

fn kind(sport: &GoalSport, question: Question) -> u16 {
    sport.rules.data.questions.iter().position(|held| *held == question).expect("a question of the table") as u16
}

/// The first of some matches with a score by period, overtime and shoot-out included, that fits.
fn find(sport: &GoalSport, fits: impl Fn(&[Pair]) -> bool) -> Game {
    let mut played = (0..400).map(|seed| play_out(sport, seed, true, |_| {}));
    played.find(|play| fits(&play.board().scores)).expect("one in so many")
}

#[test]
fn overtime_ends_with_the_first_goal_in_ice_hockey() {
    for seed in 0..60 {
        let scores = play_out(&HOCKEY, seed, true, |_| {}).board().scores;
        assert!(scores.get(3).is_none_or(|[home, away]| home + away <= 1), "{scores:?}");
    }
}

#[test]
fn a_shoot_out_is_worth_a_goal_in_ice_hockey_and_none_in_handball() {
    let board = find(&HOCKEY, |scores| scores.len() == 5).board();
    let [home, away] = board.score.expect("a score");
    assert_eq!((home - away).abs(), 1);
    assert_eq!(home > away, board.scores[4][0] > board.scores[4][1]);
    assert_eq!(board.shoot_out, None);

    let board = find(&HANDBALL, |scores| scores.len() == 4).board();
    let [home, away] = board.score.expect("a score");
    assert_eq!(home, away);
    assert_eq!(board.shoot_out, Some(board.scores[3]));
}

#[test]
fn markets_of_regular_time_never_look_at_overtime() {
    let play = find(&FUTSAL, |scores| scores.len() == 3 && scores[2] != [0, 0]);
    let scores = play.board().scores;
    let all = Part { from: 0, to: 2 };
    let right = |question, line| play.right(kind(&FUTSAL, question), line);
    assert_eq!(right(Question::Result(Scope::Part(all)), 0), Some(1));
    let scored: i64 = scores[..2].iter().flatten().sum();
    let next = right(Question::Next(Scope::Part(all)), scored as u16);
    assert_eq!(next, Some(1), "no side scored once more in regular time");
    assert_eq!(right(Question::Overtime(all), 0), Some(0));
    let mut book = Book::new(FUTSAL.rules.data.profile.kinds);
    play.price(&mut book);
    assert_eq!(book.markets().len(), 0);
}

#[test]
fn a_draw_ends_a_match_of_a_league() {
    let mut draws = 0;
    for seed in 0..80 {
        let board = play_out(&FUTSAL, seed, false, |_| {}).board();
        assert_eq!(board.scores.len(), 2);
        draws += usize::from(board.score.is_some_and(|[home, away]| home == away));
    }
    assert!(draws > 0);
}

#[test]
fn the_clock_never_goes_back_and_stands_after_a_goal_where_the_rules_say_so() {
    for (sport, stands) in [(&HOCKEY, true), (&FUTSAL, true), (&HANDBALL, false)] {
        let (mut shown, mut goals) = (0, 0);
        play_out(sport, 3, false, |board| {
            let (ms, stopped) = match board.clock {
                BoardClock::Running { ms } => (ms, false),
                BoardClock::Stopped { ms } => (ms, true),
                BoardClock::None | BoardClock::Words(_) => return,
            };
            assert!(ms >= shown, "{ms} after {shown}");
            shown = ms;
            let scored: i64 = board.score.into_iter().flatten().sum();
            if scored > goals && board.shoot_out.is_none() {
                goals = scored;
                assert!(board.suspended);
                assert!(stopped == stands || board.status == "half_time");
            }
        });
        assert!(goals > 0);
    }
}

#[test]
fn what_was_decided_stands_when_a_match_is_given_up() {
    let mut random = Random::new(11, 5);
    let mut play = HANDBALL.game([0.0, 0.0], false);
    while play.board().status != "second_half" {
        play.step(&mut random);
    }
    let [home, away] = play.board().scores[0];
    play.retire(0);
    assert!(play.board().over);
    let half = kind(&HANDBALL, Question::Result(Scope::Part(Part { from: 0, to: 1 })));
    let won = usize::from(home <= away) + usize::from(home < away);
    assert_eq!(play.right(half, 0), Some(won));
    assert_eq!(play.right(0, 0), None);
}
