//! The rules of a tournament and the probabilities of a match: how likely each player wins a point on serve, and
//! everything derived from that once a match. Called by the play; must not draw a random number.

use super::super::sets::markets::Prospects;
use super::super::sets::race::{Order, Race};
use super::super::sets::tree::{Sum, Tree};
use super::super::sport::Pairing;
use super::game::Game;
use super::set::{GAMES, HomeWins, had_tie_break};
use crate::catalogue::TENNIS;

/// How much the chance of a point on serve moves for each step of strength between the players.
const EDGE: f64 = 0.021;
/// The chance of a point on serve between equals: men, women.
const SERVE: [f64; 2] = [0.638, 0.572];
/// The effect of the surface on it: clay, hard courts, grass.
const GROUND: [f64; 3] = [-0.02, 0.0, 0.02];
/// The numbers of games of the markets on the first side to reach them.
const FIRSTS: [u8; 4] = [2, 3, 4, 5];
/// One in this many tournaments is a big one: men play best of five, and the last set's tie-break is to ten.
const BIG_IN: u64 = 5;

/// The rules of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Whether women play: the sport's entrants are men and women in this order.
    pub women: bool,
    /// How many sets win.
    pub need: u8,
    /// Points that win the tie-break of the last possible set.
    pub last_to: u8,
    /// Clay, hard court, grass.
    ground: usize,
}

impl Rules {
    /// Those of a tournament.
    pub fn of(tournament: u64) -> Rules {
        let women = tournament % 2 == 1;
        let is_big = (tournament >> 8).is_multiple_of(BIG_IN);
        Rules {
            women,
            need: if is_big && !women { 3 } else { 2 },
            last_to: if is_big { 10 } else { 7 },
            ground: (tournament >> 16) as usize % GROUND.len(),
        }
    }

    /// The tie-break of the last possible set or of another.
    pub fn tie_break(&self, is_last: bool) -> Race {
        Race { to: if is_last { self.last_to } else { 7 }, cap: None, order: Order::TieBreak }
    }
}

/// The chances of a match.
#[derive(Debug)]
pub struct Model {
    /// The tournament's rules.
    pub rules: Rules,
    /// The games of each server.
    pub games: [Game; 2],
    /// The probability that home wins a point, by server.
    pub home: [f64; 2],
    /// The probabilities that home wins games and tie-breaks that have not begun: in the last possible set, and in
    /// another one.
    wins: [HomeWins; 2],
    /// The probabilities of the sets.
    pub prospects: Prospects,
    /// How many tie-breaks there will be in them.
    pub tie_breaks: Sum,
    /// How many of them will be won to nil.
    pub to_nil: Sum,
}

impl Model {
    /// Of two players.
    pub fn new(rules: Rules, pairing: &Pairing) -> Model {
        let apart = EDGE * (pairing.strengths[0] - pairing.strengths[1]);
        let base = SERVE[usize::from(rules.women)] + GROUND[rules.ground];
        let games = [base + apart, base - apart].map(|point| Game::new(point.clamp(0.35, 0.85)));
        let home = [games[0].point(), 1.0 - games[1].point()];
        let game = [games[0].held([0, 0]), 1.0 - games[1].held([0, 0])];
        let wins = [false, true].map(|is_last| {
            let race = rules.tie_break(is_last);
            HomeWins {
                game,
                tie_break: [0, 1].map(|first| race.outlook(|_, server| home[server], [0; 2], first, first).home_wins()),
            }
        });
        let fresh = wins.map(|wins| {
            [0, 1].map(|first| GAMES.outlook(|games, server| wins.chance(games, server), [0; 2], first, first).ends)
        });
        let prospects = Prospects::new(&TENNIS, Tree::new(rules.need, false, fresh), FIRSTS);
        let tree = &prospects.tree;
        Model {
            rules,
            games,
            home,
            wins,
            tie_breaks: Sum::new(tree, |score| i32::from(had_tie_break(score))),
            to_nil: Sum::new(tree, |score| i32::from(score.contains(&0))),
            prospects,
        }
    }

    /// How likely home wins games and tie-breaks in the last possible set or in another.
    pub fn wins(&self, is_last: bool) -> &HomeWins {
        &self.wins[usize::from(is_last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_tournaments_of_men_are_best_of_five() {
        let rules = [0, 1, 1 << 8, 1 << 8 | 1].map(Rules::of).map(|rules| (rules.women, rules.need, rules.last_to));
        assert_eq!(rules, [(false, 3, 10), (true, 2, 10), (false, 2, 7), (true, 2, 7)]);
    }

    #[test]
    fn equals_have_equal_chances_and_the_stronger_one_better_ones() {
        for tournament in 0..4 {
            let chance = |strengths: [f64; 2]| {
                let model = Model::new(Rules::of(tournament), &Pairing { strengths, tournament });
                let tree = &model.prospects.tree;
                (0..2).map(|first| tree.home_wins([0, 0], tree.fresh([0, 0], first))).sum::<f64>() / 2.0
            };
            assert!((chance([0.7, 0.7]) - 0.5).abs() < 1e-4, "{}", chance([0.7, 0.7]));
            let better = chance([1.0, -0.4]);
            assert!((0.65..0.97).contains(&better), "{better}");
            assert!((chance([-0.4, 1.0]) + better - 1.0).abs() < 1e-4);
        }
    }
}
