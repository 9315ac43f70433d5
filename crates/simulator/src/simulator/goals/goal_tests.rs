//! Tests of goal sports, beyond the tests that apply to every sport.

use super::GoalGame;
use super::futsal::FUTSAL;
use super::handball::HANDBALL;
use super::hockey::HOCKEY;
use super::play::{GoalPlay, Stage};
use crate::catalogue::questions::{GoalQuestion as Question, Part, Scope};
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Ask, BoardClock, Play, Step, Verdict};

fn play_out(game: &GoalGame, seed: u64, has_overtime: bool, mut look: impl FnMut(&GoalPlay)) -> GoalPlay {
    let mut random = Random::new(seed, 5);
    let mut play = GoalPlay::new(game.0, [0.0, 0.0], has_overtime);
    while play.step(&mut random) != Step::Over {
        look(&play);
    }
    play
}

fn kind(play: &GoalPlay, question: Question) -> u16 {
    play.sport.data.questions.iter().position(|held| *held == question).expect("a question of the table") as u16
}

/// The first of some matches for which `fits` holds.
fn find(game: &GoalGame, fits: impl Fn(&GoalPlay) -> bool) -> GoalPlay {
    let mut played = (0..400).map(|seed| play_out(game, seed, true, |_| {}));
    played.find(|play| fits(play)).expect("one in so many")
}

#[test]
fn overtime_ends_with_the_first_goal_in_ice_hockey() {
    for seed in 0..60 {
        let play = play_out(&HOCKEY, seed, true, |_| {});
        let [home, away] = play.score(|leg| leg == 3);
        assert!(home + away <= 1, "{:?}", play.goals);
    }
}

#[test]
fn a_shoot_out_is_worth_a_goal_in_ice_hockey_and_none_in_handball() {
    let play = find(&HOCKEY, |play| play.taken != [0, 0]);
    let board = play.board();
    let [home, away] = board.score.expect("a score");
    assert_eq!((home - away).abs(), 1);
    assert_eq!(home > away, play.scored[0] > play.scored[1]);
    assert_eq!((board.shoot_out, board.scores.len()), (None, 5), "three periods, overtime, shoot-out");

    let play = find(&HANDBALL, |play| play.taken != [0, 0]);
    let board = play.board();
    let [home, away] = board.score.expect("a score");
    assert_eq!(home, away);
    assert_eq!(board.shoot_out, Some(play.scored.map(i64::from)));
}

#[test]
fn markets_of_regular_time_never_look_at_overtime() {
    let play = find(&FUTSAL, |play| play.score(|leg| leg >= 2) != [0, 0]);
    let [home, away] = play.regular();
    assert_eq!(home, away);
    let ask = |question, line, answer| play.verdict(Ask { kind: kind(&play, question), line, answer });
    assert_eq!(ask(Question::Result(Scope::Match), 0, 1), Verdict::Won);
    let scored = (home + away) as u16;
    assert_eq!(ask(Question::NextGoal, scored, 1), Verdict::Won, "nobody scored once more in regular time");
    assert_eq!(ask(Question::Overtime, 0, 0), Verdict::Won);
    let book = {
        let mut book = Book::new(play.sport.data.profile.kinds);
        play.price(&mut book);
        book
    };
    assert_eq!(book.markets().len(), 0);
}

#[test]
fn a_draw_ends_a_match_of_a_league() {
    let mut draws = 0;
    for seed in 0..80 {
        let play = play_out(&FUTSAL, seed, false, |play| assert!(!matches!(play.stage, Stage::Playing(2..))));
        let [home, away] = play.regular();
        draws += usize::from(home == away);
    }
    assert!(draws > 0);
}

#[test]
fn the_clock_never_goes_back_and_stands_after_a_goal_where_the_rules_say_so() {
    for (game, stands) in [(&HOCKEY, true), (&FUTSAL, true), (&HANDBALL, false)] {
        let mut shown = 0;
        let mut goals = 0;
        play_out(game, 3, true, |play| {
            let board = play.board();
            let (ms, stopped) = match board.clock {
                BoardClock::Running { ms } => (ms, false),
                BoardClock::Stopped { ms } => (ms, true),
                BoardClock::None | BoardClock::Words(_) => return,
            };
            assert!(ms >= shown, "{ms} after {shown}");
            shown = ms;
            if play.goals.len() > goals {
                goals = play.goals.len();
                assert!(board.suspended);
                assert_eq!(stopped, stands);
            }
        });
        assert!(goals > 0);
    }
}

#[test]
fn what_was_decided_stands_when_a_match_is_given_up() {
    let mut random = Random::new(11, 5);
    let mut play = GoalPlay::new(HANDBALL.0, [0.0, 0.0], false);
    while play.stage != Stage::Playing(1) {
        play.step(&mut random);
    }
    let first = play.score(|leg| leg == 0);
    play.retire(0);
    assert!(play.board().over);
    let half = kind(&play, Question::Result(Scope::Part(Part { from: 0, to: 1 })));
    let won = u16::from(first[0] <= first[1]) + u16::from(first[0] < first[1]);
    assert_eq!(play.verdict(Ask { kind: half, line: 0, answer: won }), Verdict::Won);
    assert_eq!(play.verdict(Ask { kind: 0, line: 0, answer: won }), Verdict::Void);
}
