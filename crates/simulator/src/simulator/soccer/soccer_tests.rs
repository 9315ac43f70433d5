//! Tests of soccer, beyond the tests that apply to every sport.

use super::game;
use super::strengths::rates;
use crate::catalogue::SOCCER;
use crate::pricing::book::Book;
use crate::simulator::clock::game::Game;
use crate::simulator::random::Random;
use crate::simulator::sport::{Play, Step};
use std::collections::BTreeSet;

const HALF_TIME_MS: i64 = 47 * 60_000;

fn liverpool(is_knock_out: bool) -> Game {
    let mut game = game(&rates([1612, 1651], false), is_knock_out);
    game.report_start();
    game
}

fn numbers(book: &Book) -> BTreeSet<i64> {
    book.markets().map(|(market, _)| SOCCER.spec(market.kind).number).collect()
}

/// The chance of the first answer of a market without lines.
fn chance(game: &Game, number: i64) -> f64 {
    let book = game.book();
    let found = book.markets().find(|(market, _)| SOCCER.spec(market.kind).number == number);
    found.map(|(_, odds)| odds[0].probability).expect("the market is open")
}

/// The chance that there is no further goal.
fn nobody(game: &Game) -> f64 {
    let book = game.book();
    let found = book.markets().find(|(market, _)| SOCCER.spec(market.kind).number == 7);
    found.map(|(_, odds)| odds[1].probability).expect("the market is open")
}

#[test]
fn a_running_match_offers_more_than_forty_kinds() {
    let mut game = liverpool(true);
    game.report_time(600_000);
    assert_eq!(numbers(&game.book()).len(), SOCCER.profile.kinds.len() - 3, "all but extra time's own");
    game.report_whistle(false);
    game.report_start();
    game.report_time(600_000);
    assert!(numbers(&game.book()).len() >= 40);
    game.report_whistle(true);
    assert_eq!(numbers(&game.book()).len(), 0);
}

#[test]
fn the_clock_goals_and_red_cards_move_the_result() {
    let mut game = liverpool(false);
    game.report_time(60_000);
    let early = chance(&game, 1);
    game.report_time(2_400_000);
    let later = chance(&game, 1);
    assert!(later < early, "a goalless favourite drifts");
    game.report_goal(0);
    let ahead = chance(&game, 1);
    assert!(ahead > later + 0.1, "a goal jumps");
    game.report_card(0, true);
    assert!(chance(&game, 1) < ahead, "a red card hurts");
}

#[test]
fn a_red_card_counts_in_extra_time_too() {
    let mut game = liverpool(true);
    game.report_time(HALF_TIME_MS);
    game.report_whistle(false);
    game.report_start();
    game.report_time(49 * 60_000);
    let level = chance(&game, 60);
    game.report_card(0, true);
    let short = chance(&game, 60);
    assert!(short < level - 0.03);
    game.report_whistle(false);
    assert!((chance(&game, 60) - short).abs() < 0.02, "in the break, too");
    assert!([60, 62, 63, 64, 65].iter().all(|number| numbers(&game.book()).contains(number)));
}

#[test]
fn something_is_left_in_stoppage_time() {
    let mut game = liverpool(false);
    game.report_time(HALF_TIME_MS);
    game.report_whistle(false);
    game.report_start();
    game.report_time(55 * 60_000);
    assert!((0.01..0.2).contains(&(1.0 - nobody(&game))), "a goal may still fall");
}

#[test]
fn decided_markets_are_gone() {
    let mut game = liverpool(false);
    game.report_time(100_000);
    game.report_goal(0);
    game.report_whistle(false);
    game.report_start();
    game.report_time(500_000);
    game.report_goal(1);
    game.report_time(600_000);
    let book = game.book();
    for number in [10, 14, 16, 26, 4, 21, 34, 35] {
        assert!(!numbers(&book).contains(&number), "{number}");
    }
    let lines = |number: i64| {
        let own = book.markets().filter(move |(market, _)| SOCCER.spec(market.kind).number == number);
        own.map(|(market, _)| market.line).collect::<Vec<u16>>()
    };
    assert_eq!(lines(7), [2], "the third goal is asked for");
    assert!(lines(18)[0] >= 2, "two goals have been scored");
}

#[test]
fn extra_time_is_one_score_and_two_periods() {
    let statuses = |seed: u64| {
        let (mut game, mut random) = (game(&rates([0, 0], true), true), Random::new(seed, 3));
        let mut seen = Vec::new();
        while game.step(&mut random) != Step::Over {
            let status = game.board().status;
            if seen.last() != Some(&status) {
                seen.push(status);
            }
        }
        (seen, game.board())
    };
    let (seen, board) =
        (0..200).map(statuses).find(|(seen, _)| seen.iter().any(|status| status == "penalties")).expect("a shoot-out");
    assert_eq!(
        seen,
        [
            "first_half",
            "half_time",
            "second_half",
            "awaiting_extra_time",
            "first_extra",
            "extra_half_time",
            "second_extra",
            "awaiting_penalties",
            "penalties"
        ]
    );
    assert_eq!(board.scores.len(), 4, "two halves, extra time and the shoot-out");
    assert_eq!(board.shoot_out, board.scores.last().copied());
    assert_eq!(board.status, "ended");
}
