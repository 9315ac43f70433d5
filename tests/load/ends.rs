//! Exit codes and output files of `kvota load`.

use crate::schema;
use crate::stage::{kvota, live_world, load, new_file, thresholds};
use std::net::TcpListener;

const SHORT: [&str; 6] = ["--stage", "2s:4", "--sample", "1", "--persona", "watcher=1"];

#[actix::test]
async fn exit_code_is_0_if_thresholds_hold_and_99_if_not() {
    let mut world = live_world().await;
    let address = world.address();
    for (text, code, word) in [
        ("errors = 0\nconnections_max_min = 4\nconnect_p99_ms = 60000\nconvergence_compared_min = 0", 0, "ok   errors"),
        ("connections_max_min = 5", 99, "FAIL connections_max_min = 4"),
        ("bet_p99_ms = 250", 99, "not measured"),
    ] {
        let file = thresholds(text);
        let ended = load(&mut world, address, &[&SHORT[..], &["--thresholds", &file]].concat()).await;
        assert_eq!(ended.code, Some(code), "{text}: {}\n{}", ended.out, ended.err);
        assert!(ended.out.contains(word), "{text}: {}", ended.out);
        assert_eq!(ended.results().passed, code == 0);
    }
}

#[test]
fn exit_code_is_2_for_a_mistake_and_3_for_an_unreachable_server() {
    let nobody = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    let target = format!("http://{nobody}");
    let bad = thresholds("bet_p98_ms = 1");
    for (arguments, code, word) in [
        (vec!["--target", &target], 3, "connection refused"),
        (vec!["--target", &target, "--stage", "soon"], 2, "is no stage"),
        (vec!["--target", &target, "--thresholds", &bad], 2, "no such limit: bet_p98_ms"),
        (vec!["--target", "https://127.0.0.1"], 2, "https"),
        (vec![], 2, "--target"),
    ] {
        let output = kvota(&[&["load"], &arguments[..]].concat()).output().expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
        assert!(err.contains(word), "{arguments:?}: {err}");
    }
}

#[actix::test]
async fn results_match_their_schema_and_are_in_the_report() {
    let mut world = live_world().await;
    let (address, report) = (world.address(), new_file("report.html"));
    let limits = thresholds("errors = 0\nbet_p99_ms = 1e9");
    let arguments = [
        "--stage",
        "3s:6",
        "--storm",
        "1s:200ms",
        "--think",
        "200ms",
        "--persona",
        "bettor=1",
        "--sample",
        "2",
        "--report",
        report.to_str().expect("a path of ours"),
        "--thresholds",
        &limits,
    ];
    let ended = load(&mut world, address, &arguments).await;
    let text = std::fs::read_to_string(&ended.json).expect("results");
    let results = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema::problems(&results), [""; 0]);
    let page = std::fs::read_to_string(&report).expect("a report");
    assert!(page.contains("\"schema\":\"kvota-load/2\"") && page.contains("feed_to_client"));

    // The checker itself detects wrong, unknown and missing values.
    for (path, value) in
        [("/counts/frames", "-1"), ("/passed", "\"yes\""), ("/machine", "{}"), ("/schema", "\"other\"")]
    {
        let mut wrong = results.clone();
        *wrong.pointer_mut(path).expect("a member") = serde_json::from_str(value).expect("JSON");
        assert!(!schema::problems(&wrong).is_empty(), "{path}");
    }
    let mut more = results;
    more["further"] = serde_json::Value::Null;
    assert!(!schema::problems(&more).is_empty());
}

#[actix::test]
async fn too_low_limit_of_open_files_is_explained() {
    let mut world = live_world().await;
    let mut shell = std::process::Command::new("sh");
    let target = world.origin();
    shell.args(["-c", "ulimit -n 60 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_kvota"), "load", "--target", &target]);
    shell.args(["--stage", "2s:20", "--sample", "0", "--persona", "watcher=1"]);
    let running = tokio::task::spawn_blocking(move || shell.output().expect("a shell"));
    let output = running.await.expect("the program ended");
    world.feed.answer_requests().await;
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("20 sessions at once need about") && out.contains("the system allows 60"), "{out}");
}

#[actix::test]
async fn two_runs_are_compared() {
    let mut world = live_world().await;
    let address = world.address();
    let ended = load(&mut world, address, &SHORT).await;
    let old = ended.json.to_str().expect("a path of ours").to_owned();
    let mut slower = ended.results();
    let connect = slower.latency.get_mut("connect").expect("connections");
    connect.felt.p99 += 1000.0;
    let new = new_file("slower.json");
    std::fs::write(&new, serde_json::to_vec(&slower).expect("JSON")).expect("a file");
    let new = new.to_str().expect("a path of ours");
    for (arguments, code, word) in [
        (vec![old.as_str(), &old], 0, "connect p99, ms"),
        (vec![&old, new], 99, "worse"),
        (vec![new, &old], 0, "connect p99, ms"),
        (vec![&old, "/no/such/file"], 2, ""),
    ] {
        let output = kvota(&[&["load", "diff"], &arguments[..]].concat()).output().expect("the program runs");
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}");
        assert!(out.contains(word), "{arguments:?}: {out}");
    }
}
