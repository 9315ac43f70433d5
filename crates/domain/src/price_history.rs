//! The last price changes of each odd of a match, bounded. The read model keeps one per match and adds the changes of
//! each update; `GET live/history` reads it.
//!
//! Must store only changes: an odd that does not move costs nothing.
//!
//! Memory: a change is 8 bytes. A match of 220 odds that all moved 64 times or more keeps 110 KiB of changes and some
//! 15 KiB of overhead. The limit, [`HISTORY_ODDS_MAX`] odds, is about 300 KiB.

use super::ids::{IdMap, OddId};
use super::market::{Market, Odd};
use super::price::Price;
use crate::limits::{HISTORY_CHANGES_MAX, HISTORY_ODDS_MAX};
use std::collections::VecDeque;
use std::sync::Arc;

/// The last changes of the odds of one match.
#[derive(Debug, Default)]
pub struct PriceHistory {
    /// The instant that the times of changes count from, in ms since the epoch.
    origin_ms: Option<i64>,
    odds: IdMap<OddId, Kept>,
}

#[derive(Debug)]
struct Kept {
    before: Price,
    changes: VecDeque<Change>,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    /// Milliseconds since the origin: enough for 49 days.
    after_ms: u32,
    price: Price,
}

/// The kept changes of one odd.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OddHistory {
    /// The price before the first kept change (0: not offered); `None` if no change is kept.
    pub before: Option<Price>,
    /// The instant of each change (ms since the epoch, ascending) and the price from then on; 0 means not offered.
    pub changes: Vec<(i64, Price)>,
}

impl PriceHistory {
    /// Adds the result of [`moved`], as of `date_ms`.
    pub fn note(&mut self, moves: &[PriceChange], date_ms: i64) {
        moves.iter().for_each(|&(odd, before, now)| self.push(odd, before, now, date_ms));
    }

    /// The kept changes of an odd.
    pub fn trail(&self, odd: OddId) -> OddHistory {
        let Some((kept, origin_ms)) = self.odds.get(&odd).zip(self.origin_ms) else { return OddHistory::default() };
        let dated = |change: &Change| (origin_ms + i64::from(change.after_ms), change.price);
        OddHistory { before: Some(kept.before), changes: kept.changes.iter().map(dated).collect() }
    }

    fn push(&mut self, odd: OddId, before: Price, now: Price, date_ms: i64) {
        let after_ms = date_ms.saturating_sub(*self.origin_ms.get_or_insert(date_ms));
        let after_ms = u32::try_from(after_ms.max(0)).unwrap_or(u32::MAX);
        if self.odds.len() >= HISTORY_ODDS_MAX && !self.odds.contains_key(&odd) {
            self.forget_half();
        }
        let kept = self.odds.entry(odd).or_insert_with(|| Kept { before, changes: VecDeque::new() });
        let last_ms = kept.changes.back().map_or(0, |change| change.after_ms);
        // A feed clock that is set back must not reverse the order.
        let change = Change { after_ms: after_ms.max(last_ms), price: now };
        match kept.changes.back_mut() {
            Some(last) if last.after_ms == change.after_ms => *last = change,
            _ => kept.changes.push_back(change),
        }
        if kept.changes.len() > HISTORY_CHANGES_MAX
            && let Some(oldest) = kept.changes.pop_front()
        {
            kept.before = oldest.price;
        }
    }

    /// Removes half of the odds at once, so that a match at the limit does not search at each change.
    fn forget_half(&mut self) {
        let last_ms = |kept: &Kept| kept.changes.back().map_or(0, |change| change.after_ms);
        let mut times: Vec<(u32, OddId)> = self.odds.iter().map(|(id, kept)| (last_ms(kept), *id)).collect();
        times.sort_unstable();
        times.truncate(times.len() / 2);
        times.iter().for_each(|(_, id)| drop(self.odds.remove(id)));
    }
}

