//! The markets of matches as they were read last. A message has a whole match, of which mostly few prices changed: a market
//! with the same bytes as before is shared instead of read, and one with other prices is copied with them. Both are found
//! while the message is validated, and are not validated again.
//!
//! Must not grow without bound: it keeps a limited number of matches and then forgets all of them.

use super::check::{Cost, Follower, Role};
use super::fields;
use super::market_shape::{Gaps, Value};
use crate::msgpack::{Cursor, Token};
use kvota_domain::ids::MatchId;
use kvota_domain::market::{Market, Odd};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Matches that are kept. One with 48 markets takes 40 KB.
const MATCHES_MAX: usize = 2_000;
/// The markets that are compared with the bytes, from the expected one on: those before them may be gone.
const AHEAD: usize = 4;
/// The same before the expected one: others may have come between.
const BEHIND: usize = 2;
/// The first bytes of a market, with the end of its id.
const ID_BYTES: usize = 8;

/// The place of the market of the last message that is here, near the place where it is expected.
pub(super) fn near<T>(before: &[T], expected: usize, is_here: impl Fn(&T) -> bool) -> Option<usize> {
    let behind = expected.saturating_sub(BEHIND)..expected;
    (expected..expected + AHEAD).chain(behind).find(|place| before.get(*place).is_some_and(&is_here))
}

/// A market with its bytes; `None` if its status is not in the offer.
pub(super) struct Kept {
    bytes: Box<[u8]>,
    market: Option<Arc<Market>>,
    /// Where each odd has its price and its movement; `None` if one lacks them.
    gaps: Option<Gaps>,
    cost: Cost,
}

/// The markets of all matches.
#[derive(Default)]
pub(super) struct KeptMarkets(HashMap<MatchId, Vec<Kept>>);

impl KeptMarkets {
    /// Follows a message while it is validated.
    pub(super) fn follow(&mut self) -> Following<'_> {
        Following { kept: self, before: Vec::new(), next: 0, start: 0, found: Found::default() }
    }

    /// Keeps the markets of the new message.
    pub(super) fn keep(&mut self, id: MatchId, markets: Vec<Kept>) {
        if self.0.len() >= MATCHES_MAX && !self.0.contains_key(&id) {
            self.0.clear();
        }
        self.0.insert(id, markets);
    }

    /// Forgets a match that was deleted.
    pub(super) fn forget(&mut self, id: MatchId) {
        self.0.remove(&id);
    }
}

/// Compares a message with the last one of each of its matches.
pub(super) struct Following<'k> {
    kept: &'k mut KeptMarkets,
    /// The markets of the match in its last message.
    before: Vec<Option<Kept>>,
    /// The place in `before` where the next market is expected.
    next: usize,
    /// The bytes left where the market starts that is being validated.
    start: usize,
    found: Found,
}

impl Following<'_> {
    /// What was found.
    pub(super) fn found(self) -> Found {
        self.found
    }

    /// The market at the beginning of `rest`, if it is one of the last message, perhaps with other prices. A whole value
    /// of msgpack is never the beginning of another one, so that equal bytes are the same market.
    fn find(&mut self, rest: &[u8]) -> Option<Kept> {
        let is_same = |kept: &Option<Kept>| kept.as_ref().is_some_and(|kept| rest.starts_with(&kept.bytes));
        if let Some(place) = near(&self.before, self.next, is_same) {
            self.next = place + 1;
            return self.before.get_mut(place)?.take();
        }
        let id_bytes = rest.first_chunk::<ID_BYTES>()?;
        let has_id = |kept: &Option<Kept>| kept.as_ref().is_some_and(|kept| kept.bytes.starts_with(id_bytes));
        let place = near(&self.before, self.next, has_id)?;
        let kept = self.before.get_mut(place)?;
        let (len, market) = kept.as_ref()?.repriced(rest)?;
        let old = kept.take()?;
        self.next = place + 1;
        Some(Kept { bytes: rest.get(..len)?.into(), market: Some(market), ..old })
    }
}

