//! Each kind of change of a match, alone, with exactly the changes that its readers must receive.

use super::matches::{base, change_of, inserted, updated};
use kvota_domain::clock::Clock;
use kvota_domain::delta::{Field, MatchDelta, PartChange, PartDelta};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::market::Market;
use kvota_domain::matches::{Ball, Match};
use kvota_domain::price::Price;
use kvota_testkit::builders::{MatchBuilder, market, price, result, sport_id, total};
use std::sync::Arc;

type Edit = (&'static str, fn(&mut Match));

#[test]
fn each_changed_field_is_sent_alone() {
    type OfField = (Field, fn(&mut Match));
    let edits: [OfField; 14] = [
        (Field::Status, |m| m.status = Some("half_time".into())),
        (Field::Scores, |m| m.scores.push([0, 0])),
        (Field::Betting, |m| m.betting = false),
        (Field::Suspended, |m| m.suspended = Some(true)),
        (Field::RedCards, |m| m.red_cards = Some([1, 0])),
        (Field::YellowCards, |m| m.yellow_cards = Some([0, 1])),
        (Field::Corners, |m| m.corners = Some([1, 1])),
        (Field::PlayerServing, |m| m.player_serving = Some(2)),
        (Field::Tiebreak, |m| m.tiebreak = Some(true)),
        (Field::Game, |m| m.game = Some(["40".into(), "AD".into()])),
        (Field::Order, |m| m.order = 7),
        (Field::PerformEventId, |m| m.perform_event_id = Some(9)),
        (Field::Score, |m| m.score = Some([0, 1])),
        (Field::ClockStopped, |m| m.clock_stopped = Some(true)),
    ];
    for (field, edit) in edits {
        let (after, delta) = updated(&inserted(base()), base().with(edit));
        let row = change_of(delta.row);
        assert_eq!(row, PartChange { fields: vec![field], ..PartChange::default() });
        assert_eq!(after.row_revision, 2, "{field:?}");
    }
}

#[test]
fn number_of_odds_is_sent_when_it_changes() {
    let more = base().with(|m| {
        let odd = m.markets[3].odds[1].clone();
        m.market_mut(3).odds.push(odd);
    });
    let (_, delta) = updated(&inserted(base()), more);
    assert_eq!(change_of(delta.row).fields, [Field::NumberOfOdds]);
}

#[test]
fn text_replacing_a_clock_is_a_field_change() {
    let fields = |before: MatchBuilder, after: MatchBuilder| match updated(&inserted(before), after).1.row {
        None => Vec::new(),
        Some(PartDelta::Replace) => panic!("the row is told whole"),
        Some(PartDelta::Change(change)) => change.fields,
    };
    assert_eq!(fields(base().time(60), base().time_text("Poluvrijeme")), [Field::Clock]);
    assert_eq!(fields(base().time_text("Poluvrijeme"), base().time(60)), [Field::Clock]);
    assert_eq!(fields(base(), base().time(60)), [Field::Clock]);
    assert_eq!(fields(base().time(60), base()), [Field::Clock]);
    assert_eq!(fields(base().time(60), base().time(600)), [Field::Clock]);
    assert_eq!(fields(base().time_text("Set 1"), base().time_text("Set 1")), []);

    let (after, delta) = updated(&inserted(base().time_text("Set 1")), base().time_text("Set 2"));
    assert_eq!(delta.row, Some(PartDelta::Replace));
    assert_eq!(after.live_match.clock, Some(Clock::Text("Set 2".into())));
}

#[test]
fn changed_match_text_sends_the_whole_row() {
    let edits: [Edit; 8] = [
        ("home", |m| m.home = Some("Hajduk".into())),
        ("away", |m| m.away = Some("Rijeka".into())),
        ("sport", |m| m.sport_id = sport_id(2)),
        ("the sport's name", |m| m.sport_name = Some("Nogomet".into())),
        ("tournament", |m| m.tournament = Some("HNL".into())),
        ("tournament's description", |m| m.tournament_description = Some("Hrvatska".into())),
        ("result", |m| m.result = Some("1:0".into())),
        ("kind of the stream", |m| m.perform_event_type = Some("demo".into())),
    ];
    for (what, edit) in edits {
        let (after, delta) = updated(&inserted(base()), base().with(edit));
        assert_eq!(delta.row, Some(PartDelta::Replace), "{what}");
        assert_eq!((after.row_revision, after.detail_revision), (2, 1), "{what}");
    }
}

#[test]
fn ball_belongs_to_the_detail() {
    let at = |x| base().with(|m| m.ball = Some(Ball { x, y: 50, side: 1, action: 0 }));
    let (after, delta) = updated(&inserted(at(10)), at(11));
    assert_eq!(delta.row, None);
    assert_eq!(change_of(delta.detail), PartChange { ball: true, ..PartChange::default() });
    assert_eq!((after.row_revision, after.detail_revision), (1, 2));
}

#[test]
fn price_texts_are_sent_by_odd_index() {
    let written = base().with(|m| m.market_mut(3).odds[1].values = Some(["11/10".into()].into()));
    let (_, delta) = updated(&inserted(base()), written);
    assert_eq!(change_of(delta.detail), PartChange { values: vec![3], ..PartChange::default() });
}

/// The ids of a change's markets: in their new order if it changed, and those sent whole.
fn order_and_fresh(change: &PartChange) -> (Option<Vec<u64>>, Vec<u64>) {
    let ids = |list: &Vec<MarketId>| list.iter().map(|id| id.get()).collect::<Vec<_>>();
    let markets = change.markets.clone().unwrap_or_default();
    (markets.order.as_ref().map(ids), ids(&markets.fresh))
}

#[test]
fn added_removed_and_moved_markets_are_sent() {
    type Case = (&'static str, fn(&mut Match), Option<Vec<u64>>, Vec<u64>, bool, bool);
    // Change; expected order of the detail, markets sent whole, layout change, urgency.
    let cases: [Case; 5] = [
        (
            "one more at the end",
            |m| m.markets.push(of(market(14, 7).odd("1", "2"))),
            Some(vec![12, 13, 14]),
            vec![14],
            true,
            false,
        ),
        ("one less at the end", |m| m.markets.truncate(3), Some(vec![12]), vec![], true, true),
        ("two changed places", |m| m.markets.swap(2, 3), Some(vec![13, 12]), vec![], true, false),
        (
            "another in its place",
            |m| m.markets[3] = of(market(15, 29).odd("Da", "1.7").odd("Ne", "2.1")),
            Some(vec![12, 15]),
            vec![15],
            true,
            true,
        ),
        ("another name", |m| m.market_mut(3).name = Some("Oba".into()), None, vec![13], false, false),
    ];
    for (what, edit, order, fresh, layout, urgent) in cases {
        let (_, delta) = updated(&inserted(base()), base().with(edit));
        let detail = change_of(delta.detail);
        assert_eq!(order_and_fresh(&detail), (order, fresh), "{what}");
        assert_eq!((detail.layout, delta.urgent), (layout, urgent), "{what}");
        assert_eq!(detail.prices, [], "{what}");
    }
}

fn of(market: kvota_testkit::builders::MarketBuilder) -> Arc<Market> {
    kvota_testkit::builders::live_match(1).market(market).build().markets.remove(0)
}

#[test]
fn market_is_sent_whole_if_more_than_prices_changed() {
    let edits: [fn(&mut Market); 15] = [
        |m| m.kind = 30,
        |m| m.subtype = Some(1),
        |m| m.name = None,
        |m| m.short = Some("OZ".into()),
        |m| m.special = Some("posebno".into()),
        |m| m.sbv = Some("0:1".into()),
        |m| m.order = Some(4),
        |m| m.balanced = Some(false),
        |m| m.description = Some("Obje zabijaju".into()),
        |m| m.tags = ["1.Golovi".into()].into(),
        |m| m.odds[1].id = OddId::new(9).expect("an id"),
        |m| m.odds[1].kind = None,
        |m| m.odds[1].alias = Some("NE".into()),
        |m| m.odds[1].description = Some("nijedna".into()),
        |m| drop(m.odds.pop()),
    ];
    for (place, edit) in edits.into_iter().enumerate() {
        let (_, delta) = updated(&inserted(base()), base().with(|m| edit(m.market_mut(3))));
        assert_eq!(order_and_fresh(&change_of(delta.detail)), (None, vec![13]), "edit {place}");
    }
}

/// A movement mark belongs to the last change: a repeated price without a mark has not moved.
#[test]
fn only_marks_of_the_changed_part_are_reset() {
    type Part = fn(MatchDelta) -> Option<PartDelta>;
    let cases: [(usize, Part); 2] = [(0, |delta| delta.row), (3, |delta| delta.detail)];
    for (place, part) in cases {
        let moved = || base().with(|m| m.market_mut(place).odds[1].value = price("3"));
        let (marked, delta) = updated(&inserted(base()), moved());
        assert!(part(delta).is_some(), "market {place} moves");
        assert!(marked.live_match.markets[place].odds[1].mark() != 0, "market {place}");
        let (same, delta) = updated(&marked, moved());
        assert_eq!(change_of(part(delta)), PartChange::default(), "market {place}: told, with nothing new but that");
        assert_eq!(same.live_match.markets[place].odds[1].mark(), 0, "market {place}");
    }
}

#[test]
fn price_indexes_apply_after_the_market_changes() {
    let moved = base().with(|m| {
        m.markets.swap(2, 3);
        m.market_mut(3).odds[1].value = price("3");
    });
    let (_, delta) = updated(&inserted(base()), moved);
    let detail = change_of(delta.detail);
    assert_eq!(detail.prices, [(3, price("3"))]);
    assert_eq!(detail.marks, []);
}

#[test]
fn whole_market_is_urgent_if_an_offered_odd_is_gone() {
    type Case = (&'static str, fn(&mut Match), bool);
    let cases: [Case; 4] = [
        ("an odd left", |m| drop(m.market_mut(3).odds.remove(1)), true),
        (
            "an odd is offered no more",
            |m| {
                m.market_mut(3).name = None;
                m.market_mut(3).odds[0].value = Price::NONE;
            },
            true,
        ),
        ("an odd that was not offered left", |m| drop(m.market_mut(2).odds.remove(0)), false),
        (
            "an odd came",
            |m| {
                let odd = m.markets[3].odds[1].clone();
                m.market_mut(3).odds.push(odd);
            },
            false,
        ),
    ];
    for (what, edit, urgent) in cases {
        let before = || base().with(|m| m.market_mut(2).odds[0].value = Price::NONE);
        let (_, delta) = updated(&inserted(before()), before().with(edit));
        assert_eq!(delta.urgent, urgent, "{what}");
    }
}

#[test]
fn lines_that_move_under_one_id_are_counted() {
    let with_lines = |lines: [&str; 2]| {
        let [first, second] = [(20, lines[0]), (21, lines[1])].map(|(id, line)| total(id, line, ["2", "1.8"]));
        base().market(first).market(second)
    };
    for (lines, moved) in [(["2.5", "4.5"], 0), (["2.5", "5.5"], 1), (["3.5", "5.5"], 2)] {
        let (_, delta) = updated(&inserted(with_lines(["2.5", "4.5"])), with_lines(lines));
        assert_eq!(delta.moved_lines, moved, "{lines:?}");
    }
    let (_, delta) = updated(&inserted(with_lines(["2.5", "4.5"])), base().market(total(22, "5.5", ["2", "1.8"])));
    assert_eq!(delta.moved_lines, 0, "another id is another market");
}

#[test]
fn only_a_delta_without_both_parts_is_empty() {
    let part = || Some(PartDelta::Replace);
    let of = |row, detail| MatchDelta { row, detail, ..MatchDelta::default() };
    assert!(of(None, None).is_empty());
    for delta in [of(part(), None), of(None, part()), of(part(), part())] {
        assert!(!delta.is_empty(), "{delta:?}");
    }
}

#[test]
fn an_odd_is_found_with_its_market() {
    let state = inserted(base());
    let found = state.odd(OddId::new(1301).expect("an id")).expect("it is offered");
    assert_eq!((found.0.id.get(), found.1.kind.as_deref()), (13, Some("Ne")));
    assert_eq!(state.odd(OddId::new(1302).expect("an id")), None);
    let lines = base().market(result(20, ["2"; 3])).market(total(21, "4.5", ["5", "1.1"])).build();
    assert_eq!(lines.number_of_odds(), 14);
}
