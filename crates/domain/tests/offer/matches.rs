//! The transitions of a match (CONTRACT 1) and the changes between two states.

use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{Field, MatchDelta, PartChange, PartDelta};
use kvota_domain::feed::{MatchUpdate, Time};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::{Match, Side};
use kvota_domain::sport::PreferredColumn;
use kvota_testkit::builders::{MatchBuilder, column, live_match, market, market_id, price, result, total};

const DATE: i64 = 1_700_000_000_000;

fn columns() -> Vec<PreferredColumn> {
    vec![column(1, 1, &["1", "X", "2"]), column(2, 18, &["Manje", "Više"])]
}

pub(crate) fn inserted(live_match: MatchBuilder) -> MatchState {
    MatchState::inserted(&live_match.insert(), DATE, &columns(), PerLang::default(), 1)
}

pub(crate) fn base() -> MatchBuilder {
    live_match(17)
        .market(result(10, ["1.85", "3.2", "4"]))
        .market(total(11, "2.5", ["1.9", "1.9"]).balanced())
        .market(total(12, "3.5", ["1.4", "2.9"]))
        .market(market(13, 29).odd("Da", "1.7").odd("Ne", "2.1"))
}

/// Applies texts in English.
pub(crate) trait Translate {
    /// The state with the texts of an update; `None` if they are the same.
    fn translated(&self, update: &MatchUpdate) -> Option<MatchState>;
}

impl Translate for MatchState {
    fn translated(&self, update: &MatchUpdate) -> Option<MatchState> {
        let after = self.with_texts(Lang::En, update);
        let live_match = Match::empty(update.id(), update.live_match.sport_id);
        let texts_only =
            MatchUpdate { change: update.change, live_match, time: Time::None, texts: Some(update.texts()) };
        assert_eq!(self.with_texts(Lang::En, &texts_only), after, "the texts alone have the same effect");
        after
    }
}

pub(crate) fn change_of(part: Option<PartDelta>) -> PartChange {
    match part {
        Some(PartDelta::Change(change)) => change,
        other => panic!("expected a change, got {other:?}"),
    }
}

pub(crate) fn updated(before: &MatchState, live_match: MatchBuilder) -> (MatchState, MatchDelta) {
    before.updated(live_match.update(), DATE + 1000, &columns())
}

#[test]
fn an_update_that_repeats_everything_changes_nothing() {
    let before = inserted(base().time(600));
    let (after, delta) = before.updated(base().time(601).update(), DATE + 1400, &columns());
    assert_eq!(delta, MatchDelta::default());
    assert_eq!((after.row_revision, after.detail_revision), (1, 1));
}

#[test]
fn row_price_change_is_index_and_price_and_leaves_the_detail_alone() {
    let (after, delta) = updated(&inserted(base()), base().with(|m| m.market_mut(1).odds[1].value = price("2.05")));
    let row = change_of(delta.row);
    assert_eq!(row, PartChange { prices: vec![(4, price("2.05"))], ..PartChange::default() });
    assert_eq!(delta.detail, None);
    assert_eq!((after.row_revision, after.detail_revision), (2, 1));
    assert_eq!(after.live_match.markets[1].odds[1].mark(), 1);
}

#[test]
fn detail_price_change_leaves_the_row_alone() {
    let (after, delta) = updated(&inserted(base()), base().with(|m| m.market_mut(3).odds[0].value = price("1.65")));
    assert_eq!(delta.row, None);
    assert_eq!(change_of(delta.detail).prices, [(2, price("1.65"))]);
    assert_eq!((after.row_revision, after.detail_revision), (1, 2));
}

#[test]
fn empty_change_resets_movement_marks() {
    let up = || base().with(|m| m.market_mut(0).odds[0].value = price("1.9"));
    let (moved, _) = updated(&inserted(base()), up());
    let (rested, delta) = updated(&moved, up());
    assert_eq!(change_of(delta.row), PartChange::default());
    assert_eq!(rested.live_match.markets[0].odds[0].mark(), 0);
    let (_, delta) = updated(&rested, up());
    assert!(delta.is_empty());
}

