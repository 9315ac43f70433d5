//! Sessions that navigate: they open and close matches, change the sport filter and their favourites, and what the
//! sampled ones hold is what a fresh GET has, for all that they watch at each moment.

use crate::proxy::{Harm, before};
use crate::stage::{live_world, load};
use kvota::load::results::Results;

const NAVIGATING: [&str; 13] = [
    "--stage",
    "1s:0..6",
    "--stage",
    "8s:6",
    "--think",
    "150ms",
    "--sample",
    "6",
    "--check-every",
    "200ms",
    "--seed",
    "11",
    "--persona",
];

async fn navigated(persona: &str, harm: Harm) -> (Option<i32>, Results) {
    let mut world = live_world().await;
    let proxy = before(world.address(), harm);
    let ended = load(&mut world, proxy.address, &[&NAVIGATING[..], &[persona]].concat()).await;
    (ended.code, ended.results())
}

#[actix::test]
async fn navigating_watchers_converge() {
    let (code, results) = navigated("watcher=1", |body| Some(body.to_vec())).await;
    let found = &results.convergence;
    assert_eq!((code, found.failures(), &results.errors[..]), (Some(0), 0, &[][..]), "{found:?}");
    assert!(found.compared > 100 && found.details_compared > 5, "{found:?}");
    for name in ["match", "watch_state", "command"] {
        assert!(results.latency[name].felt.count > 5, "{name}: {:?}", results.latency.keys());
    }
    assert!(results.series.iter().any(|point| point.latency.contains_key("watch_state")));
}

#[actix::test]
async fn builders_and_bettors_navigate_and_converge() {
    let (code, results) = navigated("builder=1,bettor=1", |body| Some(body.to_vec())).await;
    let found = &results.convergence;
    assert_eq!((code, found.failures(), &results.errors[..]), (Some(0), 0, &[][..]), "{found:?}");
    assert!(results.latency["match"].felt.count > 0 && results.counts["bets_taken"] > 0, "{:?}", results.counts);
}

/// A change of the detail of a match: the second message of its frame, behind the date.
fn is_of_a_detail(body: &[u8]) -> bool {
    let date_end = if body.get(1..3) == Some(&[0x92, 13]) { 12 } else { return false };
    body.get(date_end..).is_some_and(|rest| rest.windows(2).any(|two| two[0] & 0xf0 == 0x90 && two[1] == 5))
}

#[actix::test]
async fn a_wrong_price_in_an_open_match_is_found() {
    let (code, results) = navigated("watcher=1", |body| {
        let mut body = body.to_vec();
        if is_of_a_detail(&body)
            && let Some(at) = body.windows(3).rposition(|price| price[0] == 0xcd && (0x07..0x14).contains(&price[1]))
        {
            body[at + 2] ^= 1;
        }
        Some(body)
    })
    .await;
    assert_eq!(code, Some(99), "{:?}", results.convergence);
    let is_of_a_detail = |example: &String| example.contains("its detail differs");
    assert!(results.convergence.examples.iter().any(is_of_a_detail), "{:?}", results.convergence);
}
