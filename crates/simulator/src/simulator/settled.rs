//! Results of markets: the index of the winning answer, or none if undecided. Must not know a sport.

use super::sport::Verdict;

/// The result of an answer; void if nothing is decided.
pub(super) fn verdict(result: Option<u16>, answer: u16) -> Verdict {
    result.map_or(Verdict::Void, |place| Verdict::of(place == answer))
}

/// Under or over `line` + 0.5: over as soon as the count is higher, under once the count is final.
pub(super) fn over(counted: usize, line: usize, is_final: bool) -> Option<u16> {
    (counted > line || is_final).then_some(u16::from(counted > line))
}

/// The side that is ahead with a handicap of half a point more than `given`.
pub(super) fn ahead_with(ahead: i64, given: i64) -> u16 {
    u16::from(ahead + given < 0)
}

/// Yes as soon as it has happened, no once it can no longer happen.
pub(super) fn yes(has_happened: bool, is_final: bool) -> Option<u16> {
    (has_happened || is_final).then_some(u16::from(!has_happened))
}

/// Odd or even, once it is final.
pub(super) fn odd_even(counted: usize, is_final: bool) -> Option<u16> {
    is_final.then_some(u16::from(counted.is_multiple_of(2)))
}

/// More at home, as many, more away: once it is final.
pub(super) fn three_way(home: usize, away: usize, is_final: bool) -> Option<u16> {
    is_final.then_some(match home.cmp(&away) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_is_decided_and_the_rest_at_the_end() {
        assert_eq!(over(3, 2, false), Some(1));
        assert_eq!(over(2, 2, false), None);
        assert_eq!(over(2, 2, true), Some(0));
        assert_eq!((yes(true, false), yes(false, false), yes(false, true)), (Some(0), None, Some(1)));
        assert_eq!((odd_even(3, true), odd_even(4, true), odd_even(4, false)), (Some(0), Some(1), None));
        assert_eq!((three_way(2, 1, true), three_way(1, 1, true), three_way(0, 1, true)), (Some(0), Some(1), Some(2)));
        assert_eq!(verdict(None, 0), Verdict::Void);
        assert_eq!(verdict(Some(1), 1), Verdict::Won);
        assert_eq!(verdict(Some(1), 0), Verdict::Lost);
    }
}
