//! The verdict of `kvota load`: what does not pass, and what is left of a run that ends early.

use crate::stage::{file_of, kvota, live_world, load, new_file, thresholds, while_playing};
use kvota_load::results::{Results, Verdict};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Starts the program and waits for the first line of its progress.
fn started(arguments: &[&str]) -> (Child, impl FnOnce(Child) -> (Option<i32>, String) + use<>) {
    let mut child = kvota(arguments).spawn().expect("the program starts");
    let mut progress = BufReader::new(child.stderr.take().expect("its progress"));
    let mut line = String::new();
    while !line.contains(" connections,") {
        line.clear();
        assert!(progress.read_line(&mut line).expect("a line") > 0, "the program ended early");
    }
    let finish = move |child: Child| {
        // Read to the end, so that the program never waits for its reader.
        let rest = std::thread::Builder::new().spawn(move || std::io::copy(&mut progress, &mut std::io::sink()));
        let output = child.wait_with_output().expect("the program ends");
        rest.expect("a thread").join().expect("no panic").expect("its progress");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    (child, finish)
}

fn results(path: &str) -> Results {
    serde_json::from_slice(&std::fs::read(path).expect("results")).expect("JSON")
}

#[actix::test]
async fn interrupted_run_writes_its_results_and_ends_with_105() {
    let mut world = live_world().await;
    let (target, json) = (world.origin(), file_of("interrupted.json", ""));
    let path = json.clone();
    let (code, out) = while_playing(&mut world, move || {
        let arguments = ["load", "--target", &target, "--stage", "10m:4", "--persona", "bettor=1", "--think", "200ms"];
        let (child, finish) = started(&[&arguments[..], &["--json", &path]].concat());
        signal(&child, "-INT");
        finish(child)
    })
    .await;
    assert_eq!(code, Some(105), "{out}");
    let results = results(&json);
    assert_eq!((results.verdict, results.passed), (Verdict::Interrupted, false));
    assert!(out.contains("verdict: interrupted: a signal ended the run early"), "{out}");
    let count = |name: &str| results.counts[name];
    let with_outcome = count("bets_taken") + count("bets_refused") + count("bets_failed") + count("bets_left");
    assert_eq!(count("bets_sent"), with_outcome, "every bet is in one count: {:?}", results.counts);
}

#[test]
fn killed_server_is_noticed_and_its_errors_do_not_pass() {
    let mut serve = kvota(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("KVOTA__STORE__DATA_DIR", new_file("data")).env("RUST_LOG", "warn").stderr(Stdio::null());
    let mut server = serve.spawn().expect("the server starts");
    let ready = BufReader::new(server.stdout.take().expect("its output")).lines();
    let ready = ready.map_while(Result::ok).find_map(|line| line.strip_prefix("kvota is ready: ").map(str::to_owned));
    let (target, json) = (ready.expect("the address"), file_of("killed.json", ""));
    let limits = thresholds("convergence_compared_min = 0");
    let arguments = ["load", "--target", &target, "--stage", "8s:4", "--persona", "watcher=1"];
    let (child, finish) = started(&[&arguments[..], &["--thresholds", &limits, "--json", &json]].concat());
    server.kill().and_then(|()| server.wait()).expect("it ends");
    let (code, out) = finish(child);
    assert_eq!(code, Some(99), "{out}");
    assert!(out.contains("FAIL server_ended = 1.0 (limit 0, the usual one)"), "{out}");
    assert!(out.contains("FAIL error_percent"), "{out}");
    assert_eq!(results(&json).server.map(|server| server.ended), Some(1));
}

#[actix::test]
async fn crossed_limit_with_abort_ends_the_run() {
    let mut world = live_world().await;
    let address = world.address();
    let limits = thresholds("frames = { limit = 1, abort = true }");
    let arguments = ["--stage", "10m:3", "--persona", "watcher=1", "--thresholds", &limits];
    let ended = load(&mut world, address, &arguments).await;
    assert_eq!(ended.code, Some(99), "{}", ended.out);
    let results = ended.results();
    assert_eq!(results.verdict, Verdict::Aborted);
    assert!(results.reasons[0].contains("because frames was crossed"), "{:?}", results.reasons);
}

#[test]
fn file_that_cannot_be_written_is_a_mistake_before_the_run() {
    for option in ["--json", "--report", "--csv", "--junit"] {
        let arguments = ["load", "--target", "http://127.0.0.1:1", option, "/no/such/folder/file"];
        let output = kvota(&arguments).output().expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {err}");
        assert!(err.contains("cannot write /no/such/folder/file"), "{option}: {err}");
    }
}
