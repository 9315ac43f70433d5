//! Sessions that navigate: they open and close matches and change their sport filter and favourites. The offer of the
//! sampled sessions must equal a fresh GET, for everything that they watch at that moment.

use crate::proxy::{FrameEdit, before};
use crate::stage::{live_world, load};
use kvota_load::results::Results;
use serde_json::Value;

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

async fn navigated(persona: &str, harm: FrameEdit) -> (Option<i32>, Results) {
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
    assert!(found.compared > 0 && found.details_compared > 0, "{found:?}");
    for name in ["match", "watch_state", "command"] {
        assert!(results.latency[name].felt.count > 0, "{name}: {:?}", results.latency.keys());
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

/// Changes every price in changes of match details.
fn with_wrong_details(body: &[u8]) -> Option<Vec<u8>> {
    let mut frame: Value = rmp_serde::from_slice(body).ok()?;
    let changes = frame.as_array_mut()?.iter_mut().filter(|message| message[0] == 5);
    for change in changes.filter_map(Value::as_array_mut) {
        // Key and value pairs follow the kind, the match and the revision; a non-negative key is the id of an odd.
        for pair in change.get_mut(3..)?.chunks_exact_mut(2) {
            if let (true, Some(price)) = (pair[0].is_u64(), pair[1].as_u64()) {
                pair[1] = Value::from(price ^ 1);
            }
        }
    }
    rmp_serde::to_vec(&frame).ok()
}

#[actix::test]
async fn wrong_price_in_an_open_match_is_detected() {
    let mut runs = 0;
    let (code, found) = loop {
        let (code, results) = navigated("watcher=1", with_wrong_details).await;
        runs += 1;
        // On a slow machine, a run may end before a changed price was compared.
        if results.convergence.mismatches > 0 || runs == 5 {
            break (code, results.convergence);
        }
    };
    assert_eq!(code, Some(99), "{found:?}");
    // The resync of a match may be newer than a checksum that is on its way, which then counts as a gap.
    let is_expected =
        |example: &String| example.contains("its detail differs") || example.contains("sums over a sport");
    assert!(found.examples.iter().all(is_expected), "{found:?}");
    assert!(found.details_compared >= found.mismatches && found.mismatches > 0, "{found:?}");
}