#[test]
fn update_of_one_part_keeps_the_marks_of_the_other() {
    let row_up = || base().with(|m| m.market_mut(0).odds[0].value = price("1.9"));
    let both_up = || row_up().with(|m| m.market_mut(3).odds[0].value = price("1.8"));
    let (moved, _) = updated(&inserted(base()), row_up());
    let (then, delta) = updated(&moved, both_up());
    assert_eq!(delta.row, None, "the list does not pay for the detail");
    assert_eq!(then.live_match.markets[0].odds[0].mark(), 1);
    let (last, delta) = updated(&then, both_up().with(|m| m.market_mut(0).odds[0].value = price("1.7")));
    assert_eq!(delta.detail, None);
    let marks = |place: usize| last.live_match.markets[place].odds[0].changed;
    assert_eq!((marks(0), marks(3)), (Some(-1), Some(1)));
}

/// A new text is not a movement: the row is sent whole, with the marks of its last change.
#[test]
fn text_change_keeps_movement_marks() {
    let up = || base().time_text("Set 1").with(|m| m.market_mut(0).odds[0].value = price("1.9"));
    let detail_up = || up().with(|m| m.market_mut(3).odds[0].value = price("1.8"));
    let (moved, _) = updated(&inserted(base().time_text("Set 1")), up());
    for sent in [detail_up().with(|m| m.home = Some("Hajduk".into())), detail_up().time_text("Set 2")] {
        let (then, delta) = updated(&moved, sent);
        assert_eq!(delta.row, Some(PartDelta::Replace));
        assert_eq!(then.live_match.markets[0].odds[0].mark(), 1);
    }
}

#[test]
fn mark_reset_by_the_feed_is_reset() {
    let (moved, _) = updated(&inserted(base()), base().with(|m| m.market_mut(0).odds[0].value = price("1.9")));
    let sent = base().with(|m| {
        m.market_mut(0).odds[0].value = price("1.9");
        m.market_mut(0).odds[0].changed = Some(0);
        m.market_mut(3).odds[0].value = price("1.8");
    });
    let (rested, delta) = updated(&moved, sent);
    assert_eq!(change_of(delta.row), PartChange::default());
    assert_eq!(rested.live_match.markets[0].odds[0].mark(), 0);
}

#[test]
fn mark_of_the_feed_is_kept_unchanged() {
    let marked = base().with(|m| m.market_mut(0).odds[2].changed = Some(-1));
    let (after, delta) = updated(&inserted(base()), marked);
    assert_eq!(change_of(delta.row).marks, [(2, -1)]);
    assert_eq!(after.live_match.markets[0].odds[2].mark(), -1);
}

#[test]
fn another_balanced_line_swaps_row_and_detail() {
    let swapped = base().with(|m| {
        m.market_mut(1).balanced = None;
        m.market_mut(2).balanced = Some(true);
    });
    let (after, delta) = updated(&inserted(base()), swapped);
    let ids = |change: &PartChange| {
        let markets = change.markets.clone().expect("the markets changed");
        let ids = |list: Vec<_>| list.into_iter().map(kvota_domain::ids::MarketId::get).collect::<Vec<_>>();
        (markets.order.map(ids), ids(markets.fresh))
    };
    assert_eq!(ids(&change_of(delta.row)), (Some(vec![10, 12]), vec![12]));
    let detail = change_of(delta.detail);
    assert_eq!(ids(&detail), (Some(vec![11, 13]), vec![11]));
    assert!(!detail.layout, "the feed's order is the same");
    assert_eq!(after.row.to_vec(), [0, 2]);
}

#[test]
fn withdrawn_odds_and_stopped_betting_are_urgent() {
    let stops: [(&str, MatchBuilder); 6] = [
        ("suspended", base().suspended()),
        ("betting stopped", base().betting_stopped()),
        ("a price withdrawn", base().with(|m| m.market_mut(0).odds[0].value = price("0"))),
        ("a market suspended", base().with(|m| m.market_mut(0).is_suspended = true)),
        ("a market gone", base().with(|m| drop(m.markets.pop()))),
        ("an odd gone", base().with(|m| drop(m.market_mut(3).odds.pop()))),
    ];
    for (what, stop) in stops {
        assert!(updated(&inserted(base()), stop).1.urgent, "{what}");
    }
    let reopened = updated(&inserted(base().with(|m| m.market_mut(0).is_suspended = true)), base()).1;
    assert!(!reopened.urgent && reopened.row.is_some(), "the whole market comes, without hurry");
    let prices = base().with(|m| m.market_mut(0).odds[0].value = price("1.01"));
    assert!(!updated(&inserted(base()), prices).1.urgent);
    let (_, resumed) = updated(&inserted(base().suspended()), base());
    assert!(!resumed.urgent, "resuming can wait");
}

