//! What the lines and answers of cricket's markets mean, where the file of the sport has only their texts.

/// Lines of runs of each over …
pub(super) const OVER_LINES: usize = 8;
/// … the lowest of them.
const FIRST_OVER_LINE: usize = 3;
/// The most runs of each range but the last.
pub(super) const RANGES: [usize; 8] = [119, 134, 149, 164, 179, 194, 209, usize::MAX];

/// The whole runs of a line of an over, of both innings and all overs: a half comes on top.
pub(super) fn over_line(line: usize) -> usize {
    FIRST_OVER_LINE + line % OVER_LINES
}

/// The range that a number of runs falls into.
pub(super) fn range_of(runs: usize) -> u16 {
    RANGES.iter().take_while(|most| runs > **most).count() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_as_what_falls_into_them() {
        assert_eq!([0, 119, 120, 164, 165, 210, 300].map(range_of), [0, 0, 1, 3, 4, 7, 7]);
        assert_eq!([0, 7, 8].map(over_line), [3, 10, 3]);
    }
}