impl Follower for Following<'_> {
    fn token(&mut self, within: Role, index: u64, token: &Token<'_>, left: usize) {
        match (within, index, token) {
            (Role::Matches, ..) => self.before.clear(),
            (Role::Match, 0, Token::Unsigned(id)) => {
                let markets = MatchId::new(*id).and_then(|id| self.kept.0.get_mut(&id)).map(std::mem::take);
                self.before.extend(markets.into_iter().flatten().map(Some));
                self.next = 0;
            }
            (Role::Markets, ..) => self.start = left,
            _ => {}
        }
    }

    fn known_market(&mut self, rest: &[u8]) -> Option<(usize, Cost)> {
        let kept = self.find(rest)?;
        let (len, cost) = (kept.bytes.len(), kept.cost);
        self.found.0.push_back((rest.len(), Seen::Known(kept)));
        Some((len, cost))
    }

    fn new_market(&mut self, _: &[u8], cost: Cost) {
        // The one in this place has changed.
        self.next += 1;
        self.found.0.push_back((self.start, Seen::New(cost)));
    }
}

/// A market of a message.
pub(super) enum Seen {
    Known(Kept),
    New(Cost),
}

/// The markets of a message in their order, each with the bytes that are left where it starts.
#[derive(Default)]
pub(super) struct Found(VecDeque<(usize, Seen)>);

impl Found {
    /// The market that starts with so many bytes left, which must not be more than before.
    pub(super) fn at(&mut self, left: usize) -> Option<Seen> {
        while self.0.front().is_some_and(|(start, _)| *start > left) {
            self.0.pop_front();
        }
        self.0.pop_front_if(|(start, _)| *start == left).map(|(_, seen)| seen)
    }
}

impl Kept {
    /// A market that was read between two places. `values` are the prices and movements of its odds, with the bytes that
    /// were left before each.
    pub(super) fn read(
        (beginning, end): (Cursor<'_>, Cursor<'_>),
        values: &[(usize, Value)],
        market: &Option<Arc<Market>>,
        cost: Cost,
    ) -> Kept {
        let bytes = beginning.rest().get(..beginning.left().saturating_sub(end.left())).unwrap_or_default();
        let places: Vec<_> = values.iter().map(|(left, value)| (beginning.left() - left, *value)).collect();
        let odds = market.as_ref().map_or(0, |market| market.odds.len());
        let gaps = Gaps::of(bytes, &places).filter(|gaps| gaps.values() == 2 * odds);
        Kept { bytes: bytes.into(), market: market.clone(), gaps, cost }
    }

    /// The market, with the cursor behind it.
    pub(super) fn pass(&self, cursor: &mut Cursor<'_>) -> Option<Arc<Market>> {
        cursor.skip_bytes(self.bytes.len()).ok()?;
        self.market.clone()
    }

    /// The length of the market at the beginning of `rest`, and the market, if it is this one with other prices.
    fn repriced(&self, rest: &[u8]) -> Option<(usize, Arc<Market>)> {
        let mut market = Market::clone(self.market.as_ref()?);
        let (mut before, mut place) = (&self.bytes[..], 0);
        let len = self.gaps.as_ref()?.walk(rest, |same, value| {
            let Some(behind) = before.strip_prefix(same) else { return false };
            let Some((value, bytes)) = value else { return true };
            before = value.len(behind).and_then(|len| behind.get(len..)).unwrap_or_default();
            place += 1;
            market.odds.get_mut((place - 1) / 2).is_some_and(|odd| is_read(value, bytes, odd))
        })?;
        Some((len, Arc::new(market)))
    }
}

