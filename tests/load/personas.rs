//! The actions of each persona against a real server.

use crate::stage::{live_world, live_world_of, load};
use kvota::betting::placement::Betting;
use kvota::testkit::world::World;
use kvota_domain::ticket::Delays;
use kvota_load::results::Results;

/// Arguments for a short run: six sessions of one persona with short think times.
fn of(persona: &str) -> Vec<String> {
    let arguments =
        ["--stage", "1s:0..6", "--stage", "4s:6", "--think", "150ms", "--sample", "2", "--check-every", "300ms"];
    arguments.into_iter().map(str::to_owned).chain(["--persona".to_owned(), format!("{persona}=1")]).collect()
}

async fn run_of(persona: &str) -> Results {
    let mut world = live_world().await;
    let arguments = of(persona);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let address = world.address();
    let ended = load(&mut world, address, &arguments).await;
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    let results = ended.results();
    assert_eq!(results.errors, [], "{}", ended.out);
    assert_eq!(results.counts["sessions_started"], 6);
    assert_eq!(results.connections_max, 6);
    assert!(results.latency["feed_to_client"].felt.count > 0, "{:?}", results.counts);
    assert_eq!(results.latency["connect"].felt.count, 6);
    results
}

#[actix::test]
async fn watchers_open_matches_and_converge_to_a_fresh_offer() {
    let results = run_of("watcher").await;
    assert!(results.latency["match"].felt.count > 0, "{:?}", results.latency);
    assert!(results.convergence.checks > 0 && results.convergence.compared > 0, "{:?}", results.convergence);
    assert_eq!(results.convergence.failures(), 0, "{:?}", results.convergence);
    assert_eq!(results.counts["bets_sent"], 0);
}

#[actix::test]
async fn builders_build_tickets_and_place_no_bets() {
    let results = run_of("builder").await;
    assert!(results.counts["commands"] > 0, "{:?}", results.counts);
    assert_eq!(results.counts["bets_sent"], 0);
    assert_eq!(results.convergence.failures(), 0, "{:?}", results.convergence);
}

#[actix::test]
async fn bettors_open_accounts_and_place_bets() {
    let results = run_of("bettor").await;
    assert!(results.counts["bets_taken"] > 0, "{:?}", results.counts);
    let bets = results.counts["bets_taken"] + results.counts["bets_refused"];
    assert_eq!(results.latency["bet"].felt.count, bets);
    // At the end of the run, orders may be without an answer.
    assert!(results.counts["bets_sent"] >= bets, "{:?}", results.counts);
}

#[actix::test]
async fn storm_disconnects_all_sessions_and_all_reconnect() {
    let mut world = live_world().await;
    let address = world.address();
    let storm = ["--stage", "6s:10", "--storm", "3s:500ms", "--sample", "0"];
    let ended = load(&mut world, address, &storm).await;
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    let results = ended.results();
    let [storm] = results.storms[..] else { panic!("{:?}", results.storms) };
    assert_eq!((storm.cut, storm.back), (10, 10), "{}", ended.out);
    assert_eq!(results.latency["reconnect"].felt.count, 10);
}

#[actix::test]
async fn orders_on_their_way_in_a_storm_get_their_outcome_afterwards() {
    let betting = Betting { delays: Delays { default_seconds: 1, ..Delays::default() }, ..Betting::default() };
    let mut world = live_world_of(World::with_betting(betting).await).await;
    let address = world.address();
    let storms = [
        "--stage",
        "10s:10",
        "--persona",
        "bettor=1",
        "--think",
        "150ms",
        "--storm",
        "3s:500ms",
        "--storm",
        "6s:500ms",
    ];
    let ended = load(&mut world, address, &storms).await;
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    let results = ended.results();
    assert_eq!(results.errors, [], "{}", ended.out);
    // Nothing else than a storm makes a bettor repeat a call here.
    assert!(results.counts["bets_repeated"] > 0, "{:?}", results.counts);
    let bets = results.counts["bets_taken"] + results.counts["bets_refused"];
    // At the end of the run, each bettor may have one order without an answer.
    assert!(results.counts["bets_sent"] - results.counts["bets_repeated"] <= bets + 10, "{:?}", results.counts);
}

#[actix::test]
async fn sessions_started_at_a_rate_end_after_their_visit() {
    let mut world = live_world().await;
    let address = world.address();
    let ended = load(&mut world, address, &["--arrival", "4s:10", "--stay", "500ms", "--sample", "0"]).await;
    let results = ended.results();
    assert_eq!(ended.code, Some(0), "{}", ended.out);
    assert!((1..70).contains(&results.counts["sessions_started"]), "{:?}", results.counts);
    assert!(results.connections_max < results.counts["sessions_started"], "{:?}", results.counts);
}
