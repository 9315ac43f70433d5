//! The price history that the actor of a match keeps.

use crate::stage::{DATE, Stage};
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, price, result};
use kvota_domain::ids::OddId;
use kvota_domain::price_history::OddHistory;

fn at(prices: [&str; 3]) -> MatchBuilder {
    live_match(1).market(result(10, prices))
}

fn odd(id: u64) -> OddId {
    OddId::new(id).expect("an id")
}

fn trail(stage: &Stage, id: u64) -> Option<(String, OddHistory)> {
    let (now, trail) = stage.offer.model.price_trail(match_id(1), odd(id))?;
    Some((now.to_string(), trail))
}

#[actix::test]
async fn price_change_is_recorded_only_for_the_changed_odd() {
    let mut stage = Stage::new();
    stage.feed(vec![at(["1.85", "3.2", "4"]).insert()]).await;
    stage.feed(vec![at(["1.9", "3.2", "4"]).update()]).await;
    let moved = OddHistory { before: Some(price("1.85")), changes: vec![(DATE, price("1.9"))] };
    assert_eq!(trail(&stage, 1000), Some(("1.9".into(), moved)));
    assert_eq!(trail(&stage, 1001), Some(("3.2".into(), OddHistory::default())));
}

#[actix::test]
async fn query_after_an_event_sees_that_price_change() {
    let mut stage = Stage::new();
    stage.feed(vec![at(["1.85", "3.2", "4"]).insert()]).await;
    for prices in [["1.9", "3.2", "4"], ["1.9", "3.1", "4"], ["1.9", "3", "4.2"]] {
        stage.feed(vec![at(prices).update()]).await;
        for (place, expected) in (0..).zip(prices) {
            let (now, trail) = trail(&stage, 1000 + place).expect("the odd is there");
            assert_eq!(now, expected);
            assert!(trail.changes.last().is_none_or(|(_, last)| *last == price(expected)), "{trail:?}");
        }
    }
    assert_eq!(trail(&stage, 1001).map(|(_, trail)| trail.before), Some(Some(price("3.2"))));
}

#[actix::test]
async fn deleted_match_loses_its_price_history() {
    let mut stage = Stage::new();
    stage.feed(vec![at(["1.85", "3.2", "4"]).insert()]).await;
    stage.feed(vec![at(["1.9", "3.2", "4"]).update()]).await;
    stage.feed(vec![at(["1.9", "3.2", "4"]).delete()]).await;
    assert_eq!(trail(&stage, 1000), None);
    stage.feed(vec![at(["1.7", "3.2", "4"]).insert()]).await;
    assert_eq!(trail(&stage, 1000), Some(("1.7".into(), OddHistory::default())));
}
