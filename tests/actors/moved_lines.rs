//! When a market gets another line under the same id, the actor of its match reports the match to the settlement engine.

use crate::stage::Stage;
use futures_util::FutureExt;
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, total};

fn with_lines(lines: [(u64, &str); 2]) -> MatchBuilder {
    let [first, second] = lines.map(|(id, line)| total(id, line, ["2", "1.8"]));
    live_match(1).market(first).market(second)
}

#[actix::test]
async fn only_a_line_that_moves_under_its_id_is_reported() {
    let mut stage = Stage::new();
    let moved = |stage: &Stage| stage.offer.model.matches_with_moved_lines(10).now_or_never();
    stage.feed(vec![with_lines([(20, "2.5"), (21, "3.5")]).insert()]).await;
    stage.feed(vec![with_lines([(20, "2.5"), (22, "4.5")]).update()]).await;
    assert_eq!(moved(&stage), None, "another id is another market");
    stage.feed(vec![with_lines([(20, "2.5"), (22, "5.5")]).update()]).await;
    assert_eq!(moved(&stage), Some(vec![match_id(1)]));
    assert_eq!(moved(&stage), None, "it is reported once");
}