#[test]
fn only_a_higher_soccer_score_is_a_goal() {
    type Case = (u64, [i64; 2], [i64; 2], &'static [Side]);
    let cases: [Case; 7] = [
        (1, [0, 0], [1, 0], &[Side::Home]),
        (1, [1, 0], [1, 1], &[Side::Away]),
        (1, [0, 0], [1, 1], &[Side::Home, Side::Away]),
        (1, [1, 0], [0, 0], &[]),
        (1, [1, 0], [0, 1], &[]),
        (1, [1, 1], [1, 1], &[]),
        (2, [0, 0], [2, 0], &[]),
    ];
    for (sport, before, after, goals) in cases {
        let at = |score: [i64; 2]| base().sport(sport).score(score[0], score[1]);
        let (_, delta) = updated(&inserted(at(before)), at(after));
        assert_eq!(delta.goals, goals, "sport {sport}: {before:?} to {after:?}");
    }
    for sport in 2..=200 {
        let at = |home| base().sport(sport).score(home, 0);
        let (_, delta) = updated(&inserted(at(0)), at(1));
        assert_eq!(delta.goals, [], "sport {sport} has no goal flag");
    }
}

#[test]
fn fields_of_the_match_belong_to_the_row() {
    let after = base().score(1, 0).with(|m| m.corners = Some([3, 2]));
    let (_, delta) = updated(&inserted(base()), after);
    assert_eq!(change_of(delta.row).fields, [Field::Score, Field::Corners]);
    // The history is sent to readers who have the match open.
    assert_eq!(delta.detail, Some(PartDelta::Change(PartChange { history: true, ..PartChange::default() })));
    let (_, delta) = updated(&inserted(base()), base().with(|m| m.clock_stopped = Some(true)));
    assert_eq!(change_of(delta.row).fields, [Field::ClockStopped]);
    assert_eq!(delta.detail, None);
}

#[test]
fn changed_texts_send_the_whole_row() {
    let (_, delta) = updated(&inserted(base()), base().with(|m| m.home = Some("Dinamo".into())));
    assert_eq!(delta.row, Some(PartDelta::Replace));
}

#[test]
fn changed_columns_split_the_match_again() {
    let before = inserted(base());
    let (after, delta) = before.resplit(&[column(1, 29, &["Da", "Ne"])]);
    assert_eq!(after.row.to_vec(), [3]);
    assert_eq!((delta.row, delta.detail), (Some(PartDelta::Replace), Some(PartDelta::Replace)));
    assert_eq!((after.row_revision, after.detail_revision), (2, 2), "both parts are told, so both have a new revision");
    let (same, delta) = before.resplit(&columns());
    assert!(delta.is_empty());
    assert_eq!(same, before);
}

#[test]
fn other_language_changes_texts_and_never_numbers() {
    let before = inserted(base());
    let english = base().score(9, 9).with(|m| {
        m.home = Some("Zagreb FC".into());
        m.market_mut(0).name = Some("Full time".into());
        m.market_mut(0).odds[0].value = price("99");
    });
    let after = before.translated(&english.clone().update()).expect("the words are new");
    assert_eq!(after.live_match, before.live_match);
    assert!(std::sync::Arc::ptr_eq(&after.live_match, &before.live_match), "no mark to take back, nothing to copy");
    assert_eq!((after.row_revision, after.detail_revision), (2, 2), "who misses the words finds out by the number");
    assert_eq!(after.translated(&english.update()), None, "the same words again are no change");
}

/// Market 0's name and its first odd's type in English.
fn english_of(state: &MatchState) -> (Option<String>, Option<String>) {
    let words = state.texts[Lang::En].as_ref().expect("English is known");
    let market = words.market(&state.live_match.markets[0]);
    let text = |text: &Option<kvota_domain::Text>| text.as_deref().map(str::to_owned);
    (text(&market.name), text(&market.odds[0].kind))
}

#[test]
fn texts_of_missing_markets_are_kept_without_a_change() {
    let english = base().with(|m| m.market_mut(0).name = Some("Full time".into()));
    let before = inserted(base()).translated(&english.clone().update()).expect("the words are new");
    let ahead = english.market(market(900, 50).with(|m| m.name = Some("Corners".into())).odd("1", "2"));
    let kept = before.translated(&ahead.clone().update()).expect("the words of the new market are new");
    assert_eq!((kept.row_revision, kept.detail_revision), (before.row_revision, before.detail_revision));
    assert_eq!(kept.live_match, before.live_match);
    let with_market = base().market(market(900, 50).with(|m| m.name = Some("Korneri".into())).odd("1", "2"));
    let (with_market, _) = kept.updated(with_market.update(), DATE, &columns());
    let words = with_market.texts[Lang::En].as_ref().expect("English is known");
    assert_eq!(words.market_name(market_id(900)).map(|name| &**name), Some("Corners"));
}

#[test]
fn texts_stay_until_the_primary_language_removes_the_market() {
    let english = base().with(|m| {
        m.market_mut(0).name = Some("Full time".into());
        m.market_mut(0).odds[0].kind = Some("Home".into());
    });
    let before = inserted(base()).translated(&english.clone().update()).expect("the words are new");
    let read = english_of(&before);
    assert_eq!(read, (Some("Full time".into()), Some("Home".into())));
    for (what, ahead) in [
        ("without the market", english.clone().with(|m| drop(m.markets.remove(0)))),
        ("without the odd", english.with(|m| drop(m.market_mut(0).odds.remove(0)))),
    ] {
        // The update also has a new text, of a market that does not exist yet.
        let ahead = ahead.market(market(900, 50).odd("1", "2")).update();
        let after = before.translated(&ahead).expect("the new market's words are new");
        assert_eq!(english_of(&after), read, "{what}");
        assert_eq!(
            (after.row_revision, after.detail_revision),
            (before.row_revision, before.detail_revision),
            "{what}"
        );
    }
}

#[test]
fn each_visible_text_counts_as_a_change() {
    let known = inserted(base()).translated(&base().with(|m| m.home = Some("A".into())).update());
    let before = known.expect("the words are new");
    for (what, english) in [
        ("the head", base()),
        (
            "a market",
            base().with(|m| m.home = Some("A".into())).with(|m| m.market_mut(0).name = Some("Full time".into())),
        ),
        (
            "an odd",
            base().with(|m| m.home = Some("A".into())).with(|m| m.market_mut(0).odds[0].kind = Some("Home".into())),
        ),
    ] {
        let after = before.translated(&english.update()).expect(what);
        let numbers = (before.row_revision + 1, before.detail_revision + 1);
        assert_eq!((after.row_revision, after.detail_revision), numbers, "{what}");
    }
    let bare = base().with(|m| m.home = Some("A".into())).with(|m| m.markets.clear());
    let unknown = inserted(base()).translated(&bare.update()).expect("the words are new");
    for (what, english, is_change) in [
        ("the primary language's own", base(), false),
        ("a market's", base().with(|m| m.market_mut(0).name = Some("Full time".into())), true),
    ] {
        let english = english.with(|m| m.home = Some("A".into())).update();
        let after = unknown.translated(&english).expect(what);
        assert_eq!(after.row_revision > unknown.row_revision, is_change, "{what}");
    }
}

#[test]
fn text_change_has_no_price_movement() {
    let moved = base().with(|m| m.market_mut(0).odds[0].value = price("9")).update();
    let (before, _) = inserted(base()).updated(moved, DATE, &columns());
    assert_eq!(before.live_match.markets[0].odds[0].mark(), 1);
    let english = base().with(|m| m.home = Some("Zagreb FC".into())).update();
    let after = before.translated(&english).expect("the words are new");
    let expected = before.live_match.markets.iter().map(|market| market.odds.iter().map(|odd| odd.value).collect());
    let expected: Vec<Vec<_>> = expected.collect();
    let value_with_mark =
        |changed: i8| move |odd: &kvota_domain::market::Odd| (odd.mark() == changed).then_some(odd.value);
    let at_rest =
        after.live_match.markets.iter().map(|market| market.odds.iter().filter_map(value_with_mark(0)).collect());
    assert_eq!(at_rest.collect::<Vec<Vec<_>>>(), expected, "the prices are the same, and their marks are taken back");
}
