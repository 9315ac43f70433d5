//! Breaks: the probability that a player pots, and the possible ends of a visit to the table from any ball. Tables are
//! made once for each of a few skills and shared by all matches.

use std::sync::OnceLock;

/// Reds at the start of a frame.
pub(super) const REDS: usize = 15;
/// Stages of a frame: 0 when all balls are potted, n = 1 to 6 with n colours left, 6 + r with r reds.
pub(super) const STAGES: usize = 7 + REDS;
/// Skills are rounded to steps of a half from -2.5 to 2.5.
pub(super) const SKILLS: usize = 11;

/// The value of the colour after a red, with its probability: mostly the black. Lower colours are not modelled here.
pub(super) const COLOURS: [(u8, f64); 3] = [(7, 0.62), (6, 0.18), (5, 0.2)];
/// Points on the table, by stage, once the ball on is one of those left.
const COLOURS_LEFT: [i64; 7] = [0, 7, 13, 18, 22, 25, 27];

static TABLES: [OnceLock<Breaks>; SKILLS] = [const { OnceLock::new() }; SKILLS];

/// The ball that is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum On {
    /// The first shot of a visit, from a stage.
    First(usize),
    /// In a break: a red, or the lowest colour, of a stage.
    Ball(usize),
    /// In a break: a colour after a red, which leaves this stage.
    Colour(usize),
}

/// How a visit may end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct End {
    /// The stage it leaves.
    pub stage: u8,
    /// Points from now on.
    pub points: u8,
    /// Its chance.
    pub chance: f64,
}

/// The tables of a skill.
#[derive(Debug)]
pub(super) struct Breaks {
    /// The first shot of a visit is a pot.
    pub first: f64,
    /// Any later one is.
    pub later: f64,
    /// Ends of a break by stage, with its lowest ball on …
    ball: Vec<Vec<End>>,
    /// … and with a colour on that leaves this stage.
    colour: Vec<Vec<End>>,
}

/// The points on the table at a stage.
pub(super) fn remaining(stage: usize) -> i64 {
    match stage.checked_sub(6) {
        None | Some(0) => COLOURS_LEFT[stage],
        Some(reds) => COLOURS_LEFT[6] + 8 * reds as i64,
    }
}

/// The value of the lowest ball of a stage: a red, or a colour in its order.
pub(super) fn worth(stage: usize) -> u8 {
    if stage > 6 { 1 } else { 8 - stage as u8 }
}

/// The skill closest to a strength.
pub(super) fn skill(strength: f64) -> usize {
    (((strength.clamp(-2.5, 2.5) + 2.5) * 2.0 + 0.5) as usize).min(SKILLS - 1)
}

/// The table of a skill.
pub(super) fn breaks(skill: usize) -> &'static Breaks {
    TABLES[skill.min(SKILLS - 1)].get_or_init(|| Breaks::new(skill as f64 / 2.0 - 2.5))
}

impl Breaks {
    fn new(skill: f64) -> Breaks {
        let mut breaks = Breaks {
            first: 0.3 + 0.022 * skill,
            later: 0.9 + 0.01 * skill,
            ball: vec![Vec::new(); STAGES],
            colour: vec![Vec::new(); STAGES],
        };
        breaks.ball[0] = vec![End { stage: 0, points: 0, chance: 1.0 }];
        for stage in 1..STAGES {
            let misses = End { stage: stage as u8, points: 0, chance: 1.0 - breaks.later };
            // A colour after a red comes back up; the one after the last red leaves all six.
            let leaves = stage - 1;
            if stage > 6 {
                let misses = End { stage: leaves as u8, ..misses };
                let pots = COLOURS.map(|(value, chance)| (value, chance * breaks.later));
                breaks.colour[leaves] = gathered(misses, &pots, &breaks.ball[leaves]);
            }
            let next = if stage > 6 { &breaks.colour[leaves] } else { &breaks.ball[leaves] };
            breaks.ball[stage] = gathered(misses, &[(worth(stage), breaks.later)], next);
        }
        breaks
    }

    /// How the visit may end from the ball that is on.
    pub(super) fn ends(&self, on: On) -> &[End] {
        match on {
            On::Ball(stage) => &self.ball[stage],
            On::Colour(stage) => &self.colour[stage],
            On::First(_) => &[],
        }
    }

    /// What follows the first pot of a visit from this stage.
    pub(super) fn after_first(&self, stage: usize) -> &[End] {
        self.ends(after_pot(stage))
    }

    /// The chance that the ball is potted.
    pub(super) fn pots(&self, on: On) -> f64 {
        if matches!(on, On::First(_)) { self.first } else { self.later }
    }
}

/// The ball on after the lowest ball of a stage has been potted.
pub(super) fn after_pot(stage: usize) -> On {
    if stage > 6 { On::Colour(stage - 1) } else { On::Ball(stage - 1) }
}

/// The miss, and what follows pots of these worths, like ends put together.
fn gathered(misses: End, pots: &[(u8, f64)], next: &[End]) -> Vec<End> {
    let mut ends = vec![misses];
    for (value, chance) in pots {
        for end in next {
            ends.push(End { points: end.points + value, chance: end.chance * chance, ..*end });
        }
    }
    ends.sort_unstable_by_key(|end| (end.stage, end.points));
    ends.dedup_by(|later, kept| {
        let is_like = (later.stage, later.points) == (kept.stage, kept.points);
        kept.chance += if is_like { later.chance } else { 0.0 };
        is_like
    });
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_that_a_break_can_be_is_147() {
        for skill in 0..SKILLS {
            let breaks = breaks(skill);
            for on in [On::Ball(STAGES - 1), On::Colour(STAGES - 2), On::Ball(6), On::Ball(1)] {
                let sum: f64 = breaks.ends(on).iter().map(|end| end.chance).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{on:?}: {sum}");
            }
            let most = breaks.ends(On::Ball(STAGES - 1)).iter().map(|end| end.points).max();
            assert_eq!(most, Some(147));
            assert_eq!(i64::from(most.unwrap_or(0)), remaining(STAGES - 1));
        }
        assert_eq!((1..=6).map(|stage| i64::from(worth(stage))).sum::<i64>(), remaining(6));
    }
}
