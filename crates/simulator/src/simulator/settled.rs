//! Results of markets: the index of the right answer, or none if undecided. Must not know a sport.

/// Under or over `line` + 0.5: over as soon as the count is higher, under once the count is final.
pub(super) fn over(counted: usize, line: u16, is_final: bool) -> Option<usize> {
    let is_over = counted > usize::from(line);
    (is_over || is_final).then_some(usize::from(is_over))
}

/// The side that is ahead with a handicap of half a point more than `given`.
pub(super) fn ahead_with(ahead: i64, given: i64) -> usize {
    usize::from(ahead + given < 0)
}

/// Yes as soon as it has happened, no once it can no longer happen.
pub(super) fn yes(has_happened: bool, is_final: bool) -> Option<usize> {
    (has_happened || is_final).then_some(usize::from(!has_happened))
}

/// Odd or even.
pub(super) fn odd_even(counted: usize) -> usize {
    usize::from(counted.is_multiple_of(2))
}

/// The side that is ahead; `None` if neither is.
pub(super) fn two_way(ahead: i64) -> Option<usize> {
    (ahead != 0).then_some(usize::from(ahead < 0))
}

/// Home is ahead, neither, or away: 0, 1, 2.
pub(super) fn sign(ahead: i64) -> usize {
    match ahead {
        1.. => 0,
        0 => 1,
        _ => 2,
    }
}

/// The index of a margin's band.
pub(super) fn band(bands: &[i64], with_draw: bool, ahead: i64) -> usize {
    let within = bands.iter().position(|most| ahead.abs() <= *most).unwrap_or(bands.len());
    let own = bands.len() + 1;
    match ahead {
        1.. => within,
        0 => own,
        _ => own + usize::from(with_draw) + within,
    }
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
        assert_eq!((odd_even(3), odd_even(4)), (0, 1));
        assert_eq!([1, 0, -1].map(sign), [0, 1, 2]);
        assert_eq!([1, 0, -1].map(two_way), [Some(0), None, Some(1)]);
    }

    #[test]
    fn bands_have_their_places() {
        for (difference, without, with) in [(1, 0, 0), (6, 1, 1), (40, 2, 2), (-1, 3, 4), (-10, 4, 5), (-11, 5, 6)] {
            assert_eq!((band(&[5, 10], false, difference), band(&[5, 10], true, difference)), (without, with));
        }
        assert_eq!(band(&[5, 10], true, 0), 3);
    }
}
