//! The record of a match of sets, and the answers that it decides. Kept by plays. Must not decide more than the play so
//! far, because a match may be given up or abandoned at any moment.
//!
//! If a side gives up, the other wins the match, provided that a set has been finished; otherwise the winner is void.
//! All other undecided markets are void.

use super::other;
use super::race::Race;
use crate::catalogue::SportData;
use crate::catalogue::questions::{SetQuestion, SetsQuestion};
use crate::pricing::kind::KindSpec;
use crate::simulator::settled::{ahead_with, odd_even, over, sign, yes};
use crate::simulator::sport::side_number;
use kvota_domain::matches::Pair;

/// The number of points of the market on the leader.
pub const EARLY: usize = 4;

/// The winners of points of sets as facts show them, with a 0 between two sets.
pub fn by_set(sets: &[impl AsRef<[u8]>]) -> impl Iterator<Item = [i32; 1]> {
    sets.iter().enumerate().flat_map(|(at, set)| {
        let cut = (at > 0).then_some([0]);
        cut.into_iter().chain(set.as_ref().iter().map(|winner| [side_number(usize::from(*winner))]))
    })
}

/// A match so far.
#[derive(Clone, Debug)]
pub struct Record {
    /// How many sets win.
    pub need: u8,
    /// A set, and the last possible one.
    races: [Race; 2],
    /// The sets won by home and away.
    pub sets: [u8; 2],
    /// The scores of the finished sets and, last, of the running one.
    pub scores: Vec<[u8; 2]>,
    /// The winners of the points, by set.
    pub winners: Vec<Vec<u8>>,
    /// It has begun.
    pub is_begun: bool,
    /// It is over, however it came to that.
    pub is_over: bool,
    /// The side that gave up.
    pub retired: Option<usize>,
}

impl Record {
    /// Nothing played. `races` has the rules of a set, and of the last possible one.
    pub fn new(need: u8, races: [Race; 2]) -> Record {
        Record {
            need,
            races,
            sets: [0; 2],
            scores: vec![[0; 2]],
            winners: vec![Vec::new()],
            is_begun: false,
            is_over: false,
            retired: None,
        }
    }

    /// The number of finished sets, which is the index of the current one.
    pub fn finished(&self) -> usize {
        usize::from(self.sets[0]) + usize::from(self.sets[1])
    }

    /// The score of the running set.
    pub fn running(&self) -> [u8; 2] {
        self.scores.get(self.finished()).copied().unwrap_or_default()
    }

    /// Whether the running set is the last possible one.
    pub fn is_last(&self) -> bool {
        self.sets == [self.need - 1; 2]
    }

    /// The rules of the running set.
    pub fn race(&self) -> Race {
        self.race_of(self.finished())
    }

    fn race_of(&self, set: usize) -> Race {
        self.races[usize::from(set + 1 == 2 * usize::from(self.need) - 1)]
    }

    /// Points of the finished sets.
    pub fn counted(&self) -> [usize; 2] {
        let finished = self.scores.iter().take(self.finished());
        finished.fold([0; 2], |sum, score| [0, 1].map(|side| sum[side] + usize::from(score[side])))
    }

    /// How many points were played in the match.
    pub fn played(&self) -> usize {
        self.winners.iter().map(Vec::len).sum()
    }

    /// The score at the end, so far: in sets, or in points if there is one set.
    pub fn score(&self) -> [u8; 2] {
        if self.need > 1 { self.sets } else { self.scores[0] }
    }

    /// How many of these win.
    pub fn target(&self) -> u8 {
        if self.need > 1 { self.need } else { self.race_of(0).to }
    }

    /// Adds a point in the current set; whether the set is over with it.
    pub fn point(&mut self, side: usize) -> bool {
        if let (Some(running), Some(winners)) = (self.scores.last_mut(), self.winners.last_mut()) {
            running[side] = running[side].saturating_add(1);
            winners.push(side as u8);
        }
        self.race().is_over(self.running())
    }

    /// The running set is won; whether that ends the match.
    pub fn win_set(&mut self, side: usize) -> bool {
        self.sets[side] += 1;
        self.is_over = self.sets[side] >= self.need;
        if !self.is_over {
            self.scores.push([0; 2]);
            self.winners.push(Vec::new());
        }
        self.is_over
    }

