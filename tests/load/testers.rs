//! Accounts over several runs, scenario files, exports, and several testers of one run.

use crate::schema;
use crate::stage::{ended, file_of, kvota, live_world, new_file, thresholds, while_playing};

#[actix::test]
async fn accounts_are_used_again_and_too_few_of_them_are_named() {
    let mut world = live_world().await;
    let (target, cache) = (world.origin(), new_file("accounts"));
    let mut run = async |more: &[&str]| {
        let json = new_file("results.json");
        let path = json.to_str().expect("a path of ours");
        let arguments = ["load", "--target", &target, "--stage", "2s:3", "--persona", "bettor=1", "--sample", "0"];
        let mut command = kvota(&[&arguments[..], &["--accounts", "2", "--json", path], more].concat());
        command.env("XDG_CACHE_HOME", &cache);
        let output = while_playing(&mut world, move || command.output().expect("the program runs")).await;
        ended(&output, json)
    };
    let first = run(&[]).await;
    assert!(first.err.contains("2 of 2 accounts opened"), "{}", first.err);
    assert!(first.out.contains("3 bettors at once and 2 accounts"), "{}", first.out);
    assert_eq!(first.results().counts["bettors_without_account"], 1);
    let second = run(&[]).await;
    assert!(second.err.contains("2 accounts of an earlier run are used again"), "{}", second.err);
    assert!(!second.err.contains("accounts opened"), "{}", second.err);
    let third = run(&["--new-accounts"]).await;
    assert!(third.err.contains("2 of 2 accounts opened"), "{}", third.err);
    // With a stake of which an account has less than 50, it is replaced.
    let fourth = run(&["--stake", "100.00"]).await;
    assert!(fourth.err.contains("2 of 2 accounts opened"), "{}", fourth.err);
}

#[actix::test]
async fn scenario_runs_and_its_files_are_written() {
    let mut world = live_world().await;
    let (json, csv, junit) = (new_file("run.json"), new_file("run.csv"), new_file("run.xml"));
    let scenario = file_of(
        "evening.toml",
        &format!(
            "name = \"evening\"\ntarget = \"{}\"\nstage = [\"ramp=1s:0..3\", \"hold=2s:3\"]\npersona = \"watcher=1\"\n\
             csv = {csv:?}\njunit = {junit:?}\n[tag]\nbuild = 7\n[thresholds]\nconvergence_compared_min = 0\n\
             generator_late_p99_ms = 1e9\ngenerator_busy_percent = 100\n\
             connect_max_ms = {{ limit = 0.0, stage = \"hold\", persona = \"bettor\" }}\n",
            world.origin()
        ),
    );
    let path = json.to_str().expect("a path of ours").to_owned();
    let output = while_playing(&mut world, move || {
        kvota(&["load", "--scenario", &scenario, "--json", &path, "--tag", "build=8"])
            .output()
            .expect("the program runs")
    })
    .await;
    let ended = ended(&output, json);
    assert_eq!(
        ended.code,
        Some(99),
        "no bettor connected, so that limit was not measured: {}\n{}",
        ended.out,
        ended.err
    );
    let results = ended.results();
    assert_eq!(results.demand.name, "evening");
    assert_eq!(results.demand.tags["build"], "8", "the command line replaces the file");
    assert_eq!(results.demand.stages, ["ramp=1s:0..3", "hold=2s:3..3"]);
    let value = serde_json::to_value(&results).expect("JSON");
    assert_eq!(schema::problems(&value), [""; 0]);
    let csv = std::fs::read_to_string(csv).expect("CSV");
    assert_eq!(csv.lines().count(), 1 + results.series.len());
    let junit = std::fs::read_to_string(junit).expect("JUnit");
    assert!(junit.contains("connect_max_ms{stage=hold,persona=bettor}") && junit.contains("not measured"), "{junit}");
}

#[actix::test]
async fn two_testers_run_one_plan_and_are_merged() {
    let mut world = live_world().await;
    let (target, limits) = (world.origin(), thresholds("bets_sent_min = 1\nconvergence_compared_min = 0"));
    // Time for both to open their accounts.
    let start = (kvota::wall_clock::now_us() / 1_000_000 + 12).to_string();
    let files = [new_file("one.json"), new_file("two.json")].map(|path| path.to_str().expect("a path").to_owned());
    let paths = files.clone();
    let outputs = while_playing(&mut world, move || {
        let tester = |part: &str, json: &str| {
            let plan = ["load", "--target", &target, "--stage", "3s:5", "--persona", "bettor=1", "--think", "100ms"];
            let own = ["--part", part, "--start-at", &start, "--json", json, "--thresholds", &limits];
            kvota(&[&plan[..], &own].concat()).spawn().expect("the program starts")
        };
        let testers = [tester("1/2", &paths[0]), tester("2/2", &paths[1])];
        testers.map(|tester| tester.wait_with_output().expect("it ends"))
    })
    .await;
    let [one, two] = [0, 1].map(|at| ended(&outputs[at], files[at].clone().into()));
    let sessions = [&one, &two].map(|tester| tester.results().demand.sessions);
    assert_eq!(sessions, [3, 2]);
    let both = new_file("both.json");
    let path = both.to_str().expect("a path of ours");
    let output = kvota(&["load", "merge", &files[1], &files[0], "--json", path]).output().expect("the program runs");
    let merged = ended(&output, both.clone());
    assert_eq!(merged.code, Some(0), "{}\n{}", merged.out, merged.err);
    let results = merged.results();
    assert_eq!(results.demand.sessions, 5);
    let sum = |name: &str| one.results().counts[name] + two.results().counts[name];
    assert_eq!((results.counts["bets_sent"], results.counts["frames"]), (sum("bets_sent"), sum("frames")));
    let value = serde_json::to_value(&results).expect("JSON");
    assert_eq!(schema::problems(&value), [""; 0]);
    let output = kvota(&["load", "merge", &files[0]]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "one of two parts is no run");
}
