//! Tests of results for every sport of the table: a market decided during the match has the same result at the end, and
//! each market gets exactly one result.

use super::random::Random;
use super::sport::{Ask, Pairing, Play, Step};
use super::sports::{Entry, table};
use crate::pricing::book::Book;
use crate::pricing::render::{market_id, odd_id};
use crate::results::open_markets::OpenMarkets;
use crate::results::verdict::Verdict;
use crate::results::{DecidedMarket, MarketDecision};
use kvota_domain::ids::{MarketId, OddId};
use std::collections::{BTreeMap, BTreeSet};

/// Matches of each sport.
const SEEDS: std::ops::Range<u64> = 0..10;
/// Make a book only every few steps, because it is slow.
const PRICED_EVERY: usize = 4;
const BLOCK: u64 = 5;

/// A match that was played to its end.
struct Played {
    play: Box<dyn Play>,
    offered: BTreeMap<MarketId, BTreeSet<OddId>>,
    /// Markets with the step in which they were decided.
    decided: Vec<(usize, DecidedMarket)>,
    steps: usize,
}

fn offered(entry: &'static Entry, book: &Book) -> BTreeMap<MarketId, BTreeSet<OddId>> {
    let mut offered: BTreeMap<MarketId, BTreeSet<OddId>> = BTreeMap::new();
    for (market, odds) in book.markets() {
        let id = market_id(&entry.catalogue, BLOCK, market.kind, market.line).expect("a small block");
        let odds = odds.iter().map(|odd| odd_id(&entry.catalogue, BLOCK, market.kind, market.line, odd.answer));
        offered.entry(id).or_default().extend(odds.map(|id| id.expect("a small block")));
    }
    offered
}

/// Plays a match to its end. Checks that decided markets are not priced again.
fn play_out(entry: &'static Entry, seed: u64) -> Played {
    let mut random = Random::new(seed, 91);
    let strengths = [random.normal().clamp(-2.5, 2.5), random.normal().clamp(-2.5, 2.5)];
    let mut play = entry.sport.begin(Pairing { strengths, tournament: random.bits() }, &mut random);
    let mut markets = OpenMarkets::new(&entry.catalogue, BLOCK);
    let (mut all, mut decided): (BTreeMap<MarketId, BTreeSet<OddId>>, Vec<_>) = Default::default();
    for steps in 0..50_000 {
        markets.settle(|kind, line| play.right(kind, line));
        decided.extend(markets.take_decided().into_iter().map(|market| (steps, market)));
        if steps % PRICED_EVERY == 0 {
            let mut book = Book::new(entry.profile.kinds);
            play.price(&mut book);
            let priced = book.markets().len();
            let book = markets.offer(book.in_order(), |kind, line| play.right(kind, line));
            assert_eq!(book.markets().len(), priced, "{}: a decided market is priced", entry.profile.key);
            for (market, odds) in offered(entry, &book) {
                all.entry(market).or_default().extend(odds);
            }
        }
        if play.step(&mut random) == Step::Over {
            markets.settle_all(|kind, line| play.right(kind, line));
            decided.extend(markets.take_decided().into_iter().map(|market| (steps + 1, market)));
            return Played { play, offered: all, decided, steps: steps + 1 };
        }
    }
    panic!("{}: the match of seed {seed} never ends", entry.profile.key);
}

/// The verdicts of all odds of a sport at the end of a match.
fn at_the_end(entry: &'static Entry, play: &dyn Play) -> BTreeMap<OddId, Verdict> {
    let mut verdicts = BTreeMap::new();
    for (kind, spec) in entry.profile.kinds.iter().enumerate() {
        for line in 0..spec.lines {
            for answer in 0..spec.answers.places() {
                let ask = Ask { kind: kind as u16, line, answer };
                let odd = odd_id(&entry.catalogue, BLOCK, ask.kind, line, answer).expect("a small block");
                verdicts.insert(odd, entry.verdict(play, ask));
            }
        }
    }
    verdicts
}

#[test]
fn answers_of_a_market_fit_the_bits_that_stand_for_them() {
    for entry in table() {
        for spec in entry.profile.kinds {
            assert!(u32::from(spec.answers.places()) <= u128::BITS, "{}: {}", entry.profile.key, spec.name[1]);
        }
    }
}

#[test]
fn each_offered_market_is_decided_once_and_no_early_result_is_contradicted() {
    for entry in table() {
        let key = entry.profile.key;
        for seed in SEEDS {
            let played = play_out(entry, seed);
            let verdicts = at_the_end(entry, played.play.as_ref());
            let mut reported = BTreeSet::new();
            for (step, market) in &played.decided {
                assert!(reported.insert(market.market), "{key} {seed}: {} is reported twice", market.market);
                let MarketDecision::Settled(odds) = &market.outcome else { panic!("{key} {seed}: a cancelled market") };
                let named: BTreeSet<OddId> = odds.iter().map(|(odd, _)| *odd).collect();
                assert_eq!(Some(&named), played.offered.get(&market.market), "{key} {seed}: its odds");
                for (odd, verdict) in odds {
                    assert_eq!(verdicts.get(odd), Some(verdict), "{key} {seed}: odd {odd} at step {step}");
                }
            }
            assert_eq!(reported, played.offered.keys().copied().collect(), "{key} {seed}");
        }
    }
}

#[test]
fn most_markets_of_the_course_of_a_match_are_decided_before_its_end() {
    for entry in table() {
        let (mut early, mut all) = (0, 0);
        for seed in SEEDS {
            let played = play_out(entry, seed);
            early += played.decided.iter().filter(|(step, _)| *step < played.steps).count();
            all += played.decided.len();
        }
        // A bout is short, and most of its markets ask how it ends.
        let expected = if entry.profile.key == "mma" { all / 10 } else { all / 4 };
        assert!(early >= expected, "{}: {early} of {all}", entry.profile.key);
    }
}