    /// A side gives up.
    pub fn retire(&mut self, side: usize) {
        if !self.is_over {
            self.is_over = true;
            self.retired = Some(side);
        }
    }

    /// The status people see.
    pub fn status(&self) -> &'static str {
        const STATUSES: [&str; 7] = ["set_1", "set_2", "set_3", "set_4", "set_5", "set_6", "set_7"];
        match self.is_over {
            true => "ended",
            false => STATUSES.get(self.finished()).copied().unwrap_or("set_7"),
        }
    }

    /// The sets' scores as people see them.
    pub fn shown(&self) -> Vec<Pair> {
        let begun = if self.is_begun { self.scores.as_slice() } else { &[] };
        begun.iter().map(|score| score.map(i64::from)).collect()
    }

    /// All sets that it needs were played.
    pub fn is_complete(&self) -> bool {
        self.sets[0].max(self.sets[1]) >= self.need
    }

    /// The score of a set that is finished.
    pub fn set(&self, set: usize) -> Option<[u8; 2]> {
        self.scores.get(set).copied().filter(|_| set < self.finished())
    }

    /// The right answer of a kind that all sports with sets may have; `None` if it is not decided.
    pub fn right(&self, data: &SportData<SetsQuestion>, kind: u16, line: u16) -> Option<usize> {
        match data.question_of_set(kind) {
            Some((set, question)) => self.right_of_set(question, set, data.spec(kind), line),
            None => self.right_of_match(data.question(kind)?, data.spec(kind), line),
        }
    }

    fn right_of_match(&self, question: SetsQuestion, spec: &KindSpec, line: u16) -> Option<usize> {
        let complete = self.is_complete();
        let won_by = complete.then(|| winner(self.sets));
        let [home, away] = self.counted();
        let (number, whole) = (usize::from(line), spec.whole(line));
        let of_side = |side: usize| {
            let points: usize = self.scores.iter().map(|score| usize::from(score[side])).sum();
            over(points, whole, complete)
        };
        match question {
            SetsQuestion::Winner => match self.retired {
                Some(retired) if self.finished() > 0 => Some(other(retired)),
                Some(_) => None,
                None => won_by,
            },
            SetsQuestion::SetScore => complete.then(|| set_score_place(self.need, self.sets).into()),
            SetsQuestion::Sets => {
                let fewest = self.finished() + usize::from(self.need - self.sets[0].max(self.sets[1]));
                let fewest = if complete { self.finished() } else { fewest };
                over(fewest, whole, complete || fewest + 1 == 2 * usize::from(self.need))
            }
            SetsQuestion::SetHandicap => complete.then(|| ahead_with(apart(self.sets), spec.given(line))),
            SetsQuestion::Total => {
                let least = if complete { 0 } else { usize::from(self.race().fewest(self.running())) };
                over(home + away + least, whole, complete)
            }
            SetsQuestion::Handicap => complete.then(|| ahead_with(home as i64 - away as i64, spec.given(line))),
            SetsQuestion::OddEven => complete.then(|| odd_even(home + away)),
            SetsQuestion::HomeSet => yes(self.sets[0] > 0, complete),
            SetsQuestion::AwaySet => yes(self.sets[1] > 0, complete),
            SetsQuestion::FirstAndMatch => Some(winner(self.set(0)?) * 2 + won_by?),
            SetsQuestion::ExactSets => complete.then(|| self.finished() - 2),
            SetsQuestion::HomeTotal => of_side(0),
            SetsQuestion::AwayTotal => of_side(1),
            SetsQuestion::Score => complete.then(|| score_place(self.score()).into()),
            SetsQuestion::Decider => yes(self.score().iter().all(|won| won + 1 >= self.target()), complete),
            SetsQuestion::FirstTo => first_to(&self.winners[0], number + 1),
            SetsQuestion::Set => self.set(number).map(winner),
            SetsQuestion::Leg | SetsQuestion::NextLeg => {
                self.winners.iter().flatten().nth(number).map(|winner| usize::from(*winner))
            }
            SetsQuestion::AfterFour => {
                let early = self.winners[0].get(..EARLY)?;
                let away: i64 = early.iter().map(|winner| i64::from(*winner)).sum();
                Some(sign(EARLY as i64 - 2 * away))
            }
            _ => None,
        }
    }

    fn right_of_set(&self, question: SetQuestion, set: usize, spec: &KindSpec, line: u16) -> Option<usize> {
        let finished = self.set(set);
        let score = self.scores.get(set).copied();
        let winners = self.winners.get(set).map_or(&[][..], Vec::as_slice);
        let (number, whole) = (usize::from(line), spec.whole(line));
        match question {
            SetQuestion::Winner => finished.map(winner),
            SetQuestion::Total => {
                let least = score.map_or(0, |score| self.race_of(set).fewest(score));
                over(usize::from(least), whole, finished.is_some())
            }
            SetQuestion::Handicap => finished.map(|score| ahead_with(apart(score), spec.given(line))),
            SetQuestion::OddEven => finished.map(|[home, away]| odd_even(usize::from(home + away))),
            SetQuestion::HomeTotal => over(usize::from(score?[0]), whole, finished.is_some()),
            SetQuestion::AwayTotal => over(usize::from(score?[1]), whole, finished.is_some()),
            SetQuestion::FirstTo => first_to(winners, number + 1),
            SetQuestion::Extra => {
                let [home, away] = score?;
                yes(home.min(away) + 1 >= self.race_of(set).to, finished.is_some())
            }
            SetQuestion::Point => winners.get(number).map(|winner| usize::from(*winner)),
            SetQuestion::Margin => finished.map(|score| margin_place(score).into()),
            _ => None,
        }
    }
}

