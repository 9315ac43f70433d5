//! The results of soccer markets, given the play so far: the record of a match beyond its situation, and the verdicts
//! that follow from both. Asked by the play of a recorded or simulated match. Markets of the 90 minutes must not look
//! at extra time.

use crate::pricing::kind::Line;
use crate::results::part::{Part, whose, yes_no};
use crate::results::verdict::{Ask, Verdict};
use crate::soccer::full_time::SCORE_LISTED;
use crate::soccer::halves::SCORE_LISTED as FIRST_HALF_SCORE_LISTED;
use crate::soccer::kinds::{EUROPEAN_LEVEL, INTERVALS, Kind};
use crate::soccer::state::{Count, Period, Phase, Situation};

/// A goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) side: usize,
    pub(crate) period: Period,
    /// Seconds since that period's start.
    pub(crate) second: u32,
}

/// The facts of a match that are not in its situation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// All goals, in order.
    pub(crate) goals: Vec<Goal>,
    /// The sides of all corners, in order.
    pub(crate) corners: Vec<usize>,
    /// Corners, cards and red cards of the 90 minutes, once they are over.
    regular: Option<[Count; 3]>,
}

impl Record {
    /// The 90 minutes are over.
    pub(crate) fn close(&mut self, situation: &Situation) {
        self.regular = Some([situation.corners, situation.cards(), situation.red]);
    }

    /// The result of an answer; void if it is not decided.
    pub(crate) fn verdict(&self, situation: &Situation, ask: Ask) -> Verdict {
        let Some(kind) = Kind::of(ask.kind) else { return Verdict::Void };
        let (line, answer) = (u32::from(ask.line), ask.answer);
        let regular = Part::new(situation.regular(), self.regular.is_some());
        let first = Part::new(situation.first, !situation.phase.is_before_half_time());
        let second = Part::new(situation.second, regular.is_over);
        match kind {
            Kind::FullTime => regular.result(answer),
            Kind::DoubleChance => regular.double_chance(answer),
            Kind::DrawNoBet => regular.draw_no_bet(answer),
            Kind::FirstHalfResult => first.result(answer),
            Kind::SecondHalfResult => second.result(answer),
            Kind::HalfFull => regular.at_the_end(answer == 3 * first.place() + regular.place()),
            Kind::NextGoal => {
                let side = self.regular_goals().nth(ask.line.saturating_sub(1).into()).map(|goal| goal.side);
                whose(side, regular.is_over, answer)
            }
            Kind::EuropeanHandicap => regular.three_way_handicap(i64::from(line) - EUROPEAN_LEVEL, answer),
            Kind::AsianHandicap => regular.handicap(i64::from(line) - Line::level(kind.spec().lines), answer),
            Kind::BothScore => regular.both_score(answer),
            Kind::CorrectScore => regular.correct_score((10, SCORE_LISTED as u32), answer),
            Kind::OddEven => regular.odd_even(answer),
            Kind::ExactGoals => regular.at_the_end(u32::from(answer) == regular.both().min(6)),
            Kind::FirstToScore => whose(self.regular_goals().next().map(|goal| goal.side), regular.is_over, answer),
            Kind::LastToScore if !regular.is_over => Verdict::Void,
            Kind::LastToScore => whose(self.regular_goals().last().map(|goal| goal.side), true, answer),
            Kind::CleanSheetHome => regular.clean_sheet(0, answer),
            Kind::CleanSheetAway => regular.clean_sheet(1, answer),
            Kind::Total => regular.total(line, answer),
            Kind::HomeTotal => regular.total_of(0, line, answer),
            Kind::AwayTotal => regular.total_of(1, line, answer),
            Kind::FirstHalfTotal => first.total(line, answer),
            Kind::SecondHalfTotal => second.total(line, answer),
            Kind::FirstHalfBothScore => first.both_score(answer),
            Kind::SecondHalfBothScore => second.both_score(answer),
            Kind::WinToNilHome => regular.win_to_nil(0, answer),
            Kind::WinToNilAway => regular.win_to_nil(1, answer),
            Kind::ResultAndBothScore => {
                let both = regular.score.iter().all(|goals| *goals > 0);
                regular.at_the_end(answer == 2 * regular.place() + u16::from(!both))
            }
            Kind::ResultAndTotal => {
                regular.at_the_end(answer == 2 * regular.place() + u16::from(regular.both() > line))
            }
            Kind::GoalInInterval => self.in_interval(situation, ask),
            Kind::BothHalvesHome => both_halves([first, second], 0, answer),
            Kind::BothHalvesAway => both_halves([first, second], 1, answer),
            Kind::MoreGoalsHalf => {
                let halves = Part::new([first.both(), second.both()], regular.is_over);
                halves.result(answer)
            }
            Kind::GoalRange => {
                let range = match regular.both() {
                    0..=1 => 0,
                    2..=3 => 1,
                    4..=6 => 2,
                    _ => 3,
                };
                regular.at_the_end(answer == range)
            }
            Kind::FirstHalfDoubleChance => first.double_chance(answer),
            Kind::FirstHalfScore => first.correct_score((6, FIRST_HALF_SCORE_LISTED as u32), answer),
            Kind::FirstHalfOddEven => first.odd_even(answer),
            Kind::Winner | Kind::ExtraTime | Kind::ShootOut => self.after_all(situation, kind, answer),
            Kind::ExtraTimeResult | Kind::ExtraTimeTotal | Kind::ExtraTimeNextGoal => {
                self.of_extra_time(situation, kind, ask)
            }
            _ => self.of_counts(situation, kind, ask),
        }
    }

