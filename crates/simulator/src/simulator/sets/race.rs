//! A race for points: a set of any sport with sets, or a tie-break. Most must be won by two points. Computes the server
//! of each point, and the probability that the race reaches, or ends at, each score. Called by plays and their prices.
//! Must never draw a random number.

use super::other;
use super::tree::SetEnd;

/// Beyond this many points over the target a race that has no cap is taken to be over at the next point: one in a
/// million gets there.
const LONG: u8 = 20;

/// The rules of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// Points that win it, with two ahead.
    pub to: u8,
    /// Points that win it anyhow.
    pub cap: Option<u8>,
    /// The order of service.
    pub order: Order,
}

/// The order of service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The winner of the former point.
    Winner,
    /// Each one in turn: games, legs and frames.
    Turns,
    /// Each two in turn, and each one once both are a point short of the target: table tennis.
    Pairs,
    /// The first point one, then each two in turn: a tie-break.
    TieBreak,
}

impl Race {
    /// Whether it is over.
    pub fn is_over(&self, [home, away]: [u8; 2]) -> bool {
        let (most, least) = (home.max(away), home.min(away));
        most >= self.to && most >= least + 2 || self.cap.is_some_and(|cap| most >= cap)
    }

    /// The server of the next point. `first` served the first point, `points` is the score, and `winner` won the last
    /// point (any value before the first).
    pub fn server(&self, first: usize, points: [u8; 2], winner: usize) -> usize {
        let played = usize::from(points[0]) + usize::from(points[1]);
        let even = usize::from(self.to.saturating_sub(1)) * 2;
        let turn = match self.order {
            _ if played == 0 => 0,
            Order::Winner => return winner,
            Order::Turns => played,
            Order::Pairs if played >= even => played,
            Order::Pairs => played / 2,
            Order::TieBreak => played.div_ceil(2),
        };
        if turn % 2 == 0 { first } else { other(first) }
    }

    /// The minimum total of points at the end, from this score.
    pub fn fewest(&self, [home, away]: [u8; 2]) -> u16 {
        let (most, least) = (home.max(away), home.min(away));
        if self.is_over([home, away]) {
            return u16::from(most) + u16::from(least);
        }
        let winning = self.to.max(least + 2);
        u16::from(self.cap.map_or(winning, |cap| cap.min(winning))) + u16::from(least)
    }

    /// The probabilities of the rest of the race. `home` is the probability that home wins the point at a score, by
    /// server. The score is `from`; `server` serves the next point, and `first` has served the first one.
    pub fn outlook(
        &self,
        home: impl Fn([u8; 2], usize) -> f64,
        from: [u8; 2],
        first: usize,
        server: usize,
    ) -> RaceOutlook {
        let reached = from[0].max(from[1]).saturating_add(LONG);
        let limit = self.cap.unwrap_or(self.to.saturating_add(LONG).max(reached));
        let side = usize::from(limit) + 1;
        let places = side * side;
        let mut outlook =
            RaceOutlook { from, side, visits: vec![[0.0; 2]; places], to_home: vec![0.0; places], ends: Vec::new() };
        let place = outlook.place(from);
        outlook.visits[place][server] = 1.0;
        for h in from[0]..=limit {
            for a in from[1]..=limit {
                let place = outlook.place([h, a]);
                let at = outlook.visits[place];
                let sum = at[0] + at[1];
                if sum == 0.0 {
                    continue;
                }
                if self.is_over([h, a]) || h.max(a) >= limit {
                    outlook.ends.push(SetEnd { score: [h, a], chance: sum, home_first: at[0] / sum });
                    continue;
                }
                let by_home = at[0] * home([h, a], 0) + at[1] * home([h, a], 1);
                outlook.to_home[place] = by_home;
                for (winner, to) in [[h + 1, a], [h, a + 1]].into_iter().enumerate() {
                    let next = self.server(first, to, winner);
                    let chance = if winner == 0 { by_home } else { sum - by_home };
                    let place = outlook.place(to);
                    outlook.visits[place][next] += chance;
                }
            }
        }
        outlook
    }
}

/// The probabilities of the rest of a race.
#[derive(Clone, Debug)]
pub struct RaceOutlook {
    /// The score so far.
    from: [u8; 2],
    side: usize,
    /// The probability that the race reaches a score, by the server at that score.
    visits: Vec<[f64; 2]>,
    /// The probability that it reaches a score and home wins the point after it.
    to_home: Vec<f64>,
    /// How it may end, with the side that serves next.
    pub ends: Vec<SetEnd>,
}

impl RaceOutlook {
    fn place(&self, [home, away]: [u8; 2]) -> usize {
        usize::from(home) * self.side + usize::from(away)
    }

