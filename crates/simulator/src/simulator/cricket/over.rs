//! The probabilities of the rest of an over, and of super overs. They are short enough to be computed forwards.

use super::balls::{ALL, Ball, BallChances, OVER, SUPER_WICKETS, WICKETS, super_ball};

/// An over of more runs is counted as one of this many.
const RUNS_MAX: usize = 48;

/// Chances of runs.
pub(super) type Runs = [f64; RUNS_MAX + 1];

/// Too little to matter.
const NOTHING: f64 = 1e-13;

/// The chances of the runs in the next `balls` balls, which end early with the last wicket or, in a chase, once `need`
/// runs are there. What `counts` leaves out does not happen: the sum is the chance that it does not.
pub(super) fn rest<'a>(
    balls: usize,
    wickets: usize,
    need: usize,
    ball: impl Fn(usize, usize) -> &'a BallChances,
    counts: impl Fn(Ball) -> bool,
) -> Runs {
    let mut ended: Runs = [0.0; RUNS_MAX + 1];
    // By wickets that have fallen, no more than there are balls.
    let mut open: Vec<Runs> = vec![[0.0; RUNS_MAX + 1]; OVER + 1];
    if wickets == 0 || need == 0 {
        ended[0] = 1.0;
        return ended;
    }
    open[0][0] = 1.0;
    for bowled in 0..balls.min(OVER) {
        let mut next: Vec<Runs> = vec![[0.0; RUNS_MAX + 1]; OVER + 1];
        for fallen in 0..=bowled.min(wickets - 1) {
            let chances = ball(bowled, fallen);
            for runs in 0..=RUNS_MAX {
                let now = open[fallen][runs];
                if now < NOTHING {
                    continue;
                }
                for (what, chance) in ALL.iter().zip(chances).filter(|(what, _)| counts(**what)) {
                    let (more, out) = match *what {
                        Ball::Runs(scored) => (scored, 0),
                        Ball::Wicket => (0, 1),
                        Ball::Wide => (1, 0),
                    };
                    let after = (runs + more).min(RUNS_MAX);
                    if after >= need || fallen + out == wickets || (*what == Ball::Wide && after == runs) {
                        ended[after] += now * chance;
                    } else if *what == Ball::Wide {
                        open[fallen][after] += now * chance;
                    } else {
                        next[fallen + out][after] += now * chance;
                    }
                }
            }
        }
        open = next;
    }
    for held in open {
        for (sum, chance) in ended.iter_mut().zip(held) {
            *sum += chance;
        }
    }
    ended
}

/// The chance that what `counts` leaves out does not happen in the next `balls` balls, as in [`rest`].
pub(super) fn never<'a>(
    balls: usize,
    wickets: usize,
    need: usize,
    ball: impl Fn(usize, usize) -> &'a BallChances,
    counts: impl Fn(Ball) -> bool,
) -> f64 {
    if need <= RUNS_MAX {
        return rest(balls, wickets, need, ball, counts).iter().sum();
    }
    // No over reaches the target: runs do not matter.
    let (mut open, mut ended) = ([0.0; OVER + 1], 0.0);
    open[0] = 1.0;
    for bowled in 0..balls.min(OVER) {
        let mut next = [0.0; OVER + 1];
        for (fallen, now) in open.iter().enumerate().filter(|(_, now)| **now > 0.0) {
            let chances = ball(bowled, fallen);
            let wide = chances[ALL.len() - 1];
            for (what, chance) in ALL.iter().zip(chances).filter(|(what, _)| counts(**what)) {
                match *what {
                    Ball::Wide => (),
                    Ball::Wicket if fallen + 1 == wickets => ended += now * chance / (1.0 - wide),
                    Ball::Wicket => next[fallen + 1] += now * chance / (1.0 - wide),
                    Ball::Runs(_) => next[fallen] += now * chance / (1.0 - wide),
                }
            }
        }
        open = next;
    }
    ended + open.iter().sum::<f64>()
}

/// The chances of the runs in the rest of a super over.
pub(super) fn super_rest(edge: f64, balls: usize, down: usize) -> Runs {
    let chances = super_ball(edge);
    rest(balls, SUPER_WICKETS.min(WICKETS) - down.min(SUPER_WICKETS), usize::MAX, |_, _| &chances, |_| true)
}

/// The chances that the first side has more runs than the second, and as many.
pub(super) fn compare(first: &[f64], ahead: i64, second: &[f64]) -> [f64; 2] {
    let mut chances = [0.0; 2];
    for (runs, chance) in first.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        let target = runs as i64 + ahead;
        let below: f64 = second.iter().take(target.max(0) as usize).sum();
        let level = usize::try_from(target).ok().and_then(|target| second.get(target)).copied().unwrap_or(0.0);
        chances = [chances[0] + chance * below, chances[1] + chance * level];
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_over_ends_as_its_rules_say() {
        let sum = |runs: &Runs| runs.iter().sum::<f64>();
        let all = super_rest(0.0, OVER, 0);
        assert!((sum(&all) - 1.0).abs() < 1e-9);
        assert_eq!(super_rest(0.0, 3, SUPER_WICKETS)[0], 1.0, "all out");
        assert_eq!(super_rest(0.0, 0, 0)[0], 1.0, "no ball left");
        let chances = super_ball(0.0);
        let none_out = rest(1, 5, usize::MAX, |_, _| &chances, |what| what != Ball::Wicket);
        // A wide is bowled again, and again.
        assert!((sum(&none_out) - (1.0 - chances[6] / (1.0 - chances[7]))).abs() < 1e-9);
        let chase = rest(6, 10, 1, |_, _| &chances, |_| true);
        assert!(chase[7..].iter().all(|chance| *chance == 0.0), "it stops at the first scoring ball");
    }

    #[test]
    fn what_does_not_happen_needs_no_runs_where_the_target_is_far() {
        let chances = super_ball(0.5);
        for wickets in [1, 2, 9] {
            for counts in [|what| what != Ball::Wicket, |what| what != Ball::Runs(6)] as [fn(Ball) -> bool; 2] {
                let far = never(6, wickets, usize::MAX, |_, _| &chances, counts);
                let whole: f64 = rest(6, wickets, usize::MAX, |_, _| &chances, counts).iter().sum();
                assert!((far - whole).abs() < 1e-9, "{far} {whole}");
            }
        }
    }

    #[test]
    fn more_runs_win() {
        assert_eq!(compare(&[0.0, 1.0], 0, &[1.0]), [1.0, 0.0]);
        assert_eq!(compare(&[1.0], 0, &[0.25, 0.75]), [0.0, 0.25]);
        assert_eq!(compare(&[1.0], 2, &[0.25, 0.0, 0.75]), [0.25, 0.75]);
    }
}
