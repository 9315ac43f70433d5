//! Decides an answer from the score of a part of a match, for any sport with two sides. Called by the sports' verdicts.
//! While the part is not over, it decides only what further goals cannot change.

use super::verdict::Verdict;

/// The current score of a part of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Home and away.
    pub score: [u32; 2],
    /// Whether the part is over.
    pub is_over: bool,
}

impl Part {
    /// A part of a match.
    pub fn new(score: [impl Into<u32>; 2], is_over: bool) -> Part {
        Part { score: score.map(Into::into), is_over }
    }

    /// Won or lost once the part is over; void before.
    pub fn at_the_end(self, is_so: bool) -> Verdict {
        if self.is_over { Verdict::of(is_so) } else { Verdict::Void }
    }

    /// Goals of both sides.
    pub fn both(self) -> u32 {
        self.score[0] + self.score[1]
    }

    /// The index of the score among `1`, `X`, `2`.
    pub fn place(self) -> u16 {
        match self.score[0].cmp(&self.score[1]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        }
    }

    /// `1`, `X`, `2`.
    pub fn result(self, answer: u16) -> Verdict {
        self.at_the_end(answer == self.place())
    }

    /// `1X`, `12`, `X2`.
    pub fn double_chance(self, answer: u16) -> Verdict {
        // Each leaves one result out: the third, the second, the first.
        self.at_the_end(answer + self.place() != 2)
    }

    /// `1`, `2`; a draw is void.
    pub fn draw_no_bet(self, answer: u16) -> Verdict {
        if self.place() == 1 { Verdict::Void } else { self.at_the_end(2 * answer == self.place()) }
    }

    /// Under and over of `line` and a half, of both sides.
    pub fn total(self, line: u32, answer: u16) -> Verdict {
        under_over(self.both(), line, self.is_over, answer)
    }

    /// Under and over of `line` and a half, of one side.
    pub fn total_of(self, side: usize, line: u32, answer: u16) -> Verdict {
        under_over(self.score[side], line, self.is_over, answer)
    }

    /// `1`, `2`, with `given` plus one half added to the home score.
    pub fn handicap(self, given: i64, answer: u16) -> Verdict {
        let ahead = i64::from(self.score[0]) - i64::from(self.score[1]) + given;
        self.at_the_end((answer == 0) == (ahead >= 0))
    }

    /// `1`, `X`, `2`, with `given` added to the home score.
    pub fn three_way_handicap(self, given: i64, answer: u16) -> Verdict {
        let ahead = i64::from(self.score[0]) - i64::from(self.score[1]) + given;
        self.at_the_end(i64::from(answer) == 1 - ahead.signum())
    }

    /// Odd, even.
    pub fn odd_even(self, answer: u16) -> Verdict {
        self.at_the_end(self.both().is_multiple_of(2) == (answer == 1))
    }

    /// Yes, no: each side scores.
    pub fn both_score(self, answer: u16) -> Verdict {
        yes_no(self.happens(self.score[0] > 0 && self.score[1] > 0), answer)
    }

    /// Yes, no: the other side scores nothing.
    pub fn clean_sheet(self, side: usize, answer: u16) -> Verdict {
        yes_no(self.happens(self.score[1 - side] > 0).map(|scores| !scores), answer)
    }

    /// Yes, no: the side wins, and the other scores nothing.
    pub fn win_to_nil(self, side: usize, answer: u16) -> Verdict {
        let spoilt = self.score[1 - side] > 0;
        let is_so = if spoilt { Some(false) } else { self.happens(false).map(|_| self.score[side] > 0) };
        yes_no(is_so, answer)
    }

    /// The score, with the index `base × home + away` if neither side has more than `listed`, else `base × base`.
    pub fn correct_score(self, (base, listed): (u32, u32), answer: u16) -> Verdict {
        let is_listed = self.score.iter().all(|goals| *goals <= listed);
        let place = if is_listed { base * self.score[0] + self.score[1] } else { base * base };
        self.at_the_end(u32::from(answer) == place)
    }

    /// Whether an irreversible event happens: known once it has happened, or once the part is over.
    pub fn happens(self, has_happened: bool) -> Option<bool> {
        (has_happened || self.is_over).then_some(has_happened)
    }
}

/// Yes, no; void if unknown.
pub fn yes_no(is_so: Option<bool>, answer: u16) -> Verdict {
    is_so.map_or(Verdict::Void, |is_so| Verdict::of(is_so == (answer == 0)))
}

/// The verdict of an answer `1`, neither or `2`, for the side of an event. Neither wins if the part is over without the
/// event.
pub fn whose(side: Option<usize>, is_over: bool, answer: u16) -> Verdict {
    match side {
        Some(side) => Verdict::of(usize::from(answer) == 2 * side),
        None if is_over => Verdict::of(answer == 1),
        None => Verdict::Void,
    }
}

/// Under and over of `line` and a half.
pub fn under_over(counted: u32, line: u32, is_over: bool, answer: u16) -> Verdict {
    let is_above = counted > line;
    if is_above || is_over { Verdict::of(is_above == (answer == 1)) } else { Verdict::Void }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Lost, Void, Won};

    #[test]
    fn a_part_that_is_over_decides_everything() {
        let over = Part::new([2_u32, 1], true);
        for (verdict, expected) in [
            (over.result(0), Won),
            (over.result(1), Lost),
            (over.double_chance(0), Won),
            (over.double_chance(1), Won),
            (over.double_chance(2), Lost),
            (over.draw_no_bet(0), Won),
            (over.draw_no_bet(1), Lost),
            (Part::new([1_u32, 1], true).draw_no_bet(0), Void),
            (over.total(2, 1), Won),
            (over.total(3, 0), Won),
            (over.total_of(1, 1, 0), Won),
            (over.handicap(-1, 0), Won),
            (over.handicap(-2, 1), Won),
            (over.three_way_handicap(-1, 1), Won),
            (over.three_way_handicap(-2, 2), Won),
            (over.odd_even(0), Won),
            (over.both_score(0), Won),
            (over.clean_sheet(0, 1), Won),
            (over.win_to_nil(0, 0), Lost),
            (Part::new([2_u32, 0], true).win_to_nil(0, 0), Won),
            (over.correct_score((10, 3), 21), Won),
            (over.correct_score((10, 1), 100), Won),
        ] {
            assert_eq!(verdict, expected);
        }
    }

    #[test]
    fn of_a_part_that_goes_on_only_what_goals_cannot_change_is_decided() {
        let open = Part::new([2_u32, 0], false);
        for (verdict, expected) in [
            (open.result(0), Void),
            (open.draw_no_bet(0), Void),
            (open.handicap(5, 0), Void),
            (open.odd_even(1), Void),
            (open.correct_score((10, 3), 0), Void),
            (open.total(1, 1), Won),
            (open.total(1, 0), Lost),
            (open.total(2, 1), Void),
            (open.both_score(0), Void),
            (open.clean_sheet(1, 1), Won),
            (open.clean_sheet(0, 0), Void),
            (open.win_to_nil(1, 0), Lost),
            (open.win_to_nil(0, 0), Void),
        ] {
            assert_eq!(verdict, expected);
        }
        assert_eq!([whose(Some(1), false, 2), whose(None, true, 1), whose(None, false, 1)], [Won, Won, Void]);
    }
}
