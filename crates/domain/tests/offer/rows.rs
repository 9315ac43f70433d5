//! Which markets a row shows (CONTRACT 0, *preferred column*).

use kvota_domain::rows::{row_markets, shown_market};
use kvota_domain::sport::ColumnMarket;
use kvota_testkit::builders::{column, live_match, market, result, total};

#[test]
fn a_column_shows_the_balanced_line_or_else_the_first() {
    let lines = || live_match(1).market(total(10, "1.5", ["3", "1.3"])).market(total(11, "2.5", ["1.9", "1.9"]));
    assert_eq!(shown_market(&column(1, 18, &[]), &lines().build()), Some(0));
    let balanced = lines().with(|live_match| live_match.market_mut(1).balanced = Some(true));
    assert_eq!(shown_market(&column(1, 18, &[]), &balanced.build()), Some(1));
    assert_eq!(shown_market(&column(1, 99, &[]), &lines().build()), None);
}

#[test]
fn the_first_entry_that_fits_the_status_counts() {
    let entry =
        |market_kind, status: Option<&str>| ColumnMarket { market_kind, status: status.map(Into::into), format: None };
    let mut halves = column(1, 0, &[]);
    halves.markets = vec![entry(60, Some("first_half")), entry(1, Some("")), entry(99, None)];
    let markets = || live_match(1).market(result(10, ["2", "3", "4"])).market(market(11, 60).odd("1", "2"));
    for (status, shown) in [("first_half", Some(1)), ("second_half", Some(0))] {
        assert_eq!(shown_market(&halves, &markets().status(status).build()), shown, "{status}");
    }
    let only_first_half = live_match(1).market(result(10, ["2", "3", "4"])).status("first_half");
    assert_eq!(shown_market(&halves, &only_first_half.build()), None, "the entry that fits decides, found or not");
}

#[test]
fn hidden_columns_belong_to_the_row_and_no_market_twice() {
    let mut hidden = column(2, 18, &[]);
    hidden.hidden = true;
    let columns = [column(3, 1, &[]), hidden, column(4, 1, &[])];
    let live_match =
        live_match(1).market(total(10, "2.5", ["2", "2"])).market(market(12, 7)).market(result(11, ["2"; 3]));
    assert_eq!(row_markets(&columns, &live_match.build()), [0, 2]);
}
