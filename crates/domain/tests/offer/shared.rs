//! A decoder shares the markets that are as in the last message. That must not be visible.

use super::matches::{base, inserted, updated};
use kvota_domain::matches::Match;
use kvota_testkit::builders::{MatchBuilder, price};
use proptest::prelude::*;
use std::sync::Arc;

const PRICES: [&str; 3] = ["1.5", "1.8", "0"];

/// A message in which markets have one of a few prices, marks or names, or are missing.
fn message(markets: &[(usize, Option<i8>, bool)]) -> MatchBuilder {
    base().with(|live_match| {
        for (place, (value, mark, is_there)) in markets.iter().enumerate() {
            let market = live_match.market_mut(place);
            market.odds[1].value = price(PRICES[*value]);
            market.odds[0].changed = *mark;
            market.special = is_there.then(|| "special".into());
        }
        live_match.score = Some([markets[0].0 as i64, 0]);
    })
}

/// The message, with the markets of an earlier one where they are equal.
fn sharing(message: MatchBuilder, before: &Match) -> MatchBuilder {
    message.with(|live_match| {
        for (market, before) in live_match.markets.iter_mut().zip(&before.markets) {
            if market == before {
                *market = Arc::clone(before);
            }
        }
    })
}

proptest! {
    #[test]
    fn shared_markets_mean_the_same(
        messages in prop::collection::vec(
            prop::collection::vec((0_usize..3, prop::option::weighted(0.3, 0_i8..=1), prop::bool::weighted(0.1)), 4),
            1..12,
        )
    ) {
        let mut last = base();
        let (mut shared, mut apart) = (inserted(last.clone()), inserted(last.clone()));
        for markets in messages {
            let next = sharing(message(&markets), &last.clone().build());
            let (found, expected) = (updated(&shared, next.clone()), updated(&apart, message(&markets)));
            prop_assert_eq!(&found.1, &expected.1);
            prop_assert_eq!(&found.0, &expected.0);
            (shared, apart, last) = (found.0, expected.0, next);
        }
    }
}