/// An odd, its previous price and its current price; the two differ.
pub type PriceChange = (OddId, Price, Price);

/// The odds whose prices differ between two states; empty for most updates. A removed odd has the current price 0, a
/// new or returning odd the previous price 0.
pub fn moved(old: &[Arc<Market>], new: &[Arc<Market>]) -> Vec<PriceChange> {
    let mut moves = Vec::new();
    let mut tell = |id, before: Price, now: Price| {
        if before != now {
            moves.push((id, before, now));
        }
    };
    if same_odds(old, new) {
        let changed = old.iter().zip(new).filter(|(old, new)| !Arc::ptr_eq(old, new));
        for (before, now) in changed.flat_map(|(old, new)| old.odds.iter().zip(&new.odds)) {
            tell(now.id, before.value, now.value);
        }
        return moves;
    }
    let mut gone: IdMap<OddId, Price> = odds(old).map(|odd| (odd.id, odd.value)).collect();
    for odd in odds(new) {
        tell(odd.id, gone.remove(&odd.id).unwrap_or(Price::NONE), odd.value);
    }
    for (id, before) in gone {
        tell(id, before, Price::NONE);
    }
    moves
}

fn odds(markets: &[Arc<Market>]) -> impl Iterator<Item = &Odd> {
    markets.iter().flat_map(|market| &market.odds)
}

