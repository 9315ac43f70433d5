//! Tests of properties of every book, with random situations.

use super::kinds::{Kind, catalogue};
use super::markets::book;
use super::state::{LastGoal, Period, Phase, ShootOut, Situation};
use super::strengths::{Rates, TABLE, rates};
use crate::catalogue::SOCCER;
use crate::pricing::book::{Book, BookMarket, BookOdd};
use crate::pricing::kind::{KindSpec, Line};
use kvota_domain::matches::Side;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn phases() -> impl Strategy<Value = Phase> {
    prop_oneof![
        Just(Phase::NotStarted),
        Just(Phase::Playing(Period::FirstHalf)),
        Just(Phase::After(Period::FirstHalf)),
        Just(Phase::Playing(Period::SecondHalf)),
        Just(Phase::After(Period::SecondHalf)),
        Just(Phase::Playing(Period::ExtraFirst)),
        Just(Phase::After(Period::ExtraFirst)),
        Just(Phase::Playing(Period::ExtraSecond)),
        Just(Phase::After(Period::ExtraSecond)),
        Just(Phase::Playing(Period::ShootOut)),
        Just(Phase::Ended),
    ]
}

prop_compose! {
    fn situations()(
        phase in phases(),
        elapsed_s in 0..3300_u32,
        knock_out: bool,
        first in [0..6_u8, 0..6_u8],
        second in [0..6_u8, 0..6_u8],
        extra in [0..3_u8, 0..3_u8],
        second_of_goal in 0..3300_u32,
        corners_first in [0..9_u8, 0..9_u8],
        corners_second in [0..9_u8, 0..9_u8],
        yellow in [0..7_u8, 0..7_u8],
        red in [0..3_u8, 0..3_u8],
        taken in [0..5_u8, 0..5_u8],
        scored in [0..5_u8, 0..5_u8],
    ) -> Situation {
        let nothing = [0; 2];
        let played = |period: Period| phase == Phase::Ended || phase.period().is_some_and(|now| now >= period);
        let first = if played(Period::FirstHalf) { first } else { nothing };
        let second = if played(Period::SecondHalf) { second } else { nothing };
        let goals = first[0] + first[1] + second[0] + second[1];
        let goal = LastGoal {
            side: Side::Home,
            period: if second == nothing { Period::FirstHalf } else { Period::SecondHalf },
            second: second_of_goal,
        };
        let corners_second = if played(Period::SecondHalf) { corners_second } else { nothing };
        let corners_first = if played(Period::FirstHalf) { corners_first } else { nothing };
        Situation {
            phase,
            elapsed_s: if matches!(phase, Phase::Playing(_)) { elapsed_s } else { 0 },
            knock_out,
            first,
            second,
            extra: if played(Period::ExtraFirst) { extra } else { nothing },
            last_goal: (goals > 0).then_some(goal),
            corners_first,
            corners: [0, 1].map(|side| corners_first[side] + corners_second[side]),
            yellow,
            red,
            shoot_out: ShootOut {
                taken,
                scored: [0, 1].map(|side| scored[side].min(taken[side])),
            },
        }
    }
}

fn pairings() -> impl Strategy<Value = Rates> {
    (0..TABLE.len(), 0..TABLE.len(), any::<bool>())
        .prop_map(|(home, away, neutral)| rates([TABLE[home].team, TABLE[away].team], neutral))
}

fn spec(market: &BookMarket) -> &'static KindSpec {
    SOCCER.spec(market.kind)
}

fn by_kind(book: &Book) -> BTreeMap<Kind, Vec<(BookMarket, Vec<BookOdd>)>> {
    let mut kinds: BTreeMap<Kind, Vec<_>> = BTreeMap::new();
    for (market, odds) in book.markets() {
        kinds.entry(Kind::of(market.kind).expect("a kind of the table")).or_default().push((*market, odds.to_vec()));
    }
    kinds
}