    /// Corners and cards.
    fn of_counts(&self, situation: &Situation, kind: Kind, ask: Ask) -> Verdict {
        let (line, answer) = (u32::from(ask.line), ask.answer);
        let is_over = self.regular.is_some();
        let counts = self.regular.unwrap_or([situation.corners, situation.cards(), situation.red]);
        let [corners, cards, red] = counts.map(|count| Part::new(count, is_over));
        match kind {
            Kind::Corners => corners.total(line, answer),
            Kind::MostCorners => corners.result(answer),
            Kind::NextCorner => {
                let of_regular = self.corners.iter().take(corners.both() as usize);
                whose(of_regular.copied().nth(ask.line.saturating_sub(1).into()), is_over, answer)
            }
            Kind::CornersOddEven => corners.odd_even(answer),
            Kind::HomeCorners => corners.total_of(0, line, answer),
            Kind::AwayCorners => corners.total_of(1, line, answer),
            Kind::FirstHalfCorners => {
                let first = Part::new(situation.corners_first, !situation.phase.is_before_half_time());
                first.total(line, answer)
            }
            Kind::Cards => cards.total(line, answer),
            Kind::MostCards => cards.result(answer),
            Kind::HomeCards => cards.total_of(0, line, answer),
            Kind::AwayCards => cards.total_of(1, line, answer),
            Kind::RedCard => yes_no(red.happens(red.both() > 0), answer),
            _ => Verdict::Void,
        }
    }

    /// What follows the 90 minutes, if anything.
    fn after_all(&self, situation: &Situation, kind: Kind, answer: u16) -> Verdict {
        let is_over = situation.phase == Phase::Ended;
        let extra_time = self.regular.is_some().then(|| situation.went_to_extra_time());
        let [home, away] = situation.score();
        match kind {
            Kind::ExtraTime => yes_no(extra_time, answer),
            Kind::ShootOut => {
                let began =
                    matches!(situation.phase, Phase::After(Period::ExtraSecond) | Phase::Playing(Period::ShootOut));
                let shoot_out = began || situation.shoot_out.taken != [0, 0];
                yes_no((is_over || shoot_out).then_some(shoot_out), answer)
            }
            _ if home == away => Part::new(situation.shoot_out.scored, is_over).draw_no_bet(answer),
            _ => Part::new([home, away], is_over).draw_no_bet(answer),
        }
    }

    fn of_extra_time(&self, situation: &Situation, kind: Kind, ask: Ask) -> Verdict {
        let goes_on = situation.phase.period().is_some_and(|period| period < Period::ExtraSecond)
            || situation.phase == Phase::Playing(Period::ExtraSecond);
        let extra = Part::new(situation.extra, !goes_on);
        match kind {
            Kind::ExtraTimeResult => extra.result(ask.answer),
            Kind::ExtraTimeTotal => extra.total(ask.line.into(), ask.answer),
            _ => {
                let mut goals = self.goals.iter().filter(|goal| goal.period > Period::SecondHalf);
                let side = goals.nth(ask.line.saturating_sub(1).into()).map(|goal| goal.side);
                whose(side, extra.is_over, ask.answer)
            }
        }
    }

    fn in_interval(&self, situation: &Situation, ask: Ask) -> Verdict {
        let Some((is_first, start, end)) = INTERVALS.get(usize::from(ask.line)).copied() else {
            return Verdict::Void;
        };
        let half = if is_first { Period::FirstHalf } else { Period::SecondHalf };
        let fell = self.goals.iter().any(|goal| goal.period == half && (start..end).contains(&goal.second));
        let is_over = match situation.phase {
            Phase::NotStarted => false,
            Phase::Playing(playing) if playing == half => situation.elapsed_s >= end,
            Phase::Playing(playing) => playing > half,
            Phase::After(played) => played >= half,
            Phase::Ended => true,
        };
        yes_no((fell || is_over).then_some(fell), ask.answer)
    }

    fn regular_goals(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().filter(|goal| goal.period <= Period::SecondHalf)
    }
}

/// Yes, no: the side scores in each half.
fn both_halves(halves: [Part; 2], side: usize, answer: u16) -> Verdict {
    let [first, second] = halves.map(|half| half.happens(half.score[side] > 0));
    let is_so = match (first, second) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    yes_no(is_so, answer)
}
