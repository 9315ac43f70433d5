//! A set of tennis: six games with two ahead, seven to five, or a tie-break at six all. Called by [`super::model`] and
//! the prices. Must never draw a random number.

use super::super::sets::race::{Order, Race};

/// Games of home and away.
pub type Games = [u8; 2];

/// A set: a race for games, of which the thirteenth is the tie-break.
pub const GAMES: Race = Race { to: 6, cap: Some(7), order: Order::Turns };

/// Home's chances in games and tie-breaks that have not begun.
#[derive(Clone, Copy, Debug)]
pub struct HomeWins {
    /// A game, by server.
    pub game: [f64; 2],
    /// The tie-break of a set, by its first server.
    pub tie_break: [f64; 2],
}

impl HomeWins {
    /// The chance of the game at this score, by its first server.
    pub fn chance(&self, games: Games, server: usize) -> f64 {
        if games == [6, 6] { self.tie_break[server] } else { self.game[server] }
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

    const EVEN: HomeWins = HomeWins { game: [0.8, 0.2], tie_break: [0.5; 2] };

    #[test]
    fn six_seven_and_the_tie_break() {
        let is_over = |games| GAMES.is_over(games);
        assert!(is_over([6, 4]) && is_over([5, 7]) && is_over([7, 6]) && is_over([0, 6]));
        assert!(!is_over([6, 5]) && !is_over([6, 6]) && !is_over([5, 5]));
        for (games, least) in [([0, 0], 6), ([3, 4], 9), ([6, 5], 12), ([6, 6], 13), ([7, 5], 12), ([6, 4], 10)] {
            assert_eq!(GAMES.fewest(games), least, "{games:?}");
        }
        for place in 0..14 {
            assert!(is_over(score_at(place)));
            assert_eq!(score_place(score_at(place)), place);
        }
    }

    #[test]
    fn who_serves_goes_on_in_turn_over_sets() {
        let outlook = GAMES.outlook(|games, server| EVEN.chance(games, server), [0, 0], 0, 0);
        for end in &outlook.ends {
            let even = (end.score[0] + end.score[1]) % 2 == 0;
            assert_eq!(end.home_first, if even { 1.0 } else { 0.0 }, "{end:?}");
        }
        assert!((outlook.home_wins() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn at_the_end_of_a_set_the_running_game_decides() {
        let running =
            |at: Games, now: f64| move |games, server| if games == at { now } else { EVEN.chance(games, server) };
        let outlook = GAMES.outlook(running([5, 3], 0.9), [5, 3], 0, 0);
        assert!((outlook.ends_with(|score| score == [6, 3]) - 0.9).abs() < 1e-12);
        assert!((outlook.first_to(6) - 0.9 - 0.1 * 0.2 - 0.1 * 0.8 * 0.8).abs() < 1e-12, "6:3, 6:4 or 6:5");
        let tie_break = GAMES.outlook(running([6, 6], 0.3), [6, 6], 1, 1);
        assert!((tie_break.ends_with(|score| score == [7, 6]) - 0.3).abs() < 1e-12);
        assert_eq!(tie_break.ends.len(), 2);
    }
}
