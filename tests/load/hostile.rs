//! Hostile clients in a load test: they misbehave as intended, they are counted separately from the sessions, and their
//! errors are not errors of the run.

use crate::schema;
use crate::stage::{live_world, load};
use kvota_load::results::Results;

async fn beside(arguments: &[&str]) -> Results {
    let mut world = live_world().await;
    let address = world.address();
    let sessions = ["--persona", "watcher=1", "--think", "500ms", "--sample", "2", "--check-every", "300ms"];
    let ended = load(&mut world, address, &[&sessions[..], arguments].concat()).await;
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    assert!(ended.out.contains("hostile clients: "), "{}", ended.out);
    let text = std::fs::read_to_string(&ended.json).expect("results");
    assert_eq!(schema::problems(&serde_json::from_str(&text).expect("JSON")), [""; 0]);
    ended.results()
}

#[actix::test]
async fn hostile_clients_of_each_kind_are_counted_separately() {
    let results = beside(&["--stage", "5s:4", "--hostile", "7", "--hostile-from", "1s"]).await;
    let hostile = results.hostile.as_ref().expect("hostile clients");
    assert_eq!(
        hostile.kinds.keys().collect::<Vec<_>>(),
        ["bets", "handshake", "offer", "ping", "reality", "resync", "rewatch"]
    );
    for (name, kind) in &hostile.kinds {
        assert!(kind.clients == 1 && kind.actions > 0 && kind.answered > 0, "{name}: {kind:?}");
        assert_eq!(kind.latency.felt.count, kind.answered, "{name}");
    }
    assert!(hostile.kinds["handshake"].connections > 1, "{:?}", hostile.kinds["handshake"]);
    // The sessions are not affected.
    assert_eq!((results.counts["sessions_started"], results.connections_max), (4, 4));
    assert_eq!((results.errors.len(), results.convergence.failures()), (0, 0), "{:?}", results.convergence);
    assert!(results.convergence.compared > 0 && hostile.windows.is_empty() && hostile.slowdown.is_empty());
}

#[actix::test]
async fn rejected_hostile_clients_are_not_errors_of_the_run() {
    let arguments = ["--stage", "4s:2", "--hostile", "1", "--hostile-kind", "rewatch", "--hostile-rate", "400"];
    let results = beside(&arguments).await;
    let hostile = results.hostile.as_ref().expect("hostile clients");
    let rewatch = &hostile.kinds["rewatch"];
    assert!(rewatch.rejections["1008"] > 0 && rewatch.connections > 1, "closed and connected again: {rewatch:?}");
    assert_eq!((results.errors.len(), results.counts["shed"]), (0, 0), "{:?}", results.errors);
}

#[actix::test]
async fn windows_with_and_without_hostile_clients_are_compared() {
    let arguments = [
        "--stage",
        "10s:6",
        "--hostile",
        "2",
        "--hostile-kind",
        "rewatch,stalled",
        "--hostile-from",
        "1s",
        "--hostile-window",
        "4s",
    ];
    let results = beside(&arguments).await;
    let hostile = results.hostile.as_ref().expect("hostile clients");
    let with: Vec<bool> = hostile.windows.iter().map(|window| window.with_hostile).collect();
    assert_eq!(with, [false, true]);
    for window in &hostile.windows {
        assert!(window.latency["feed_to_client"].count > 0, "{window:?}");
    }
    assert_eq!(hostile.slowdown["feed_to_client"].p99_pairs.len(), 1, "{:?}", hostile.slowdown);
    assert_eq!(hostile.kinds["stalled"].actions, 1, "it never reads in one of the two windows");
    assert_eq!(results.demand.hostile, "2 (rewatch,stalled), 45 actions a second each, from 1s, in windows of 4s");
}
