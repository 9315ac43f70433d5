//! A game of tennis: love, 15, 30, 40, deuce and advantage, and the probability that the server wins it. Called by the
//! play and its prices. Must never draw a random number.

/// Points of server and receiver; both at 3 is deuce, 4 and 3 an advantage.
pub type Points = [u8; 2];

/// Whether a game is over.
pub fn is_over([server, receiver]: Points) -> bool {
    server.max(receiver) >= 4 && server.abs_diff(receiver) >= 2
}

/// Points as they count: an advantage that is lost is deuce again.
pub fn counted(points: Points) -> Points {
    if points == [4, 4] { [3, 3] } else { points }
}

/// Points as they are called.
pub fn called([one, other]: Points) -> [&'static str; 2] {
    const CALLS: [&str; 4] = ["0", "15", "30", "40"];
    let call = |points: u8, against: u8| match CALLS.get(usize::from(points)) {
        Some(call) => *call,
        None if points > against => "AD",
        None => "40",
    };
    [call(one, other), call(other, one)]
}

/// The games of a server who wins each point with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// The chance of a point.
    point: f64,
    /// The chance of the game at points up to 4.
    wins: [[f64; 5]; 5],
}

impl Game {
    /// With this chance of a point, above 0 and below 1.
    pub fn new(point: f64) -> Game {
        let lost = 1.0 - point;
        let deuce = point * point / (point * point + lost * lost);
        let mut wins = [[0.0; 5]; 5];
        wins[4] = [1.0; 5];
        wins[4][3] = point + lost * deuce;
        wins[3][4] = point * deuce;
        wins[4][4] = deuce;
        wins[3][3] = deuce;
        for server in (0..4).rev() {
            for receiver in (0..4).rev().filter(|receiver| [server, *receiver] != [3, 3]) {
                wins[server][receiver] = point * wins[server + 1][receiver] + lost * wins[server][receiver + 1];
            }
        }
        Game { point, wins }
    }

    /// The chance that the server wins a point.
    pub fn point(&self) -> f64 {
        self.point
    }

    /// The probability that the server wins the current game.
    pub fn held(&self, points: Points) -> f64 {
        let [server, receiver] = counted(points).map(|points| usize::from(points.min(4)));
        self.wins[server][receiver]
    }

    /// How it may end: won by the server with none, one, two points lost, or after deuce, then the same of the
    /// receiver.
    pub fn ends(&self, points: Points) -> [f64; 8] {
        let mut ends = [0.0; 8];
        let [server, receiver] = counted(points);
        if server.min(receiver) >= 3 {
            let held = self.held(points);
            (ends[3], ends[7]) = (held, 1.0 - held);
            return ends;
        }
        let mut at = [[0.0; 5]; 5];
        at[usize::from(server)][usize::from(receiver)] = 1.0;
        for s in usize::from(server)..4 {
            for r in usize::from(receiver)..4 {
                let here = at[s][r];
                if [s, r] == [3, 3] {
                    ends[3] += here * self.wins[3][3];
                    ends[7] += here * (1.0 - self.wins[3][3]);
                } else {
                    at[s + 1][r] += here * self.point;
                    at[s][r + 1] += here * (1.0 - self.point);
                }
            }
        }
        for less in 0..3 {
            ends[less] += at[4][less];
            ends[4 + less] += at[less][4];
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn points_are_called_as_in_tennis() {
        for (points, calls) in [
            ([0, 0], ["0", "0"]),
            ([1, 2], ["15", "30"]),
            ([3, 0], ["40", "0"]),
            ([3, 3], ["40", "40"]),
            ([4, 3], ["AD", "40"]),
            ([3, 4], ["40", "AD"]),
        ] {
            assert_eq!(called(points), calls);
        }
        assert_eq!(counted([4, 4]), [3, 3]);
        assert!(is_over([4, 2]) && is_over([3, 5]) && !is_over([4, 3]) && !is_over([3, 3]));
    }

    proptest! {
        #[test]
        fn a_game_is_held_as_the_formula_says(p in 0.3..0.9_f64) {
            let q = 1.0 - p;
            let to_thirty = p * p * p * p * (1.0 + 4.0 * q + 10.0 * q * q);
            let after_deuce = 20.0 * p * p * p * q * q * q * p * p / (p * p + q * q);
            let game = Game::new(p);
            prop_assert!((game.held([0, 0]) - to_thirty - after_deuce).abs() < 1e-12);
            prop_assert!((game.ends([0, 0])[3] - after_deuce).abs() < 1e-12);
        }

        #[test]
        fn ends_sum_to_one_and_to_the_hold(p in 0.3..0.9_f64, s in 0..5_u8, r in 0..5_u8) {
            prop_assume!(!is_over([s, r]));
            let game = Game::new(p);
            let ends = game.ends([s, r]);
            let held: f64 = ends[..4].iter().sum();
            prop_assert!((held - game.held([s, r])).abs() < 1e-12);
            prop_assert!((ends.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
