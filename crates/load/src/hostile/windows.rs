//! Windows with and without hostile clients within one run, and their comparison. Two separate runs often differ more
//! by other work of the machine than by the effect measured. So each window is compared with its neighbour, and every
//! other pair has the reverse order, so that a slow drift cancels out. Built by `mod.rs`, read by `collect.rs`.

use std::time::Duration;

/// A part of the run in which only the bettors' actions vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// When it begins.
    pub from: Duration,
    /// When it ends.
    pub until: Duration,
    /// Whether hostile clients are active.
    pub is_hostile: bool,
}

/// All windows of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows {
    list: Vec<Window>,
    /// The period of hostile clients in a run without windows.
    whole: Window,
}

impl Windows {
    /// As many pairs of windows as fit between `from` and the end.
    pub fn new(from: Duration, length: Duration, window: Option<Duration>) -> Windows {
        let whole = Window { from, until: length, is_hostile: true };
        let Some(window) = window.filter(|window| !window.is_zero()) else {
            return Windows { list: Vec::new(), whole };
        };
        let fit = (length.saturating_sub(from).as_secs_f64() / window.as_secs_f64()) as u32;
        let begin = |number: u32| from + window * number;
        // The order is quiet, hostile, hostile, quiet, repeated.
        let is_hostile = |number: u32| matches!(number % 4, 1 | 2);
        let at = |number| Window { from: begin(number), until: begin(number + 1), is_hostile: is_hostile(number) };
        Windows { list: (0..fit / 2 * 2).map(at).collect(), whole }
    }

    /// The windows in their order; empty if hostile clients stay for the whole time.
    pub fn list(&self) -> &[Window] {
        &self.list
    }

    /// The periods with and without hostile clients; adjacent windows of the same kind are merged.
    pub fn spans(&self) -> Vec<Window> {
        let mut spans: Vec<Window> = Vec::new();
        for window in &self.list {
            match spans.last_mut() {
                Some(last) if last.is_hostile == window.is_hostile => last.until = window.until,
                _ => spans.push(*window),
            }
        }
        if self.list.is_empty() { vec![self.whole] } else { spans }
    }

    /// The window that a second of the run belongs to. The first quarter of a window is not measured, because hostile
    /// clients start and stop in it.
    pub fn measured_in(&self, second: u64) -> Option<usize> {
        let begin = Duration::from_secs(second);
        let end = begin + Duration::from_secs(1);
        let fits = |window: &Window| {
            let settled = window.from + (window.until - window.from) / 4;
            begin >= settled && end <= window.until
        };
        self.list.iter().position(fits)
    }
}

/// The slowdown with hostile clients in per cent: the median over the pairs of windows.
pub fn slowdown_percent(pairs: &[[f64; 2]]) -> Option<f64> {
    let ratio = |[quiet, hostile]: &[f64; 2]| (*quiet > 0.0).then(|| (hostile / quiet - 1.0) * 100.0);
    median(pairs.iter().filter_map(ratio).collect())
}

/// The middle value, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = values.len() / 2;
    let high = *values.get(upper)?;
    let low = if values.len().is_multiple_of(2) { values[upper - 1] } else { high };
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn windows_are_paired_and_every_other_pair_is_reversed() {
        let windows = Windows::new(s(10), s(75), Some(s(12)));
        let order: Vec<bool> = windows.list().iter().map(|window| window.is_hostile).collect();
        assert_eq!(order, [false, true, true, false]);
        assert_eq!((windows.list()[0].from, windows.list()[3].until), (s(10), s(58)));
        let spans: Vec<(Duration, Duration)> = windows.spans().iter().map(|span| (span.from, span.until)).collect();
        assert_eq!(spans, [(s(10), s(22)), (s(22), s(46)), (s(46), s(58))]);
    }

    #[test]
    fn the_first_quarter_of_a_window_is_not_measured() {
        let windows = Windows::new(s(10), s(75), Some(s(12)));
        let measured: Vec<Option<usize>> =
            [9, 10, 12, 13, 21, 22, 25, 33, 57, 58].map(|t| windows.measured_in(t)).into();
        assert_eq!(measured, [None, None, None, Some(0), Some(0), None, Some(1), Some(1), Some(3), None]);
    }

    #[test]
    fn without_windows_hostile_clients_stay_to_the_end() {
        let windows = Windows::new(s(5), s(30), None);
        assert_eq!(windows.spans(), [Window { from: s(5), until: s(30), is_hostile: true }]);
        assert_eq!((windows.list().len(), windows.measured_in(10)), (0, None));
    }

    #[test]
    fn one_disturbed_pair_does_not_decide() {
        let pairs = [[100.0, 104.0], [100.0, 500.0], [110.0, 112.2], [90.0, 93.6], [0.0, 1.0]];
        let slower = slowdown_percent(&pairs).expect("pairs");
        assert!((3.9..4.1).contains(&slower), "{slower}");
        assert_eq!(slowdown_percent(&[]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
    }
}