/// Reads a value of an odd. False if it is a flaw, or if decimals were cut off: both are counted each time.
fn is_read(value: Value, bytes: &[u8], odd: &mut Odd) -> bool {
    let Ok(token) = Cursor::new(bytes).token() else { return false };
    let mut is_exact = true;
    let read = match value {
        Value::Price => fields::price(token, || is_exact = false).map(|price| odd.value = price),
        Value::Movement => fields::movement(token).map(|movement| odd.changed = movement),
    };
    is_exact && read.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::cases::V::{A, F, I, N, S};
    use crate::feed::cases::{V, bytes};
    use crate::feed::hostile::valid_and_damaged;
    use crate::feed::{Decoder, UpdateLimits, decode_update};
    use kvota_domain::lang::Lang;
    use proptest::prelude::*;

    const TURNS: u64 = 15_000;

    /// Prices of all lengths, and some that are a flaw, with movements.
    const PRICES: [(V, V); 9] = [
        (F(1.85), N),
        (F(2.15), I(1)),
        (I(2), I(-1)),
        (I(200), I(0)),
        (I(300), N),
        (N, N),
        (S("dear"), N),
        (F(-1.0), I(1)),
        (F(2.5), I(300)),
    ];

    /// A market with one of the prices.
    fn market(id: i64, price: usize) -> V {
        let (value, movement) = PRICES[price].clone();
        let odd = A(vec![I(id * 10), S("1"), value, N, N, movement, N]);
        A(vec![I(id), S("a market"), N, N, N, I(1), N, N, A(vec![odd])])
    }

    fn message(markets: &[(i64, usize)]) -> Vec<u8> {
        let mut live_match = vec![N; 26];
        live_match[0] = I(7);
        live_match[6] = A(markets.iter().map(|(id, price)| market(*id, *price)).collect());
        bytes(&A(vec![A(vec![A(vec![I(1), S("soccer"), I(1), A(vec![A(live_match)])])]), N, N]))
    }

    proptest! {
        /// Whatever was read before, a message means the same.
        #[test]
        fn markets_that_come_change_move_and_go_are_read_as_by_a_new_decoder(
            messages in proptest::collection::vec(proptest::collection::vec((1_i64..7, 0..PRICES.len()), 0..8), 1..8)
        ) {
            let mut decoder = Decoder::default();
            for markets in messages {
                let message = message(&markets);
                let (found, expected) = (
                    decoder.update(&message, &UpdateLimits::EVENT).unwrap(),
                    Decoder::default().update(&message, &UpdateLimits::EVENT).unwrap(),
                );
                prop_assert_eq!(found, expected, "{:?}", markets);
                let texts = |decoder: &mut Decoder| decoder.texts(&message, &UpdateLimits::EVENT, Lang::En).unwrap();
                prop_assert_eq!(texts(&mut decoder), texts(&mut Decoder::default()), "{:?}", markets);
            }
        }

        /// Markets that are not validated again take as much of the limits as new ones.
        #[test]
        fn known_markets_count_for_the_limits(number in 1_i64..7, entities_max in 0_usize..40) {
            let markets: Vec<(i64, usize)> = (1..=number).map(|id| (id, 0)).collect();
            let (message, small) = (message(&markets), UpdateLimits { entities_max, ..UpdateLimits::EVENT });
            let mut decoder = Decoder::default();
            decoder.update(&message, &UpdateLimits::EVENT).unwrap();
            decoder.texts(&message, &UpdateLimits::EVENT, Lang::En).unwrap();
            let is_accepted = decode_update(&message, &small).is_ok();
            prop_assert_eq!(decoder.update(&message, &small).is_ok(), is_accepted);
            prop_assert_eq!(decoder.texts(&message, &small, Lang::En).is_ok(), is_accepted);
        }
    }

    #[test]
    fn damaged_messages_are_read_as_by_a_new_decoder() {
        let mut decoder = Decoder::default();
        valid_and_damaged(TURNS, 0x6b76_6f74_6100_0003, |bytes, seed| {
            let found = decoder.update(bytes, &UpdateLimits::EVENT).ok();
            let expected = Decoder::default().update(bytes, &UpdateLimits::EVENT).ok();
            assert_eq!(found, expected, "KVOTA_SEED={seed}: {bytes:02x?}");
        });
    }

    #[test]
    fn a_market_with_the_same_bytes_is_found_near_its_place_once() {
        let known = |id: u8| Some(Kept { bytes: [0x91, id].into(), market: None, gaps: None, cost: Cost::default() });
        let mut kept = KeptMarkets::default();
        let mut following = Following { before: (1..=9).map(known).collect(), ..kept.follow() };
        for (id, is_found) in
            [(1, true), (1, false), (2, true), (5, true), (4, true), (3, true), (9, false), (6, true), (99, false)]
        {
            let found = following.known_market(&[0x91, id, 0x05]);
            assert_eq!(found, is_found.then_some((2, Cost::default())), "{id}");
        }
    }

    #[test]
    fn so_many_matches_are_kept_at_most() {
        let mut kept = KeptMarkets::default();
        for id in 1..=5_000 {
            kept.keep(MatchId::new(id).unwrap(), Vec::new());
        }
        assert!(kept.0.len() <= MATCHES_MAX);
    }
}
