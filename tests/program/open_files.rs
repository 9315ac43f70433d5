//! The server raises its limit of open files at start.

use crate::{Running, kvota};
use std::io::{BufRead, BufReader};
use std::process::Command;

#[test]
fn the_server_raises_its_limit_of_open_files_and_warns_where_it_is_low() {
    let inner = kvota(&["serve", "--listen", "127.0.0.1:0"]);
    let mut command = Command::new("prlimit");
    command.arg("--nofile=256:4096").arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("KVOTA__STORE__DATA_DIR", format!("{}/kvota-open-files", env!("CARGO_TARGET_TMPDIR")));
    command.env("KVOTA__LOG__FORMAT", "json").current_dir(std::env::temp_dir());
    command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    let mut server = Running(command.stderr(std::process::Stdio::piped()).spawn().unwrap());
    let mut logs = BufReader::new(server.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let warning = logs.find(|line| line.contains("hub.connections_max")).expect("a warning before it ends");
    for part in ["\"limit\":4096", "\"needed\":101024", "\"connections_max\":3072", "WARN"] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.0.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<&str> = files.split_whitespace().filter(|word| word.parse::<u64>().is_ok()).collect();
    assert_eq!(numbers, ["4096", "4096"], "the soft limit and the hard one");
}