proptest! {
    // Cheap cases, and rare corners: a match with fifteen goals was one.
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn chances_of_a_market_sum_to_its_winners(rates in pairings(), situation in situations()) {
        for (market, odds) in book(&rates, &situation).markets() {
            let sum: f64 = odds.iter().map(|odd| odd.probability).sum();
            let winners = spec(market).answers.winners() as f64;
            prop_assert!((sum - winners).abs() < 1e-6, "{market:?} sums to {sum}");
        }
    }

    #[test]
    fn prices_are_absent_or_on_the_ladder(rates in pairings(), situation in situations()) {
        for (market, odds) in book(&rates, &situation).markets() {
            prop_assert!(odds.iter().filter(|odd| odd.price.is_offered()).count() >= 2, "{market:?}: {odds:?}");
            for odd in odds {
                let price = odd.price.thousandths();
                prop_assert!(price == 0 || (1010..=500_000).contains(&price), "{market:?}: {odd:?}");
                prop_assert_eq!(price == 0, odd.probability <= 0.0);
            }
        }
    }

    #[test]
    fn every_kind_with_lines_has_one_balanced_line(rates in pairings(), situation in situations()) {
        for (kind, markets) in by_kind(&book(&rates, &situation)) {
            let balanced = markets.iter().filter(|(market, _)| market.balanced == Some(true)).count();
            if matches!(kind.spec().line, Line::None) {
                prop_assert_eq!((markets.len(), balanced), (1, 0));
                prop_assert_eq!(markets[0].0.balanced, None);
            } else {
                prop_assert_eq!(balanced, 1, "{:?}", kind);
            }
        }
    }

    #[test]
    fn places_are_within_the_table_and_used_once(rates in pairings(), situation in situations()) {
        let book = book(&rates, &situation);
        let mut places = BTreeSet::new();
        for (market, odds) in book.markets() {
            let spec = spec(market);
            prop_assert!(market.line < spec.lines);
            for odd in odds {
                prop_assert!(odd.answer < spec.answers.places());
                prop_assert!(places.insert(catalogue().odd_place(market.kind, market.line, odd.answer)));
            }
        }
        let order: Vec<_> = book.markets().map(|(market, _)| (market.kind, market.line)).collect();
        prop_assert!(order.is_sorted());
    }

    #[test]
    fn totals_grow_less_likely_with_the_line(rates in pairings(), situation in situations()) {
        for (kind, markets) in by_kind(&book(&rates, &situation)) {
            if matches!(kind.spec().line, Line::Half(_)) && kind != Kind::ResultAndTotal {
                prop_assert!(markets.is_sorted_by(|(_, a), (_, b)| a[0].probability <= b[0].probability));
            }
        }
    }
}

fn liverpool(situation: &Situation) -> Book {
    book(&rates([1612, 1651], false), situation)
}

fn chance(book: &Book, kind: Kind, answer: u16) -> f64 {
    let mut markets = book.markets().filter(|(market, _)| market.kind == kind.at() && market.balanced != Some(false));
    let (_, odds) = markets.next().expect("the market is open");
    odds.iter().find(|odd| odd.answer == answer).expect("the answer is there").probability
}

#[test]
fn a_running_match_offers_more_than_forty_kinds() {
    let kinds = |phase| {
        let situation = Situation { phase, elapsed_s: 600, ..Situation::before(true) };
        by_kind(&liverpool(&situation)).len()
    };
    assert_eq!(kinds(Phase::Playing(Period::FirstHalf)), SOCCER.profile.kinds.len() - 3, "all but extra time's own");
    assert!(kinds(Phase::Playing(Period::SecondHalf)) >= 40);
    assert_eq!(kinds(Phase::Ended), 0);
}

#[test]
fn the_clock_and_goals_move_the_result() {
    let mut situation =
        Situation { phase: Phase::Playing(Period::FirstHalf), elapsed_s: 60, ..Situation::before(false) };
    let early = chance(&liverpool(&situation), Kind::FullTime, 0);
    situation.elapsed_s = 2400;
    let later = chance(&liverpool(&situation), Kind::FullTime, 0);
    assert!(later < early, "a goalless favourite drifts");
    situation.add_goal(Side::Home, Period::FirstHalf, 2400);
    let ahead = chance(&liverpool(&situation), Kind::FullTime, 0);
    assert!(ahead > later + 0.1, "a goal jumps");
    situation.red[0] = 1;
    let short = chance(&liverpool(&situation), Kind::FullTime, 0);
    assert!(short < ahead, "a red card hurts");
}

#[test]
fn decided_markets_are_gone() {
    let mut situation =
        Situation { phase: Phase::Playing(Period::SecondHalf), elapsed_s: 600, ..Situation::before(false) };
    situation.add_goal(Side::Home, Period::FirstHalf, 100);
    situation.add_goal(Side::Away, Period::SecondHalf, 500);
    let kinds = by_kind(&liverpool(&situation));
    for kind in [
        Kind::BothScore,
        Kind::FirstToScore,
        Kind::CleanSheetHome,
        Kind::WinToNilAway,
        Kind::FirstHalfResult,
        Kind::HalfFull,
        Kind::FirstHalfTotal,
    ] {
        assert!(!kinds.contains_key(&kind), "{kind:?}");
    }
    let next_goal = &kinds[&Kind::NextGoal][0].0;
    assert_eq!(next_goal.line, 3, "the third goal is asked for");
    let lowest = &kinds[&Kind::Total][0].0;
    assert!(lowest.line >= 2, "two goals have been scored");
}
