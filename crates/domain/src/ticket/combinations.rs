//! Counting combinations and summing their products without listing them (CONTRACT 4): a ticket of 30 pairs has
//! 155,117,520 subsets of 15, and a price of it may change ten times a second.

use super::exact::ExactOdd;

/// C(m, k), saturating at `u64::MAX`; no ticket within the rules comes near.
pub fn combinations(m: usize, k: usize) -> u64 {
    if k > m {
        return 0;
    }
    let k = k.min(m.saturating_sub(k));
    let mut count: u128 = 1;
    for i in 1..=k {
        let factor = u128::try_from(m.saturating_sub(k).saturating_add(i)).unwrap_or(u128::MAX);
        let divisor = u128::try_from(i).unwrap_or(u128::MAX);
        // Exact at each step: C(m - k + i, i) is a whole number.
        count = count.saturating_mul(factor).checked_div(divisor).unwrap_or(u128::MAX);
        if count > u64::MAX.into() {
            return u64::MAX;
        }
    }
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// e_k: the sum over all k-subsets of their products. 1 for k = 0; 0 for a k above the number of odds.
pub fn elementary_symmetric<Odd: Copy + Into<ExactOdd>>(odds: &[Odd], k: usize) -> ExactOdd {
    elementary_symmetric_of(odds.iter().map(|&odd| odd.into()), k)
}

/// [`elementary_symmetric`] of exact factors.
pub fn elementary_symmetric_of(odds: impl ExactSizeIterator<Item = ExactOdd>, k: usize) -> ExactOdd {
    if k > odds.len() {
        return ExactOdd::zero();
    }
    // `sums[j]` is e_j of the odds so far: a j-subset with the next odd is a (j - 1)-subset plus that odd.
    let mut sums = vec![ExactOdd::zero(); k];
    sums.insert(0, ExactOdd::one());
    for odd in odds {
        for j in (1..=k).rev() {
            let (smaller, rest) = sums.split_at_mut(j);
            if let (Some(smaller), Some(sum)) = (smaller.last(), rest.first_mut()) {
                *sum = sum.plus(&smaller.times(&odd));
            }
        }
    }
    sums.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::Price;
    use proptest::prelude::*;

    #[test]
    fn subsets_are_counted() {
        for (m, k, count) in [
            (4, 3, 4),
            (3, 2, 3),
            (5, 3, 10),
            (30, 15, 155_117_520),
            (30, 1, 30),
            (2, 1, 2),
            (0, 0, 1),
            (3, 0, 1),
            (3, 3, 1),
            (3, 4, 0),
            (60, 30, 118_264_581_564_861_424),
            (1_000, 500, u64::MAX),
            (usize::MAX, 2, u64::MAX),
        ] {
            assert_eq!(combinations(m, k), count, "C({m}, {k})");
        }
    }

    #[test]
    fn thirty_odds_are_summed_at_once() {
        let odds = [Price::MAX; 30];
        let all = elementary_symmetric(&odds, 15);
        assert_eq!(all.to_string(), format!("155117520{}", "0".repeat(75)));
    }

    proptest! {
        #[test]
        fn subsets_are_those_with_and_those_without_the_last(fewer in 0..59_usize, smaller in 0..59_usize) {
            let (m, k) = (fewer.saturating_add(1), smaller.saturating_add(1));
            let sum = combinations(fewer, smaller).saturating_add(combinations(fewer, k));
            prop_assert_eq!(combinations(m, k), sum);
        }
    }
}
