//! A round: every ten seconds one fighter, or neither, is in control, and either may end the bout; a fighter who was
//! better in the round for longer is more likely to do so. The outcomes of a round from any moment are computed
//! backwards, once for each of a few differences in strength, and shared by all bouts.

use crate::pricing::maths::{exp, logistic};
use crate::simulator::random::Random;
use std::sync::OnceLock;

/// Ten seconds each.
pub(super) const TICKS: usize = 30;
/// A bout that ends after this many of a round has had more than half of it.
pub(super) const HALF: usize = 15;
/// How a round may look to the judges: 0 and 4 are clear beyond doubt, 2 is close.
pub(super) const LOOKS: usize = 5;
/// Differences in strength are rounded to steps of 0.75 from -4.5 to 4.5.
const GAPS: usize = 13;
/// How often bouts of a tournament end early.
const PACES: [f64; 3] = [0.75, 1.0, 1.4];
/// An even round: the index of the margin 0.
const EVEN: usize = TICKS;
const MARGINS: usize = 2 * TICKS + 1;

static TABLES: [[OnceLock<Rounds>; GAPS]; PACES.len()] = [const { [const { OnceLock::new() }; GAPS] }; PACES.len()];

/// A moment of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moment {
    /// The number of ticks since the start of the round.
    pub tick: usize,
    /// The fighter in control: 0 home, 1 neither, 2 away.
    pub control: usize,
    /// Ticks that home has been in control, less those of away, from [`EVEN`].
    margin: usize,
}

impl Moment {
    /// A round begins.
    pub(super) const BELL: Moment = Moment { tick: 0, control: 1, margin: EVEN };
}

/// The probabilities of the outcomes of a round.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct RoundChances {
    /// Home, or away, ends the bout in it.
    pub ends: [f64; 2],
    /// The bout ends in the first half of the round.
    pub early: f64,
    /// The round ends without a finish, with this look.
    pub looks: [f64; LOOKS],
}

impl RoundChances {
    fn add(&mut self, part: f64, other: &RoundChances) {
        for (place, more) in self.ends.iter_mut().zip(other.ends).chain(self.looks.iter_mut().zip(other.looks)) {
            *place += part * more;
        }
        self.early += part * other.early;
    }

    /// The bout goes on.
    pub(super) fn goes_on(&self) -> f64 {
        self.looks.iter().sum()
    }
}

/// What ten seconds bring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tick {
    /// A side ends the bout.
    End(usize),
    /// It goes on like this.
    On(Moment),
}

/// The rounds of a difference in strength.
#[derive(Debug)]
pub(super) struct Rounds {
    /// Home's part of all changes of control.
    home: f64,
    /// How often each side ends a bout in an even tick.
    threat: [f64; 2],
    /// By tick, control and margin.
    chances: Vec<RoundChances>,
}

/// The rounds of the difference closest to this one, home's strength less away's.
pub(super) fn rounds(gap: f64, pace: usize) -> &'static Rounds {
    let place = ((gap.clamp(-4.5, 4.5) + 4.5) / 0.75 + 0.5) as usize;
    let (place, pace) = (place.min(GAPS - 1), pace % PACES.len());
    TABLES[pace][place].get_or_init(|| Rounds::new(place as f64 * 0.75 - 4.5, PACES[pace]))
}

impl Rounds {
    fn new(gap: f64, pace: f64) -> Rounds {
        let threat = [0.0034 * pace * exp(0.28 * gap), 0.0034 * pace * exp(-0.28 * gap)];
        let mut rounds = Rounds {
            home: logistic(0.5 * gap),
            threat,
            chances: vec![RoundChances::default(); (TICKS + 1) * 3 * MARGINS],
        };
        for tick in (0..=TICKS).rev() {
            for control in 0..3 {
                for margin in 0..MARGINS {
                    let moment = Moment { tick, control, margin };
                    rounds.chances[place(moment)] = rounds.worked_out(moment);
                }
            }
        }
        rounds
    }