/// Whether each market has the same odds in the same places.
fn same_odds(old: &[Arc<Market>], new: &[Arc<Market>]) -> bool {
    let same_ids = |old: &[Odd], new: &[Odd]| old.iter().map(|odd| odd.id).eq(new.iter().map(|odd| odd.id));
    let same = |(old, new): (&Arc<Market>, &Arc<Market>)| Arc::ptr_eq(old, new) || same_ids(&old.odds, &new.odds);
    old.len() == new.len() && old.iter().zip(new).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::MarketId;

    const DATE: i64 = 1_700_000_000_000;

    fn price(thousandths: u32) -> Price {
        Price::from_thousandths(thousandths).expect("a price")
    }

    fn odd_id(id: u64) -> OddId {
        OddId::new(id).expect("an id")
    }

    /// A market with odds given as (id, thousandths).
    fn market(id: u64, odds: &[(u64, u32)]) -> Arc<Market> {
        let odd = |(id, value): &(u64, u32)| Odd {
            id: odd_id(*id),
            kind: None,
            value: price(*value),
            values: None,
            alias: None,
            changed: None,
            description: None,
        };
        Arc::new(Market {
            id: MarketId::new(id).expect("an id"),
            name: None,
            short: None,
            special: None,
            sbv: None,
            kind: 1,
            subtype: None,
            order: None,
            odds: odds.iter().map(odd).collect(),
            balanced: None,
            description: None,
            tags: [].into(),
            is_suspended: false,
        })
    }

    /// A history of odd 1 with these prices, one a second.
    fn noted(prices: impl IntoIterator<Item = u32>) -> PriceHistory {
        let mut history = PriceHistory::default();
        let states: Vec<_> = prices.into_iter().map(|value| market(1, &[(1, value)])).collect();
        for (second, pair) in (0_i64..).zip(states.windows(2)) {
            history.note(&moved(&pair[..1], &pair[1..]), DATE + second * 1000);
        }
        history
    }

    #[test]
    fn unchanged_odd_has_no_history() {
        let mut history = noted([1850, 1850, 1850]);
        history.note(&moved(&[market(1, &[(1, 1850), (2, 3000)])], &[market(1, &[(1, 1900), (2, 3000)])]), DATE);
        assert_eq!(history.trail(odd_id(2)), OddHistory::default());
        assert_eq!(history.odds.len(), 1);
    }

    #[test]
    fn each_change_is_kept_with_its_time_and_the_price_before_the_first() {
        let trail = noted([1850, 1900, 1900, 1870]).trail(odd_id(1));
        assert_eq!(trail.before, Some(price(1850)));
        assert_eq!(trail.changes, [(DATE, price(1900)), (DATE + 2000, price(1870))]);
    }

    #[test]
    fn beyond_the_bound_the_oldest_change_becomes_the_price_before() {
        let most = u32::try_from(HISTORY_CHANGES_MAX).expect("a small bound");
        let trail = noted(1000..=1000 + most + 3).trail(odd_id(1));
        assert_eq!(trail.changes.len(), HISTORY_CHANGES_MAX);
        assert_eq!(trail.before, Some(price(1003)));
        assert_eq!(trail.changes.first(), Some(&(DATE + 3000, price(1004))));
        assert_eq!(trail.changes.last().map(|change| change.1), Some(price(1000 + most + 3)));
    }

    #[test]
    fn later_change_wins_at_the_same_time_or_after_a_clock_set_back() {
        let mut history = PriceHistory::default();
        let states = [1850, 1900, 1910, 1920].map(|value| market(1, &[(1, value)]));
        for (place, date_ms) in [DATE, DATE, DATE - 60_000].into_iter().enumerate() {
            history.note(&moved(&states[place..=place], &states[place + 1..=place + 1]), date_ms);
        }
        let trail = history.trail(odd_id(1));
        assert_eq!((trail.before, trail.changes), (Some(price(1850)), vec![(DATE, price(1920))]));
    }

    #[test]
    fn returning_odd_was_not_offered_meanwhile() {
        let mut history = PriceHistory::default();
        let (with, without) = ([market(1, &[(1, 1850)]), market(2, &[(2, 2000)])], [market(2, &[(2, 2000)])]);
        history.note(&moved(&with, &without), DATE);
        history.note(&moved(&without, &[market(2, &[(2, 2000)]), market(1, &[(1, 1700)])]), DATE + 1000);
        let trail = history.trail(odd_id(1));
        assert_eq!(trail.before, Some(price(1850)));
        assert_eq!(trail.changes, [(DATE, Price::NONE), (DATE + 1000, price(1700))]);
        assert_eq!(history.trail(odd_id(2)), OddHistory::default(), "the other only moved its place");
    }

    #[test]
    fn markets_in_another_order_with_the_same_prices_have_not_moved() {
        let (one, two) = (market(1, &[(1, 1850)]), market(2, &[(2, 2000)]));
        assert_eq!(moved(&[one.clone(), two.clone()], &[two.clone(), one.clone()]), []);
        assert_ne!(moved(&[one.clone(), two], &[one]), []);
    }

    #[test]
    fn quietest_odds_are_dropped_beyond_the_limit() {
        let mut history = PriceHistory::default();
        let count = HISTORY_ODDS_MAX as u64 + 1;
        for id in 1..=count {
            let at_ms = DATE + i64::try_from(id).expect("a small number");
            history.note(&moved(&[market(1, &[(id, 1500)])], &[market(1, &[(id, 1600)])]), at_ms);
            assert!(history.odds.len() <= HISTORY_ODDS_MAX, "after {id}");
        }
        assert_eq!(history.trail(odd_id(1)), OddHistory::default());
        assert_eq!(history.trail(odd_id(count)).changes.len(), 1);
        assert_eq!(history.trail(odd_id(count - 1)).changes.len(), 1);
    }

    #[test]
    fn odds_up_to_the_limit_are_kept() {
        let mut history = PriceHistory::default();
        let count = HISTORY_ODDS_MAX as u64;
        let mut note = |id: u64, from: u32, to: u32| {
            history.note(&moved(&[market(1, &[(id, from)])], &[market(1, &[(id, to)])]), DATE);
        };
        (1..=count).for_each(|id| note(id, 1500, 1600));
        note(count, 1600, 1700);
        let remembered = (1..=count).filter(|id| history.trail(odd_id(*id)) != OddHistory::default()).count();
        assert_eq!(remembered, HISTORY_ODDS_MAX);
    }
}
