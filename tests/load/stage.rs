//! Test support: a small system with a feed that changes all the time, and runs of `kvota load` against it.

use kvota::testkit::builders::{MatchBuilder, live_match, result, tennis, total};
use kvota::testkit::world::World;
use kvota_load::results::Results;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The time between two changes of the feed.
const BEAT: Duration = Duration::from_millis(15);

static FILES: AtomicU32 = AtomicU32::new(0);

/// The outcome of a run.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) json: PathBuf,
}

impl Ended {
    /// The results file.
    #[track_caller]
    pub(crate) fn results(&self) -> Results {
        let bytes = std::fs::read(&self.json).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err));
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

/// A match whose price depends on `beat`.
pub(crate) fn played(id: u64, beat: u64) -> MatchBuilder {
    let price = format!("{}.{:02}", 2 + beat % 3, (beat * 7) % 100);
    live_match(id)
        .score((beat / 50) as i64, 0)
        .market(result(id * 100, [&price, "3.2", "4"]))
        .market(total(id * 100 + 1, "2.5", ["1.9", &price]).balanced())
}

/// A tennis match; its total is part of the detail only.
pub(crate) fn played_tennis(id: u64, beat: u64) -> MatchBuilder {
    played(id, beat).status("set_1")
}

/// A live system with a few matches of two sports.
pub(crate) async fn live_world() -> World {
    live_world_of(World::start().await).await
}

/// The same matches in this system.
pub(crate) async fn live_world_of(mut world: World) -> World {
    world.feed.publish((1..=6).map(|id| played(id, 0).insert()).collect()).await;
    world.feed.publish_sport(tennis(), (7..=9).map(|id| played_tennis(id, 0).insert()).collect()).await;
    world.settle().await;
    world
}

/// A path that no other test uses.
pub(crate) fn new_file(name: &str) -> PathBuf {
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("load-{}-{number}-{name}", std::process::id()))
}

/// A file with this text.
pub(crate) fn file_of(name: &str, text: &str) -> String {
    let file = new_file(name);
    std::fs::write(&file, text).expect("a file");
    file.to_str().expect("a path of ours").to_owned()
}

/// These thresholds, and no limit on how slow the load tester may be, so that a test depends on no speed.
pub(crate) fn thresholds(text: &str) -> String {
    file_of("thresholds.toml", &format!("{text}\ngenerator_late_p99_ms = 1e9\ngenerator_busy_percent = 100\n"))
}

/// The program with these arguments, which keeps no accounts for later runs.
pub(crate) fn kvota(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kvota"));
    command.args(arguments).current_dir(std::env::temp_dir()).env_remove("RUST_LOG");
    command.env("XDG_CACHE_HOME", new_file("cache"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `kvota load` against an address while the feed of the system continues.
pub(crate) async fn load(world: &mut World, address: SocketAddr, arguments: &[&str]) -> Ended {
    let (target, json) = (format!("http://{address}"), new_file("results.json"));
    let mut all = vec!["load", "--target", &target, "--json", json.to_str().expect("a path of ours")];
    all.extend_from_slice(arguments);
    // The usual limits would make a test depend on the speed of the machine.
    let usual = thresholds("convergence_compared_min = 0");
    if !arguments.contains(&"--thresholds") {
        all.extend(["--thresholds", &usual]);
    }
    let mut command = kvota(&all);
    let output = while_playing(world, move || command.output().expect("the program runs")).await;
    ended(&output, json)
}

/// What the program left.
pub(crate) fn ended(output: &Output, json: PathBuf) -> Ended {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr), json }
}

/// Does something that blocks while the feed of the system continues.
pub(crate) async fn while_playing<T: Send + 'static>(world: &mut World, act: impl FnOnce() -> T + Send + 'static) -> T {
    let mut running = tokio::task::spawn_blocking(act);
    let mut beats = tokio::time::interval(BEAT);
    let mut beat = 0;
    loop {
        tokio::select! {
            ended = &mut running => return ended.expect("no panic"),
            _ = beats.tick() => {
                beat += 1;
                world.feed.publish(vec![played(1 + beat % 6, beat).update()]).await;
                world.feed.publish_sport(tennis(), vec![played_tennis(7 + beat % 3, beat).update()]).await;
                world.feed.answer_requests().await;
            }
        }
    }
}
