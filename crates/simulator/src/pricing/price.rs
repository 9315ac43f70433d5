//! Converts a probability to the displayed price: adds the margin and rounds to the price ladder.

use kvota_domain::price::Price;

/// The lowest price offered, in thousandths.
const LOWEST: f64 = 1010.0;
/// The highest price offered, in thousandths.
const HIGHEST: f64 = 500_000.0;

/// The price of an outcome. `margin` is the excess over one of the summed inverse prices of a balanced market.
/// Outsiders carry more of the margin, and near certainties hardly any, so that no price becomes 1. `winners` of the
/// `outcomes` win.
pub fn price(probability: f64, margin: f64, outcomes: usize, winners: usize) -> Price {
    if probability <= 0.0 || outcomes <= winners {
        return Price::NONE;
    }
    let share = outcomes as f64 / (outcomes - winners) as f64;
    let with_margin = probability * (1.0 + margin * share * (1.0 - probability));
    on_ladder(1000.0 / with_margin)
}

/// Rounds down to a price people know: two decimals below 10, one below 100, whole above.
fn on_ladder(thousandths: f64) -> Price {
    let bounded = thousandths.clamp(LOWEST, HIGHEST);
    let step = if bounded < 10_000.0 {
        10.0
    } else if bounded < 100_000.0 {
        100.0
    } else {
        1000.0
    };
    // 1.85 must not become 1.84 because the float is 1849.999…
    let rounded = ((bounded + 1e-6) / step).floor() * step;
    Price::from_thousandths(rounded as u32).unwrap_or(Price::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices_stand_on_the_ladder() {
        for (probability, thousandths) in [
            (0.5, 2000),
            (1.0, 1010),
            (0.9999, 1010),
            (1.0 / 1.85, 1850),
            (1.0 / 9.999, 9990),
            (1.0 / 10.06, 10_000),
            (1.0 / 55.59, 55_500),
            (1.0 / 123.4, 123_000),
            (1e-9, 500_000),
            (0.0, 0),
        ] {
            assert_eq!(price(probability, 0.0, 2, 1).thousandths(), thousandths, "{probability}");
        }
    }

    proptest! {
        #[test]
        fn a_balanced_market_carries_its_margin(outcomes in 2..10_usize, margin in 0.0..0.2_f64) {
            let each = 1.0 / outcomes as f64;
            let taken = 1000.0 / f64::from(price(each, margin, outcomes, 1).thousandths());
            let sum = taken * outcomes as f64;
            prop_assert!((sum - 1.0 - margin).abs() < 0.02, "{sum}");
        }

        #[test]
        fn the_likelier_the_shorter(a in 0.001..1.0_f64, b in 0.001..1.0_f64, margin in 0.0..0.2_f64) {
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            prop_assert!(price(a, margin, 3, 1) >= price(b, margin, 3, 1));
        }

        #[test]
        fn every_price_is_worth_less_than_its_chance(p in 0.002..0.98_f64, margin in 0.0..0.2_f64) {
            let shown = f64::from(price(p, margin, 2, 1).thousandths()) / 1000.0;
            prop_assert!(shown <= 1.01 || shown * p <= 1.0 + 1e-9, "{shown} of {p}");
        }
    }
}