    /// The chance that home wins the next point.
    pub fn home_wins_point(&self) -> f64 {
        self.to_home.get(self.place(self.from)).copied().unwrap_or_default()
    }

    /// The chance that it comes by a score, or ends there.
    pub fn passes(&self, score: [u8; 2]) -> f64 {
        self.visits.get(self.place(score)).map_or(0.0, |at| at[0] + at[1])
    }

    /// The probability that home is the first to reach `count` points. Neither side may have reached them, and `count`
    /// must not be above the target.
    pub fn first_to(&self, count: u8) -> f64 {
        let before = (0..count).filter_map(|away| self.to_home.get(self.place([count.saturating_sub(1), away])));
        before.sum()
    }

    /// The chance of a score at the end.
    pub fn ends_with(&self, fits: impl Fn([u8; 2]) -> bool) -> f64 {
        self.ends.iter().filter(|end| fits(end.score)).map(|end| end.chance).sum()
    }

    /// The chance that home wins it.
    pub fn home_wins(&self) -> f64 {
        self.ends_with(|[home, away]| home > away)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ELEVEN: Race = Race { to: 11, cap: None, order: Order::Pairs };
    const TIE_BREAK: Race = Race { to: 7, cap: None, order: Order::TieBreak };
    const BADMINTON: Race = Race { to: 21, cap: Some(30), order: Order::Winner };

    fn by_server(home: [f64; 2]) -> impl Fn([u8; 2], usize) -> f64 {
        move |_, server| home[server]
    }

    #[test]
    fn serves_go_round_as_the_rules_say() {
        let servers = |race: Race, played: std::ops::Range<u8>| -> Vec<usize> {
            played.map(|n| race.server(0, [n / 2, n - n / 2], 1)).collect()
        };
        assert_eq!(servers(TIE_BREAK, 0..8), [0, 1, 1, 0, 0, 1, 1, 0]);
        assert_eq!(servers(ELEVEN, 0..6), [0, 0, 1, 1, 0, 0]);
        assert_eq!(servers(ELEVEN, 18..24), [1, 1, 0, 1, 0, 1]);
        assert_eq!(BADMINTON.server(0, [3, 4], 1), 1);
        assert_eq!(BADMINTON.server(1, [0, 0], 0), 1);
    }

    #[test]
    fn two_ahead_or_the_cap_end_it() {
        for (race, score, over) in [
            (ELEVEN, [11, 9], true),
            (ELEVEN, [11, 10], false),
            (ELEVEN, [13, 15], true),
            (BADMINTON, [29, 28], false),
            (BADMINTON, [30, 29], true),
            (TIE_BREAK, [7, 5], true),
            (TIE_BREAK, [7, 6], false),
        ] {
            assert_eq!(race.is_over(score), over, "{score:?}");
        }
        assert_eq!(ELEVEN.fewest([3, 4]), 14);
        assert_eq!(ELEVEN.fewest([10, 10]), 22);
        assert_eq!(BADMINTON.fewest([29, 29]), 59);
        assert_eq!(BADMINTON.fewest([21, 12]), 33);
    }

    #[test]
    fn even_sides_have_even_chances() {
        for race in [ELEVEN, TIE_BREAK] {
            // Serving helps, but everybody serves as often.
            let outlook = race.outlook(by_server([0.64, 0.36]), [0, 0], 0, 0);
            assert!((outlook.home_wins() - 0.5).abs() < 1e-6, "{}", outlook.home_wins());
        }
        let level = 0.6 * 0.6 / (0.6 * 0.6 + 0.4 * 0.4);
        let outlook = ELEVEN.outlook(by_server([0.6, 0.6]), [10, 10], 0, 0);
        assert!((outlook.home_wins() - level).abs() < 1e-5);
        assert!((ELEVEN.outlook(by_server([0.6, 0.6]), [10, 9], 0, 1).passes([10, 10]) - 0.4).abs() < 1e-12);
        assert!((ELEVEN.outlook(by_server([0.6, 0.6]), [0, 0], 0, 0).first_to(1) - 0.6).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn it_ends_somewhere(p in 0.2..0.8_f64, q in 0.2..0.8_f64, h in 0..25_u8, a in 0..25_u8, server in 0..2_usize) {
            for race in [ELEVEN, TIE_BREAK, BADMINTON] {
                let outlook = race.outlook(by_server([p, q]), [h, a], 0, server);
                let sum: f64 = outlook.ends_with(|_| true);
                prop_assert!((sum - 1.0).abs() < 1e-9, "{}", sum);
                let fewest = race.fewest([h, a]);
                prop_assert!(outlook.ends.iter().all(|end| u16::from(end.score[0]) + u16::from(end.score[1]) >= fewest));
            }
        }
    }
}