/// The side with more: 0 home, 1 away.
fn winner([home, away]: [u8; 2]) -> usize {
    usize::from(away > home)
}

fn apart([home, away]: [u8; 2]) -> i64 {
    i64::from(home) - i64::from(away)
}

/// The side that was first to win so many points.
fn first_to(winners: &[u8], count: usize) -> Option<usize> {
    let mut won = [0; 2];
    let first = winners.iter().find(|winner| {
        won[usize::from(**winner)] += 1;
        won[usize::from(**winner)] == count
    });
    first.map(|winner| usize::from(*winner))
}

/// The answer's index of a final score in sets: first the scores of matches to two sets, then to three, then to four.
pub fn set_score_place(need: u8, [home, away]: [u8; 2]) -> u16 {
    let (need, first) = (u16::from(need), u16::from(need) * (u16::from(need) - 1) - 2);
    if home > away { first + u16::from(away) } else { first + 2 * need - 1 - u16::from(home) }
}

/// The answer's index of a score up to 10:10.
pub fn score_place([home, away]: [u8; 2]) -> u16 {
    u16::from(home) * 11 + u16::from(away)
}

/// How many points ahead a set is won, home's first: up to 2, up to 4, up to 6, more.
pub fn margin_place([home, away]: [u8; 2]) -> u16 {
    let by = match home.abs_diff(away) {
        0..=2 => 0,
        3..=4 => 1,
        5..=6 => 2,
        _ => 3,
    };
    if home > away { by } else { 4 + by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::{Answers, Line};
    use crate::simulator::sets::race::Order;

    const GAMES: Race = Race { to: 6, cap: Some(7), order: Order::Turns };
    const FRAMES: Race = Race { to: 4, cap: Some(4), order: Order::Turns };

    /// Totals from 12.5 and 30 handicaps.
    fn of_match(record: &Record, question: SetsQuestion, line: u16) -> Option<usize> {
        let rule = if question == SetsQuestion::Total { Line::Half(12) } else { Line::None };
        record.right_of_match(question, &KindSpec::of(1, Answers::UnderOver, rule, 30), line)
    }

    fn record(sets: [u8; 2], scores: &[[u8; 2]]) -> Record {
        Record { sets, scores: scores.to_vec(), is_begun: true, ..Record::new(2, [GAMES; 2]) }
    }

    #[test]
    fn what_was_played_decides_and_nothing_else() {
        let mut running = record([1, 0], &[[6, 4], [3, 5]]);
        assert_eq!(of_match(&running, SetsQuestion::Winner, 0), None);
        assert_eq!(of_match(&running, SetsQuestion::HomeSet, 0), Some(0));
        assert_eq!(of_match(&running, SetsQuestion::Total, 6), Some(1), "ten and nine are more than 18.5");
        assert_eq!(of_match(&running, SetsQuestion::Total, 7), None, "19.5");
        assert_eq!(of_match(&running, SetsQuestion::Sets, 1), Some(1), "two sets at least");
        assert_eq!(of_match(&running, SetsQuestion::Sets, 2), None);
        let of_set = |question, set, line| {
            running.right_of_set(question, set, &KindSpec::of(1, Answers::UnderOver, Line::Half(6), 12), line)
        };
        assert_eq!(of_set(SetQuestion::Winner, 0, 0), Some(0));
        assert_eq!(of_set(SetQuestion::Winner, 1, 0), None);
        assert_eq!(of_set(SetQuestion::Total, 1, 2), Some(1), "over 8.5");
        running.retire(0);
        assert_eq!(of_match(&running, SetsQuestion::Winner, 0), Some(1), "the other wins");
        assert_eq!(of_match(&running, SetsQuestion::SetScore, 0), None);
        let mut early = record([0, 0], &[[5, 0]]);
        early.retire(1);
        assert_eq!(of_match(&early, SetsQuestion::Winner, 0), None, "no set was finished");
    }

    #[test]
    fn a_whole_match_decides_all() {
        let over = record([1, 2], &[[6, 4], [3, 6], [6, 7]]);
        for (question, line, right) in [
            (SetsQuestion::Winner, 0, 1),
            (SetsQuestion::SetScore, 0, 2),
            (SetsQuestion::Score, 0, 13),
            (SetsQuestion::Sets, 2, 1),
            // 32 games are over 31.5 and under 32.5.
            (SetsQuestion::Total, 19, 1),
            (SetsQuestion::Total, 20, 0),
            // 15 and 17: +1.5 is too little.
            (SetsQuestion::Handicap, 15 + 1, 1),
            (SetsQuestion::Handicap, 15 + 2, 0),
            (SetsQuestion::OddEven, 0, 1),
            (SetsQuestion::HomeTotal, 14, 1),
            (SetsQuestion::AwayTotal, 17, 0),
            (SetsQuestion::FirstAndMatch, 0, 1),
            (SetsQuestion::ExactSets, 0, 1),
            (SetsQuestion::Decider, 0, 0),
        ] {
            assert_eq!(of_match(&over, question, line), Some(right), "{question:?} {line}");
        }
    }

    #[test]
    fn a_match_of_frames_is_one_set() {
        let mut play = Record::new(1, [FRAMES; 2]);
        let winners = [0, 1, 0, 0];
        assert!(!winners.into_iter().any(|winner| play.point(winner)));
        for (question, line, right) in [
            (SetsQuestion::Winner, 0, None),
            (SetsQuestion::AfterFour, 0, Some(0)),
            (SetsQuestion::FirstTo, 2, Some(0)),
            (SetsQuestion::FirstTo, 3, None),
            (SetsQuestion::Leg, 1, Some(1)),
            (SetsQuestion::Leg, 4, None),
            (SetsQuestion::Decider, 0, None),
        ] {
            assert_eq!(of_match(&play, question, line), right, "{question:?} {line}");
        }
        assert!(play.point(0) && play.win_set(0));
        for (question, line, right) in [
            (SetsQuestion::Winner, 0, 0),
            (SetsQuestion::Score, 0, 45),
            (SetsQuestion::OddEven, 0, 0),
            (SetsQuestion::Handicap, 11, 1),
            (SetsQuestion::Decider, 0, 1),
        ] {
            assert_eq!(of_match(&play, question, line), Some(right), "{question:?} {line}");
        }
    }

    #[test]
    fn final_scores_have_places_of_their_own() {
        let mut places: Vec<u16> = Vec::new();
        for need in 2..=4 {
            places.extend((0..need).map(|away| set_score_place(need, [need, away])));
            places.extend((0..need).rev().map(|home| set_score_place(need, [home, need])));
        }
        assert_eq!(places, (0..18).collect::<Vec<u16>>());
    }
}
