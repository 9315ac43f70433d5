//! A set of tennis: six games with two ahead, seven to five, or a tie-break at six all, and the probabilities of its
//! scores. Called by [`super::model`] and the prices. Must never draw a random number.

use super::super::sets::other;
use super::super::sets::tree::SetEnd;

/// Games of home and away.
pub type Games = [u8; 2];

/// Whether a set is over.
pub fn is_over([home, away]: Games) -> bool {
    let (most, least) = (home.max(away), home.min(away));
    most == 7 || most >= 6 && most >= least + 2
}

/// The minimum number of games at the end, from this score.
pub fn fewest([home, away]: Games) -> u16 {
    let least = u16::from(home.min(away));
    least + if least < 5 { 6 } else { 7 }
}

/// Home's chances in games and tie-breaks that have not begun.
#[derive(Clone, Copy, Debug)]
pub struct HomeWins {
    /// A game, by server.
    pub game: [f64; 2],
    /// The tie-break of a set, by its first server.
    pub tie_break: [f64; 2],
}

/// The probabilities of a set.
#[derive(Clone, Debug)]
pub struct SetOutlook {
    /// How it may end.
    pub ends: Vec<SetEnd>,
    /// The chance that it comes by a score and home wins the game after it.
    home: [[f64; 8]; 8],
}

impl SetOutlook {
    /// The set at the score `from`. `server` serves the current game, or first in the current tie-break. Home wins that
    /// game or tie-break with the probability `running`.
    pub fn new(wins: &HomeWins, from: Games, server: usize, running: f64) -> SetOutlook {
        let mut outlook = SetOutlook { ends: Vec::with_capacity(14), home: [[0.0; 8]; 8] };
        let [first_home, first_away] = from.map(usize::from);
        let mut at = [[0.0; 8]; 8];
        at[first_home][first_away] = 1.0;
        for h in first_home..8 {
            for a in first_away..8 {
                let here = at[h][a];
                if here == 0.0 {
                    continue;
                }
                let games = [h as u8, a as u8];
                let turns = h + a - first_home - first_away;
                let serving = if turns % 2 == 0 { server } else { other(server) };
                if is_over(games) {
                    let home_first = if serving == 0 { 1.0 } else { 0.0 };
                    outlook.ends.push(SetEnd { score: games, chance: here, home_first });
                    continue;
                }
                let home = match turns {
                    0 => running,
                    _ if games == [6, 6] => wins.tie_break[serving],
                    _ => wins.game[serving],
                };
                outlook.home[h][a] = here * home;
                at[h + 1][a] += here * home;
                at[h][a + 1] += here * (1.0 - home);
            }
        }
        outlook
    }

    /// The probability that home is the first to reach `count` games (1 to 6). Neither side may have reached them.
    pub fn first_to(&self, count: u8) -> f64 {
        let count = usize::from(count.clamp(1, 6));
        self.home[count - 1][..count].iter().sum()
    }

    /// The chance of a score at the end.
    pub fn ends_with(&self, fits: impl Fn(Games) -> bool) -> f64 {
        self.ends.iter().filter(|end| fits(end.score)).map(|end| end.chance).sum()
    }
}

/// Whether a set had a tie-break.
pub fn had_tie_break(games: Games) -> bool {
    games.contains(&7) && games.contains(&6)
}

/// The answer's index of a set's score: 6:0, 6:1 … 7:6, then the same for away.
pub fn score_place([home, away]: Games) -> u16 {
    let of = |less: u8, first: u16| first + u16::from(less.min(6));
    if home > away { of(away, 0) } else { of(home, 7) }
}

/// The set's score of an answer's index.
pub fn score_at(place: u16) -> Games {
    let less = (place % 7) as u8;
    let most = if less < 5 { 6 } else { 7 };
    if place < 7 { [most, less] } else { [less, most] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EVEN: HomeWins = HomeWins { game: [0.8, 0.2], tie_break: [0.5; 2] };

    #[test]
    fn six_seven_and_the_tie_break() {
        assert!(is_over([6, 4]) && is_over([5, 7]) && is_over([7, 6]) && is_over([0, 6]));
        assert!(!is_over([6, 5]) && !is_over([6, 6]) && !is_over([5, 5]));
        for (games, least) in [([0, 0], 6), ([3, 4], 9), ([6, 5], 12), ([6, 6], 13), ([7, 5], 12), ([6, 4], 10)] {
            assert_eq!(fewest(games), least, "{games:?}");
        }
        for place in 0..14 {
            assert!(is_over(score_at(place)));
            assert_eq!(score_place(score_at(place)), place);
        }
    }

    #[test]
    fn who_serves_goes_on_in_turn_over_sets() {
        let outlook = SetOutlook::new(&EVEN, [0, 0], 0, 0.8);
        for end in &outlook.ends {
            let even = (end.score[0] + end.score[1]) % 2 == 0;
            assert_eq!(end.home_first, if even { 1.0 } else { 0.0 }, "{end:?}");
        }
        assert!((outlook.ends_with(|[home, away]| home > away) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn at_the_end_of_a_set_the_running_game_decides() {
        let outlook = SetOutlook::new(&EVEN, [5, 3], 0, 0.9);
        assert!((outlook.ends_with(|score| score == [6, 3]) - 0.9).abs() < 1e-12);
        assert!((outlook.first_to(6) - 0.9 - 0.1 * 0.2 - 0.1 * 0.8 * 0.8).abs() < 1e-12, "6:3, 6:4 or 6:5");
        let tie_break = SetOutlook::new(&EVEN, [6, 6], 1, 0.3);
        assert!((tie_break.ends_with(|score| score == [7, 6]) - 0.3).abs() < 1e-12);
        assert_eq!(tie_break.ends.len(), 2);
    }

    proptest! {
        #[test]
        fn a_set_ends_somewhere(p in 0.05..0.95_f64, q in 0.05..0.95_f64, h in 0..7_u8, a in 0..7_u8) {
            prop_assume!(!is_over([h, a]));
            let wins = HomeWins { game: [p, q], tie_break: [0.4, 0.6] };
            let outlook = SetOutlook::new(&wins, [h, a], 1, q);
            prop_assert!((outlook.ends_with(|_| true) - 1.0).abs() < 1e-9);
            prop_assert!(outlook.ends.iter().all(|end| u16::from(end.score[0] + end.score[1]) >= fewest([h, a])));
        }
    }
}
