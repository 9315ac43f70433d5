//! The test kit for actors, used by a crate outside of the workspace: it compiles with nothing of the program, and its
//! first test passes.

use std::fs;
use std::path::Path;
use std::process::Command;

const TEST: &str = r#"
use kvota_actor_testkit::{actor_tracker::ActorTracker, log_probe::LogProbe, probe::Probe};

#[derive(actix::Message, Clone, PartialEq, Debug)]
#[rtype(result = "()")]
struct Goal(u64);

struct Forwards(actix::Recipient<Goal>);

impl actix::Actor for Forwards {
    type Context = actix::Context<Self>;
}

impl actix::Handler<Goal> for Forwards {
    type Result = ();

    fn handle(&mut self, goal: Goal, _: &mut actix::Context<Self>) {
        self.0.do_send(goal);
    }
}

#[actix::test]
async fn actor_forwards_goals() {
    let _log = LogProbe::start();
    let tracker = ActorTracker::new();
    let mut probe = Probe::<Goal>::start();
    let forwards = tracker.start(Forwards(probe.recipient()));
    forwards.do_send(Goal(17));
    probe.expect_eq(Goal(17)).await;
    drop(forwards);
    tracker.end().await;
}
"#;

#[test]
fn crate_outside_of_the_workspace_uses_the_actor_kit_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let kit = root.join("crates").join("actor-testkit");
    fs::create_dir_all(folder.join("src")).and_then(|()| fs::create_dir_all(folder.join("tests"))).expect("folders");
    let manifest = format!(
        "[package]\nname = \"outside\"\nedition = \"2024\"\n\n[workspace]\n\n[dev-dependencies]\n\
         actix = {{ version = \"0.13\", default-features = false, features = [\"macros\"] }}\n\
         kvota-actor-testkit = {{ path = {kit:?} }}\n"
    );
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("Cargo.toml", &manifest);
    write("src/lib.rs", "");
    write("tests/first.rs", TEST);
    // The versions of the program, which are on this machine.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--offline").current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target"));
        let output = command.output().expect("cargo runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{arguments:?}: {}\n{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    };
    assert!(cargo(&["test"]).contains("test actor_forwards_goals ... ok"));
    let tree = cargo(&["tree", "--edges", "normal,dev,build", "--prefix", "none"]);
    assert!(tree.contains("kvota-actor-testkit"), "{tree}");
    for foreign in ["actix-web ", "sqlx", "lapin", "kvota v", "kvota-store", "kvota-simulator", "libsqlite3-sys"] {
        assert!(!tree.contains(foreign), "the kit for actors brings {foreign}: {tree}");
    }
}
