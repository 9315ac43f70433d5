//! The probabilities of a frame of two players from any visit: the winner, and whether a player makes a break of fifty
//! or a hundred. Computed backwards from the end, once for each pair of skills, and shared by all matches.

use super::breaks::{Breaks, End, On, REDS, SKILLS, STAGES, breaks, remaining, worth};
use std::sync::OnceLock;

/// The probability that the player at the table pots the re-spotted black. It is mostly luck, so it is the same for all
/// players.
pub(super) const BLACK: f64 = 0.35;
/// A fifty and a hundred.
pub(super) const FIFTY: u8 = 50;
/// A hundred.
pub(super) const HUNDRED: u8 = 100;

static TABLES: [[OnceLock<FrameChances>; SKILLS]; SKILLS] = [const { [const { OnceLock::new() }; SKILLS] }; SKILLS];

/// Chances from some moment of a frame on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Chances {
    /// Home wins the frame.
    pub home: f64,
    /// The probability that there is no further break of fifty.
    pub no_fifty: f64,
    /// The next to make fifty is home.
    pub home_fifty: f64,
    /// The probability that there is no further break of a hundred …
    pub no_hundred: f64,
    /// … and home wins.
    pub home_no_hundred: f64,
}

impl Chances {
    fn add(&mut self, part: f64, other: Chances) {
        self.home += part * other.home;
        self.no_fifty += part * other.no_fifty;
        self.home_fifty += part * other.home_fifty;
        self.no_hundred += part * other.no_hundred;
        self.home_no_hundred += part * other.home_no_hundred;
    }

    fn over(home: f64) -> Chances {
        Chances { home, no_fifty: 1.0, home_fifty: 0.0, no_hundred: 1.0, home_no_hundred: home }
    }
}

/// The chances of a pair, at the start of each visit.
#[derive(Debug)]
pub(super) struct FrameChances {
    /// By stage, home's lead, and player at the table.
    visits: Vec<Vec<[Chances; 2]>>,
    players: [&'static Breaks; 2],
}

/// The table of a pair of skills, home and away.
pub(super) fn frame_chances(skills: [usize; 2]) -> &'static FrameChances {
    let [home, away] = skills.map(|skill| skill.min(SKILLS - 1));
    TABLES[home][away].get_or_init(|| FrameChances::new([breaks(home), breaks(away)]))
}

/// The maximum lead at a stage without having won: limited by the remaining points, and by the potted points.
fn bound(stage: usize) -> i64 {
    match stage.checked_sub(6) {
        Some(reds @ 1..) => remaining(stage).min(8 * (REDS - reds) as i64),
        _ => remaining(stage),
    }
}

impl FrameChances {
    fn new(players: [&'static Breaks; 2]) -> FrameChances {
        let mut chances = FrameChances { visits: Vec::with_capacity(STAGES), players };
        // Both players are equally likely to pot the re-spotted black, and the first one is drawn by lot.
        chances.visits.push(vec![[Chances::over(0.5); 2]]);
        for stage in 1..STAGES {
            let ahead = -bound(stage)..=bound(stage);
            let visits = ahead.map(|ahead| chances.visits_at(stage, ahead)).collect();
            chances.visits.push(visits);
        }
        chances
    }

    /// Chances at the start of either side's visit, which may follow each other without a pot.
    fn visits_at(&self, stage: usize, ahead: i64) -> [Chances; 2] {
        let pots = [0, 1].map(|side| {
            let player = self.players[side];
            let first = worth(stage);
            let ahead = if side == 0 { ahead + i64::from(first) } else { ahead - i64::from(first) };
            let mut sum = Chances::default();
            self.add_ends(&mut sum, player.after_first(stage), player.first, side, ahead, first);
            sum
        });
        let misses = self.players.map(|player| 1.0 - player.first);
        // One side's chances are its pots' and, after a miss, the other's: two equations.
        let loops = 1.0 / (1.0 - misses[0] * misses[1]);
        [0, 1].map(|side| {
            let mut sum = Chances::default();
            sum.add(loops, pots[side]);
            sum.add(loops * misses[side], pots[1 - side]);
            sum
        })
    }

    /// Adds what follows the ends of a visit, in which a break of `made` has put home so far ahead.
    fn add_ends(&self, sum: &mut Chances, ends: &[End], part: f64, side: usize, ahead: i64, made: u8) {
        for end in ends {
            let points = i64::from(end.points);
            let ahead = if side == 0 { ahead + points } else { ahead - points };
            let mut after = self.after(usize::from(end.stage), ahead, side);
            let made = made.saturating_add(end.points);
            if made >= FIFTY {
                (after.no_fifty, after.home_fifty) = (0.0, if side == 0 { 1.0 } else { 0.0 });
            }
            if made >= HUNDRED {
                (after.no_hundred, after.home_no_hundred) = (0.0, 0.0);
            }
            sum.add(part * end.chance, after);
        }
    }

    /// After a visit of a side.
    fn after(&self, stage: usize, ahead: i64, side: usize) -> Chances {
        if is_over(stage, ahead) {
            return Chances::over(if ahead > 0 { 1.0 } else { 0.0 });
        }
        let visits = self.visits.get(stage).and_then(|held| held.get((ahead + bound(stage)) as usize));
        visits.map_or(Chances::over(0.5), |held| held[1 - side])
    }

    /// With this ball on for a side that is in a break of `made`, home so far ahead.
    pub(super) fn now(&self, on: On, side: usize, ahead: i64, made: u8) -> Chances {
        if on == On::First(0) {
            let first = 1.0 / (2.0 - BLACK);
            return Chances::over(if side == 0 { first } else { 1.0 - first });
        }
        if let On::First(stage) = on {
            return self.after(stage, ahead, 1 - side);
        }
        let mut sum = Chances::default();
        self.add_ends(&mut sum, self.players[side].ends(on), 1.0, side, ahead, made);
        sum
    }
}

/// Whether a frame is over at the end of a visit: the side behind cannot catch up, and gives it up. Level with
/// nothing left, the black is put on its spot again.
pub(super) fn is_over(stage: usize, ahead: i64) -> bool {
    ahead.abs() > remaining(stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_have_equal_chances_and_the_better_one_has_more() {
        let start = On::First(STAGES - 1);
        let level = frame_chances([5, 5]);
        let (first, second) = (level.now(start, 0, 0, 0), level.now(start, 1, 0, 0));
        assert!((first.home + second.home - 1.0).abs() < 1e-9);
        assert!(first.home > 0.5, "who is at the table has the better of it");
        assert!(frame_chances([8, 3]).now(start, 0, 0, 0).home > 0.6);
        assert!((0.2..0.7).contains(&first.no_fifty), "{first:?}");
        assert!((0.8..0.99).contains(&first.no_hundred), "{first:?}");
    }

    #[test]
    fn what_is_beyond_reach_is_won() {
        let level = frame_chances([5, 5]);
        assert_eq!(level.now(On::Ball(3), 0, 40, 50).home, 1.0);
        assert_eq!(level.now(On::Ball(3), 0, 40, 50).home_fifty, 1.0);
        assert!(!is_over(6, 27) && is_over(6, 28) && is_over(0, 1) && !is_over(0, 0));
    }
}