    fn worked_out(&self, moment: Moment) -> RoundChances {
        let mut sum = RoundChances::default();
        if moment.tick == TICKS {
            sum.looks[look(moment)] = 1.0;
            return sum;
        }
        let ends = self.ends(moment);
        sum.ends = ends;
        sum.early = if moment.tick < HALF { ends[0] + ends[1] } else { 0.0 };
        let goes_on = 1.0 - ends[0] - ends[1];
        for (control, chance) in self.controls(moment.control).into_iter().enumerate() {
            sum.add(goes_on * chance, &self.chances[place(after(moment, control))]);
        }
        sum
    }

    /// The probabilities of the outcomes of the round, from this moment.
    pub(super) fn chances(&self, moment: Moment) -> &RoundChances {
        &self.chances[place(moment)]
    }

    /// The chances that the sides end the bout in the next ten seconds.
    fn ends(&self, moment: Moment) -> [f64; 2] {
        let lead = moment.margin as f64 - EVEN as f64;
        let of = |side: usize| {
            let (control, lead) = if side == 0 { (moment.control, lead) } else { (2 - moment.control, -lead) };
            self.threat[side] * [1.9, 0.9, 0.3][control] * (1.0 + 0.05 * lead.max(0.0))
        };
        [of(0), of(1)]
    }

    /// The probabilities of the fighter in control after the next ten seconds.
    fn controls(&self, control: usize) -> [f64; 3] {
        let home = self.home;
        match control {
            0 => [1.0 - 0.3 * (1.0 - home), 0.3 * (1.0 - home), 0.0],
            1 => [0.3 * home, 0.7, 0.3 * (1.0 - home)],
            _ => [0.0, 0.3 * home, 1.0 - 0.3 * home],
        }
    }

    /// Draws the next ten seconds.
    pub(super) fn tick(&self, moment: Moment, random: &mut Random) -> Tick {
        let [home, away] = self.ends(moment);
        let drawn = random.unit();
        if drawn < home + away {
            return Tick::End(usize::from(drawn >= home));
        }
        let control = random.weighted(&self.controls(moment.control));
        Tick::On(after(moment, control))
    }
}

fn after(moment: Moment, control: usize) -> Moment {
    // Never beyond the table: a round has as many ticks as there are margins on each side.
    let margin = (moment.margin + 1).saturating_sub(control).min(MARGINS - 1);
    Moment { tick: moment.tick + 1, control, margin }
}

fn place(moment: Moment) -> usize {
    (moment.tick * 3 + moment.control) * MARGINS + moment.margin
}

/// How a round that went to its end looks.
pub(super) fn look(moment: Moment) -> usize {
    match moment.margin as i64 - EVEN as i64 {
        22.. => 0,
        3..22 => 1,
        -2..3 => 2,
        -21..-2 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_equals_is_fair_and_the_better_one_ends_more() {
        let level = rounds(0.0, 1).chances(Moment::BELL);
        assert!((level.ends[0] - level.ends[1]).abs() < 1e-12);
        assert!((level.looks[0] - level.looks[4]).abs() < 1e-12 && (level.looks[1] - level.looks[3]).abs() < 1e-12);
        assert!((level.ends[0] + level.ends[1] + level.goes_on() - 1.0).abs() < 1e-12);
        assert!((0.12..0.35).contains(&(1.0 - level.goes_on())), "{level:?}");
        assert!(level.early < level.ends[0] + level.ends[1]);
        let better = rounds(2.0, 1).chances(Moment::BELL);
        assert!(better.ends[0] > 1.5 * better.ends[1] && better.looks[1] > better.looks[3], "{better:?}");
    }

    #[test]
    fn a_look_follows_who_was_in_control() {
        let at = |margin| look(Moment { tick: TICKS, control: 1, margin });
        assert_eq!([MARGINS - 1, EVEN + 3, EVEN, EVEN - 3, 0].map(at), [0, 1, 2, 3, 4]);
    }
}
